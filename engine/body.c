#include "engine/body.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/error.h"

scree_status scree_bodies_reserve(scree_bodies *b, int64_t n) {
    const int64_t need = n + 1; /* the static body */
    if (need <= b->capacity) return SCREE_OK;
    int64_t room = b->capacity;
#define X(type, name)                                                          \
    room = b->capacity;                                                        \
    TRY(scree_reserve(&b->name, &room, need, sizeof(type)));
    SCREE_BODY_FIELDS(X)
    X(int32_t, place)
#undef X
    b->capacity = room;
    return SCREE_OK;
}

void scree_bodies_free(scree_bodies *b) {
#define X(type, name) free(b->name);
    SCREE_BODY_FIELDS(X)
    X(int32_t, place)
#undef X
    *b = (scree_bodies){0};
}

scree_status scree_bodies_permute(scree_bodies *b, const scree_key *order,
                                  scree_arena *scratch) {
    const size_t mark = scree_arena_mark(scratch), n = (size_t)b->n;
    void *copy = scree_arena_push(scratch, n * sizeof *b->u);
    if (!copy) return SCREE_OUT_OF_MEMORY;
#define X(type, name)                                                          \
    {                                                                          \
        _Static_assert(sizeof(type) <= sizeof *b->u, "copy is too small");     \
        type *from = copy;                                                     \
        memcpy(from, b->name, n * sizeof(type));                               \
        for (size_t k = 0; k < n; ++k) b->name[k] = from[order[k].item];       \
    }
    SCREE_BODY_FIELDS(X)
#undef X
    for (int32_t k = 0; k < b->n; ++k) b->place[b->id[k]] = k;
    scree_arena_pop(scratch, mark);
    return SCREE_OK;
}

size_t scree_bodies_bytes(const scree_bodies *b) {
    size_t each = 0;
#define X(type, name) each += sizeof(type);
    SCREE_BODY_FIELDS(X)
    X(int32_t, place)
#undef X
    return each * (size_t)b->capacity;
}
