/* arena.h: where memory comes from.
 *
 * Two kinds, so that a steady step never calls the heap:
 *   - scree_reserve: arrays that live as long as their owner and only grow;
 *   - scree_arena: a stack for the scratch of one step. It remembers its high
 *     water mark; when it runs over, it takes an extra block from the heap once
 *     and merges the blocks the next time it is empty. */
#ifndef SCREE_BASE_ARENA_H
#define SCREE_BASE_ARENA_H

#include "engine/scree.h"

/* Makes room for `need` items of `size` bytes in *array (64-byte aligned,
 * contents kept, new bytes zero). Growth is by a quarter, or to `need` exactly
 * when the array is new. */
scree_status scree_reserve(void *array, int64_t *capacity, int64_t need,
                           size_t size);
/* The same for contents that are written anew: if it grows the old ones are lost
 * and given back first, so that old and new are never held at once, and nothing
 * is cleared. Without memory the array is NULL and has no room. */
scree_status scree_reserve_anew(void *array, int64_t *capacity, int64_t need,
                                size_t size);

typedef struct scree_arena {
    struct scree_arena_block *top; /* newest block first */
    size_t in_use, high;           /* [bytes] */
} scree_arena;

/* NULL when the heap is exhausted. 64-byte aligned, not cleared. */
void *scree_arena_push(scree_arena *arena, size_t bytes);
/* Room for `count` items at the pointer, which is NULL, and so false, without. */
#define SCREE_PUSH(arena, pointer, count)                                      \
    ((pointer) = scree_arena_push(arena, (size_t)(count) * sizeof *(pointer)))
size_t scree_arena_mark(const scree_arena *arena);
/* Gives back everything pushed since the mark. */
void scree_arena_pop(scree_arena *arena, size_t mark);
void scree_arena_free(scree_arena *arena);

#endif
