/* scree_forces.h: what acts on bodies beside gravity and contacts, and who is told of it.
 *
 *     forces        fields, drag and buoyancy, everywhere or in a box
 *     apply_...     a force, torque or impulse on one body in the next step
 *     set_...       where a body is, how it moves, gravity
 *     kinematic     bodies that move as they are told and push others
 *     groups        which bodies and walls touch each other at all
 *     callbacks     before and after a step, and with its contacts
 *
 * Of a world that is spread over ranks all of these are collective: all ranks call them
 * with the same arguments, and callbacks are called on each rank. Joints of kinematic
 * bodies are refused. Steppers: forces, what is applied and kinematic bodies run with
 * moreau and rattle; others refuse them by name. The rest runs with all.
 *
 * Work: forces and fluids that flow give `force_work` (scree_scalars), drag takes
 * `dissipated_drag`, and kinematic bodies, which count as walls do and are in none of the
 * sums over bodies, give `wall_work`. */
#ifndef SCREE_FORCES_H
#define SCREE_FORCES_H

#include "scree.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- forces ------------------------------------------------------------------ */

/* A fluid at rest or with a velocity v_f, in which a body of mass m has
 *     m dv/dt = -m linear (v - v_f) - 1/2 density quadratic A |v - v_f| (v - v_f),
 *     dw/dt = -spin w,
 * and with buoyancy the force -density V g. A is the area of the ball of the body's
 * volume V, pi r^2; in the plane 2 r. Within a step the velocity follows the equation
 * itself: any drag is stable, and terminal velocities are exact for any step size. */
typedef struct scree_drag {
    double linear;      /* [1/s] */
    double quadratic;   /* drag coefficient [-]; 0.47 of a ball at high speed */
    double spin;        /* [1/s] */
    double density;     /* of the fluid [kg/m^3] */
    double velocity[3]; /* of the fluid [m/s] */
    bool buoyancy;
} scree_drag;

/* A force is the sum of its parts; those that are zero are not there. It acts on the
 * bodies whose centre is in its box: where the contacts of a step are looked for with
 * moreau, at both ends of the step with rattle. A body is in one fluid: the first one
 * that was added and in whose box it is. */
typedef struct scree_force_def {
    double acceleration[3]; /* [m/s^2] */
    double force[3];        /* at the centre of mass [N] */
    double torque[3];       /* [N m] */
    scree_drag drag;
    double low[3], high[3]; /* its box, infinite at first [m] */
    const int *materials;   /* (n_material) of the bodies; copied */
    int n_material;         /* 0: all bodies */
    uint32_t cookie;
} scree_force_def;

scree_force_def scree_force_def_default(void);
/* Forces are not in checkpoints: a world is loaded into one that has them. */
scree_status scree_world_add_force(scree_world *world,
                                   const scree_force_def *def, int *force);

/* On a body throughout the next step, in addition to what was applied before; then it is
 * forgotten. An impulse J is the force J / dt of that step. point: where it acts, as the
 * body is now; NULL: at its centre of mass. */
scree_status scree_world_apply_force(scree_world *world, int64_t id,
                                     const double force[3],
                                     const double *point);
scree_status scree_world_apply_torque(scree_world *world, int64_t id,
                                      const double torque[3]);
scree_status scree_world_apply_impulse(scree_world *world, int64_t id,
                                       const double impulse[3],
                                       const double *point);

/* ---- states ------------------------------------------------------------------ */

/* Each pointer may be NULL: that stays. Energy that this brings counts as inserted. A
 * body that is put into others or into walls is an overlap, which moreau works off and
 * rattle throws out as velocity. */
scree_status scree_world_set_velocity(scree_world *world, int64_t id,
                                      const double *velocity,
                                      const double *angular_velocity);
scree_status scree_world_set_position(scree_world *world, int64_t id,
                                      const double *position,
                                      const double *orientation);
/* Of all bodies from now on. A checkpoint keeps it, also if its case says otherwise. */
scree_status scree_world_set_gravity(scree_world *world,
                                     const double gravity[3]);

/* ---- kinematic bodies ---------------------------------------------------------- */

/* Velocities over the step from t to t + dt, as they were on entry. The same on all
 * ranks, and after a restart: by its arguments alone. */
typedef void scree_kinematic_motion(void *context, int64_t id, double t,
                                    double dt, double velocity[3],
                                    double angular_velocity[3]);

/* A kinematic body has infinite mass, and reads so: nothing changes its velocity but its motion, or
 * scree_world_set_velocity where that is NULL. It pushes other bodies, and passes walls
 * and its like. Checkpoints keep which bodies are kinematic, not their motions: those are
 * set again. With `on` false a body moves by itself again, with its old mass. */
scree_status scree_world_set_kinematic(scree_world *world, int64_t id, bool on,
                                       scree_kinematic_motion *motion,
                                       void *context);
bool scree_world_is_kinematic(const scree_world *world, int64_t id);

/* ---- groups ---------------------------------------------------------------------- */

/* Two bodies touch each other if each is in a group that the other one collides with:
 *     (a.group & b.collides) && (b.group & a.collides),
 * else they pass, and no pair of them is ever listed. At first all have group 1 and
 * collide with all. Of materials: for bodies that have no groups of their own, and for
 * walls. group is not 0; who is to touch nobody collides with 0. Groups of bodies are
 * in checkpoints, those of materials are set before. */
scree_status scree_world_set_group(scree_world *world, int64_t id,
                                   uint32_t group, uint32_t collides);
scree_status scree_world_set_material_group(scree_world *world, int material,
                                            uint32_t group, uint32_t collides);

/* ---- callbacks -------------------------------------------------------------------- */

/* Each may be NULL. A status that is not SCREE_OK ends the step with it, on all ranks.
 * before_step may change the world, add bodies and remove them, and so may after_step;
 * contacts may only look. They are called on one thread: contacts with those of this
 * rank, in the order of their (a, b) ids, then after_step, when the step is whole and has
 * been found finite. */
typedef struct scree_callbacks {
    scree_status (*before_step)(void *context, scree_world *world);
    scree_status (*contacts)(void *context, const scree_world *world,
                             const scree_contact_view *contacts, int64_t n);
    scree_status (*after_step)(void *context, scree_world *world);
    void *context;
} scree_callbacks;

/* In place of those that were set before; NULL: none. */
scree_status scree_world_set_callbacks(scree_world *world,
                                       const scree_callbacks *callbacks);

/* ---- contacts of a body ------------------------------------------------------------- */

/* Mean force on contact->a over the last step [N]. */
void scree_world_contact_force(const scree_world *world,
                               const scree_contact_view *contact,
                               double force[3]);
/* Those of this rank that the body has: how many there are. `room` of them at most are
 * written, in the order of their (a, b) ids. */
int64_t scree_world_read_body_contacts(const scree_world *world, int64_t id,
                                       scree_contact_view *contacts,
                                       int64_t room);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
