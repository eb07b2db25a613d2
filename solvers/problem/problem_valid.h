/* problem_valid.h: what must hold of a problem that is sorted, for asserts
 * (engine/base/assert.h). */
#ifndef SCREE_SOLVERS_PROBLEM_VALID_H
#define SCREE_SOLVERS_PROBLEM_VALID_H

#include "solvers/problem/problem.h"

/* Blocks of a colour have disjoint bodies in their lanes, and lanes that no contact
 * takes move nothing: they are the static body's, with rho = P = 0. Cost: linear. */
bool scree_problem_is_valid(const scree_problem *p);

#endif
