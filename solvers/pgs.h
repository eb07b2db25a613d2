/* pgs.h: the sweeps of pgs, in their two forms; for pgs.c and the test that holds
 * them against each other. */
#ifndef SCREE_SOLVERS_PGS_H
#define SCREE_SOLVERS_PGS_H

#include "solvers/coarse.h"
#include "solvers/pass.h"
#include "solvers/wide.h"

typedef struct scree_pgs {
    double omega;
    double asked;         /* omega of the options */
    double excess;        /* in (0, 1]: of what it has beyond 1 */
    int falls;            /* of the residual since it grew, or omega did */
    double momentum;      /* b of this sweep */
    double most;          /* b_max */
    double least;         /* b_max falls no further: general contacts, coupled
                               within themselves, may bear no momentum at all */
    bool exact;           /* general contacts: solve each to the end */
    int k;                /* sweeps since the momentum started */
    double last_residual; /* at the last check */
    scree_twist *u_last;  /* (n_body) one sweep ago */
    scree_coarse coarse;
} scree_pgs;

/* context: a scree_pgs. Four contacts at a time, or one by one: same bits. */
scree_block_work scree_pgs_wide, scree_pgs_one_by_one;
/* Normal percussions alone, for problems without friction. */
scree_block_work scree_pgs_normal, scree_pgs_normal_one_by_one;
/* General contacts (pgs_general.c). */
scree_block_work scree_pgs_general, scree_pgs_general_one_by_one;

/* x = P + b (P - P_last), P_last = P: where the prox step of a lane starts. */
static inline void pgs_extrapolate(double *P_n, double P_t[3][SCREE_LANES],
                                   double *P_n_last,
                                   double P_t_last[3][SCREE_LANES], int lane,
                                   double b) {
    const double n = P_n[lane];
    const scree_vec3 t = lane_get(P_t, lane);
    P_n[lane] = n + b * (n - P_n_last[lane]);
    lane_set(P_t, lane, add_scaled(t, b, sub(t, lane_get(P_t_last, lane))));
    P_n_last[lane] = n;
    lane_set(P_t_last, lane, t);
}

#endif
