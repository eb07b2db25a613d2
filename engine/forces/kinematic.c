/* kinematic.c: bodies that move as they are told.
 *
 * Their inverse mass and inertia are zero, as those of walls are: no percussion changes
 * their velocities. What pushes others is the velocity at the point of contact, and its
 * work, -P . v for P on the kinematic body, counts as that of walls. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/error.h"
#include "engine/forces/forces.h"
#include "engine/step/contact_rows.h"
#include "engine/world/inertia.h"

/* ---- the list ------------------------------------------------------------------------ */

/* First place whose id is not below. */
static int64_t place_in_list(const scree_forces *f, int64_t id) {
    int64_t low = 0, high = f->n_kinematic;
    while (low < high) {
        const int64_t mid = (low + high) / 2;
        if (f->kinematic[mid].id < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

int64_t scree_kinematic_index(const scree_forces *forces, int64_t id) {
    const int64_t k = place_in_list(forces, id);
    return k < forces->n_kinematic && forces->kinematic[k].id == id ? k : -1;
}

static void take_from_list(scree_forces *f, int64_t k) {
    --f->n_kinematic;
    memmove(&f->kinematic[k], &f->kinematic[k + 1],
            (size_t)(f->n_kinematic - k) * sizeof *f->kinematic);
}

static scree_status put_into_list(scree_forces *f, scree_kinematic one) {
    const int64_t k = place_in_list(f, one.id);
    TRY(scree_reserve(&f->kinematic, &f->kinematic_capacity, f->n_kinematic + 1,
                      sizeof *f->kinematic));
    memmove(&f->kinematic[k + 1], &f->kinematic[k],
            (size_t)(f->n_kinematic - k) * sizeof *f->kinematic);
    f->kinematic[k] = one;
    ++f->n_kinematic;
    return SCREE_OK;
}

void scree_kinematic_forget(scree_world *world) {
    scree_forces *f = &world->forces;
    for (int64_t k = f->n_kinematic - 1; k >= 0; --k)
        if (scree_removed_has(&world->state.bodies.removed, f->kinematic[k].id))
            take_from_list(f, k);
}

/* ---- becoming one -------------------------------------------------------------------- */

static bool has_joint(const scree_world *world, int64_t id) {
    for (int64_t k = 0; k < world->joints.n; ++k) {
        const scree_joint *j = &world->joints.list[k];
        if (!j->broken && (j->a == id || j->b == id)) return true;
    }
    return false;
}

static void set_mass(scree_world *world, int32_t i, bool on) {
    scree_twist *u = &world->state.bodies.u[i];
    if (on)
        u->inv_m = u->inv_theta = 0;
    else
        scree_world_weigh_body(world, i);
}

static scree_status change_kind(scree_world *world, int64_t id, bool on) {
    scree_forces *f = &world->forces;
    const int32_t i = scree_forces_place(world, id);
    const double before = i >= 0 ? scree_world_body_energy(world, i) : 0;
    if (on)
        TRY(scree_world_agree(world,
                              put_into_list(f, (scree_kinematic){.id = id})));
    else
        take_from_list(f, scree_kinematic_index(f, id));
    if (i >= 0) set_mass(world, i, on);
    scree_forces_insert(world, i, before);
    world->state.broad.valid = false;
    return SCREE_OK;
}

scree_status scree_world_set_kinematic(scree_world *world, int64_t id, bool on,
                                       scree_kinematic_motion *motion,
                                       void *context) {
    scree_error *error = &world->error;
    TRY(scree_forces_check_body(world, id));
    TRY(scree_forces_check_stepper(world, "kinematic bodies"));
    REQUIRE(!on || !has_joint(world, id),
            "body %lld has a joint, and kinematic bodies have none yet",
            (long long)id);
    REQUIRE(on || !motion, "a body that is not kinematic has no motion");
    if (scree_world_is_kinematic(world, id) != on)
        TRY(change_kind(world, id, on));
    const int64_t k = scree_kinematic_index(&world->forces, id);
    if (on) world->forces.kinematic[k] = (scree_kinematic){id, motion, context};
    return SCREE_OK;
}

bool scree_world_is_kinematic(const scree_world *world, int64_t id) {
    return scree_kinematic_index(&world->forces, id) >= 0;
}

/* ---- in a step ------------------------------------------------------------------------- */

/* Bodies that are not here are asked for too: what programs do is the same everywhere. */
static void drive_body(scree_world *world, const scree_kinematic *one) {
    const int32_t i = scree_forces_place(world, one->id);
    double v[3] = {0, 0, 0}, w[3] = {0, 0, 0};
    if (i >= 0) {
        vec_to(world->state.bodies.u[i].v, v);
        vec_to(world->state.bodies.u[i].w, w);
    }
    one->motion(one->context, one->id, world->state.t, world->state.dt, v, w);
    if (i < 0) return;
    world->state.bodies.u[i].v = vec_from(v);
    world->state.bodies.u[i].w = vec_from(w);
}

void scree_world_drive(scree_world *world) {
    for (int64_t k = 0; k < world->forces.n_kinematic; ++k)
        if (world->forces.kinematic[k].motion)
            drive_body(world, &world->forces.kinematic[k]);
}

/* ---- work ------------------------------------------------------------------------------- */

static scree_velocity driven_velocity(const scree_world *world, int32_t i) {
    const scree_velocity still = {vec(0, 0, 0), vec(0, 0, 0)};
    if (i < 0 || !scree_is_kinematic(&world->state.bodies.u[i])) return still;
    return scree_twist_velocity(&world->state.bodies.u[i]);
}

double scree_kinematic_gift(const scree_world *world, const scree_contact *c,
                            scree_vec3 P, scree_vec3 M) {
    if (!scree_contact_is_driven(world, c)) return 0;
    const scree_velocity a = driven_velocity(world, c->a),
                         b = driven_velocity(world, c->b);
    return -dot(P, scree_world_relative(world, c, a, b)) -
           dot(M, sub(a.w, b.w));
}
