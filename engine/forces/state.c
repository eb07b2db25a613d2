/* state.c: what checkpoints keep of forces: sums of work, who is kinematic, what waits for
 * the next step, groups of bodies. Forces themselves, motions and groups of materials are
 * those of the world that is loaded into. */
#include <stdlib.h>

#include "engine/base/error.h"
#include "engine/domain/rows.h"
#include "engine/forces/forces.h"

/* ---- the world -------------------------------------------------------------------------- */

static bool has_any(const scree_world *world) {
    const scree_forces *f = &world->forces;
    return world->state.bodies.push || f->n_kinematic > 0 || f->own_gravity ||
           world->accounts.force_work != 0 || world->accounts.taken_drag != 0;
}

static void make_list(scree_forces *f, scree_archive *a) {
    f->n_kinematic = scree_archive_count(a, "kinematic", 0);
    if (a->status != SCREE_OK) return;
    if (scree_reserve(&f->kinematic, &f->kinematic_capacity, f->n_kinematic,
                      sizeof *f->kinematic) != SCREE_OK)
        scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "out of memory");
    for (int64_t k = 0; k < f->n_kinematic && a->status == SCREE_OK; ++k)
        f->kinematic[k] = (scree_kinematic){.id = -1};
}

static void check_list(const scree_world *world, scree_archive *a) {
    const scree_forces *f = &world->forces;
    scree_archive_check_truth(a, "applied", &f->applied);
    scree_archive_check_truth(a, "own_gravity", &f->own_gravity);
    for (int64_t k = 1; k < f->n_kinematic && a->status == SCREE_OK; ++k)
        if (f->kinematic[k].id <= f->kinematic[k - 1].id)
            scree_archive_fail(a, SCREE_BAD_INPUT,
                               "its list of kinematic bodies cannot be");
    if ((f->n_kinematic > 0 || f->applied) && !world->scene.stepper->forces)
        scree_archive_fail(a, SCREE_UNSUPPORTED,
                           "stepper '%s' does not know its forces and "
                           "kinematic bodies: moreau and rattle do",
                           world->def.stepper);
}

static const scree_archive_field world_fields[] = {
    {"work", SCREE_F64, 1, offsetof(scree_world, accounts.force_work)},
    {"drag", SCREE_F64, 1, offsetof(scree_world, accounts.taken_drag)},
    {"applied", SCREE_U8, 1, offsetof(scree_world, forces.applied)},
    {"own_gravity", SCREE_U8, 1, offsetof(scree_world, forces.own_gravity)},
};
static const scree_archive_field kinematic_fields[] = {
    {"kinematic", SCREE_I64, 1, offsetof(scree_kinematic, id)},
};

void scree_forces_archive(scree_world *world, scree_archive *a) {
    scree_forces *f = &world->forces;
    scree_archive_group(a, "forces");
    if (a->loads ? !scree_archive_has(a, "work") : !has_any(world)) return;
    scree_archive_struct(a, world, SCREE_FIELDS(world_fields));
    const bool any =
        a->loads ? scree_archive_has(a, "kinematic") : f->n_kinematic > 0;
    if (a->loads && any) make_list(f, a);
    if (any && a->status == SCREE_OK)
        scree_archive_items(a,
                            &(scree_items){f->kinematic, sizeof *f->kinematic,
                                           f->n_kinematic, NULL},
                            SCREE_FIELDS(kinematic_fields));
    if (a->loads && a->status == SCREE_OK) check_list(world, a);
}

/* ---- bodies ------------------------------------------------------------------------------ */

static const scree_archive_field applied_fields[] = {
    {"applied_force", SCREE_F64, 3, offsetof(scree_applied, force)},
    {"applied_torque", SCREE_F64, 3, offsetof(scree_applied, torque)},
    {"applied_impulse", SCREE_F64, 3, offsetof(scree_applied, impulse)},
    {"applied_twist", SCREE_F64, 3, offsetof(scree_applied, twist)},
};
static const scree_archive_field group_fields[] = {
    {"group", SCREE_I32, 1, offsetof(scree_groups, group)},
    {"collides", SCREE_I32, 1, offsetof(scree_groups, collides)},
};

