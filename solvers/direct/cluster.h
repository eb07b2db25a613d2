/* cluster.h: a few contacts of a problem, written out as a dense one and solved.
 *
 * Each law becomes rows of a scree_delassus: a direction f of force and one m of moment
 * on body a, of which body b gets the opposite, and the velocity
 *     xi = f . (v_a + w_a x r_a - v_b - w_b x r_b) + m . (w_a - w_b) + ...
 *
 *     normal      f = n                          half line
 *     friction    f = t1, t2                     ball of radius mu P_N
 *     ellipse     f = e, ratio f                 the same ball, stretched (problem.h)
 *     drilling    m = drill n, in that ball
 *     rolling     m = t1, t2                     ball of radius roll P_N
 *     tied        the normal row alone, whose percussion acts along n + mu d: G is not
 *                 symmetric then
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
/* Percussions of a row to contact i. */
void scree_cluster_take(scree_problem *p, int64_t i, const scree_row *row);

#endif
