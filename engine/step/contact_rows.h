/* contact_rows.h: a contact of a world as a row of the inclusion problem: its
 * geometry, velocity, law and percussion. */
#ifndef SCREE_STEP_CONTACT_ROWS_H
#define SCREE_STEP_CONTACT_ROWS_H

#include "contact/broad/contact_state.h"
#include "contact/shapes/sphere.h"
#include "engine/world/world.h"
#include "solvers/law/rolling.h"

/* chi of a contact: minus the prescribed velocity of the wall's point, or that at which
 * the image of b moves against b; 0 between bodies. */
scree_vec3 scree_world_chi(const scree_world *world, const scree_contact *c);
/* W^T u of a contact with a driven wall. */
scree_vec3 scree_world_relative_to_drive(const scree_world *world,
                                         const scree_contact *c,
                                         scree_velocity a, scree_velocity b);

/* ---- shared by the files that make rows of contacts ----------------------- */

/* Place of the static body in the solvers' numbering: behind the bodies, and behind the
 * walls that forces drive (engine/walls/servo.h). */
static inline int32_t scree_world_static(const scree_world *world) {
    return world->state.bodies.n + world->scene.n_driven;
}

/* Is the contact with such a wall? */
static inline bool scree_world_is_driven(const scree_world *world,
                                         const scree_contact *c) {
    return world->scene.n_driven > 0 && c->b < 0 &&
           world->scene.walls[-1 - c->b].drive.slot >= 0;
}

/* Second body of a contact in the solvers' numbering. */
static inline int32_t scree_world_second(const scree_world *world,
                                         const scree_contact *c) {
    if (c->b >= 0) return c->b;
    return scree_world_is_driven(world, c)
               ? world->state.bodies.n +
                     world->scene.walls[-1 - c->b].drive.slot
               : scree_world_static(world);
}

/* Which image of b a contact is with: that of its pair. */
static inline scree_image scree_world_image(const scree_world *world,
                                            const scree_contact *c) {
    return world->scene.cell ? world->state.broad.pairs[c->pair].image : 0;
}

/* Centre of a as seen from that of b, of two bodies, and how fast it moves: the one
 * place where those of contacts are subtracted (contact/narrow/period.h). */
static inline scree_vec3 scree_world_apart(const scree_world *world,
                                           const scree_contact *c) {
    const scree_ball *x = world->state.bodies.x;
    return scree_period_apart(world->scene.cell, scree_world_image(world, c),
                              x[c->a].x, x[c->b].x);
}
static inline scree_vec3 scree_world_closing(const scree_world *world,
                                             const scree_contact *c) {
    const scree_twist *u = world->state.bodies.u;
    return scree_period_closing(world->scene.cell, scree_world_image(world, c),
                                u[c->a].v, u[c->b].v);
}

/* Normal, gap and arms of a contact of two spheres, by their places of now. */
static inline void scree_world_measure_spheres(const scree_world *world,
                                               scree_contact *c) {
    const scree_ball *x = world->state.bodies.x;
    scree_spheres_apart(scree_world_apart(world, c), x[c->a].r, x[c->b].r, c);
}

/* Arms of a general contact, at the positions of now or where the step began. */
static inline const scree_arms *scree_world_arms(const scree_world *world,
                                                 const scree_contact *c) {
    return c->arms < SCREE_AT_BEGIN
               ? &world->state.contacts.arms[c->arms]
               : &world->state.contacts.footings[c->arms - SCREE_AT_BEGIN].arms;
}

/* Was the contact found where the step takes its bodies (complete.c)? */
static inline bool scree_world_is_ahead(const scree_world *world,
                                        const scree_contact *c) {
    return c->arms >= 0 && scree_world_arms(world, c)->ahead;
}

