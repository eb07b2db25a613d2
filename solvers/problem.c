#include "solvers/problem.h"

#include <stdlib.h>

#include "engine/base/error.h"
#include "solvers/kernel.h"

void scree_problem_free(scree_problem *p) {
    free(p->blocks);
    *p = (scree_problem){0};
}

scree_status scree_problem_clear(scree_problem *p, int64_t n_contact) {
    p->n_contact = 0;
    return scree_reserve(&p->blocks, &p->block_capacity,
                         (n_contact + SCREE_LANES - 1) / SCREE_LANES,
                         sizeof *p->blocks);
}

static void fill_lane(scree_block *k, int lane, const scree_row *row) {
    k->a[lane] = row->a, k->b[lane] = row->b;
    lane_set(k->n, lane, row->n);
    k->arm_a[lane] = row->arm_a, k->arm_b[lane] = row->arm_b;
    k->mu[lane] = row->mu;
    lane_set(k->c, lane, row->c);
    k->P_n[lane] = row->P_n;
    lane_set(k->P_t, lane, row->P_t);
}

static double inverse(double G) { return G > 0 ? 1.0 / G : 0; }

double scree_problem_rho_t(const scree_problem *p, const scree_row *row) {
    const scree_twist *a = &p->u[row->a], *b = &p->u[row->b];
    return inverse(a->inv_m + b->inv_m +
                   row->arm_a * row->arm_a * a->inv_theta +
                   row->arm_b * row->arm_b * b->inv_theta);
}

void scree_problem_add(scree_problem *p, const scree_row *row) {
    scree_block *k = &p->blocks[p->n_contact / SCREE_LANES];
    const int lane = (int)(p->n_contact++ % SCREE_LANES);
    if (lane == 0) {
        static const scree_row nothing;
        *k = (scree_block){0};
        for (int l = 0; l < SCREE_LANES; ++l) {
            fill_lane(k, l, &nothing);
            k->a[l] = k->b[l] = p->n_body;
        }
    }
    fill_lane(k, lane, row);
    k->rho_n[lane] = inverse(p->u[row->a].inv_m + p->u[row->b].inv_m);
    k->rho_t[lane] = scree_problem_rho_t(p, row);
}

scree_row scree_problem_row(const scree_problem *p, int64_t i) {
    const scree_block *k = &p->blocks[i / SCREE_LANES];
    const int lane = (int)(i % SCREE_LANES);
    return (scree_row){.a = k->a[lane],
                       .b = k->b[lane],
                       .n = lane_get(k->n, lane),
                       .arm_a = k->arm_a[lane],
                       .arm_b = k->arm_b[lane],
                       .mu = k->mu[lane],
                       .c = lane_get(k->c, lane),
                       .P_n = k->P_n[lane],
                       .P_t = lane_get(k->P_t, lane)};
}

scree_vec3 scree_problem_xi(const scree_problem *p, int64_t i) {
    const scree_block *k = &p->blocks[i / SCREE_LANES];
    const int lane = (int)(i % SCREE_LANES);
    return lane_xi(k, lane, &p->u[k->a[lane]], &p->u[k->b[lane]]);
}

double scree_problem_xi_norm2(const scree_problem *p) {
    double sum = 0;
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_block *k = &p->blocks[i / SCREE_LANES];
        const int lane = (int)(i % SCREE_LANES);
        const scree_vec3 xi =
            lane_xi(k, lane, &p->u[k->a[lane]], &p->u[k->b[lane]]);
        const double xi_n = dot(lane_get(k->n, lane), xi);
        sum += k->mu[lane] < 0 ? xi_n * xi_n : dot(xi, xi);
    }
    return sum;
}

void scree_problem_push(scree_problem *p, int64_t i, scree_vec3 P) {
    const scree_block *k = &p->blocks[i / SCREE_LANES];
    const int lane = (int)(i % SCREE_LANES);
    const scree_vec3 n = lane_get(k->n, lane);
    const double P_n = dot(n, P);
    lane_push(k, lane, &p->u[k->a[lane]], &p->u[k->b[lane]], P_n,
              add_scaled(P, -P_n, n));
}

void scree_problem_apply(scree_problem *p) {
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_block *k = &p->blocks[i / SCREE_LANES];
        const int lane = (int)(i % SCREE_LANES);
        lane_push(k, lane, &p->u[k->a[lane]], &p->u[k->b[lane]], k->P_n[lane],
                  lane_get(k->P_t, lane));
    }
}

/* e_i^2 of one contact, and |P / rho|^2. In m/s the natural map reads
 *     F_N / rho = min(xi_N, P_N / rho),    F_T / rho = xi_T while inside the
 * disc: no cancellation, and few divisions. */
static inline double violation2(const scree_block *k, int lane,
                                const scree_twist *u, double *P2) {
    const double rho_t = k->rho_t[lane], P_n = k->P_n[lane];
    if (rho_t == 0) return 0; /* an unused lane */
    const scree_vec3 n = lane_get(k->n, lane), P_t = lane_get(k->P_t, lane);
    const scree_vec3 xi = lane_xi(k, lane, &u[k->a[lane]], &u[k->b[lane]]);
    const double xi_n = dot(n, xi);
    const scree_vec3 xi_t = add_scaled(xi, -xi_n, n);

    const double p_n = P_n / k->rho_n[lane], inv_t = 1.0 / rho_t;
    const double f_n = p_n < xi_n ? p_n : xi_n;
    if (k->mu[lane] < 0) {
        *P2 += p_n * p_n;
        return f_n * f_n; /* P_T follows exactly */
    }
    const scree_vec3 Q = add_scaled(P_t, -rho_t, xi_t);
    const double limit = k->mu[lane] * P_n;
    const scree_vec3 f_t = dot(Q, Q) <= limit * limit
                               ? xi_t
                               : scale(inv_t, sub(P_t, prox_disc(limit, Q)));
    *P2 += p_n * p_n + dot(P_t, P_t) * inv_t * inv_t;
    return f_n * f_n + dot(f_t, f_t);
}

scree_residual scree_problem_residual(const scree_problem *p,
                                      double xi_free2) {
    double sum = 0, worst = 0, P2 = 0;
    const int64_t n = scree_problem_block_count(p);
    for (int64_t i = 0; i < n; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            const double e2 = violation2(&p->blocks[i], lane, p->u, &P2);
            sum += e2;
            if (!(e2 <= worst)) worst = e2; /* lets a NaN through */
        }
    const double size2 = fmax(P2, xi_free2);
    return (scree_residual){.residual = sum == 0 ? 0 : sqrt(sum / size2),
                            .violation = sqrt(worst)};
}
