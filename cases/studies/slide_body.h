/* slide_body.h: bodies that slide on one contact without impacts, in a world and as the
 * motion with the contact as a constraint: what the study bodies and tests/order/sliding
 * compare.
 *
 * The contact point has the arm R c - rho n, with c fixed in the body: a corner (rho = 0),
 * the end of a capsule, a rounded corner. With n constant the acceleration of the gap,
 *
 *     n . (a + alpha x R c + omega x (omega x R c)) = 0,
 *
 * gives the normal force; friction is mu times that, against the slip. A sphere over a
 * ridge is an inverted pendulum, |(x, z)| = r. */
#ifndef SCREE_STUDIES_SLIDE_BODY_H
#define SCREE_STUDIES_SLIDE_BODY_H

#include "engine/base/error.h"
#include "engine/base/vec.h"
#include "engine/scree.h"

typedef enum slide_ground {
    SLIDE_PLANE,
    SLIDE_MESH,
    SLIDE_TERRAIN,
    SLIDE_GROUNDS
} slide_ground;
extern const char *const slide_ground_names[SLIDE_GROUNDS];

/* A body on its corner c, which is its lowest. */
typedef struct slide_body {
    const char *name;
    scree_shape_def shape;
    scree_vec3 c;
    double rho, mu;
    bool planar, ridge; /* ridge: the sphere; there is no plane for it */
    scree_vec3 drift;   /* of the ground [m/s] */
    double tolerance;   /* of the solver */
    const char *stepper, *method;
    int order, stages; /* of moreau-adaptive, of lobatto */
    double rho_inf;    /* of generalized-alpha */
    scree_friction_law friction;
} slide_body;

/* Without friction, tolerance 1e-12, by rattle with pgs. */
slide_body slide_square(void);
slide_body slide_box(void);
slide_body slide_capsule(void);
slide_body slide_rock(void); /* a tetrahedron with rounded corners */
slide_body slide_ball(void); /* over a ridge */

/* Position, orientation (w, x, y, z), velocity, spin (inertial frame). */
enum { SLIDE_STATE = 13, SLIDE_POSITIONS = 7 };

/* The state at `time`, a multiple of dt, in a world with steps of dt at most. */
scree_status slide_in_world(const slide_body *s, slide_ground ground, double dt,
                            double time, double *y, scree_error *error);
/* The state at `time`, by Runge-Kutta; *least: the least normal force over the weight. */
scree_status slide_exactly(const slide_body *s, double time, double *y,
                           double *least, scree_error *error);

#endif
