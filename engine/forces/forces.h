/* forces.h: what acts on bodies beside gravity and contacts (engine/scree_forces.h), and
 * how it enters a step.
 *
 * A force is part of h in M (u_E - u_B) = h dt + W P, as gravity is: what presses a body
 * against others is borne by them in the same step. What it adds to velocities is found
 * once in a step, from the velocities before it:
 *
 *     moreau  at q_M, over dt             found when contacts are entered, added by kick
 *     rattle  at q_n and at q_{n+1}, over dt/2 each, with u_n and u_{n+1/2}
 *
 * In free flight that is of second order, whatever the drag.
 *
 *     forces.c     fields, drag, what is applied; their work
 *     flow.c       velocities in a fluid
 *     tell.c       states of single bodies, gravity, what is applied
 *     kinematic.c  bodies that move as they are told
 *     groups.c     who touches whom
 *     callbacks.c  who is told
 *     state.c      what checkpoints keep */
#ifndef SCREE_FORCES_FORCES_H
#define SCREE_FORCES_FORCES_H

#include "engine/base/archive.h"
#include "engine/world/ranks.h"
#include "engine/world/world.h"

void scree_forces_free(scree_forces *forces);

/* ---- in a step ------------------------------------------------------------------ */

/* What acts on all bodies alike: what values by default, detection and the solver take
 * for gravity [m/s^2]. */
static inline scree_vec3 scree_world_weight(const scree_world *world) {
    const scree_vec3 g = world->state.gravity;
    return world->forces.n > 0 ? add(g, world->forces.steady) : g;
}

/* Which part of a step is asked for. */
typedef enum scree_push_part {
    SCREE_PUSH_WHOLE, /* moreau */
    SCREE_PUSH_FIRST, /* rattle: stage 1, */
    SCREE_PUSH_SECOND /* and stage 2 */
} scree_push_part;

/* Finds what velocities get over dt; nothing in worlds without forces. Collective. */
void scree_world_find_pushes(scree_world *world, double dt,
                             scree_push_part part);
/* What body i gets in all over the step of moreau: gravity and forces. */
static inline scree_velocity scree_world_kick_of(const scree_world *world,
                                                 int32_t i, double dt) {
    const scree_bodies *b = &world->state.bodies;
    scree_velocity kick = {vec(0, 0, 0), vec(0, 0, 0)};
    if (scree_is_kinematic(&b->u[i])) return kick;
    kick.v = scale(dt, world->state.gravity);
    if (!b->push) return kick;
    return (scree_velocity){add(kick.v, b->push[i].first.v),
                            add(kick.w, b->push[i].first.w)};
}
/* Their work, when the velocities after the step are known. */
void scree_world_book_pushes(scree_world *world);
/* What was applied has acted. */
void scree_world_forget_applied(scree_world *world);

/* ---- in a fluid (flow.c) ----------------------------------------------------------- */

/* dv/dt = a - (linear + quadratic |v|) v. */
typedef struct scree_flow {
    double linear, quadratic; /* [1/s], [1/m] */
    scree_vec3 a;
} scree_flow;

/* v(dt) - v(0): exact where quadratic is 0 or the velocity that of rest, else of second
 * order. */
scree_vec3 scree_flow_change(const scree_flow *flow, scree_vec3 v, double dt);

/* ---- one body ------------------------------------------------------------------------ */

/* There is such a body, on some rank. */
scree_status scree_forces_check_body(scree_world *world, int64_t id);
/* Its place here; -1: it is not on this rank. */
int32_t scree_forces_place(const scree_world *world, int64_t id);
/* Does the stepper know forces and kinematic bodies? */
scree_status scree_forces_check_stepper(scree_world *world, const char *what);
/* Energy of the body at this place, which may be none, is `before` no more. */
void scree_forces_insert(scree_world *world, int32_t i, double before);

/* ---- kinematic bodies ------------------------------------------------------------- */

/* Sets the velocities of this step. */
void scree_world_drive(scree_world *world);
/* Place among the kinematic bodies, or -1. */
int64_t scree_kinematic_index(const scree_forces *forces, int64_t id);
/* Those that left are forgotten. */
void scree_kinematic_forget(scree_world *world);
/* What kinematic bodies give by P and M on c->a [J]. */
double scree_kinematic_gift(const scree_world *world, const scree_contact *c,
                            scree_vec3 P, scree_vec3 M);
/* Is one of the two kinematic? */
static inline bool scree_contact_is_driven(const scree_world *world,
                                           const scree_contact *c) {
    const scree_twist *u = world->state.bodies.u;
    return world->forces.n_kinematic > 0 &&
           (scree_is_kinematic(&u[c->a]) ||
            (c->b >= 0 && scree_is_kinematic(&u[c->b])));
}

/* ---- groups ------------------------------------------------------------------------ */

/* Who passes whom, for joints, groups or because both are driven. */
typedef struct scree_passages {
    const scree_world *world;
    const scree_bodies *bodies; /* that places are of */
    scree_passing passing;
} scree_passages;

/* What the broad phase asks; NULL: nobody passes another. */
const scree_passing *scree_world_passing(const scree_world *world,
                                         const scree_bodies *bodies,
                                         scree_passages *passages);
/* Does body i meet the wall? */
bool scree_world_meets_wall(const scree_world *world,
                            const scree_bodies *bodies, int32_t i, int wall);

/* ---- callbacks, files ---------------------------------------------------------------- */

scree_status scree_world_call_before(scree_world *world);
scree_status scree_world_call_after(scree_world *world);

/* The world's own part; then, in the group of the bodies, what bodies have. */
void scree_forces_archive(scree_world *world, scree_archive *a);
void scree_forces_make_room(scree_world *world, scree_archive *a);
bool scree_forces_have_traits(const scree_world *world);
void scree_forces_archive_bodies(const scree_world *world,
                                 const scree_items *applied,
                                 const scree_items *groups, scree_archive *a);
/* The same of a rank that is one of several. */
scree_status scree_forces_save_part(scree_world *world, scree_archive *a);
void scree_forces_load_part(scree_world *world, scree_archive *a);
void scree_forces_check_bodies(const scree_world *world, scree_archive *a);

#endif
