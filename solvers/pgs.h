/* pgs.h: the sweeps of pgs, in their two forms; for pgs.c and the test that holds
 * them against each other. */
#ifndef SCREE_SOLVERS_PGS_H
#define SCREE_SOLVERS_PGS_H

#include "solvers/kernel.h"

typedef struct scree_pgs {
    double omega;
    double momentum;        /* b of this sweep */
    double most;            /* b_max */
    double least;           /* b_max falls no further: general contacts, coupled
                               within themselves, may bear no momentum at all */
    bool exact;             /* general contacts: solve each to the end */
    int k;                  /* sweeps since the momentum started */
    double last_residual;   /* at the last check */
    scree_velocity *u_last; /* (n_body) one sweep ago */
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

/* ---- four bodies at a time, for the wide kernels ----------------------------------- */

/* Four bodies, column by column. */
typedef struct wide_twist {
    scree_v4x3 v;
    scree_v4 inv_m;
    scree_v4x3 w;
    scree_v4 inv_theta;
} wide_twist;

SCREE_INLINE wide_twist wide_load(const scree_twist *const body[SCREE_LANES]) {
    scree_v4 r[8];
    for (int l = 0; l < SCREE_LANES; ++l) {
        r[l] = v4_load(&body[l]->v.x);
        r[4 + l] = v4_load(&body[l]->w.x);
    }
    v4_transpose(&r[0], &r[1], &r[2], &r[3]);
    v4_transpose(&r[4], &r[5], &r[6], &r[7]);
    return (wide_twist){{r[0], r[1], r[2]}, r[3], {r[4], r[5], r[6]}, r[7]};
}

SCREE_INLINE void wide_store(scree_twist *const body[SCREE_LANES],
                             const wide_twist *t) {
    scree_v4 r[8] = {t->v.x, t->v.y, t->v.z, t->inv_m,
                     t->w.x, t->w.y, t->w.z, t->inv_theta};
    v4_transpose(&r[0], &r[1], &r[2], &r[3]);
    v4_transpose(&r[4], &r[5], &r[6], &r[7]);
    for (int l = 0; l < SCREE_LANES; ++l) {
        v4_store(&body[l]->v.x, r[l]);
        v4_store(&body[l]->w.x, r[4 + l]);
    }
}

SCREE_INLINE scree_v4x3 wide_get(const double v[3][SCREE_LANES]) {
    return (scree_v4x3){v4_load(v[0]), v4_load(v[1]), v4_load(v[2])};
}

SCREE_INLINE void wide_put(double v[3][SCREE_LANES], scree_v4x3 a) {
    v4_store(v[0], a.x);
    v4_store(v[1], a.y);
    v4_store(v[2], a.z);
}

/* P_t cut to the disc of radius `limit`. */
SCREE_INLINE scree_v4x3 wide_disc(scree_v4 limit, scree_v4x3 P_t) {
    const scree_v4 length2 = v4_dot(P_t, P_t);
    const scree_m4 outside = ~(length2 <= limit * limit);
    if (!v4_any(outside)) return P_t;
    const scree_v4 shrink =
        v4_select(outside, limit / v4_sqrt(length2), v4_set(1));
    return (scree_v4x3){shrink * P_t.x, shrink * P_t.y, shrink * P_t.z};
}

/* Where the bodies of four contacts are; the static one is `still`, so that each
 * thread reads and writes its own. */
SCREE_INLINE void wide_find(const scree_problem *p, const int32_t *a,
                            const int32_t *b, scree_twist *still,
                            scree_twist *pa[SCREE_LANES],
                            scree_twist *pb[SCREE_LANES]) {
    for (int l = 0; l < SCREE_LANES; ++l) {
        pa[l] = a[l] < p->n_body ? &p->u[a[l]] : still;
        pb[l] = b[l] < p->n_body ? &p->u[b[l]] : still;
    }
}

#endif
