/* newton.c: semismooth Newton (solvers/blocks/fc3d_newton.c) for worlds. */
#include "solvers/methods/matrix_method.h"

static scree_status solve(scree_problem *p, const scree_solver_options *options,
                          scree_arena *scratch, scree_report *report) {
    return scree_matrix_solve(scree_fc3d_newton, p, options, scratch, report);
}

const scree_solver_ops scree_solver_newton = {
    .name = "newton",
    .about =
        "semismooth Newton on the Delassus matrix, small to middle problems",
    .coulomb_only = true,
    .no_moments = true,
    .solve = solve,
};
