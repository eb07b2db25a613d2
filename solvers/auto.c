/* auto.c: sweeps of pgs, which need no matrix; once they make no more progress
 * the problem is written out and goes through the stages of
 * solvers/fc3d_auto.c. */
#include "solvers/explicit.h"
#include "solvers/matrix_method.h"

extern const scree_solver_ops scree_solver_pgs;

/* Sweeps without progress after which it changes over. */
enum { PATIENCE = 300 };

static scree_status solve(scree_problem *p, const scree_solver_options *options,
                          scree_arena *scratch, scree_report *report) {
    scree_solver_options sweeps = *options;
    if (sweeps.stall == 0) sweeps.stall = PATIENCE;
    const scree_size free = scree_problem_size(p);
    TRY(scree_solver_pgs.solve(p, &sweeps, scratch, report));
    if (report->stop != SCREE_STOP_STALL || !scree_problem_is_coulomb(p))
        return SCREE_OK;
    return scree_matrix_go_on(scree_fc3d_auto, p, options, free, scratch,
                              report);
}

const scree_solver_ops scree_solver_auto = {
    .name = "auto",
    .about = "pgs; when it makes no more progress, methods with the matrix",
    .solve = solve,
};
