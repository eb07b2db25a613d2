/* coarse_parts.h: the two corrections of coarse.h, for coarse.c. */
#ifndef SCREE_SOLVERS_COARSE_PARTS_H
#define SCREE_SOLVERS_COARSE_PARTS_H

#include "solvers/coarse/coarse.h"

typedef enum scree_coarse_result {
    SCREE_COARSE_UNFIT,  /* the problem is none for this correction */
    SCREE_COARSE_SMALL,  /* nothing was changed: it would change little */
    SCREE_COARSE_CHANGED /* percussions and u were changed */
} scree_coarse_result;

scree_coarse_result scree_coarse_scale_layers(scree_coarse *c);
scree_coarse_result scree_coarse_move_bodies(scree_coarse *c);
/* May the problem be small enough? Then there must be room for the step. */
bool scree_coarse_is_small(const scree_problem *p);
scree_status scree_coarse_make_bodies(scree_coarse *c);

/* Solves A x = b for x, which has b before; A (n x n, by rows) is used up. False: A is
 * singular. */
bool scree_coarse_solve(double *A, double *x, int n);

#endif
