/* spots.h: the few contacts that keep a solve from its tolerance, solved directly.
 *
 * Where friction is large sweeps come to go round in circles: at some places the
 * statuses of a handful of contacts change from sweep to sweep, without end, while all
 * others are within rounding of a solution. With mu = 1 that is the fate of every second step
 * of a column that collapses; nine tenths of |F|^2 are in eight contacts then.
 * A spot is the contact with the largest |F| that no other spot has, and those that
 * share a body with it, the next to them as long as there is room. It is solved as a
 * cluster is (cluster.h), with the percussions around it as they are, and sweeps go on
 * from there. Where spots have less than a quarter of |F|^2 they are left alone.
 *
 * Cost: of a solve that succeeds nothing; else a pass over the contacts, and for
 * each spot n^3 for its n rows, some ten times. */
#ifndef SCREE_SOLVERS_SPOTS_H
#define SCREE_SOLVERS_SPOTS_H

#include "solvers/problem/problem.h"

/* Contacts with |F| above `error` [m/s] are worth a spot; `speed` as for clusters.
 * `solved`: how many spots got new percussions, which u follows. */
scree_status scree_problem_solve_spots(scree_problem *p, double error,
                                       double speed, scree_arena *scratch,
                                       int *solved);

#endif
