/* case_pool.c: a list of heap blocks with one owner.
 *
 * Small pieces are cut from the block that was begun last, large ones have a
 * block of their own. Blocks are zero when they are made and nothing is given back
 * before the end, so that pieces are zero. */
#include "io/case/yaml/case_pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
    struct block *next;
    max_align_t content[]; /* keeps what follows aligned for every type */
} block;

#if defined __SANITIZE_ADDRESS__
#define PIECES_APART 1
#elif defined __has_feature
#define PIECES_APART __has_feature(address_sanitizer)
#else
#define PIECES_APART 0
#endif

enum {
    SHARED_BYTES = 1 << 16, /* of a block that pieces share */
    SMALL_BYTES = 1 << 10,  /* at most, of such a piece */
};

struct scree_pool {
    block *blocks;
    char *free; /* in the shared block that was begun last */
    size_t n_free;
};

scree_pool *scree_pool_create(void) {
    return calloc(1, sizeof(scree_pool));
}

void scree_pool_destroy(scree_pool *pool) {
    if (!pool) return;
    for (block *b = pool->blocks; b;) {
        block *next = b->next;
        free(b);
        b = next;
    }
    free(pool);
}

static void *add_block(scree_pool *pool, size_t bytes) {
    block *b = calloc(1, sizeof(block) + bytes);
    if (!b) return NULL;
    b->next = pool->blocks;
    pool->blocks = b;
    return b->content;
}

/* `align` is a power of two up to that of max_align_t. */
static void *take_bytes(scree_pool *pool, size_t bytes, size_t align) {
    if (PIECES_APART || bytes > SMALL_BYTES) return add_block(pool, bytes);
    size_t skip = (size_t)(-(uintptr_t)pool->free) & (align - 1);
    if (skip + bytes > pool->n_free) {
        char *begun = add_block(pool, SHARED_BYTES);
        if (!begun) return NULL;
        pool->free = begun;
        pool->n_free = SHARED_BYTES;
        skip = 0;
    }
    void *piece = pool->free + skip;
    pool->free += skip + bytes;
    pool->n_free -= skip + bytes;
    return piece;
}

void *scree_pool_take(scree_pool *pool, size_t n, size_t size) {
    if (size > 0 && n > (SIZE_MAX - sizeof(block)) / size) return NULL;
    /* The alignment of a type divides its size. */
    const size_t power = size & -size, most = _Alignof(max_align_t);
    return take_bytes(pool, n * size > 0 ? n * size : 1,
                      power > 0 && power < most ? power : most);
}

char *scree_pool_text(scree_pool *pool, const char *text, size_t length) {
    char *copy = scree_pool_take(pool, length + 1, 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}
