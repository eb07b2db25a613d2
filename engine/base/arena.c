#include "engine/base/arena.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGN = 64 };

static size_t round_up(size_t bytes) {
    return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

/* Large arrays are read all over the place: in huge pages, where the system has
 * them, a thousandth of the addresses have to be looked up. aligned_alloc wants
 * whole multiples; the pages that only round up are never touched. */
enum { HUGE = 1 << 21 };

static void *allocate_aligned(size_t bytes) {
    if (bytes < 2 * HUGE) return aligned_alloc(ALIGN, bytes);
    const size_t room = (bytes + HUGE - 1) / HUGE * HUGE;
    void *p = aligned_alloc(HUGE, room);
#ifdef MADV_HUGEPAGE
    if (p) madvise(p, bytes / HUGE * HUGE, MADV_HUGEPAGE);
#endif
    return p;
}

/* Items to make room for when `need` are more than there is room for. */
static int64_t grown_capacity(int64_t capacity, int64_t need) {
    const int64_t room = capacity + capacity / 4 + 8;
    return capacity == 0 || room < need ? need : room;
}

scree_status scree_reserve(void *array, int64_t *capacity, int64_t need,
                           size_t size) {
    if (need <= *capacity) return SCREE_OK;
    const int64_t room = grown_capacity(*capacity, need);
    const size_t bytes = round_up((size_t)room * size);
    void *fresh = allocate_aligned(bytes);
    if (!fresh) return SCREE_OUT_OF_MEMORY;

    void *old;
    memcpy(&old, array, sizeof old);
    const size_t kept = (size_t)*capacity * size;
    if (kept) memcpy(fresh, old, kept);
    memset((char *)fresh + kept, 0, bytes - kept);
    free(old);
    memcpy(array, &fresh, sizeof fresh);
    *capacity = room;
    return SCREE_OK;
}

scree_status scree_reserve_anew(void *array, int64_t *capacity, int64_t need,
                                size_t size) {
    if (need <= *capacity) return SCREE_OK;
    const int64_t room = grown_capacity(*capacity, need);
    void *old;
    memcpy(&old, array, sizeof old);
    free(old);
    void *fresh = allocate_aligned(round_up((size_t)room * size));
    memcpy(array, &fresh, sizeof fresh);
    *capacity = fresh ? room : 0;
    return fresh ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

typedef struct scree_arena_block {
    struct scree_arena_block *below;
    size_t size, used;
    size_t base; /* in_use of the arena when this block was opened */
} block;

static char *block_data(block *b) {
    return (char *)b + round_up(sizeof *b);
}

static block *block_new(size_t size, block *below, size_t base) {
    block *b = allocate_aligned(round_up(sizeof *b) + size);
    if (b) *b = (block){.below = below, .size = size, .base = base};
    return b;
}

void *scree_arena_push(scree_arena *arena, size_t bytes) {
    const size_t size = round_up(bytes ? bytes : 1);
    block *b = arena->top;
    if (!b || b->used + size > b->size) {
        const size_t room = size > arena->high ? size : arena->high;
        b = block_new(room, b, arena->in_use);
        if (!b) return NULL;
        arena->top = b;
    }
    void *p = block_data(b) + b->used;
    b->used += size;
    arena->in_use += size;
    if (arena->in_use > arena->high) arena->high = arena->in_use;
    return p;
}

size_t scree_arena_mark(const scree_arena *arena) {
    return arena->in_use;
}

/* An empty arena of several blocks, or of one that is too small, becomes one
 * block of the high water mark. */
static void merge_blocks(scree_arena *arena) {
    if (!arena->top || arena->in_use) return;
    if (!arena->top->below && arena->top->size >= arena->high) return;
    const size_t high = arena->high;
    scree_arena_free(arena);
    arena->high = high;
    arena->top = block_new(high, NULL, 0);
}

void scree_arena_pop(scree_arena *arena, size_t mark) {
    while (arena->top && arena->top->below && arena->top->base >= mark) {
        block *b = arena->top;
        arena->top = b->below;
        free(b);
    }
    if (arena->top) arena->top->used = mark - arena->top->base;
    arena->in_use = mark;
    merge_blocks(arena);
}

void scree_arena_free(scree_arena *arena) {
    while (arena->top) {
        block *below = arena->top->below;
        free(arena->top);
        arena->top = below;
    }
    *arena = (scree_arena){0};
}
