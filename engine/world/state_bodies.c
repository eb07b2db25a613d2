/* state_bodies.c: the bodies of a world, saved and loaded (state.h): all of them with
 * their places in memory, or a rank's rows. */
#include "engine/world/state_bodies.h"

#include <string.h>

#include "engine/forces/forces.h"
#include "engine/world/view.h"
#include "engine/world/world.h"

#define AT(type, member) offsetof(type, member)

static const scree_archive_field ball_fields[] = {
    {"position", SCREE_F64, 3, AT(scree_ball, x)},
    {"radius", SCREE_F64, 1, AT(scree_ball, r)},
};
static const scree_archive_field quat_fields[] = {
    {"orientation", SCREE_F64, 4, 0},
};
static const scree_archive_field twist_fields[] = {
    {"velocity", SCREE_F64, 3, AT(scree_twist, v)},
    {"inverse_mass", SCREE_F64, 1, AT(scree_twist, inv_m)},
    {"angular_velocity", SCREE_F64, 3, AT(scree_twist, w)},
    {"inverse_inertia", SCREE_F64, 1, AT(scree_twist, inv_theta)},
};
static const scree_archive_field material_fields[] = {
    {"material", SCREE_I32, 1, 0},
};
static const scree_archive_field form_fields[] = {
    {"shape", SCREE_I32, 1, 0},
};
static const scree_archive_field turn_fields[] = {
    {"turns", SCREE_I32, 3, 0},
};
static const scree_archive_field ground_fields[] = {
    {"ground", SCREE_I32, 1, AT(scree_body_state, ground)},
};
static const scree_archive_field borne_fields[] = {
    {"borne", SCREE_I32, 1, AT(scree_body_state, borne)},
};

/* What laws keep of bodies: an array for each of their names. A file of a world whose
 * laws keep nothing has none of them. */
static void archive_kept(const scree_world *world, const scree_items *items,
                         scree_archive *a) {
    const scree_state_fields f = scree_world_body_fields(world);
    const bool there = a->loads ? scree_archive_has(a, "ground") : f.n > 0;
    char *kept = items->first;
    for (int64_t k = 0; a->loads && k < items->n; ++k)
        memset(kept + (size_t)k * items->stride, 0, sizeof(scree_body_state));
    if (!there) return;
    scree_archive_items(a, items, SCREE_FIELDS(ground_fields));
    if (!a->loads || scree_archive_has(a, "borne"))
        scree_archive_items(a, items, SCREE_FIELDS(borne_fields));
    for (int k = 0; k < f.n; ++k)
        if (!a->loads || scree_archive_has(a, f.list[k].name))
            scree_archive_items(a, items, &f.list[k], 1);
}

/* Edges of a cell that bodies have gone on; a file of a world without one has none. */
static void archive_turns(const scree_world *world, const scree_items *items,
                          scree_archive *a) {
    char *turns = items->first;
    for (int64_t k = 0; a->loads && k < items->n; ++k)
        memset(turns + (size_t)k * items->stride, 0, sizeof(scree_turns));
    if (a->loads ? scree_archive_has(a, "turns") : world->scene.cell != NULL)
        scree_archive_items(a, items, SCREE_FIELDS(turn_fields));
}

/* Where bodies lie in memory is part of the state of one rank. Several ranks do
 * not save it, and who loads that lays them in the order of ids. */
static void archive_places(scree_bodies *b, scree_archive *a) {
    if (!a->loads || scree_archive_has(a, "place"))
        scree_archive_array(a, "place", SCREE_I32, b->n, 1, b->place);
    else
        for (int32_t row = 0; row < b->n; ++row) b->place[row] = row;
}

/* The places must be a permutation, or two bodies would become one. */
static void invert_places(scree_bodies *b, scree_archive *a) {
    for (int32_t i = 0; i < b->n; ++i) b->id[i] = -1;
    for (int32_t row = 0; row < b->n; ++row) {
        const int32_t i = b->place[row];
        const int64_t id = scree_removed_id(&b->removed, row);
        if (i < 0 || i >= b->n || b->id[i] >= 0) {
            scree_archive_fail(a, SCREE_BAD_INPUT,
                               "body %lld has no place of its own",
                               (long long)id);
            return;
        }
        b->id[i] = id;
    }
}

/* Ids of bodies that left; a file of a world that nobody left has none. n: bodies
 * that are there. */
void scree_state_removed(scree_removed *r, int64_t n, scree_archive *a) {
    const bool there = a->loads ? scree_archive_has(a, "removed") : r->n > 0;
    const int64_t n_removed =
        there ? scree_archive_count(a, "removed", r->n) : 0;
    if (a->loads && a->status == SCREE_OK &&
        scree_reserve(&r->ids, &r->capacity, n_removed, sizeof *r->ids) !=
            SCREE_OK)
        scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "out of memory");
    if (a->status != SCREE_OK) return;
    r->n = n_removed;
    if (there) scree_archive_array(a, "removed", SCREE_I64, r->n, 1, r->ids);
    if (!a->loads || a->status != SCREE_OK) return;
    if (!scree_removed_is_valid(r, n + r->n))
        scree_archive_fail(a, SCREE_BAD_INPUT,
                           "its list of bodies that left cannot be");
}

static void make_room(scree_world *world, int64_t n, scree_archive *a) {
    if (n >= INT32_MAX - 1) {
        scree_archive_fail(a, SCREE_BAD_INPUT, "too many bodies");
    } else if (scree_bodies_reserve(&world->state.bodies, n) != SCREE_OK) {
        scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "out of memory");
    }
}

