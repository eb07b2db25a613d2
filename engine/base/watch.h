/* watch.h: ranks that listen to each other.
 *
 * A rank that loses another, with its machine or the network between, waits for
 * it in MPI for ever. So each rank has a thread of its own beside the run, and
 * these threads send heartbeats by UDP, not by MPI: all ranks to rank 0, and rank
 * 0 to all, a packet a second each. A beat says that its process lives, whether it
 * waits for others, and how many waits it has ended.
 *
 *     lost    a rank was heard of once, has been silent for `patience` since, and
 *             so long has this rank ended no communication
 *     stuck   all ranks are heard of, all wait, and none ended a wait for ten
 *             times as long: they wait for one another
 *
 *     failed  a rank could not do its part of what all do together in a library
 *             (a file of MPI), and the others did not hear of it
 *
 * Each ends all ranks by one sentence and SCREE_WATCH_EXIT, or the code of the
 * failure. What is merely slow
 * is left alone: a rank that computes, or waits for a file, for hours goes on
 * beating meanwhile, so a wait alone never ends a run; who makes headway is not
 * ended whatever is heard; and time in which this process was stopped does not
 * count. Where no beat comes through (a firewall), nobody was ever heard of, and
 * the watch never ends anything. */
#ifndef SCREE_BASE_WATCH_H
#define SCREE_BASE_WATCH_H

#include <stdatomic.h>
#include <stdint.h>

#include "engine/base/comm.h"

#define SCREE_WATCH_PATIENCE 45.0 /* [s] the default */
enum { SCREE_WATCH_EXIT = 8 };

/* Collective, both. One rank, or no patience: no watch. All ranks end it
 * together. */
void scree_watch_begin(const scree_comm *comm, double patience);
void scree_watch_end(const scree_comm *comm);

/* What the last sentence of this rank is to say after the reason: how to go on.
 * Not collective. */
void scree_watch_tell(const char *how_to_go_on);

/* Something that all ranks do together, in a library, has failed on this one, and the
 * others may wait for it in there for ever. If no wait of this rank ends within ten
 * seconds from now, or the patience if that is less, all ranks end, with this reason and
 * exit code. */
void scree_watch_doubt(const char *reason, int code);

/* What all write together now, and what is worth nothing before they are done: who ends
 * all ranks removes it. NULL: there is none. Not collective. */
void scree_watch_half_written(const char *path);

/* ---- by the main thread, around each wait for others ------------------------- */

typedef struct scree_waits {
    const char *_Atomic what; /* is waited for; NULL: nothing */
    _Atomic uint64_t ended;
} scree_waits;
extern scree_waits scree_watch_waits;

static inline void scree_watch_enter(const char *what) {
    atomic_store_explicit(&scree_watch_waits.what, what, memory_order_relaxed);
}

/* Nobody else writes: no locked instruction is needed. */
static inline void scree_watch_leave(void) {
    scree_waits *w = &scree_watch_waits;
    const uint64_t n = atomic_load_explicit(&w->ended, memory_order_relaxed);
    atomic_store_explicit(&w->ended, n + 1, memory_order_relaxed);
    atomic_store_explicit(&w->what, NULL, memory_order_relaxed);
}

#endif
