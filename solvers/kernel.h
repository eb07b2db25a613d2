/* kernel.h: one contact of a block, loaded, measured and moved. The sweeps of
 * pgs and jacobi, the residual and the tests all go through these four
 * functions, so that there is one place where W is written down. */
#ifndef SCREE_SOLVERS_KERNEL_H
#define SCREE_SOLVERS_KERNEL_H

#include "solvers/problem.h"
#include "solvers/sets.h"

static inline scree_vec3 lane_get(const double v[3][SCREE_LANES], int lane) {
    return vec(v[0][lane], v[1][lane], v[2][lane]);
}
static inline void lane_set(double v[3][SCREE_LANES], int lane, scree_vec3 x) {
    v[0][lane] = x.x, v[1][lane] = x.y, v[2][lane] = x.z;
}

/* Direction of a tied contact: the tangential part of c. */
static inline scree_vec3 lane_tie(const scree_block *k, int lane) {
    const scree_vec3 n = lane_get(k->n, lane), c = lane_get(k->c, lane);
    return add_scaled(c, -dot(n, c), n);
}

/* xi = W^T u + c */
static inline scree_vec3 lane_xi(const scree_block *k, int lane,
                                 const scree_twist *a, const scree_twist *b) {
    const scree_vec3 n = lane_get(k->n, lane);
    const scree_vec3 spin = add(scale(k->arm_a[lane], a->w),
                                scale(k->arm_b[lane], b->w));
    const scree_vec3 dv = sub(sub(a->v, b->v), cross(spin, n));
    return add(dv, lane_get(k->c, lane));
}

/* u += M^-1 W dP for dP = dP_n n + dP_t */
static inline void lane_push(const scree_block *k, int lane, scree_twist *a,
                             scree_twist *b, double dP_n, scree_vec3 dP_t) {
    const scree_vec3 n = lane_get(k->n, lane);
    const scree_vec3 dP = add_scaled(dP_t, dP_n, n);
    const scree_vec3 turn = cross(n, dP_t);
    a->v = add_scaled(a->v, a->inv_m, dP);
    b->v = add_scaled(b->v, -b->inv_m, dP);
    a->w = add_scaled(a->w, -a->inv_theta * k->arm_a[lane], turn);
    b->w = add_scaled(b->w, -b->inv_theta * k->arm_b[lane], turn);
}

/* The prox step of one contact with step sizes r_n, r_t: normal first, then
 * friction inside the disc that the new normal percussion allows. For round
 * bodies normal and tangent do not couple within a contact, so r = 1/G_ii makes
 * this the exact local solution. */
typedef struct lane_step {
    double P_n;
    scree_vec3 P_t;
} lane_step;

static inline lane_step lane_prox(const scree_block *k, int lane, scree_vec3 xi,
                                  double r_n, double r_t) {
    const scree_vec3 n = lane_get(k->n, lane);
    const double xi_n = dot(n, xi);
    const scree_vec3 xi_t = add_scaled(xi, -xi_n, n);
    lane_step s;
    s.P_n = prox_half_line(k->P_n[lane] - r_n * xi_n);
    if (k->mu[lane] < 0) {
        s.P_t = scale(k->mu[lane] * s.P_n, lane_tie(k, lane));
        return s;
    }
    s.P_t = prox_disc(k->mu[lane] * s.P_n,
                      add_scaled(lane_get(k->P_t, lane), -r_t, xi_t));
    return s;
}

#endif
