/* world_rattle.h: what the two stages of RATTLE for many bodies share. */
#ifndef SCREE_WORLD_RATTLE_H
#define SCREE_WORLD_RATTLE_H

#include "contact/shapes/plane.h"
#include "contact/shapes/sphere.h"
#include "engine/step/step.h"

/* Contacts nearer than this share of the least radius at the end of the step
 * take part in a round. */
#define SCREE_RATTLE_NEAR 1e-2

/* Its stages are solved to this share of solver.tolerance: what stage 1 leaves of gaps
 * comes back as velocities in the next step, and stacks rock by it. A stack of 20
 * boxes drifts by 1e-4 m in 2 s at 3e-4, and by 1e-7 m at 1e-4. */
#define SCREE_RATTLE_SHARE (1.0 / 3)

static inline double scree_rattle_tolerance(const scree_world *world) {
    return SCREE_RATTLE_SHARE * world->def.solver.tolerance;
}

/* ---- contacts that stay over rounds (world_rattle_hold.c) -------------------- */

typedef struct scree_held {
    scree_contact c;
    scree_footing footing;
    scree_arms arms;
    scree_vec3 a, b;       /* points of the bodies that touch [m] */
    scree_vec3 on_a, on_b; /* the same as seen from the bodies [m] */
    scree_contact_state state;
} scree_held;

typedef struct scree_holding {
    int64_t n, rebuilds;
    bool late;
    scree_held *list;
} scree_holding;

/* Takes those of now; `late`: all of them, not only those that bear load. In memory
 * of the world's scratch. */
scree_status scree_rattle_hold(scree_world *world, bool late,
                               scree_holding *held);
/* After contacts were found anew: merges those into the list that are not in it,
 * in the order of pairs. */
scree_status scree_rattle_put_back(scree_world *world, scree_holding *held);

/* ---- bodies that would pass (world_rattle_pairs.c) --------------------------- */

/* A way shorter than this share of the least radius is of no matter; after such a turn
 * features have nothing to do with those before [rad]. */
#define SCREE_RATTLE_SLOW 0.01
#define SCREE_RATTLE_TURN 0.5

/* Is body i to be looked after? */
static inline bool scree_rattle_goes_far(const scree_world *world, int32_t i,
                                         scree_vec3 way, double dt) {
    const double slow = SCREE_RATTLE_SLOW * world->scene.r_min;
    const double turn = SCREE_RATTLE_TURN / dt;
    const scree_vec3 w = world->state.bodies.u[i].w;
    return dot(way, way) > slow * slow ||
           (world->scene.general && world->state.bodies.form[i] >= 0 &&
            dot(w, w) > turn * turn);
}

/* A body that would pass a surface is held back, from round to round further: it
 * ends where it touches, and u stays (stop.c). */
void scree_rattle_hold_back(scree_world *world, int32_t i, double dt);
/* Before the rounds, in them, and in late ones: what bodies that are held back overlap
 * is worked off by moving them, then left to the rounds. */
typedef enum scree_passes {
    SCREE_PASSES_FIRST,
    SCREE_PASSES_AGAIN,
    SCREE_PASSES_LAST
} scree_passes;

/* Holds back pairs of the list that would pass each other on their way from q_n to where
 * they are now. Were there any, on any rank? */
scree_status scree_rattle_hold_pairs(scree_world *world, double dt,
                                     scree_passes look, bool *held);

/* Are there any? Nobody is moved. */
scree_status scree_rattle_any_passes(scree_world *world, double dt,
                                     scree_passes look, bool *any);
/* In a reproducible world: how far body i, which is at x when the list is looked for, may
 * be moved from there and go in the step, both together, until the next look [m]. */
static inline double scree_rattle_reach(const scree_world *world, int32_t i,
                                        scree_vec3 x) {
    const scree_bodies *b = &world->state.bodies;
    return fmax(2 * norm(sub(x, b->begin[i].x)) + b->x[i].r, b->begin[i].reach);
}
/* Is a relative way of two bodies that are not both spheres too far for the rounds? */
bool scree_rattle_is_fast(const scree_scene *scene, const scree_pair *pair,
                          double way);

/* Does a body that is no sphere turn so far that its features are others? */
bool scree_rattle_turns_far(const scree_world *world, int32_t i, double dt);

/* ---- where contacts were at q_n (world_rattle_footing.c) ------------------------ */

/* The general contacts that are closed at q_n, by pairs. */
typedef struct scree_standing {
    int64_t n, rebuilds;
    bool given_up; /* general contacts have no footings any more */
    scree_contact *list;
    scree_arms *arms;
} scree_standing;

/* Takes those of now, in memory of the world's scratch; each is its own footing. */
scree_status scree_rattle_stand(scree_world *world, scree_standing *standing);
/* After contacts were found anew: gives them their footings. */
scree_status scree_rattle_set_footings(scree_world *world,
                                       const scree_standing *standing);
/* At the end of a step: round contacts are as others again. */
void scree_rattle_drop_footings(scree_world *world);

/* ---- bodies that give way (world_rattle_pressed.c) ------------------------------- */

