/* apgd.c: accelerated projected gradients (solvers/fc3d_apgd.c) for worlds. */
#include "solvers/matrix_method.h"

static scree_status solve(scree_problem *p, const scree_solver_options *options,
                          scree_arena *scratch, scree_report *report) {
    return scree_matrix_solve(scree_fc3d_apgd, p, options, scratch, report);
}

const scree_solver_ops scree_solver_apgd = {
    .name = "apgd",
    .about = "accelerated projected gradients on the Delassus matrix",
    .coulomb_only = true,
    .solve = solve,
};
