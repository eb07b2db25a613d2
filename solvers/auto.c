/* auto.c: sweeps of pgs, which need no matrix; once they make no more progress, or
 * half of the iterations are gone and the problem is not large, it is written out,
 * and the stages of solvers/fc3d_auto.c that follow sweeps go on from there. In a
 * large problem a Newton step costs too much to be taken while sweeps still gain.
 *
 * A fifth of all iterations without progress is a stall, within bounds: sweeps that
 * take as long to gain a third gain less than a digit with all that is left. What
 * comes then takes few iterations, each of them worth hundreds of sweeps. */
#include "solvers/explicit.h"
#include "solvers/matrix_method.h"

extern const scree_solver_ops scree_solver_pgs;

enum { PART = 5, LEAST = 10, MOST = 300, LARGE = 5000 /* contacts */ };

static int patience(const scree_solver_options *options) {
    if (options->stall > 0) return options->stall;
    const int part = options->iterations / PART;
    return part < LEAST ? LEAST : part < MOST ? part : MOST;
}

static scree_status solve(scree_problem *p, const scree_solver_options *options,
                          scree_arena *scratch, scree_report *report) {
    const bool may_change = scree_problem_is_coulomb(p);
    scree_solver_options sweeps = *options;
    if (may_change) {
        sweeps.stall = patience(options);
        if (p->n_contact < LARGE)
            sweeps.iterations = (options->iterations + 1) / 2;
    }
    const scree_size free = scree_problem_size(p);
    TRY(scree_solver_pgs.solve(p, &sweeps, scratch, report));
    scree_report_sign(report, scree_solver_pgs.name);
    const bool is_over = report->stop == SCREE_STOP_TOLERANCE ||
                         report->stop == SCREE_STOP_NOT_FINITE ||
                         report->iterations >= options->iterations;
    if (is_over || !may_change) return SCREE_OK;
    return scree_matrix_go_on(scree_fc3d_after_sweeps, p, options, free,
                              scratch, report);
}

const scree_solver_ops scree_solver_auto = {
    .name = "auto",
    .about = "pgs; when it makes no more progress, methods with the matrix",
    .solve = solve,
};
