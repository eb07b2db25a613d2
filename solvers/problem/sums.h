/* sums.h: what the residual is made of, whatever the layout.
 *
 * Lanes and blocks measure the same law by two maps, which stand side by side in
 * law/coulomb.h: |F|^2 of a contact with p = P / rho, rho = 1/G_N. From there on all is
 * the same and stands here: the sums over contacts, and the scale
 *     residual = |F| / max(|xi(P = 0)|, |xi|, |p|)          (problem.h).
 * Dense problems are measured set by set, unscaled (delassus.h). */
#ifndef SCREE_SOLVERS_SUMS_H
#define SCREE_SOLVERS_SUMS_H

#include "engine/base/simd.h"
#include "solvers/problem/loop.h"

/* By name and by number:
 *     F2, P2, xi2    sums of |F|^2, |P / rho|^2, |xi|^2
 *     pF, power      sums of P_N / rho |F| and of P_N |F| [J]
 *     normal, cone   worst approach [m/s], worst percussion outside its cone [N s] */
enum { SCREE_SUMS = 5 };
typedef struct scree_measure {
    union {
        struct {
            double F2, P2, xi2, pF, power;
        };
        double sum[SCREE_SUMS];
    };
    double normal, cone;
} scree_measure;

/* least2: of |xi|^2, |xi(P = 0)|^2 or what counts as rounding. */
scree_residual scree_measure_residual(const scree_measure *m, double least2);

/* The larger one; a NaN stays. */
static inline double scree_worse_of(double a, double b) {
    return b > a || b != b ? b : a;
}

/* ---- four contacts at a time --------------------------------------------------- */

/* By name alone, so that all stay in registers. */
typedef struct wide_measure {
    scree_v4 F2, P2, xi2, pF, power, normal, cone;
} wide_measure;

SCREE_INLINE scree_v4 wide_worse(scree_v4 a, scree_v4 b) {
    return v4_select((b > a) | (b != b), b, a);
}

/* A row of four to one number, in lane order. */
SCREE_INLINE double wide_sum(scree_v4 a) {
    return a[0] + a[1] + a[2] + a[3];
}
SCREE_INLINE double wide_worst(scree_v4 a, double most) {
    for (int l = 0; l < SCREE_LANES; ++l) most = scree_worse_of(most, a[l]);
    return most;
}

SCREE_INLINE void wide_gather(const wide_measure *w, scree_measure *m) {
    m->F2 += wide_sum(w->F2);
    m->P2 += wide_sum(w->P2);
    m->xi2 += wide_sum(w->xi2);
    m->pF += wide_sum(w->pF);
    m->power += wide_sum(w->power);
    m->normal = wide_worst(w->normal, m->normal);
    m->cone = wide_worst(w->cone, m->cone);
}

#endif
