/* run_keep.h: the checkpoints of a run: when they are due, how many are kept,
 * and when the run must end before its time.
 *
 * Ranks have clocks of their own, and a signal may reach only some of them:
 * what is decided here is decided by all together. Whatever concerns the folder
 * is done by the first rank. */
#ifndef SCREE_IO_RUN_KEEP_H
#define SCREE_IO_RUN_KEEP_H

#include "io/hdf5/checkpoint.h"
#include "io/run/run.h"
#include "io/run/terminal.h"

typedef struct scree_keeper {
    const scree_case *source;
    const scree_run_options *options;
    const scree_comm *comm;
    const char *folder;
    scree_checkpoint_fill *fill; /* saves the run */
    void *context;
    double started;               /* [s] of scree_clock: the program */
    double begun;                 /* the same: the steps */
    double stepped, saved;        /* the same: last step, last checkpoint */
    double slowest_step, slowest; /* [s], the latter of a checkpoint */
    int64_t steps;                /* taken in this part of the run */
    int64_t last;                 /* step of the last checkpoint, -1: none */
    double last_time;             /* [s] simulated */
    bool renew;                   /* the last one is to be saved again */
    int removed; /* checkpoints of another run that were in the folder */
    int signal;  /* that must stop the run, 0: none */
} scree_keeper;

/* The folder is locked by now. Checkpoints that do not belong to the past of
 * this run are removed, and broken states with them. */
void scree_keeper_begin(scree_keeper *k);

/* Does the case ask for checkpoints, or must the run end in time? */
bool scree_keeper_is_on(const scree_keeper *k);

/* Is a checkpoint due before the first step? A run that goes on with changes
 * saves where it begins once more: whoever goes on after it must not fall back to
 * the case as it was. So does one that must end in time, to know how long it
 * takes. */
bool scree_keeper_wants_first(const scree_keeper *k);

/* Collective, as are the next two: after a step that led from one simulated
 * time to another. */
bool scree_keeper_is_due(scree_keeper *k, double before, double now);

scree_status scree_keeper_save(scree_keeper *k, const scree_hdf5_state *state,
                               scree_error *error);

/* A signal, or the end of --max-walltime as far as the next step and a
 * checkpoint can be foreseen. One step is always taken before the latter. */
bool scree_keeper_must_stop(scree_keeper *k);

/* Says so if checkpoints of an unfinished run were replaced. */
void scree_keeper_tell_removed(const scree_keeper *k, scree_terminal *terminal);

/* Adds to an error where the run can go on, if it can. */
void scree_keeper_tell(const scree_keeper *k, scree_error *error);

/* Why the run ended, and how to go on; steps = 0: their number is not known. */
void scree_keeper_explain_stop(const scree_keeper *k, scree_terminal *terminal,
                               double time, int64_t step, int64_t steps);

#endif
