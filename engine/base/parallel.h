/* parallel.h: loops over bodies, and sums whose bits do not depend on the
 * number of threads.
 *
 * A parallel loop is cut into chunks of fixed size; a sum adds inside each
 * chunk in order, then the chunks in order. */
#ifndef SCREE_BASE_PARALLEL_H
#define SCREE_BASE_PARALLEL_H

#include <stdint.h>

enum { SCREE_CHUNK = 2048 };

/* Calls body(context, first, last) for the chunks of [0, n). */
typedef void (*scree_chunk_body)(void *context, int64_t first, int64_t last);
void scree_parallel_for(int64_t n, int threads, scree_chunk_body body,
                        void *context);

static inline int64_t scree_chunk_count(int64_t n) {
    return (n + SCREE_CHUNK - 1) / SCREE_CHUNK;
}

/* Number of threads that `asked` stands for (0: as OpenMP chooses). */
int scree_thread_count(int asked);

#endif
