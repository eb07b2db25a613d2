#include "engine/base/parallel.h"

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>

/* Below this many chunks the work is shorter than waking a team of threads. */
enum { WORTH_A_TEAM = 8 };

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

/* ---- teams ------------------------------------------------------------------ */

enum { SPINS = 2000 };

typedef struct scree_barrier {
    atomic_int arrived;
    atomic_int phase;
} barrier;

void scree_team_wait(const scree_team *team) {
    if (team->size == 1) return;
    barrier *b = team->barrier;
    const int phase = atomic_load_explicit(&b->phase, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&b->arrived, 1, memory_order_acq_rel) ==
        team->size - 1) {
        atomic_store_explicit(&b->arrived, 0, memory_order_relaxed);
        atomic_store_explicit(&b->phase, phase + 1, memory_order_release);
        return;
    }
    for (int spins = 0;
         atomic_load_explicit(&b->phase, memory_order_acquire) == phase;)
        if (++spins > SPINS) sched_yield();
}

void scree_team_run(int threads, scree_team_work work, void *context) {
    if (threads <= 1) {
        const scree_team alone = {.rank = 0, .size = 1};
        work(context, &alone);
        return;
    }
    barrier b = {0};
#pragma omp parallel num_threads(threads)
    {
        /* Fewer may come than were asked for. */
        const scree_team team = {omp_get_thread_num(), omp_get_num_threads(),
                                 &b};
        work(context, &team);
    }
}
