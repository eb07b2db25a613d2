/* run.h: a case from its first to its last step, with its outputs. */
#ifndef SCREE_IO_RUN_H
#define SCREE_IO_RUN_H

#include <signal.h>
#include <stdio.h>

#include "io/case/case.h"

struct scree_checkpoint;
struct scree_lock;

typedef struct scree_run_options {
    const struct scree_comm
        *comm;        /* ranks that share the run; NULL: only one */
    const char *out;  /* folder of the results; NULL: out/<case name> */
    FILE *log;        /* progress, the table at the end; NULL: nothing */
    FILE *complaints; /* what the audit finds if it refuses; NULL: `log` */
    bool quiet;       /* only the line with the state hash */
    bool no_scripts;  /* refuse a case that has scripts to run */
    bool force;       /* replace the results of a finished run in the folder */
    const volatile sig_atomic_t *stop; /* finish the step and end the run when
                                          this is not 0; NULL: never */
    /* Set to 1 when `stop` is looked at from now on: until then, while the
     * world is made, a signal may end the program at once. NULL: nobody asks. */
    volatile sig_atomic_t *listens;
    scree_run_each *each; /* told of every step; NULL: nobody */
    void *each_context;
    double max_walltime; /* [s] end before the run has taken longer; 0: any */
    double
        max_silence; /* [s] of a rank before it is lost (engine/base/watch.h);
                            0: the default, below: any */
    const char *program; /* as the command to go on names it; NULL: scree */
    /* Of a run that goes on (io/run/run_resume.h); NULL: it begins. */
    const struct scree_checkpoint *from;
    const char *resolved;    /* the case as it is printed, of such a run */
    bool resumes;            /* with the outputs that are in the folder */
    struct scree_lock *lock; /* of the folder, held; NULL: the run takes it */
} scree_run_options;

/* Runs the case. A sink writes when its schedule says so, at t = 0 if it is not
 * told to start later, and at the end if it is not told to stop earlier, also
 * when the end is a stop. What is no longer finite goes to no sink, but to a file
 * of its own (io/run/run_broken.h).
 *
 * A run that ends before its time, and at its end one whose case asks for
 * checkpoints or that has a limit of wall time, leaves a checkpoint. It is taken
 * before the last writing of the sinks, which would not be there in a run that had
 * not stopped: who goes on writes it again, or not at all. */
scree_status scree_run(const scree_case *c, const scree_run_options *options,
                       scree_error *error);

/* ceil(end / dt): the steps that the run of a world takes. */
int64_t scree_run_steps(double end, double dt);

/* Of a model, the size of the step that follows t: the step of the case, and for
 * the last one what is left; 0 when nothing is. Rounding of the sum t makes no
 * step of its own: the last step may be a thousandth longer. */
double scree_run_next_dt(double t, double end, double step);

/* Whether a sink with this schedule writes at the end of a step between two
 * times: time has passed `from` plus a multiple of `every`, or one of the given
 * times. A first step that ends at t = 0 is the state that the run begins with.
 * The times of a world are k dt, never sums, so a long run does not drift. */
bool scree_run_is_due(double before, double now,
                      const scree_schedule *schedule);

/* Whether it writes what that step left when the run ends there. */
bool scree_run_wants_end(double before, double now,
                         const scree_schedule *schedule);

/* Whether time has passed a multiple of `every` between two times; 0: always. */
bool scree_run_passes(double before, double now, double every);

#endif
