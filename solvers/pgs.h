/* pgs.h: the sweep of pgs, in its two forms; for pgs.c and the test that holds
 * them against each other. */
#ifndef SCREE_SOLVERS_PGS_H
#define SCREE_SOLVERS_PGS_H

#include "solvers/problem.h"

typedef struct scree_pgs {
    double omega;
    double momentum;        /* b of this sweep */
    double most;            /* b_max */
    int k;                  /* sweeps since the momentum started */
    double last_residual;   /* at the last check */
    scree_velocity *u_last; /* (n_body) one sweep ago */
} scree_pgs;

/* context: a scree_pgs. Four contacts at a time, or one by one: same bits. */
scree_block_work scree_pgs_wide, scree_pgs_one_by_one;
/* Normal percussions alone, for problems without friction. */
scree_block_work scree_pgs_normal, scree_pgs_normal_one_by_one;

#endif
