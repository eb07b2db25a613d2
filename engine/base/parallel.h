/* parallel.h: loops over bodies, and sums whose bits do not depend on the
 * number of threads.
 *
 * A parallel loop is cut into chunks of fixed size; a sum adds inside each
 * chunk in order, then the chunks in order. */
#ifndef SCREE_BASE_PARALLEL_H
#define SCREE_BASE_PARALLEL_H

#include <stdint.h>

enum { SCREE_CHUNK = 512 };

/* Calls body(context, first, last) for the chunks of [0, n). */
typedef void (*scree_chunk_body)(void *context, int64_t first, int64_t last);
void scree_parallel_for(int64_t n, int threads, scree_chunk_body body,
                        void *context);

static inline int64_t scree_chunk_count(int64_t n) {
    return (n + SCREE_CHUNK - 1) / SCREE_CHUNK;
}

/* ---- teams ------------------------------------------------------------------ */

/* Threads that go through the same work side by side and wait for each other.
 * Waiting spins for a moment, then gives the processor away: on a machine that
 * others use too, a team must not burn what its missing member needs. */
typedef struct scree_team {
    int rank, size;
    struct scree_barrier *barrier;
} scree_team;

typedef void (*scree_team_work)(void *context, const scree_team *team);
void scree_team_run(int threads, scree_team_work work, void *context);
void scree_team_wait(const scree_team *team);

/* The member's share of [first, last), contiguous. */
static inline void scree_team_share(const scree_team *team, int64_t *first,
                                    int64_t *last) {
    const int64_t begin = *first, n = *last - begin;
    *first = begin + n * team->rank / team->size;
    *last = begin + n * (team->rank + 1) / team->size;
}

/* Number of threads that `asked` stands for (0: as OpenMP chooses). */
int scree_thread_count(int asked);

#endif
