/* problem_valid.h: what must hold of problems, for asserts (engine/base/assert.h). All
 * are linear, but that of dense problems. */
#ifndef SCREE_SOLVERS_PROBLEM_VALID_H
#define SCREE_SOLVERS_PROBLEM_VALID_H

#include "solvers/problem/method.h"

/* Of a row before it gets its place: it has bodies of the problem, a normal of unit
 * length, and the fields that its laws want. */
bool scree_row_is_valid(const scree_problem *p, const scree_row *row);

/* Once sorted: blocks of a colour have disjoint bodies in their lanes; lanes that no
 * contact takes move nothing: they are the static body's, with rho = P = 0; and the
 * parts are valid. */
bool scree_problem_is_valid(const scree_problem *p);

/* Parts have all blocks of each colour, and all bodies; inner blocks and bodies touch
 * nothing that is common. */
bool scree_parts_is_valid(const scree_problem *p);

/* Block rows follow each other and begin with their diagonal block. */
bool scree_fc3d_is_valid(const scree_fc3d *p);

/* Every row is in one set, and a ball's normal is a row. Cost: quadratic in sets. */
bool scree_delassus_is_valid(const scree_delassus *d);

#endif
