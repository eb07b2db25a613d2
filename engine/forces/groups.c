/* groups.c: who touches whom: by groups and masks, by joints, and because a contact of two
 * bodies that nothing moves has no law. Asked where pairs are listed, so that worlds without
 * any of it are not asked. */
#include "engine/base/error.h"
#include "engine/forces/forces.h"
#include "engine/joints/joints.h"

/* ---- setting ------------------------------------------------------------------------- */

scree_status scree_world_set_group(scree_world *world, int64_t id,
                                   uint32_t group, uint32_t collides) {
    scree_error *error = &world->error;
    scree_bodies *b = &world->state.bodies;
    TRY(scree_forces_check_body(world, id));
    REQUIRE(group != 0, "body %lld: group 0 is none", (long long)id);
    TRY(scree_world_agree(world, scree_bodies_reserve_groups(b)));
    const int32_t i = scree_forces_place(world, id);
    if (i >= 0) b->groups[i] = (scree_groups){group, collides};
    world->state.broad.valid = false;
    return SCREE_OK;
}

scree_status scree_world_set_material_group(scree_world *world, int material,
                                            uint32_t group, uint32_t collides) {
    scree_error *error = &world->error;
    scree_forces *f = &world->forces;
    TRY(scree_material_check(world, material, error));
    REQUIRE(group != 0, "material %d: group 0 is none", material);
    TRY(scree_world_agree(
        world, scree_reserve(&f->materials, &f->material_capacity,
                             world->scene.n_material, sizeof *f->materials)));
    f->materials[material] = (scree_groups){group, collides};
    world->state.broad.valid = false;
    return SCREE_OK;
}

/* ---- asking -------------------------------------------------------------------------- */

static const scree_groups all_groups = {1, UINT32_MAX};

static scree_groups groups_of_material(const scree_forces *f, int material) {
    if (material >= f->material_capacity) return all_groups;
    return f->materials[material].group ? f->materials[material] : all_groups;
}

static scree_groups groups_of_body(const scree_world *world,
                                   const scree_bodies *b, int32_t i) {
    if (b->groups && b->groups[i].group) return b->groups[i];
    return groups_of_material(&world->forces, b->material[i]);
}

static bool groups_meet(scree_groups a, scree_groups b) {
    return (a.group & b.collides) && (b.group & a.collides);
}

static bool is_driven(const scree_world *world, const scree_bodies *b,
                      int32_t i) {
    return scree_world_is_kinematic(world, b->id[i]);
}

static bool passes_body(const void *context, int32_t i, int32_t j) {
    const scree_passages *p = context;
    const scree_bodies *b = p->bodies;
    if (is_driven(p->world, b, i) && is_driven(p->world, b, j)) return true;
    if (!groups_meet(groups_of_body(p->world, b, i),
                     groups_of_body(p->world, b, j)))
        return true;
    return scree_joints_part(&p->world->joints, b->id[i], b->id[j]);
}

bool scree_world_meets_wall(const scree_world *world, const scree_bodies *b,
                            int32_t i, int wall) {
    const int material = world->scene.walls[wall].def.material;
    return !is_driven(world, b, i) &&
           groups_meet(groups_of_body(world, b, i),
                       groups_of_material(&world->forces, material));
}

static bool passes_wall(const void *context, int32_t i, int wall) {
    const scree_passages *p = context;
    return !scree_world_meets_wall(p->world, p->bodies, i, wall);
}

const scree_passing *scree_world_passing(const scree_world *world,
                                         const scree_bodies *bodies,
                                         scree_passages *passages) {
    const scree_forces *f = &world->forces;
    const bool joined = scree_joints_sort_passing(&world->joints);
    if (!joined && f->n_kinematic == 0 && !f->materials && !bodies->groups)
        return NULL;
    *passages = (scree_passages){.world = world, .bodies = bodies};
    passages->passing = (scree_passing){passes_body, passes_wall, passages};
    return &passages->passing;
}
