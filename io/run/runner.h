/* runner.h: a run under way, for the files that drive it. One driver (run.c) runs
 * worlds (run_world.c) and models (run_model.c), which differ in a table:
 *
 *     make                              the world or model, new or as it was saved
 *     folder, lock, keeper, sinks       by the driver
 *     while not done:  step;  outputs, checkpoint if they are due;  progress
 *     close the sinks;  summary;  judge
 */
#ifndef SCREE_IO_RUNNER_H
#define SCREE_IO_RUNNER_H

#include "engine/audit/audit.h"
#include "io/output/output.h"
#include "io/report/timing.h"
#include "io/run/run_keep.h"
#include "io/run/run_lock.h"
#include "io/run/run_sinks.h"
#include "io/run/terminal.h"

typedef struct scree_runner {
    const struct scree_run_ops *ops;
    void *self; /* what only worlds, or models, have */
    const scree_case *source;
    const scree_run_options *options; /* with ranks, which are */
    const scree_comm *comm;           /* these */
    scree_output_context context;     /* what sinks see: the world or model */
    scree_sink *sinks;                /* (source->n_output) */
    char *folder;
    scree_lock lock;
    scree_terminal terminal;
    scree_keeper keeper;
    scree_audit audit; /* of a run that begins */
    double seconds;    /* wall time of the parts before this one */
    /* Where it is, told by `make` and by each `step`. */
    int64_t step, steps; /* taken, to take; steps = 0: only the time tells */
    double before, time; /* [s] simulated: of the step before, and now */
    double play; /* [s] that `time` may be off: it is a sum in a model */
    bool done;   /* nothing is left */
    bool stop;   /* a step did not converge, and the case says to stop */
} scree_runner;

typedef struct scree_run_ops {
    size_t size; /* of `self`, zero before `make` */
    const scree_output_ops *(*find_sink)(const char *name);
    /* Builds what is run, or loads it, before anything is written. Collective, as
     * all that follows. */
    scree_status (*make)(scree_runner *r, scree_error *error);
    void (*free)(scree_runner *r); /* also after a `make` that failed */
    /* The folder is there; NULL: nothing is to be done. */
    void (*settle)(scree_runner *r);
    void (*announce)(scree_runner *r, double build_seconds);
    scree_status (*step)(scree_runner *r, scree_error *error);
    void (*show_progress)(scree_runner *r, const scree_progress *progress);
    void (*archive)(scree_runner *r, scree_archive *a);
    uint64_t (*hash)(const scree_runner *r);
    /* Wall time of outputs and checkpoints; NULL: nobody counts it. */
    void (*charge)(scree_runner *r, double seconds);
    void (*print_summary)(scree_runner *r, double seconds);
    /* What only it knows for timing.json. */
    scree_status (*time)(scree_runner *r, scree_timing *timing,
                         scree_error *error);
    /* SCREE_NOT_CONVERGED if too many steps did not. */
    scree_status (*judge)(const scree_runner *r, scree_error *error);
} scree_run_ops;

extern const scree_run_ops scree_run_of_world, scree_run_of_model,
    scree_run_of_ensemble;
/* That of the case. */
const scree_run_ops *scree_run_ops_of(const scree_case *c);

/* Where it is, as others are told. */
scree_run_state scree_runner_state(const scree_runner *r);

/* What the run is, but for its sinks. */
void scree_runner_archive(scree_runner *r, scree_archive *a);

/* Loads what the run was, by `archive`, but for the sinks, which are loaded when
 * they open. */
scree_status scree_runner_load(scree_runner *r, scree_error *error);

/* Wall time from `begun` to now, charged to the outputs; returns it. */
double scree_runner_charge(scree_runner *r, double begun);

#endif
