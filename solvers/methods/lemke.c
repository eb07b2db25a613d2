/* lemke.c: Lemke's pivoting (solvers/dense/delassus_lemke.c) for worlds. */
#include "solvers/methods/matrix_method.h"

static scree_status solve(scree_problem *p, const scree_solver_options *options,
                          scree_arena *scratch, scree_report *report) {
    return scree_matrix_solve(scree_fc3d_lemke, p, options, scratch, report);
}

const scree_solver_ops scree_solver_lemke = {
    .name = "lemke",
    .about =
        "pivoting, exact: without friction or in the plane, small problems",
    .coulomb_only = true,
    .no_moments = true,
    .plane_friction = true,
    .solve = solve,
};