/* Of a mass or an inertia, as a new body must have (scree_body_check). */
static bool is_inverse(double value) {
    return value > 0 && isnormal(value);
}

/* Of all bodies: lengths of lists and grids follow from them. */
static bool sizes_can_be(const scree_world *world) {
    const double least = world->scene.r_min, most = world->scene.r_max;
    return world->ranks.n_body == 0 ||
           (least > 0 && least <= most && most < INFINITY &&
            world->scene.r_sum > 0 && world->scene.r_sum < INFINITY);
}

/* Numbers that are lost are told at the end of the next step, with the body's name. */
static bool is_turned(scree_quat q) {
    const double size2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return isnan(size2) || fabs(size2 - 1) < 1e-9;
}

void scree_state_check_bodies(const scree_world *world, scree_archive *a) {
    const scree_bodies *b = &world->state.bodies;
    if (!sizes_can_be(world))
        scree_archive_fail(a, SCREE_BAD_INPUT, "its sizes of bodies cannot be");
    for (int32_t i = 0; i < b->n; ++i)
        if (!is_turned(b->q[i]))
            scree_archive_fail(a, SCREE_BAD_INPUT,
                               "the orientation of body %lld is none",
                               (long long)b->id[i]);
    for (int32_t i = 0; i < b->n; ++i)
        if (!(b->x[i].r > 0 && b->x[i].r < INFINITY))
            scree_archive_fail(a, SCREE_BAD_INPUT, "body %lld has no size",
                               (long long)b->id[i]);
    for (int32_t i = 0; i < b->n; ++i)
        if (!scree_world_is_kinematic(world, b->id[i]) &&
            (!is_inverse(b->u[i].inv_m) || !is_inverse(b->u[i].inv_theta)))
            scree_archive_fail(a, SCREE_BAD_INPUT, "body %lld has no mass",
                               (long long)b->id[i]);
    scree_forces_check_bodies(world, a);
    for (int32_t i = 0; i < b->n; ++i)
        if (b->material[i] < 0 || b->material[i] >= world->scene.n_material ||
            b->form[i] < -1 || b->form[i] >= world->scene.n_form)
            scree_archive_fail(a, SCREE_BAD_INPUT,
                               "body %lld has no such material or shape",
                               (long long)b->id[i]);
    for (int32_t i = 0; i < b->n; ++i)
        if (b->kept[i].ground < 0 ||
            b->kept[i].ground > world->scene.n_material ||
            (b->kept[i].borne && !b->kept[i].ground))
            scree_archive_fail(a, SCREE_BAD_INPUT,
                               "body %lld was on no such wall",
                               (long long)b->id[i]);
}

/* The other fields of scree_bodies follow: u_b is set anew in each step, and no body
 * is ahead between steps. */
void scree_state_bodies(scree_world *world, scree_archive *a) {
    scree_bodies *b = &world->state.bodies;
    scree_archive_group(a, "bodies");
    const int64_t n = scree_archive_count(a, "radius", b->n);
    if (a->loads) make_room(world, n, a);
    if (a->status != SCREE_OK) return;
    b->n = (int32_t)n;
    world->ranks.n_body = n;
    if (a->loads && n > 0) memset(b->lead, 0, (size_t)n * sizeof *b->lead);
    scree_state_removed(&b->removed, n, a);
    archive_places(b, a);
    if (a->loads && a->status == SCREE_OK) invert_places(b, a);
#define PART(member, fields)                                                   \
    scree_archive_items(                                                       \
        a, &(scree_items){b->member, sizeof *b->member, n, b->place},          \
        SCREE_FIELDS(fields))
    PART(x, ball_fields);
    PART(q, quat_fields);
    PART(u, twist_fields);
    PART(material, material_fields);
    PART(form, form_fields);
#undef PART
    archive_kept(world, &(scree_items){b->kept, sizeof *b->kept, n, b->place},
                 a);
    archive_turns(world,
                  &(scree_items){b->turns, sizeof *b->turns, n, b->place}, a);
    scree_forces_make_room(world, a);
    for (int32_t i = 0; a->loads && i < b->n; ++i)
        scree_bodies_clear_extras(b, i);
    if (a->status == SCREE_OK && scree_forces_have_traits(world))
        scree_forces_archive_bodies(
            world, &(scree_items){b->push, sizeof *b->push, n, b->place},
            &(scree_items){b->groups, sizeof *b->groups, n, b->place}, a);
    if (a->loads && a->status == SCREE_OK) scree_state_check_bodies(world, a);
}

/* ---- rows of a rank ---------------------------------------------------------- */

void scree_state_rows(const scree_world *world, scree_body_row *rows, int64_t n,
                      scree_archive *a) {
    scree_archive_group(a, "bodies");
#define PART(member, fields)                                                   \
    scree_archive_items(a,                                                     \
                        &(scree_items){&rows->member, sizeof *rows, n, NULL},  \
                        SCREE_FIELDS(fields))
    PART(x, ball_fields);
    PART(q, quat_fields);
    PART(u, twist_fields);
    PART(material, material_fields);
    PART(form, form_fields);
#undef PART
    archive_kept(world, &(scree_items){&rows->kept, sizeof *rows, n, NULL}, a);
    archive_turns(world, &(scree_items){&rows->turns, sizeof *rows, n, NULL},
                  a);
}
