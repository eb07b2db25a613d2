/* percussions.h: percussions of a problem by value, to go back to or to take over. */
#ifndef SCREE_SOLVERS_PERCUSSIONS_H
#define SCREE_SOLVERS_PERCUSSIONS_H

#include "solvers/problem/problem.h"

static inline row_step scree_row_step(const scree_row *row) {
    return (row_step){row->P_n, row->P_t, row->M};
}

/* Of contact i, without what it does to u. */
void scree_problem_set_step(scree_problem *p, int64_t i, row_step s);

/* Of all contacts, (n_contact). */
void scree_problem_read_steps(const scree_problem *p, row_step *to);
void scree_problem_write_steps(scree_problem *p, const row_step *from);

#endif
