/* state.c: joints in checkpoints. They are saved whole, with what the case said of them:
 * a world that is loaded has none before. */
#include "engine/joints/joints.h"

#include <stdlib.h>

#include "engine/base/error.h"
#include "engine/world/ranks.h"

#define AT(member) offsetof(scree_joint, member)

static const scree_archive_field fields[] = {
    {"kind", SCREE_I32, 1, AT(kind)},
    {"group", SCREE_I32, 1, AT(group)},
    {"a", SCREE_I64, 1, AT(a)},
    {"b", SCREE_I64, 1, AT(b)},
    {"on_a", SCREE_F64, 3, AT(on_a)},
    {"on_b", SCREE_F64, 3, AT(on_b)},
    {"axis", SCREE_F64, 3, AT(axis)},
    {"twist", SCREE_F64, 4, AT(twist)},
    {"stiffness", SCREE_F64, 1, AT(stiffness)},
    {"damping", SCREE_F64, 1, AT(damping)},
    {"prestress", SCREE_F64, 1, AT(prestress)},
    {"friction", SCREE_F64, 1, AT(friction)},
    {"speed", SCREE_F64, 1, AT(speed)},
    {"strength", SCREE_F64, 1, AT(strength)},
    {"limits", SCREE_F64, 2, AT(limits)},
    {"restitution", SCREE_F64, 1, AT(restitution)},
    {"slips_at", SCREE_F64, 1, AT(slips_at)},
    {"breaks_at", SCREE_F64, 1, AT(breaks_at)},
    {"motor", SCREE_U8, 1, AT(motor)},
    {"limited", SCREE_U8, 1, AT(limited)},
    {"collide", SCREE_U8, 1, AT(collide)},
    {"broken", SCREE_U8, 1, AT(broken)},
    {"colours", SCREE_U8, SCREE_JOINT_ROWS, AT(colours)},
    {"length", SCREE_F64, 1, AT(length)},
    {"angle", SCREE_F64, 1, AT(angle)},
    {"percussion", SCREE_F64, 3, AT(P)},
    {"moment_percussion", SCREE_F64, 3, AT(M)},
    {"second_percussion", SCREE_F64, 1, AT(more)},
    {"dissipated", SCREE_F64, 1, AT(dissipated)},
    {"work", SCREE_F64, 1, AT(work)},
    {"most_force", SCREE_F64, 1, AT(most_force)},
    {"most_distance", SCREE_F64, 1, AT(most_distance)},
};

/* ---- what a file may not hold ------------------------------------------------------- */

static bool is_there(const scree_world *world, int64_t id) {
    return id >= 0 && id < scree_world_id_count(world) &&
           !scree_removed_has(&world->state.bodies.removed, id);
}

static bool is_end(const scree_world *world, int64_t id, bool broken) {
    return is_there(world, id) ||
           (broken && id >= 0 && id < scree_world_id_count(world));
}

static bool is_known(const scree_world *world, const scree_joint *j) {
    return j->kind >= 0 && j->kind < SCREE_JOINT_KINDS && j->a != j->b &&
           is_end(world, j->a, j->broken) &&
           (j->b == SCREE_GROUND || is_end(world, j->b, j->broken)) &&
           j->stiffness >= 0 && j->damping >= 0 && j->length >= 0;
}

static bool take_colour(uint64_t *used, int32_t body, int32_t n,
                        uint8_t colour) {
    const uint64_t bit = UINT64_C(1) << colour;
    if (body >= n) return true;
    if (used[body] & bit) return false;
    used[body] |= bit;
    return true;
}

bool scree_joints_take_colours(const scree_world *world, uint64_t *used) {
    const scree_bodies *b = &world->state.bodies;
    for (int64_t k = 0; k < world->joints.n; ++k) {
        const scree_joint *j = &world->joints.list[k];
        for (int row = 0; row < SCREE_JOINT_ROWS && !j->broken; ++row) {
            const uint8_t colour = j->colours[row];
            if (colour >= SCREE_OVERFLOW) continue;
            if (!take_colour(used, scree_bodies_place(b, j->a), b->n, colour))
                return false;
            if (j->b >= 0 &&
                !take_colour(used, scree_bodies_place(b, j->b), b->n, colour))
                return false;
        }
    }
    return true;
}

static void check_all(const scree_world *world, scree_archive *a) {
    for (int64_t k = 0; k < world->joints.n && a->status == SCREE_OK; ++k) {
        const scree_joint *j = &world->joints.list[k];
        scree_archive_check_truth(a, "motor", &j->motor);
        scree_archive_check_truth(a, "limited", &j->limited);
        scree_archive_check_truth(a, "collide", &j->collide);
        scree_archive_check_truth(a, "broken", &j->broken);
        if (a->status == SCREE_OK && !is_known(world, j))
            scree_archive_fail(a, SCREE_BAD_INPUT, "joint %lld cannot be",
                               (long long)k);
    }
}

/* ---- saving and loading ---------------------------------------------------------------- */

static void make_room(scree_world *world, scree_archive *a) {
    const int64_t n = scree_archive_count(a, "a", 0);
    scree_joints_free(&world->joints);
    for (int64_t k = 0; k < n && a->status == SCREE_OK; ++k) {
        const scree_joint none = {.a = 0, .b = SCREE_GROUND};
        if (scree_joints_append(world, &none) != SCREE_OK)
            scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "out of memory");
    }
}

static void note_all(scree_world *world, scree_archive *a) {
    world->joints.n_apart = 0;
    for (int64_t k = 0; k < world->joints.n; ++k)
        if (scree_joints_note(&world->joints, &world->joints.list[k]) !=
            SCREE_OK)
            scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "out of memory");
}

void scree_joints_archive(scree_world *world, scree_archive *a) {
    scree_archive_group(a, "joints");
    if (a->loads ? !scree_archive_has(a, "a") : world->joints.n == 0) return;
    if (a->loads) make_room(world, a);
    if (a->status != SCREE_OK) return;
    scree_archive_array(a, "dissipated_all", SCREE_F64, 1, 1,
                        &world->accounts.taken_joints);
    scree_archive_array(a, "work_all", SCREE_F64, 1, 1,
                        &world->accounts.motor_work);
    scree_archive_items(a,
                        &(scree_items){world->joints.list,
                                       sizeof *world->joints.list,
                                       world->joints.n, NULL},
                        SCREE_FIELDS(fields));
    if (!a->loads || a->status != SCREE_OK) return;
    check_all(world, a);
    note_all(world, a);
}
