/* pgs.h: the sweeps of pgs, in their two forms; for pgs.c and the test that holds
 * them against each other. */
#ifndef SCREE_SOLVERS_PGS_H
#define SCREE_SOLVERS_PGS_H

#include "solvers/coarse/coarse.h"
#include "solvers/methods/momentum.h"
#include "solvers/problem/wide.h"

typedef struct scree_pgs {
    double omega;
    double asked;    /* omega of the options */
    double excess;   /* in (0, 1]: of what it has beyond 1 */
    int falls;       /* of the residual since it grew, or omega did */
    double momentum; /* b of this sweep */
    scree_momentum
        going;  /* general contacts, coupled within themselves, may bear no
                             momentum at all */
    bool exact; /* general contacts: solve each to the end */
    scree_coarse coarse;
} scree_pgs;

/* context: a scree_pgs. Four contacts at a time, or one by one: same bits. */
scree_block_work scree_pgs_wide, scree_pgs_one_by_one;
/* Normal percussions alone, for problems without friction. */
scree_block_work scree_pgs_normal, scree_pgs_normal_one_by_one;
/* General contacts (pgs_general.c). */
scree_block_work scree_pgs_general, scree_pgs_general_one_by_one;

#endif