/* Is a contact, on any rank, at rest and pressed harder than the step resolves? With the
 * percussions of the problem, after stage 2. */
bool scree_rattle_any_pressed(scree_world *world, double dt);
/* Then: SCREE_NOT_FINITE, naming the body, if its contacts made energy; made: (contacts)
 * what each of them gave to its bodies [J]. Takes memory of the world's scratch. */
scree_status scree_rattle_check_pressed(scree_world *world, const double *made,
                                        double dt);

/* ---- geometry at the beginning of the step ---------------------------------- */

static inline const scree_pose *pose_at_begin(const scree_world *world,
                                              int32_t i) {
    return &world->state.bodies.begin[i];
}

static inline scree_ball ball_at_begin(const scree_world *world, int32_t i) {
    return (scree_ball){pose_at_begin(world, i)->x, world->state.bodies.x[i].r};
}

/* Where a was, seen from that image of b. */
static inline scree_vec3 apart_at_begin(const scree_world *world,
                                        scree_image image, int32_t a,
                                        int32_t b) {
    return scree_period_apart(world->scene.cell_begin, image,
                              pose_at_begin(world, a)->x,
                              pose_at_begin(world, b)->x);
}

/* Is the body held back in this step (world_rattle_pairs.c)? */
static inline bool is_late(const scree_world *world, int32_t i) {
    return world->step.held_back && i >= 0 &&
           scree_bears_load(pose_at_begin(world, i)->late);
}

static inline bool scree_rattle_on_surface(const scree_world *world,
                                           const scree_contact *c) {
    return c->b < 0 && scree_plane_is_surface(&world->scene.planes[-1 - c->b]);
}

/* A round contact as it was at q_n. */
static inline void round_at_begin(const scree_world *world, scree_contact *n) {
    const scree_ball x = ball_at_begin(world, n->a);
    if (n->b >= 0) {
        scree_spheres_apart(
            apart_at_begin(world, scree_world_image(world, n), n->a, n->b), x.r,
            world->state.bodies.x[n->b].r, n);
    } else {
        scree_sphere_plane(&x, &world->scene.walls[-1 - n->b].begin, n);
    }
}

/* The contact as it was at q_n: normal, gap, arms; general ones and those of spheres that
 * stay on a surface have a footing (world_rattle_footing.c). Where bodies are held back,
 * directions at q_n say nothing of the hit: those of now stand for them, with the gap at
 * q_n. */
static inline scree_contact contact_at_begin(const scree_world *world,
                                             const scree_contact *c) {
    scree_contact n = *c;
    if (c->arms >= 0) {
        const scree_footing *f = &world->state.contacts.footings[c->arms];
        n.n = f->n, n.g = f->g;
        n.arms += SCREE_AT_BEGIN;
        return n;
    }
    if (c->arms <= SCREE_ROUND_FOOTING) {
        const scree_footing *f =
            &world->state.contacts
                 .round_footings[SCREE_ROUND_FOOTING - c->arms];
        n.n = f->n, n.g = f->g, n.arm_a = -dot(f->n, f->arms.a);
        return n;
    }
    if (scree_rattle_on_surface(world, c)) return n;
    round_at_begin(world, &n);
    if (is_late(world, c->a) || is_late(world, c->b))
        n.n = c->n, n.arm_a = c->arm_a, n.arm_b = c->arm_b;
    return n;
}

static inline scree_velocity begin_velocity(const scree_world *world,
                                            int32_t i) {
    const scree_velocity still = {vec(0, 0, 0), vec(0, 0, 0)};
    return i < world->state.bodies.n ? world->state.bodies.u_b[i] : still;
}

static inline scree_vec3 tangent_part(scree_vec3 a, scree_vec3 n) {
    return add_scaled(a, -dot(n, a), n);
}

/* chi of a contact as it was at q_n. */
static inline scree_vec3 chi_at_begin(const scree_world *world,
                                      const scree_contact *n) {
    if (n->b >= 0) return scree_world_chi(world, n);
    const scree_wall *wall = &world->scene.walls[-1 - n->b];
    const scree_vec3 arm =
        n->arms >= 0 ? scree_world_arms(world, n)->a : scale(-n->arm_a, n->n);
    const scree_vec3 x = add(pose_at_begin(world, n->a)->x, arm);
    return scale(-1.0, add(wall->velocity_begin,
                           cross(wall->spin, sub(x, wall->begin.o))));
}

/* gamma(t_n, q_n, u_n) of a contact as it was at q_n. */
static inline scree_vec3 gamma_at_begin(const scree_world *world,
                                        const scree_contact *n) {
    const int32_t b = scree_world_second(world, n);
    return add(chi_at_begin(world, n),
               scree_world_relative(world, n, begin_velocity(world, n->a),
                                    begin_velocity(world, b)));
}

/* W^T u of the contact's bodies with their current velocities. */
static inline scree_vec3 relative_now(const scree_world *world,
                                      const scree_contact *c) {
    const scree_twist *u = world->state.bodies.u;
    return scree_world_relative(
        world, c, scree_twist_velocity(&u[c->a]),
        scree_twist_velocity(&u[scree_world_second(world, c)]));
}

#endif
