#include "engine/base/parallel.h"

#include <omp.h>

/* Below this many chunks the work is shorter than waking a team of threads. */
enum { WORTH_A_TEAM = 16 };

int scree_thread_count(int asked) {
    return asked > 0 ? asked : omp_get_max_threads();
}

void scree_parallel_for(int64_t n, int threads, scree_chunk_body body,
                        void *context) {
    const int64_t chunks = scree_chunk_count(n);
    if (threads <= 1 || chunks < WORTH_A_TEAM) {
        for (int64_t first = 0; first < n; first += SCREE_CHUNK)
            body(context, first,
                 first + SCREE_CHUNK < n ? first + SCREE_CHUNK : n);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t k = 0; k < chunks; ++k) {
        const int64_t first = k * SCREE_CHUNK;
        body(context, first, first + SCREE_CHUNK < n ? first + SCREE_CHUNK : n);
    }
}
