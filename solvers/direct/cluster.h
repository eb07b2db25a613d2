/* cluster.h: a few contacts of a problem, written out as a dense one with all their laws
 * (solvers/dense/rows.h) and solved.
 *
 * All contacts that touch a body of the cluster which moves must be in it, or their
 * percussions count as given. */
#ifndef SCREE_SOLVERS_CLUSTER_H
#define SCREE_SOLVERS_CLUSTER_H

#include "solvers/problem/problem.h"

/* What a solve may cost: proximal points, and Newton's steps for each. */
typedef struct scree_cluster_effort {
    int points, steps;
} scree_cluster_effort;
static const scree_cluster_effort SCREE_WHOLE_EFFORT = {6, 60};

/* Of p its bodies alone are used. `speed`: the velocity beside which errors are judged.
 * *better: P of the rows, and u, are new. */
scree_status scree_cluster_solve_rows(const scree_problem *p, scree_row *rows,
                                      int32_t n, double speed,
                                      scree_cluster_effort effort,
                                      scree_arena *scratch, bool *better);

#endif
