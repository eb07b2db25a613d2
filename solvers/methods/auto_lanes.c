/* auto.c: sweeps of pgs, which need no matrix; once they make no more progress, or
 * half of the iterations are gone and the problem is not large, it is written out,
 * and the stages of solvers/methods/auto_blocks.c that follow sweeps go on from there. In a
 * large problem a Newton step costs too much to be taken while sweeps still gain.
 *
 * A fifth of all iterations without progress is a stall, within bounds: sweeps that
 * take as long to gain a third gain less than a digit with all that is left. What
 * comes then takes few iterations, each of them worth hundreds of sweeps.
 *
 * With few iterations these may lead nowhere. Then pgs has its turn from the start,
 * which costs less than what was tried, and the better of both is returned: auto
 * never ends worse than pgs does with as many iterations. The report counts those of
 * what is returned. */
#include <string.h>

#include "solvers/blocks/explicit.h"
#include "solvers/problem/method.h"
#include "solvers/problem/percussions.h"

enum { PART = 5, LEAST = 10, MOST = 300, LARGE = 5000 /* contacts */ };

static const scree_method after_sweeps = {.name = "auto",
                                          .blocks = scree_blocks_after_sweeps};

static int sweeps_before_other(const scree_solver_options *options) {
    if (options->stall > 0) return options->stall;
    const int part = options->iterations / PART;
    return part < LEAST ? LEAST : part < MOST ? part : MOST;
}

/* Percussions, and the velocities without them. */
typedef struct start {
    scree_twist *u_free; /* (n_body + 1) */
    row_step *P;         /* (n_contact) */
} start;

/* Keeps P, with room for all contacts that there may be: the same from step to
 * step. */
static bool keep_P(start *s, const scree_problem *p, scree_arena *scratch) {
    if (!SCREE_PUSH(scratch, s->P, p->slot_capacity)) return false;
    scree_problem_read_steps(p, s->P);
    return true;
}

static bool keep_start(start *s, const scree_problem *p, scree_arena *scratch) {
    const size_t n = (size_t)p->n_body + 1;
    if (!SCREE_PUSH(scratch, s->u_free, n)) return false;
    memcpy(s->u_free, p->u, n * sizeof *p->u);
    return keep_P(s, p, scratch);
}

static void go_back(const start *s, scree_problem *p) {
    memcpy(p->u, s->u_free, ((size_t)p->n_body + 1) * sizeof *p->u);
    scree_problem_write_steps(p, s->P);
}

static scree_status sweep_first(scree_problem *p,
                                const scree_solver_options *options,
                                scree_arena *scratch, scree_report *report) {
    TRY(scree_lanes_pgs(p, options, scratch, report));
    scree_report_sign(report, "pgs");
    return SCREE_OK;
}

/* All the sweeps that pgs makes, in place of steps that did not get there, unless
 * these got further. */
static scree_status sweep_instead(scree_problem *p,
                                  const scree_solver_options *options,
                                  const start *from, scree_arena *scratch,
                                  scree_report *report) {
    const scree_report steps = *report;
    start to = {.u_free = from->u_free};
    if (!keep_P(&to, p, scratch)) return SCREE_OUT_OF_MEMORY;
    go_back(from, p);
    TRY(sweep_first(p, options, scratch, report));
    if (report->converged || !(steps.residual < report->residual))
        return SCREE_OK;
    go_back(&to, p);
    scree_problem_apply(p);
    *report = steps;
    return SCREE_OK;
}

static scree_status run_stages(scree_problem *p,
                               const scree_solver_options *options,
                               const start *from, scree_arena *scratch,
                               scree_report *report) {
    scree_solver_options first = *options;
    first.stall = sweeps_before_other(options);
    if (p->n_contact < LARGE) first.iterations = (options->iterations + 1) / 2;
    const scree_size free = scree_problem_size(p);
    TRY(sweep_first(p, &first, scratch, report));
    if (report->stop == SCREE_STOP_TOLERANCE ||
        report->stop == SCREE_STOP_NOT_FINITE ||
        report->iterations >= options->iterations)
        return SCREE_OK;
    TRY(scree_lanes_go_on(&after_sweeps, p, options, free, scratch, report));
    return report->converged ? SCREE_OK
                             : sweep_instead(p, options, from, scratch, report);
}

scree_status scree_lanes_auto(scree_problem *p,
                              const scree_solver_options *options,
                              scree_arena *scratch, scree_report *report) {
    if (!scree_problem_is_coulomb(p))
        return sweep_first(p, options, scratch, report);
    const size_t mark = scree_arena_mark(scratch);
    start from;
    const scree_status status =
        keep_start(&from, p, scratch)
            ? run_stages(p, options, &from, scratch, report)
            : SCREE_OUT_OF_MEMORY;
    scree_arena_pop(scratch, mark);
    return status;
}
