/* apgd_round.c: steps and sums of apgd over round contacts, four at a time. */
#include "solvers/methods/apgd.h"
#include "solvers/problem/wide.h"

/* ---- steps ---------------------------------------------------------------------- */

/* y = x + beta (x - x_last), xi there; x_last = x. */
SCREE_INLINE void take_block(const scree_apgd *s, scree_block *k,
                             scree_apgd_block *e) {
    const scree_v4 beta = v4_set(s->rule.beta), P_n = v4_load(k->P_n);
    const scree_v4x3 P_t = wide_get(k->P_t);
    v4_store(e->y_n, P_n + beta * (P_n - v4_load(k->P_n_last)));
    wide_put(e->y_t,
             v4_add_scaled(P_t, beta, v4_sub(P_t, wide_get(k->P_t_last))));
    v4_store(k->P_n_last, P_n);
    wide_put(k->P_t_last, P_t);
    wide_twist a, b;
    wide_look(s->at_y, k, &a, &b);
    wide_put(e->xi, wide_xi(k, &a, &b));
    if (s->rule.feeds) memcpy(e->shift, e->slip, sizeof e->slip);
}

/* mu |xi_T| */
SCREE_INLINE scree_v4 slip_of(const scree_block *k, scree_v4x3 xi) {
    const scree_v4x3 n = wide_get(k->n);
    const scree_v4x3 xi_t = v4_add_scaled(xi, -v4_dot(n, xi), n);
    return v4_load(k->mu) * v4_sqrt(v4_dot(xi_t, xi_t));
}

/* x = P_K(y - r (xi + s n)) */
SCREE_INLINE void step_block(const scree_apgd *s, scree_block *k,
                             const scree_apgd_block *e) {
    const scree_v4 r = v4_load(k->rho_n) / v4_set(s->rule.L),
                   mu = v4_load(k->mu);
    const scree_v4x3 n = wide_get(k->n), xi = wide_get(e->xi);
    const scree_v4 xi_n = v4_dot(n, xi);
    const scree_v4x3 xi_t = v4_add_scaled(xi, -xi_n, n);
    const scree_v4 x_n = v4_load(e->y_n) - r * (xi_n + v4_load(e->shift));
    const scree_v4x3 x_t = v4_add_scaled(wide_get(e->y_t), -r, xi_t);
    const wide_point x = wide_cone(mu, x_n, v4_sqrt(v4_dot(x_t, x_t)));
    v4_store(k->P_n, x.n);
    wide_put(k->P_t, (scree_v4x3){x.shrink * x_t.x, x.shrink * x_t.y,
                                  x.shrink * x_t.z});
}

SCREE_WIDE
void scree_apgd_round_start(const scree_apgd *s, int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
        take_block(s, &s->p->blocks[i], &s->blocks[i]);
        step_block(s, &s->p->blocks[i], &s->blocks[i]);
    }
}

SCREE_WIDE
void scree_apgd_round_step(const scree_apgd *s, int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i)
        step_block(s, &s->p->blocks[i], &s->blocks[i]);
}

SCREE_WIDE
void scree_apgd_round_slip(const scree_apgd *s, int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
        const scree_block *k = &s->p->blocks[i];
        wide_twist a, b;
        wide_look(s->p->u, k, &a, &b);
        v4_store(s->blocks[i].slip, slip_of(k, wide_xi(k, &a, &b)));
    }
}

/* ---- sums ----------------------------------------------------------------------- */

/* An unused lane has rho = 0 and d = 0. */
SCREE_WIDE
void scree_apgd_round_sum(const scree_apgd *s, int64_t first, int64_t last,
                          scree_apgd_sums *sums) {
    const scree_v4 zero = v4_set(0);
    scree_v4 bend = zero, length = zero, slope = zero;
    for (int64_t i = first; i < last; ++i) {
        const scree_block *k = &s->p->blocks[i];
        scree_apgd_block *e = &s->blocks[i];
        const scree_v4x3 n = wide_get(k->n), xi = wide_get(e->xi);
        const scree_v4 rho = v4_load(k->rho_n), P_n = v4_load(k->P_n);
        const scree_v4x3 P_t = wide_get(k->P_t);
        wide_twist a, b;
        wide_look(s->p->u, k, &a, &b);
        const scree_v4x3 Gd = wide_slip(k, &a, &b);
        const scree_v4 d_n = P_n - v4_load(e->y_n);
        const scree_v4x3 d_t = v4_sub(P_t, wide_get(e->y_t));
        bend += d_n * v4_dot(n, Gd) + v4_dot(d_t, Gd);
        length +=
            v4_select(rho > zero, (d_n * d_n + v4_dot(d_t, d_t)) / rho, zero);
        slope +=
            (v4_dot(n, xi) + v4_load(e->shift)) * (P_n - v4_load(k->P_n_last)) +
            v4_dot(xi, v4_sub(P_t, wide_get(k->P_t_last)));
        const scree_v4x3 at_x = v4_add_scaled(xi, v4_set(1), Gd);
        v4_store(e->slip, slip_of(k, at_x));
    }
    sums->bend += wide_sum(bend);
    sums->length += wide_sum(length);
    sums->slope += wide_sum(slope);
}

/* ---- u += M^-1 W d --------------------------------------------------------------- */

SCREE_WIDE
void scree_apgd_round_push(scree_problem *p, const int32_t *list, int64_t first,
                           int64_t last, const void *context) {
    const scree_apgd *s = context;
    for (int64_t i = first; i < last; ++i) {
        const scree_block *k = &p->blocks[list[i]];
        const scree_apgd_block *e = &s->blocks[list[i]];
        wide_move(p, k, v4_load(k->P_n) - v4_load(e->y_n),
                  v4_sub(wide_get(k->P_t), wide_get(e->y_t)));
    }
}

void scree_apgd_round_push_one_by_one(scree_problem *p, const int32_t *list,
                                      int64_t first, int64_t last,
                                      const void *context) {
    const scree_apgd *s = context;
    for (int64_t i = first; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            const scree_row row = row_of_round(p, &p->blocks[list[i]], lane);
            const scree_apgd_block *e = &s->blocks[list[i]];
            row_bodies at;
            row_find(p, &row, &at);
            row_push(&row, at.a, at.b, NULL, NULL, row.P_n - e->y_n[lane],
                     sub(row.P_t, lane_get(e->y_t, lane)));
        }
}