/* W^T u of two velocities; of a driven wall: that of its body in the problem. */
static inline scree_vec3 scree_world_relative(const scree_world *world,
                                              const scree_contact *c,
                                              scree_velocity a,
                                              scree_velocity b) {
    if (scree_world_is_driven(world, c))
        return scree_world_relative_to_drive(world, c, a, b);
    if (c->arms >= 0) {
        const scree_arms *r = scree_world_arms(world, c);
        return sub(add(a.v, cross(a.w, r->a)), add(b.v, cross(b.w, r->b)));
    }
    const scree_vec3 spin = add(scale(c->arm_a, a.w), scale(c->arm_b, b.w));
    return sub(sub(a.v, b.v), cross(spin, c->n));
}

/* Where the bodies touch. */
static inline scree_vec3 scree_world_point(const scree_world *world,
                                           const scree_contact *c) {
    const scree_vec3 x = world->state.bodies.x[c->a].x;
    return c->arms >= 0 ? add(x, world->state.contacts.arms[c->arms].a)
                        : add_scaled(x, -c->arm_a, c->n);
}

/* Arm of a contact from the body that a driven wall is in the problem. */
scree_vec3 scree_world_drive_arm(const scree_world *world,
                                 const scree_contact *c);

/* Must the contact be a general row? So if its arms are, if it resists turning, or
 * if its friction is anisotropic. */
bool scree_world_is_general(const scree_world *world, const scree_contact *c);

/* A row with the geometry of the contact and its friction law. */
scree_row scree_world_row(const scree_world *world, const scree_contact *c);

static inline scree_velocity scree_twist_velocity(const scree_twist *u) {
    return (scree_velocity){u->v, u->w};
}

/* Friction and moment, in their set for the P_n that is there. */
void scree_row_start_whole(scree_row *row, scree_vec3 M);
/* The guess P, M of a percussion, brought into the set that the row allows. */
static inline void scree_row_start(scree_row *row, scree_vec3 P, scree_vec3 M) {
    const double P_n = dot(row->n, P);
    row->P_n = prox_half_line(P_n);
    row->P_t = add_scaled(P, -P_n, row->n);
    if (scree_row_turns(row) || scree_row_is_oval(row))
        scree_row_start_whole(row, M);
    else
        row->P_t = prox_disc(row->mu * row->P_n, row->P_t);
}

/* ---- what laws keep (solvers/law/law.h, law_states.c) ------------------------ */

/* Does any law in use keep something? Which numbers change sign if the two bodies
 * change places? */
bool scree_world_keeps_states(const scree_world *world);
unsigned scree_world_odd_states(void);
/* At the end of a step, with its velocities and percussions. */
void scree_world_advance_states(scree_world *world);

/* Moment percussion of a contact: first guess, then what was solved. */
static inline scree_vec3 scree_world_moment(const scree_world *world,
                                            const scree_contact *c) {
    return c->state >= 0
               ? scree_state_moment(&world->state.contacts.states[c->state])
               : vec(0, 0, 0);
}
static inline void scree_world_keep_moment(scree_world *world,
                                           const scree_contact *c,
                                           scree_vec3 M) {
    if (c->state >= 0)
        scree_state_set_moment(&world->state.contacts.states[c->state], M);
}

/* Does any law resist turning? */
bool scree_world_resists_turning(const scree_world *world);

/* How materials a and b meet. Stays until the same thread asks for other ones. */
static inline const scree_pair_law *
scree_world_pair_law(const scree_world *world, int a, int b) {
    return world->scene.pair_laws.table
               ? scree_pair_table_entry(&world->scene.pair_laws, a, b)
               : scree_world_find_law(world, a, b);
}

/* Both stay until the same thread asks for those of another contact. */
const scree_pair_law *scree_world_pair_of(const scree_world *world,
                                          const scree_contact *c);
const scree_contact_law *scree_world_law(const scree_world *world,
                                         const scree_contact *c);

/* What the materials say of a contact, with the direction of their friction at the
 * positions of now or, in a step of rattle, where it began. */
scree_law_terms scree_world_terms(const scree_world *world,
                                  const scree_contact *c,
                                  const scree_contact_law *law, bool at_begin);
/* Axes of the friction of a contact that has an ellipse, likewise. */
void scree_world_set_axes(const scree_world *world, const scree_contact *c,
                          bool at_begin, scree_row *row);

#endif