void scree_forces_make_room(scree_world *world, scree_archive *a) {
    scree_bodies *b = &world->state.bodies;
    scree_status status = SCREE_OK;
    if (a->loads && world->forces.applied)
        status = scree_bodies_reserve_push(b);
    if (a->loads && status == SCREE_OK && scree_archive_has(a, "group"))
        status = scree_bodies_reserve_groups(b);
    if (status != SCREE_OK)
        scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "out of memory");
}

bool scree_forces_have_traits(const scree_world *world) {
    return world->forces.applied || world->state.bodies.groups;
}

void scree_forces_archive_bodies(const scree_world *world,
                                 const scree_items *applied,
                                 const scree_items *groups, scree_archive *a) {
    if (world->forces.applied)
        scree_archive_items(a, applied, SCREE_FIELDS(applied_fields));
    if (world->state.bodies.groups)
        scree_archive_items(a, groups, SCREE_FIELDS(group_fields));
}

/* ---- the part of a rank ------------------------------------------------------------------ */

static scree_trait_row *take_rows(int64_t n) {
    return calloc((size_t)n + 1, sizeof(scree_trait_row));
}

static void archive_rows(const scree_world *world, scree_trait_row *rows,
                         scree_archive *a) {
    const int64_t n = scree_world_block(world).n;
    scree_archive_group(a, "bodies");
    scree_forces_archive_bodies(
        world, &(scree_items){&rows->applied, sizeof *rows, n, NULL},
        &(scree_items){&rows->groups, sizeof *rows, n, NULL}, a);
}

scree_status scree_forces_save_part(scree_world *world, scree_archive *a) {
    if (!scree_forces_have_traits(world)) return SCREE_OK;
    scree_trait_row *rows = take_rows(scree_world_block(world).n);
    scree_status status =
        scree_world_agree(world, rows ? SCREE_OK : SCREE_OUT_OF_MEMORY);
    if (status == SCREE_OK)
        status = scree_world_agree(world, scree_domain_trait_rows(world, rows));
    if (status == SCREE_OK) {
        scree_archive_parts(a, true);
        archive_rows(world, rows, a);
        scree_archive_parts(a, false);
    }
    free(rows);
    return status;
}

static void take_row(scree_world *world, int32_t i,
                     const scree_trait_row *row) {
    const scree_bodies *b = &world->state.bodies;
    if (b->push) b->push[i].applied = row->applied;
    if (b->groups) b->groups[i] = row->groups;
}

/* The bodies of the block are the first ones. */
void scree_forces_load_part(scree_world *world, scree_archive *a) {
    if (!scree_forces_have_traits(world)) return;
    const scree_block_of_ids block = scree_world_block(world);
    scree_trait_row *rows = take_rows(block.n);
    if (!rows) {
        scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "out of memory");
        return;
    }
    scree_archive_block(a, block.first);
    archive_rows(world, rows, a);
    scree_archive_block(a, -1);
    for (int64_t k = 0; k < block.n; ++k) take_row(world, (int32_t)k, &rows[k]);
    free(rows);
}

/* ---- what cannot be ---------------------------------------------------------------------- */

/* Kinematic bodies are those of the list, each of them once. */
void scree_forces_check_bodies(const scree_world *world, scree_archive *a) {
    const scree_bodies *b = &world->state.bodies;
    int64_t found = 0;
    for (int32_t i = 0; i < b->n; ++i) {
        const bool still = b->u[i].inv_m == 0 && b->u[i].inv_theta == 0;
        found += still;
        if (still != scree_world_is_kinematic(world, b->id[i]))
            scree_archive_fail(a, SCREE_BAD_INPUT, "body %lld has no mass",
                               (long long)b->id[i]);
    }
    if (!b->spread && found != world->forces.n_kinematic)
        scree_archive_fail(a, SCREE_BAD_INPUT,
                           "its list of kinematic bodies cannot be");
}
