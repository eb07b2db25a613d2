#include "engine/world/body.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/error.h"
#include "engine/base/parallel.h"

scree_status scree_bodies_reserve(scree_bodies *b, int64_t n) {
    const int64_t need = n + b->walls + 1; /* and the static body */
    if (need <= b->capacity) return SCREE_OK;
    int64_t room = b->capacity;
#define X(type, name)                                                          \
    room = b->capacity;                                                        \
    TRY(scree_reserve(&b->name, &room, need, sizeof(type)));
    SCREE_BODY_FIELDS(X)
    X(int32_t, place)
#undef X
    b->capacity = room;
    if (b->push) TRY(scree_bodies_reserve_push(b));
    return b->groups ? scree_bodies_reserve_groups(b) : SCREE_OK;
}

void scree_bodies_free(scree_bodies *b) {
#define X(type, name) free(b->name);
    SCREE_BODY_FIELDS(X)
    SCREE_BODY_EXTRAS(X)
    X(int32_t, place)
#undef X
    free(b->removed.ids);
    *b = (scree_bodies){0};
}

typedef struct permutation {
    scree_bodies *bodies;
    const scree_key *order;
    void *copy; /* of one field at a time */
} permutation;

static void permute_share(void *context, const scree_team *team) {
    const permutation *p = context;
    const scree_bodies *b = p->bodies;
    int64_t first = 0, last = b->n;
    scree_team_share(team, &first, &last);
    if (b->n == 0) return;
#define X(type, name)                                                          \
    {                                                                          \
        type *copy = p->copy;                                                  \
        for (int64_t k = first; k < last; ++k)                                 \
            copy[k] = b->name[p->order[k].item];                               \
        scree_team_wait(team);                                                 \
        memcpy(&b->name[first], &copy[first],                                  \
               (size_t)(last - first) * sizeof(type));                         \
        scree_team_wait(team);                                                 \
    }
    SCREE_BODY_FIELDS(X)
    if (b->begin) X(scree_pose, begin)
    if (b->push) X(scree_body_push, push)
    if (b->groups) X(scree_groups, groups)
#undef X
    for (int64_t k = first; k < last && !b->spread; ++k)
        b->place[scree_bodies_row(b, b->id[k])] = (int32_t)k;
}

scree_status scree_bodies_permute(scree_bodies *b, const scree_key *order,
                                  int threads, scree_arena *scratch) {
    const size_t mark = scree_arena_mark(scratch);
    _Static_assert(sizeof *b->u >= sizeof *b->x &&
                       sizeof *b->u >= sizeof *b->q &&
                       sizeof *b->u >= sizeof *b->u_b,
                   "the copy has room for a twist");
    size_t each = b->begin ? sizeof *b->begin : sizeof *b->u;
    if (b->push && sizeof *b->push > each) each = sizeof *b->push;
    permutation p = {.bodies = b,
                     .order = order,
                     .copy = scree_arena_push(scratch, (size_t)b->n * each)};
    if (!p.copy) return SCREE_OUT_OF_MEMORY;
    scree_team_run(scree_threads_for(b->n, threads), permute_share, &p);
    scree_arena_pop(scratch, mark);
    return SCREE_OK;
}

void scree_bodies_drop(scree_bodies *b) {
    int32_t n = 0;
    for (int32_t i = 0; i < b->n; ++i) {
        if (b->owner[i] == SCREE_GONE) continue;
#define X(type, name) b->name[n] = b->name[i];
        SCREE_BODY_FIELDS(X)
#undef X
#define X(type, name)                                                          \
    if (b->name) b->name[n] = b->name[i];
        SCREE_BODY_EXTRAS(X)
#undef X
        ++n;
    }
    b->n = n;
}

scree_status scree_bodies_reserve_begin(scree_bodies *b) {
    return scree_reserve(&b->begin, &b->begin_capacity, b->capacity,
                         sizeof *b->begin);
}

/* An array that is there is not NULL, also without bodies. */
static int64_t room_for(const scree_bodies *b) {
    return b->capacity > 0 ? b->capacity : 1;
}

scree_status scree_bodies_reserve_push(scree_bodies *b) {
    return scree_reserve(&b->push, &b->push_capacity, room_for(b),
                         sizeof *b->push);
}

scree_status scree_bodies_reserve_groups(scree_bodies *b) {
    return scree_reserve(&b->groups, &b->groups_capacity, room_for(b),
                         sizeof *b->groups);
}

void scree_bodies_clear_extras(scree_bodies *b, int32_t i) {
    if (b->push) b->push[i] = (scree_body_push){.wind = {0, 0, 0}};
    if (b->groups) b->groups[i] = (scree_groups){0, 0};
}

size_t scree_bodies_bytes(const scree_bodies *b) {
    size_t each = 0;
#define X(type, name) each += sizeof(type);
    SCREE_BODY_FIELDS(X)
    X(int32_t, place)
#undef X
    return each * (size_t)b->capacity +
           (size_t)b->begin_capacity * sizeof *b->begin +
           (size_t)b->push_capacity * sizeof *b->push +
           (size_t)b->groups_capacity * sizeof *b->groups +
           (size_t)b->removed.capacity * sizeof *b->removed.ids;
}
