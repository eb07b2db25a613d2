/* matrix_method.h: methods that need the Delassus matrix, for worlds: the problem
 * is written out by blocks (solvers/blocks/explicit.h), solved as problems from files
 * are (solvers/blocks/fc3d.h), and read back. */
#ifndef SCREE_SOLVERS_MATRIX_METHOD_H
#define SCREE_SOLVERS_MATRIX_METHOD_H

#include "solvers/blocks/fc3d.h"
#include "solvers/problem/solver.h"

/* A whole solve, as scree_solver_ops has it. SCREE_UNSUPPORTED for problems
 * with other laws than Coulomb's. */
scree_status scree_matrix_solve(scree_fc3d_solver *method, scree_problem *p,
                                const scree_solver_options *options,
                                scree_arena *scratch, scree_report *report);

/* Goes on from the (u, P) that another method left, whose iterations are in the
 * report. */
scree_status scree_matrix_go_on(scree_fc3d_solver *method, scree_problem *p,
                                const scree_solver_options *options,
                                scree_size free, scree_arena *scratch,
                                scree_report *report);

#endif
