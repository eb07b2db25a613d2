/* shape.h: what a shape is: one file in contact/shapes and one line in
 * shapes.def.
 *
 * Bodies are convex solids, or balls held together. What a solid does follows
 * from its core (contact/solid/solid.h), and shapes of the same core share it: a box
 * is a polyhedron, a disc touches as a ball does. Walls have no solid. */
#ifndef SCREE_CONTACT_SHAPE_H
#define SCREE_CONTACT_SHAPE_H

#include <stdbool.h>

#include "contact/narrow/contact.h"
#include "contact/solid/form.h"

struct scree_hit;
struct scree_landing;
struct scree_mesher;
struct scree_patch;

/* ---- solids ----------------------------------------------------------------
 */

typedef struct scree_solid_ops {
    /* The core's point farthest along d (inertial frame), and its feature. */
    scree_vec3 (*support)(const scree_placed *p, scree_vec3 d,
                          uint32_t *feature);
    /* Radii about the origin: all points lie within `bound` of it, and all
     * points within `inside` of it lie in the solid [m]. */
    double (*bound)(const scree_solid *solid);
    double (*inside)(const scree_solid *solid);
    /* Of unit density, exact to rounding. */
    scree_mass (*mass)(const scree_solid *solid);
    /* Polygons to be looked at (contact/solid/surface.h says how fine). */
    void (*surface)(struct scree_mesher *mesher, const scree_solid *solid,
                    int level);
    /* Points of the core that a half space may touch (contact/narrow/landing.h). */
    void (*land)(struct scree_landing *landing);
    /* The features of contact/narrow/clip.h, which manifolds of two solids are made
     * of. NULL: the core has no face, or no line; `facing` is NULL in the
     * plane, where pairs have routines of their own. */
    void (*face)(const scree_placed *p, int f, scree_vec3 d,
                 struct scree_patch *patch);
    int (*face_towards)(const scree_placed *p, scree_vec3 d,
                        scree_vec3 *normal);
    bool (*edge)(const scree_placed *p, scree_vec3 d,
                 struct scree_patch *patch);
    void (*facing)(const scree_placed *p, scree_vec3 d,
                   struct scree_patch *patch);
} scree_solid_ops;

#define SCREE_CORE(core, ops) extern const scree_solid_ops scree_solid_##ops;
#include "contact/cores.def"
#undef SCREE_CORE
extern const scree_solid_ops scree_solid_disc;

/* By scree_core. */
extern const scree_solid_ops *const scree_solids[];

static inline const scree_solid_ops *scree_ops_of(const scree_solid *solid) {
    return scree_solids[solid->core];
}

/* ---- shapes ----------------------------------------------------------------
 */

/* What the shape of a body is made from: each looks at what it needs. */
typedef struct scree_shape_sizes {
    double size[3];        /* edge lengths [m] */
    double radius, length; /* [m], along z */
    const double *points;  /* (n_point x 3) [m] */
    int n_point;
    const double *balls; /* (n_ball x 4) x, y, z, radius [m] */
    int n_ball;
    double rounding; /* >= 0: grows the solid [m] */
} scree_shape_sizes;

typedef struct scree_shape_ops {
    const char *name;
    const char *about;
    bool planar;                  /* lives in plane worlds */
    const scree_solid_ops *solid; /* NULL: walls and clumps */
    /* Fills a form that is zero; what it has at a failure is freed by the
     * caller. NULL: walls, and bodies that a radius alone tells all about. */
    scree_status (*make)(scree_form *form, const scree_shape_sizes *sizes,
                         scree_error *error);
    /* Some of each sort, about 1 m in size, for tests/conform/shapes.c. NULL:
     * walls. */
    const scree_shape_sizes *samples;
    int n_sample;
    /* Of those bodies: volume [m^3] and squared radius of gyration theta / m
     * [m^2]. */
    double (*volume)(double radius);
    double (*gyration2)(double radius);
    /* Walls: does a ball that moves by d hit it? Surfaces are asked in their
     * own frame. */
    bool (*sweep)(const scree_plane *wall, scree_ball ball, scree_vec3 d,
                  struct scree_hit *hit);
} scree_shape_ops;

#define SCREE_SAMPLES(list)                                                    \
    .samples = (list), .n_sample = (int)(sizeof(list) / sizeof *(list))

#define SCREE_SHAPE(name) extern const scree_shape_ops scree_shape_##name;
#include "contact/shapes.def"
#undef SCREE_SHAPE

/* By scree_ground. */
extern const scree_shape_ops *const scree_walls[];

/* Shape i of shapes.def, NULL past the end. */
const scree_shape_ops *scree_shape_get(int i);

/* ---- for those that make forms ---------------------------------------------
 */

/* A form from its solid and its hull, if it has one, which is moved to its
 * centre of mass. */
void scree_form_finish(scree_form *form, scree_solid solid);

/* The same for one that is `length` long. */
scree_status scree_form_along_axis(scree_form *form, scree_solid solid,
                                   const scree_shape_sizes *sizes,
                                   scree_error *error);

typedef scree_status scree_hull_maker(scree_hull *hull,
                                      const scree_vec3 *points, int n,
                                      scree_error *error);
/* The hull of the points, grown. */
scree_status scree_form_from_points(scree_form *form, scree_core core,
                                    scree_hull_maker *hull,
                                    const scree_shape_sizes *sizes,
                                    scree_error *error);

static inline bool scree_above_zero(double x) {
    return isfinite(x) && x > 0;
}

#endif
