/* case_pool.c: a list of heap blocks with one owner. */
#include "io/case_pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
    struct block *next;
    max_align_t content[]; /* keeps what follows aligned for every type */
} block;

struct scree_pool {
    block *blocks;
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

void *scree_pool_take(scree_pool *pool, size_t n, size_t size) {
    if (size > 0 && n > (SIZE_MAX - sizeof(block)) / size) return NULL;
    block *b = calloc(1, sizeof(block) + n * size);
    if (!b) return NULL;
    b->next = pool->blocks;
    pool->blocks = b;
    return b->content;
}

char *scree_pool_text(scree_pool *pool, const char *text, size_t length) {
    char *copy = scree_pool_take(pool, length + 1, 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}
