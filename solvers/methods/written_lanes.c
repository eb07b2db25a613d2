#include "solvers/blocks/explicit.h"
#include "solvers/problem/method.h"

/* The residual is measured again through the bodies, with other rounding. */
static const double ROUNDING = 1e-6;

/* Problems that are written out are measured with another map (fc3d.h), and neither
 * balance nor approach is asked of them: what is within the tolerance there may not be
 * solved here, and goes on with a tenth of it, down to rounding. */
static const double TIGHTER = 0.1, TIGHTEST = 1e-13;

/* Pivoting ends at a solution or nowhere: there is no further to go at rest. */
static scree_solver_options options_for(const scree_method *m,
                                        const scree_solver_options *options,
                                        double tolerance, int used) {
    scree_solver_options o = scree_blocks_options();
    o.tolerance = (1 - ROUNDING) * tolerance;
    o.iterations = options->iterations - used;
    o.momentum = options->momentum;
    o.local = options->local;
    o.stall = options->stall;
    o.rest = m->traits & SCREE_TRAIT_WHOLE ? 0 : options->rest;
    return o;
}

static scree_status solve_to(const scree_method *m, scree_problem *p,
                             const scree_solver_options *options,
                             double tolerance, scree_arena *scratch,
                             scree_report *report, scree_report *r) {
    const size_t mark = scree_arena_mark(scratch);
    const scree_solver_options o =
        options_for(m, options, tolerance, report->iterations);
    scree_fc3d written;
    scree_status status = scree_problem_write_out(p, scratch, &written);
    if (status == SCREE_OK)
        status = scree_blocks_run(m, &written, &o, scratch, r);
    if (status == SCREE_OK) scree_problem_take_over(p, &written);
    scree_arena_pop(scratch, mark);
    return status;
}

scree_status scree_lanes_go_on(const scree_method *m, scree_problem *p,
                               const scree_solver_options *options,
                               scree_size free, scree_arena *scratch,
                               scree_report *report) {
    scree_report r;
    double tolerance = options->tolerance;
    do {
        TRY(solve_to(m, p, options, tolerance, scratch, report, &r));
        report->iterations += r.iterations;
        scree_report_measure(p, free, options, r.converged, report);
        tolerance *= TIGHTER;
    } while (r.converged && !report->converged && tolerance >= TIGHTEST);
    report->converged &= r.converged;
    report->stop = r.stop;
    scree_report_sign(report, r.by);
    return SCREE_OK;
}

scree_status scree_lanes_write(const scree_method *m, scree_problem *p,
                               const scree_solver_options *options,
                               scree_arena *scratch, scree_report *report) {
    const scree_size free = p->free = scree_problem_size(p);
    *report = (scree_report){0};
    scree_problem_apply(p);
    return scree_lanes_go_on(m, p, options, free, scratch, report);
}
