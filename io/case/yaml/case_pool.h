/* case_pool.h: memory that is given back all at once.
 *
 * A case is many small pieces with one lifetime. They share large heap blocks;
 * only under the address sanitizer each has its own, so that an overrun of any of
 * them is seen. */
#ifndef SCREE_IO_CASE_POOL_H
#define SCREE_IO_CASE_POOL_H

#include <stddef.h>

typedef struct scree_pool scree_pool;

/* NULL when there is no memory, like the two below. */
scree_pool *scree_pool_create(void);
void scree_pool_destroy(scree_pool *pool);

/* n zeroed items of `size` bytes; not NULL for n = 0. */
void *scree_pool_take(scree_pool *pool, size_t n, size_t size);
/* The first `length` bytes of `text` as a string. */
char *scree_pool_text(scree_pool *pool, const char *text, size_t length);

#endif
