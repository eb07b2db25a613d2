#include "engine/world/valid.h"

#include <string.h>

#include "contact/narrow/valid.h"
#include "engine/domain/domain.h"
#include "engine/world/ranks.h"
#include "solvers/problem/problem_valid.h"

bool scree_bodies_is_valid(const scree_bodies *b) {
    for (int32_t i = 0; i < b->n; ++i) {
        if (!(b->x[i].r > 0) || !(b->u[i].inv_m >= 0)) return false;
        if (b->spread) continue;
        const int64_t row = b->id[i] < 0 ? -1 : scree_bodies_row(b, b->id[i]);
        if (row < 0 || row >= b->n || b->place[row] != i) return false;
    }
    return true;
}

/* ---- copies ---------------------------------------------------------------- */

/* Six numbers at a time go round (solvers/ranks/coupling.h). */
typedef struct sample {
    double value[6];
} sample;

static sample sample_of(const scree_bodies *b, int32_t i, bool turning) {
    const scree_vec3 x = b->x[i].x, v = b->u[i].v, w = b->u[i].w;
    const scree_quat q = b->q[i];
    return turning ? (sample){{w.x, w.y, w.z, q.x, q.y, q.z}}
                   : (sample){{x.x, x.y, x.z, v.x, v.y, v.z}};
}

/* Each copy gets the numbers of one of them, which must be its own. */
static bool copies_agree(scree_world *world, bool turning) {
    const scree_bodies *b = &world->state.bodies;
    const size_t mark = scree_arena_mark(&world->scratch);
    sample *all = scree_arena_push(
        &world->scratch, ((size_t)b->n + (size_t)b->walls + 1) * sizeof *all);
    bool same = true;
    if (scree_world_any(world, !all)) return true; /* cannot tell */
    for (int32_t i = 0; i < b->n; ++i) all[i] = sample_of(b, i, turning);
    if (scree_world_share_least(world, all->value, 6) == SCREE_OK)
        for (int32_t i = 0; i < b->n; ++i) {
            const sample mine = sample_of(b, i, turning);
            same = same && memcmp(&mine, &all[i], sizeof mine) == 0;
        }
    scree_arena_pop(&world->scratch, mark);
    return same;
}

bool scree_copies_is_valid(scree_world *world) {
    if (!world->ranks.domain) return true;
    const bool moving = copies_agree(world, false),
               turning = copies_agree(world, true);
    return moving && turning;
}

/* ---- contacts -------------------------------------------------------------- */

#define BIT(i) (UINT64_C(1) << (i))

bool scree_world_colours_is_valid(scree_world *world) {
    const size_t size = ((size_t)world->state.bodies.n + 1) * sizeof(uint64_t);
    const size_t mark = scree_arena_mark(&world->scratch);
    uint64_t *used = scree_arena_push(&world->scratch, size);
    if (!used || world->def.reproducible) return true; /* no such colours */
    memset(used, 0, size);
    const uint64_t border =
        world->state.problem.coupling ? BIT(SCREE_AT_BORDER) : 0;
    const bool valid = scree_colours_is_valid(
        &world->state.contacts, BIT(SCREE_OVERFLOW) | border, used);
    scree_arena_pop(&world->scratch, mark);
    return valid;
}

static bool contacts_name_bodies(const scree_world *world) {
    const scree_contacts *c = &world->state.contacts;
    for (int64_t i = 0; i < c->n; ++i) {
        const int32_t a = c->list[i].a, b = c->list[i].b;
        if (a < 0 || a >= world->state.bodies.n || b >= world->state.bodies.n ||
            a == b || b < -world->scene.n_wall)
            return false;
    }
    return true;
}

bool scree_world_is_valid(scree_world *world) {
    const bool whole =
        !world->ranks.domain || !world->ranks.domain->coupling.is_split;
    const bool copies = scree_copies_is_valid(world);
    return whole && copies && scree_bodies_is_valid(&world->state.bodies) &&
           contacts_name_bodies(world) && scree_world_colours_is_valid(world) &&
           scree_problem_is_valid(&world->state.problem);
}
