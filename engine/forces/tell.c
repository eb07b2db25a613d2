/* tell.c: what a program tells of single bodies, and of gravity. */
#include "engine/forces/forces.h"
#include "engine/step/step.h"
#include "engine/world/make.h"

#include <string.h>

/* ---- which body ------------------------------------------------------------------- */

scree_status scree_forces_check_body(scree_world *world, int64_t id) {
    const bool there = id >= 0 && id < scree_world_id_count(world) &&
                       !scree_removed_has(&world->state.bodies.removed, id);
    if (there) return SCREE_OK;
    return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                      "there is no body %lld", (long long)id);
}

int32_t scree_forces_place(const scree_world *world, int64_t id) {
    const scree_bodies *b = &world->state.bodies;
    if (!b->spread) return scree_bodies_place(b, id);
    for (int32_t i = 0; i < b->n; ++i)
        if (b->id[i] == id) return i;
    return -1;
}

/* Energies are those of the rank that owns the body; of a reproducible world the first
 * rank keeps the accounts. */
void scree_forces_insert(scree_world *world, int32_t i, double before) {
    const bool owns = i >= 0 && scree_world_owns(world, i);
    const double here = owns ? scree_world_body_energy(world, i) - before : 0;
    if (!world->accounts.books) {
        world->accounts.inserted += here;
        return;
    }
    const double all = scree_world_total(world, here);
    if (scree_world_rank(world) == 0) world->accounts.inserted += all;
}

static double energy_at(const scree_world *world, int32_t i) {
    return i >= 0 ? scree_world_body_energy(world, i) : 0;
}

/* ---- what is applied --------------------------------------------------------------- */

static scree_status check_vector(const scree_world *world, const double *a,
                                 const char *what, bool axial,
                                 scree_error *error) {
    REQUIRE(a && isfinite(norm(vec_from(a))), "%s is NULL or not finite", what);
    const bool flat = axial ? a[0] == 0 && a[1] == 0 : a[2] == 0;
    REQUIRE(!world->def.planar || flat,
            axial ? "in a plane world %s is about z"
                  : "in a plane world %s has no z component",
            what);
    return SCREE_OK;
}

static scree_status prepare_body(scree_world *world, int64_t id) {
    TRY(scree_forces_check_body(world, id));
    TRY(scree_forces_check_stepper(world, "forces on single bodies"));
    TRY(scree_world_agree(world,
                          scree_bodies_reserve_push(&world->state.bodies)));
    world->forces.applied = true;
    return SCREE_OK;
}

/* Where it acts, as seen from the centre. */
static scree_vec3 arm_of(const scree_world *world, int32_t i,
                         const double *point) {
    return point ? sub(vec_from(point), world->state.bodies.x[i].x)
                 : vec(0, 0, 0);
}

scree_status scree_world_apply_force(scree_world *world, int64_t id,
                                     const double force[3],
                                     const double *point) {
    scree_error *error = &world->error;
    TRY(check_vector(world, force, "a force", false, error));
    if (point) TRY(check_vector(world, point, "a point", false, error));
    TRY(prepare_body(world, id));
    const int32_t i = scree_forces_place(world, id);
    if (i < 0) return SCREE_OK;
    scree_applied *p = &world->state.bodies.push[i].applied;
    const scree_vec3 F = vec_from(force);
    p->force = add(p->force, F);
    p->torque = add(p->torque, cross(arm_of(world, i, point), F));
    return SCREE_OK;
}

scree_status scree_world_apply_torque(scree_world *world, int64_t id,
                                      const double torque[3]) {
    TRY(check_vector(world, torque, "a torque", true, &world->error));
    TRY(prepare_body(world, id));
    const int32_t i = scree_forces_place(world, id);
    if (i < 0) return SCREE_OK;
    scree_applied *p = &world->state.bodies.push[i].applied;
    p->torque = add(p->torque, vec_from(torque));
    return SCREE_OK;
}

scree_status scree_world_apply_impulse(scree_world *world, int64_t id,
                                       const double impulse[3],
                                       const double *point) {
    scree_error *error = &world->error;
    TRY(check_vector(world, impulse, "an impulse", false, error));
    if (point) TRY(check_vector(world, point, "a point", false, error));
    TRY(prepare_body(world, id));
    const int32_t i = scree_forces_place(world, id);
    if (i < 0) return SCREE_OK;
    scree_applied *p = &world->state.bodies.push[i].applied;
    const scree_vec3 J = vec_from(impulse);
    p->impulse = add(p->impulse, J);
    p->twist = add(p->twist, cross(arm_of(world, i, point), J));
    return SCREE_OK;
}

/* ---- states ---------------------------------------------------------------------------- */

static scree_status check_state(const scree_world *world, const double *x,
                                const double *q, const double *v,
                                const double *w) {
    scree_body_def def = {.orientation = {1, 0, 0, 0}};
    if (x) memcpy(def.position, x, sizeof def.position);
    if (q) memcpy(def.orientation, q, sizeof def.orientation);
    if (v) memcpy(def.velocity, v, sizeof def.velocity);
    if (w) memcpy(def.angular_velocity, w, sizeof def.angular_velocity);
    return scree_body_state_check(world, &def, &((scree_world *)world)->error);
}

/* New ones are looked after by begin.c; ranks agree on who is new there. */
static void note_fresh(scree_world *world, int32_t i) {
    const scree_bodies *b = &world->state.bodies;
    if (b->id[i] < world->state.fresh &&
        scree_world_is_fresh(world, b->u[i].v, b->x[i].r))
        world->state.fresh = b->id[i];
}

scree_status scree_world_set_velocity(scree_world *world, int64_t id,
                                      const double *velocity,
                                      const double *angular_velocity) {
    TRY(scree_forces_check_body(world, id));
    TRY(check_state(world, NULL, NULL, velocity, angular_velocity));
    const int32_t i = scree_forces_place(world, id);
    const double before = energy_at(world, i);
    if (i >= 0) {
        scree_twist *u = &world->state.bodies.u[i];
        if (velocity) u->v = vec_from(velocity);
        if (angular_velocity) u->w = vec_from(angular_velocity);
        note_fresh(world, i);
    }
    scree_forces_insert(world, i, before);
    return SCREE_OK;
}

scree_status scree_world_set_position(scree_world *world, int64_t id,
                                      const double *position,
                                      const double *orientation) {
    const double *q = orientation;
    TRY(scree_forces_check_body(world, id));
    TRY(check_state(world, position, q, NULL, NULL));
    const int32_t i = scree_forces_place(world, id);
    const double before = energy_at(world, i);
    if (i >= 0) {
        scree_bodies *b = &world->state.bodies;
        if (position) b->x[i].x = vec_from(position);
        if (q) b->q[i] = quat_unit((scree_quat){q[0], q[1], q[2], q[3]});
        note_fresh(world, i);
    }
    scree_forces_insert(world, i, before);
    world->state.broad.valid = false;
    return SCREE_OK;
}

/* ---- gravity ---------------------------------------------------------------------------- */

scree_status scree_world_set_gravity(scree_world *world,
                                     const double gravity[3]) {
    scree_error *error = &world->error;
    TRY(check_vector(world, gravity, "gravity", false, error));
    const scree_vec3 before = world->state.gravity;
    scree_world_define_gravity(world, gravity);
    scree_world_insert_gravity(world, sub(world->state.gravity, before));
    world->forces.own_gravity = true;
    return SCREE_OK;
}
