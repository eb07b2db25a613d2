#include "engine/base/parallel.h"

#include <omp.h>
#include <sched.h>
#include <stdlib.h>

#include "engine/base/cores.h"

/* With fewer items the work is shorter than waking a team of threads. */
static int64_t worth = 8 * SCREE_CHUNK;

int64_t scree_worth_threads(int64_t items) {
    const int64_t was = worth;
    worth = items;
    return was;
}

int scree_threads_for(int64_t n, int threads) {
    return n < worth || threads < 1 ? 1 : threads;
}

int scree_threads_asked(int asked) {
    if (asked > 0) return asked;
    return getenv("OMP_NUM_THREADS") ? omp_get_max_threads() : 0;
}

int scree_thread_count(int asked) {
    const int threads = scree_threads_asked(asked);
    return threads ? threads : scree_core_count();
}

int scree_thread_share(const scree_comm *comm, int asked) {
    const int threads = scree_threads_asked(asked);
    const int cores = scree_core_count_of(comm),
              ranks = scree_comm_neighbours(comm);
    if (threads) return threads;
    return cores > ranks ? cores / ranks : 1;
}

int64_t scree_prefix_sums(int64_t *count, int64_t chunks) {
    int64_t sum = 0;
    for (int64_t k = 0; k < chunks; ++k) {
        const int64_t n = count[k];
        count[k] = sum;
        sum += n;
    }
    return sum;
}

/* ---- teams --------------------------------------------------------------- */

enum { SPINS = 2000 };

static void pause_after(int *spins) {
    if (++*spins > SPINS) sched_yield();
}

/* How often a member has arrived, for the others to read: a pair of cache lines each,
 * since processors fetch them in pairs. */
enum { MOST_MEMBERS = 256 };
struct scree_arrivals {
    _Alignas(128) atomic_int count;
};

void scree_team_arrive(const scree_team *team) {
    if (team->size > 1)
        atomic_fetch_add_explicit(&team->arrivals[team->rank].count, 1,
                                  memory_order_release);
}

void scree_team_meet(const scree_team *team) {
    if (team->size == 1) return;
    const int mine = atomic_load_explicit(&team->arrivals[team->rank].count,
                                          memory_order_relaxed);
    for (int r = 0; r < team->size; ++r)
        for (int spins = 0; atomic_load_explicit(&team->arrivals[r].count,
                                                 memory_order_acquire) < mine;)
            pause_after(&spins);
}

void scree_team_wait(const scree_team *team) {
    scree_team_arrive(team);
    scree_team_meet(team);
}

void scree_team_run(int threads, scree_team_work work, void *context) {
    if (threads <= 1) {
        const scree_team alone = {.rank = 0, .size = 1};
        work(context, &alone);
        return;
    }
    struct scree_arrivals arrivals[MOST_MEMBERS];
    if (threads > MOST_MEMBERS) threads = MOST_MEMBERS;
    for (int r = 0; r < threads; ++r) atomic_init(&arrivals[r].count, 0);
#pragma omp parallel num_threads(threads)
    {
        /* Fewer may come than were asked for. */
        const scree_team team = {omp_get_thread_num(), omp_get_num_threads(),
                                 arrivals};
        work(context, &team);
        /* OpenMP waits at the end of the region too, but spins for
         * milliseconds. */
        scree_team_wait(&team);
    }
}

/* ---- loops --------------------------------------------------------------- */

typedef struct loop {
    int64_t n;
    scree_chunk_body body;
    void *context;
} loop;

static void loop_share(void *context, const scree_team *team) {
    const loop *l = context;
    int64_t chunk = 0, end = scree_chunk_count(l->n);
    scree_team_share(team, &chunk, &end);
    for (; chunk < end; ++chunk) {
        const int64_t first = chunk * SCREE_CHUNK;
        l->body(l->context, first, scree_chunk_end(first, l->n));
    }
}

void scree_parallel_for(int64_t n, int threads, scree_chunk_body body,
                        void *context) {
    loop l = {n, body, context};
    scree_team_run(scree_threads_for(n, threads), loop_share, &l);
}

/* ---- lists in the order of chunks ---------------------------------------- */

void scree_queue_open(scree_queue *queue, int64_t chunks) {
    queue->chunks = chunks;
    queue->claimed = 0;
    atomic_init(&queue->taken, 0);
    atomic_init(&queue->turn, 0);
}

int64_t scree_queue_take(scree_queue *queue) {
    const int64_t chunk =
        atomic_fetch_add_explicit(&queue->taken, 1, memory_order_relaxed);
    return chunk < queue->chunks ? chunk : -1;
}

int64_t scree_queue_claim(scree_queue *queue, int64_t chunk, int64_t n) {
    for (int spins = 0;
         atomic_load_explicit(&queue->turn, memory_order_acquire) != chunk;)
        pause_after(&spins);
    const int64_t at = queue->claimed;
    queue->claimed += n;
    return at;
}

int64_t scree_queue_pass(scree_queue *queue, int64_t chunk, int64_t n) {
    const int64_t at = scree_queue_claim(queue, chunk, n);
    atomic_store_explicit(&queue->turn, chunk + 1, memory_order_release);
    return at;
}
