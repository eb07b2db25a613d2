/* parallel.h: loops over bodies, and sums whose bits do not depend on the
 * number of threads.
 *
 * A parallel loop is cut into chunks of fixed size; a sum adds inside each
 * chunk in order, then the chunks in order. */
#ifndef SCREE_BASE_PARALLEL_H
#define SCREE_BASE_PARALLEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/base/comm.h"

enum { SCREE_CHUNK = 512 };

/* Threads that are worth waking for n items: one if there are few. */
int scree_threads_for(int64_t n, int threads);
/* From how many items on; returns what it was. Tests lower it, so that small
 * scenes go through the same teams as large ones. */
int64_t scree_worth_threads(int64_t items);

/* Calls body(context, first, last) for the chunks of [0, n). */
typedef void (*scree_chunk_body)(void *context, int64_t first, int64_t last);
void scree_parallel_for(int64_t n, int threads, scree_chunk_body body,
                        void *context);

static inline int64_t scree_chunk_count(int64_t n) {
    return (n + SCREE_CHUNK - 1) / SCREE_CHUNK;
}

static inline int64_t scree_chunk_end(int64_t first, int64_t n) {
    return first + SCREE_CHUNK < n ? first + SCREE_CHUNK : n;
}

/* Turns the counts of chunks into the places where they begin in a common list,
 * and returns their sum. */
int64_t scree_prefix_sums(int64_t *count, int64_t chunks);

/* ---- teams --------------------------------------------------------------- */

/* Threads that go through the same work side by side and wait for each other.
 * Waiting spins for a moment, then gives the processor away: on a machine that
 * others use too, a team must not burn what its missing member needs. */
typedef struct scree_team {
    int rank, size;
    struct scree_arrivals *arrivals; /* (size) */
} scree_team;

typedef void (*scree_team_work)(void *context, const scree_team *team);
void scree_team_run(int threads, scree_team_work work, void *context);
void scree_team_wait(const scree_team *team);
/* The two halves of waiting: the member has done what others may build on, and goes
 * on with something else; it goes on when all the others have arrived as often as
 * it has itself. */
void scree_team_arrive(const scree_team *team);
void scree_team_meet(const scree_team *team);

/* The member's share of [first, last), contiguous. */
static inline void scree_team_share(const scree_team *team, int64_t *first,
                                    int64_t *last) {
    const int64_t begin = *first, n = *last - begin;
    *first = begin + n * team->rank / team->size;
    *last = begin + n * (team->rank + 1) / team->size;
}

/* Sets a mark that several members may set. */
static inline void scree_set_mark(uint8_t *mark) {
    if (!__atomic_load_n(mark, __ATOMIC_RELAXED))
        __atomic_store_n(mark, 1, __ATOMIC_RELAXED);
}

/* ---- lists in the order of chunks ---------------------------------------- */

/* Chunks of work that each give an unknown number of items, listed in the order
 * of the chunks whoever works on them. A member takes the next chunk, collects
 * its items aside, then claims places for them in the list. A claim waits until
 * the chunks before have passed; as chunks are taken in order, they nearly
 * always have. When `claimed` is beyond the room of the list, the list was not
 * written: its owner makes room and goes again. */
typedef struct scree_queue {
    int64_t chunks;
    _Alignas(64) atomic_llong taken; /* chunks; apart from what waiters read */
    _Alignas(64) atomic_llong turn;  /* the chunk that may claim */
    int64_t claimed;                 /* items; belongs to the chunk in turn */
} scree_queue;

void scree_queue_open(scree_queue *queue, int64_t chunks);
/* The next chunk, or -1 when there is none. */
int64_t scree_queue_take(scree_queue *queue);
/* First of n places for the chunk; may be called several times. */
int64_t scree_queue_claim(scree_queue *queue, int64_t chunk, int64_t n);
/* The chunk's last claim. */
int64_t scree_queue_pass(scree_queue *queue, int64_t chunk, int64_t n);

/* ---- how many ------------------------------------------------------------ */

/* Number of threads that `asked` stands for. 0: OMP_NUM_THREADS if it is set,
 * else the physical cores that this process may run on. */
int scree_thread_count(int asked);
/* The same, 0: it is the cores that tell. */
int scree_threads_asked(int asked);
/* Threads of each rank: the ranks on a machine share its cores, unless `asked` or
 * OMP_NUM_THREADS tells. Collective. */
int scree_thread_share(const scree_comm *comm, int asked);

#endif
