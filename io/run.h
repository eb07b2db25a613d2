/* run.h: a case from its first to its last step, with its outputs. */
#ifndef SCREE_IO_RUN_H
#define SCREE_IO_RUN_H

#include <signal.h>
#include <stdio.h>

#include "io/case.h"

typedef struct scree_run_options {
    const char *out; /* folder of the results; NULL: out/<case name> */
    FILE *log;       /* progress, the table at the end; NULL: nothing */
    bool quiet;      /* only the line with the state hash */
    const volatile sig_atomic_t *stop; /* finish the step and end the run when
                                          this is not 0; NULL: never */
} scree_run_options;

/* Runs the case. A sink writes when its schedule says so, at t = 0 if it is not
 * told to start later, and at the end if it is not told to stop earlier, also
 * when the end is a stop. What is no longer finite is written by all. */
scree_status scree_run(const scree_case *c, const scree_run_options *options,
                       scree_error *error);

/* ceil(end / dt): the steps that a run takes. */
int64_t scree_run_steps(double end, double dt);

/* Whether a sink with this schedule writes after step k: during the step, time
 * has passed `from` plus a multiple of `every`, or one of the given times. The
 * state at t = 0 is that after step 0. Times are k * dt, never sums, so a long
 * run does not drift. */
bool scree_run_is_due(int64_t k, double dt, const scree_schedule *schedule);

/* Whether it writes what step k left when the run ends there. */
bool scree_run_wants_end(int64_t k, double dt, const scree_schedule *schedule);

#endif
