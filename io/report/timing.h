/* timing.h: timing.json in the folder of a run, what it took and how it went, for
 * programs. Numbers that are not finite are null. */
#ifndef SCREE_IO_TIMING_H
#define SCREE_IO_TIMING_H

#include "engine/base/comm.h"
#include "engine/base/error.h"
#include "engine/scree.h"

enum { SCREE_TIMING_PHASES = SCREE_PHASE_COUNT + 2 };

typedef struct scree_timing_phase {
    const char *name;
    scree_spread seconds; /* over the ranks */
} scree_timing_phase;

typedef struct scree_timing {
    bool finished;
    int64_t steps, bodies, unconverged;
    double time;    /* simulated [s] */
    double seconds; /* wall time */
    int ranks, threads;
    double contacts, iterations; /* per step */
    double worst_residual;       /* of the steps that did not converge */
    uint64_t hash;               /* of the state */
    int n_phase;                 /* of a model none */
    scree_timing_phase phases[SCREE_TIMING_PHASES];
    scree_rank_load *each; /* (ranks); NULL: there is one */
} scree_timing;

/* What a world knows of it. Collective. The caller frees `each`. */
scree_status scree_timing_read(scree_timing *timing, const scree_world *world,
                               const scree_comm *comm, scree_error *error);

scree_status scree_timing_write(const char *folder, const scree_timing *timing,
                                scree_error *error);

#endif
