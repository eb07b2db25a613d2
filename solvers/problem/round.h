/* round.h: passes over round contacts, four at a time, beside the sweeps: how
 * large xi is, the residual, u += M^-1 W P. The twins of what problem.c does row
 * by row for general contacts. */
#ifndef SCREE_SOLVERS_ROUND_H
#define SCREE_SOLVERS_ROUND_H

#include "solvers/problem/problem.h"

/* What one contact adds, whatever its kind; nothing if its lane is not used. */
void scree_row_measure(const scree_row *k, const scree_twist *u,
                       scree_measure *m);

/* Of blocks first .. last - 1, added to what is there. */
void scree_round_size(const scree_problem *p, int64_t first, int64_t last,
                      scree_size *size);
void scree_round_measure(const scree_problem *p, int64_t first, int64_t last,
                         scree_measure *m);

/* u += M^-1 W P for the blocks list[first .. last) of one colour. */
void scree_round_apply(scree_problem *p, const int32_t *list, int64_t first,
                       int64_t last, const void *context);

#endif
