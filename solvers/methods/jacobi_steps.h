/* jacobi_steps.h: a step for each contact of a problem in lanes. See jacobi_steps.c. */
#ifndef SCREE_SOLVERS_JACOBI_STEPS_H
#define SCREE_SOLVERS_JACOBI_STEPS_H

#include "solvers/problem/problem.h"

/* omega times the safe steps of contact i go to place lane[i] of r_n and r_t [kg]. Ranks
 * do so together. */
scree_status scree_jacobi_choose(const scree_problem *p, double omega,
                                 scree_arena *scratch, double *r_n,
                                 double *r_t);
/* Where arrays by lane have contact i: round ones first, then general. */
int64_t scree_jacobi_lane(const scree_problem *p, int64_t i);

#endif
