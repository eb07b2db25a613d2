/* run_watch.h: what a run of a world keeps an eye on, step by step, and what it
 * says of it at its end: steps that do not converge, bodies that are fast for the
 * step, pours that do not let in what they should; and whether the case says that it
 * ends now. */
#ifndef SCREE_IO_RUN_WATCH_H
#define SCREE_IO_RUN_WATCH_H

#include "engine/base/archive.h"
#include "engine/base/comm.h"
#include "io/case/case.h"
#include "io/run/terminal.h"

typedef struct scree_run_watch {
    const scree_case *source;
    const scree_comm *comm;
    scree_terminal *terminal;
    int64_t unconverged;        /* steps so far */
    int64_t stops[SCREE_STOPS]; /* of them, by why their solve stopped */
    double worst;               /* residual of the worst of them */
    double stride;              /* largest v dt / d so far */
    bool stop; /* a step did not converge, and the case says to stop there */
    double lively; /* time of the last step that was not at rest [s] */
    bool ends;     /* the case says that the run ends here (`stop`, `domain`) */
} scree_run_watch;

/* Saved in a checkpoint, in the group that is set. */
void scree_run_watch_archive(scree_run_watch *watch, scree_archive *a);

/* After a step. Collective. What is wrong is said once. */
void scree_run_watch_step(scree_run_watch *watch, const scree_world *world);

/* Then: is this the end, before its time? Collective; said when it is. */
void scree_run_watch_end(scree_run_watch *watch, const scree_world *world,
                         const scree_pour_state *pours);

/* Weight of all bodies times their mean radius [J]. Collective. */
double scree_run_watch_lift(const scree_run_watch *watch,
                            const scree_world *world);

/* Pours that stayed behind, at the end of a run that is done. */
void scree_run_watch_pours(const scree_run_watch *watch,
                           const scree_pour_state *pours);

/* What left, at the end of a run. */
void scree_run_watch_leavers(const scree_run_watch *watch,
                             const scree_world *world);

/* What its nets took and bore. */
void scree_run_watch_nets(const scree_run_watch *watch,
                          const scree_world *world);

/* SCREE_NOT_CONVERGED, with what to change, if more steps than the case allows did
 * not converge (`done`: the run has come to its end), or one did that stops it. */
scree_status scree_run_watch_judge(const scree_run_watch *watch,
                                   const scree_world *world, bool done,
                                   scree_error *error);

/* The same of any run: so many of the steps, of which the case allows a share. */
scree_status scree_judge_unconverged(const scree_case *c, int64_t unconverged,
                                     int64_t steps, double worst,
                                     scree_error *error);
scree_status scree_stop_unconverged(int64_t step, double time,
                                    scree_error *error);

#endif
