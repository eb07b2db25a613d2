#include "solvers/problem/round.h"

#include "solvers/problem/wide.h"

/* Which of the four contacts of a block are tied? */
SCREE_INLINE scree_m4 wide_tied(const scree_problem *p, int64_t block) {
    scree_m4 tied = {0, 0, 0, 0};
    if (!(scree_shelf_laws(&p->round, block) & SCREE_IN_LANES(SCREE_TIED)))
        return tied;
    const uint8_t *laws = &p->round.laws[block * SCREE_LANES];
    for (int l = 0; l < SCREE_LANES; ++l)
        tied[l] = laws[l] & SCREE_TIED ? -1 : 0;
    return tied;
}

/* Blocks follow each other in memory, their bodies do not. */
enum { BODIES_AHEAD = 4 };

SCREE_INLINE void look_ahead(const scree_problem *p, int64_t i, int64_t last) {
    if (i + BODIES_AHEAD >= last) return;
    const scree_block *k = &p->blocks[i + BODIES_AHEAD];
    for (int l = 0; l < SCREE_LANES; ++l) {
        __builtin_prefetch(&p->u[k->a[l]]);
        __builtin_prefetch(&p->u[k->b[l]]);
    }
}

/* ---- size ------------------------------------------------------------------- */

SCREE_WIDE
void scree_round_size(const scree_problem *p, int64_t first, int64_t last,
                      scree_size *size) {
    scree_v4 sum = v4_set(0), most = v4_set(0), approach = v4_set(0);
    for (int64_t i = first; i < last; ++i) {
        const scree_block *k = &p->blocks[i];
        wide_twist a, b;
        look_ahead(p, i, last);
        wide_look(p->u, k, &a, &b);
        const scree_v4x3 xi = wide_xi(k, &a, &b);
        const scree_v4 xi_n = v4_dot(wide_get(k->n), xi);
        const scree_m4 smooth = (v4_load(k->mu) <= v4_set(0)) | wide_tied(p, i);
        const scree_v4 xi2 = v4_select(smooth, xi_n * xi_n, v4_dot(xi, xi));
        sum += xi2;
        most = v4_select(xi2 > most, xi2, most);
        approach = v4_select(-xi_n > approach, -xi_n, approach);
    }
    size->sum2 += wide_sum(sum);
    size->max2 = wide_worst(most, size->max2);
    size->approach = wide_worst(approach, size->approach);
}

/* ---- residual ---------------------------------------------------------------- */

/* A tied contact counts with its normal part alone. An unused lane has rho = 0,
 * P = 0 and xi = 0. */
SCREE_INLINE void measure_block(const scree_block *k, scree_v4x3 xi,
                                scree_m4 tied, wide_measure *m) {
    const scree_v4 zero = v4_set(0), rho = v4_load(k->rho_n);
    const scree_v4 f = v4_select(rho > zero, v4_set(1) / rho, zero);
    const scree_v4 mu = v4_load(k->mu), P_n = v4_load(k->P_n);
    const scree_v4x3 n = wide_get(k->n), P_t = wide_get(k->P_t);
    const scree_v4 p_n = f * P_n, xi_n = v4_dot(n, xi);
    const scree_v4x3 p_t = {f * P_t.x, f * P_t.y, f * P_t.z};
    const scree_v4x3 xi_t = v4_add_scaled(xi, -xi_n, n);

    const scree_v4 F_n = v4_select(p_n < xi_n, p_n, xi_n);
    const scree_v4 F2 =
        F_n * F_n +
        v4_select(tied, zero, wide_coulomb_map2(mu, p_n, p_t, xi_t));
    const scree_v4 F = v4_sqrt(F2);
    m->F2 += F2;
    m->pF += p_n * F;
    m->power += P_n * F;
    m->P2 += p_n * p_n + v4_select(tied, zero, v4_dot(p_t, p_t));
    m->xi2 +=
        xi_n * xi_n + v4_select((mu <= zero) | tied, zero, v4_dot(xi_t, xi_t));
    m->normal = wide_worse(m->normal, -xi_n);
    m->cone = wide_worse(m->cone, -P_n);
    const scree_v4 P_t2 = v4_dot(P_t, P_t), limit = mu * P_n;
    if (!v4_any(~(P_t2 <= limit * limit))) return;
    const scree_v4 beyond = v4_sqrt(P_t2) - limit;
    m->cone = wide_worse(m->cone, v4_select(tied, zero, beyond));
}

SCREE_WIDE
void scree_round_measure(const scree_problem *p, int64_t first, int64_t last,
                         scree_measure *m) {
    wide_measure sum = {0};
    for (int64_t i = first; i < last; ++i) {
        const scree_block *k = &p->blocks[i];
        wide_twist a, b;
        look_ahead(p, i, last);
        wide_look(p->u, k, &a, &b);
        measure_block(k, wide_xi(k, &a, &b), wide_tied(p, i), &sum);
    }
    wide_gather(&sum, m);
}

/* ---- u += M^-1 W P ------------------------------------------------------------ */

SCREE_WIDE
void scree_round_apply(scree_problem *p, const int32_t *list, int64_t first,
                       int64_t last, const void *context) {
    (void)context;
    for (int64_t i = first; i < last; ++i) {
        const scree_block *k = &p->blocks[list[i]];
        wide_move(p, k, v4_load(k->P_n), wide_get(k->P_t));
    }
}
