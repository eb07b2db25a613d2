/* solver.h: what a solver is. One file and one line in solvers.def each. */
#ifndef SCREE_SOLVERS_SOLVER_H
#define SCREE_SOLVERS_SOLVER_H

#include "solvers/problem/problem.h"

typedef struct scree_solver_ops {
    const char *name;
    const char *about;
    bool coulomb_only;   /* tied contacts are SCREE_UNSUPPORTED */
    bool no_moments;     /* contacts that roll or drill are */
    bool plane_friction; /* friction is, unless the problem is planar */
    bool over_ranks;     /* solves problems that are spread over ranks */
    bool ordered;        /* solves ordered problems (ordered.h) */
    bool sweeps;         /* goes on sweep by sweep from where it was left */
    bool cools;          /* and relaxation and momentum quieten it */
    bool splits;         /* and wants shared bodies split there (coupling.h) */
    /* In: u = u_free and a first guess P, as warm starts leave it. Out: P and
     * u = u_free + M^-1 W P. Not reaching the tolerance is SCREE_OK with
     * report->converged = false. */
    scree_status (*solve)(scree_problem *problem,
                          const scree_solver_options *options,
                          scree_arena *scratch, scree_report *report);
} scree_solver_ops;

/* Sorts the problem's colours and solves it. */
scree_status scree_solver_run(const scree_solver_ops *ops, scree_problem *p,
                              const scree_solver_options *options,
                              scree_arena *scratch, scree_report *report);

const scree_solver_ops *scree_solver_get(int i); /* NULL past the end */
const scree_solver_ops *scree_solver_find(const char *name);
/* The names of those that run on several ranks, "one, another or a third". */
void scree_solver_name_over_ranks(char *text, size_t size);

/* The loop of progress.h on sweeps, `count` of them at a time. */
typedef void (*scree_sweep)(scree_problem *problem, void *context, int count);
/* Told of every residual measured, unless it is the last; may be NULL. */
typedef void (*scree_check)(void *context, double residual);
void scree_iterate(scree_problem *problem, const scree_solver_options *options,
                   scree_sweep sweep, scree_check check, void *context,
                   scree_report *report);

/* Residual, balance and worst violations of (P, u), see scree_problem_residual, and
 * whether that is a solution as the options ask for it. `bounded`: what led there
 * tells that P does not grow without end (trend.h). */
void scree_report_measure(const scree_problem *p, scree_size free,
                          const scree_solver_options *options, bool bounded,
                          scree_report *report);

#endif
