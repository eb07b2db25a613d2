/* kernel.h: one contact, loaded, measured and moved. The scalar sweeps of pgs and
 * jacobi, the residual and the tests all go through these functions, so that
 * there is one place where W is written down; the wide kernels are their twins,
 * operation by operation. */
#ifndef SCREE_SOLVERS_KERNEL_H
#define SCREE_SOLVERS_KERNEL_H

#include "solvers/law/joint.h"
#include "solvers/law/resist.h"
#include "solvers/problem/problem.h"

static inline scree_vec3 lane_get(const double v[3][SCREE_LANES], int lane) {
    return vec(v[0][lane], v[1][lane], v[2][lane]);
}
static inline void lane_set(double v[3][SCREE_LANES], int lane, scree_vec3 x) {
    v[0][lane] = x.x, v[1][lane] = x.y, v[2][lane] = x.z;
}

/* ---- loading and storing ------------------------------------------------------- */

/* What all rows have, with the laws of their lane, and the field that a tied one has
 * beside them. */
SCREE_INLINE void load_four(const scree_shelf *s, int64_t block,
                            const scree_four *k, int lane, scree_row *row) {
    row->a = k->a[lane], row->b = k->b[lane];
    row->laws = s->laws[block * SCREE_LANES + lane];
    row->n = lane_get(k->n, lane);
    row->mu = k->mu[lane];
    row->c = lane_get(k->c, lane);
    row->P_n = k->P_n[lane];
    row->P_t = lane_get(k->P_t, lane);
    row->rho_n = k->rho_n[lane], row->rho_t = k->rho_t[lane];
    if (scree_row_is_tied(row)) row->tie = lane_get(s->ties[block].d, lane);
}

static inline scree_row row_of_round(const scree_problem *p,
                                     const scree_block *k, int lane) {
    scree_row row = {.arm_a = k->arm_a[lane], .arm_b = k->arm_b[lane]};
    load_four(&p->round, k - p->blocks, &k->four, lane, &row);
    return row;
}
static inline scree_row row_of_general(const scree_problem *p,
                                       const scree_general *k, int lane) {
    scree_row row = {.general = true,
                     .r_a = lane_get(k->r_a, lane),
                     .r_b = lane_get(k->r_b, lane)};
    load_four(&p->general, k - p->generals, &k->four, lane, &row);
    if (scree_row_turns(&row)) {
        row.roll = k->roll[lane], row.drill = k->drill[lane];
        row.rho_m = k->rho_m[lane];
        row.c_m = lane_get(k->c_m, lane);
        row.M = lane_get(k->M, lane);
    }
    if (scree_row_is_joint(&row))
        row.bars =
            &p->bars[p->general.bars[(k - p->generals) * SCREE_LANES + lane]];
    if (scree_row_is_oval(&row)) {
        row.ratio = k->ratio[lane];
        row.across = lane_get(k->across, lane);
    }
    return row;
}
/* Of block i of both kinds, the round ones first. */
static inline scree_row row_of_block(const scree_problem *p, int64_t i,
                                     int lane) {
    const int64_t round = p->round.n_block;
    return i < round ? row_of_round(p, &p->blocks[i], lane)
                     : row_of_general(p, &p->generals[i - round], lane);
}

/* Percussions, what they were one sweep ago left as it is. */
static inline void lane_store(scree_four *k, int lane, double P_n,
                              scree_vec3 P_t) {
    k->P_n[lane] = P_n;
    lane_set(k->P_t, lane, P_t);
}

/* G_ii d of a general contact. */
static inline scree_vec3 lane_G(const scree_general *k, int lane,
                                scree_vec3 d) {
    const scree_sym3 G = {.xx = k->G[0][lane],
                          .yy = k->G[1][lane],
                          .zz = k->G[2][lane],
                          .xy = k->G[3][lane],
                          .xz = k->G[4][lane],
                          .yz = k->G[5][lane]};
    return sym3_mul(&G, d);
}

/* ---- W -------------------------------------------------------------------------- */

/* xi = W^T u + c */
static inline scree_vec3 row_xi(const scree_row *k, const scree_twist *a,
                                const scree_twist *b) {
    if (k->general) {
        const scree_vec3 at_a = add(a->v, cross(a->w, k->r_a));
        const scree_vec3 at_b = add(b->v, cross(b->w, k->r_b));
        return add(sub(at_a, at_b), k->c);
    }
    const scree_vec3 spin = add(scale(k->arm_a, a->w), scale(k->arm_b, b->w));
    return add(sub(sub(a->v, b->v), cross(spin, k->n)), k->c);
}

/* u += M^-1 W dP for dP = dP_n n + dP_t. I_a, I_b: inverse inertia tensors, used
 * by general contacts. */
static inline void row_push(const scree_row *k, scree_twist *a, scree_twist *b,
                            const scree_sym3 *I_a, const scree_sym3 *I_b,
                            double dP_n, scree_vec3 dP_t) {
    const scree_vec3 dP = add_scaled(dP_t, dP_n, k->n);
    a->v = add_scaled(a->v, a->inv_m, dP);
    b->v = add_scaled(b->v, -b->inv_m, dP);
    if (k->general) {
        a->w = add(a->w, sym3_mul(I_a, cross(k->r_a, dP)));
        b->w = sub(b->w, sym3_mul(I_b, cross(k->r_b, dP)));
        return;
    }
    const scree_vec3 turn = cross(k->n, dP_t);
    a->w = add_scaled(a->w, -a->inv_theta * k->arm_a, turn);
    b->w = add_scaled(b->w, -b->inv_theta * k->arm_b, turn);
}

/* w_a - w_b + c_m */
static inline scree_vec3 row_omega(const scree_row *k, const scree_twist *a,
                                   const scree_twist *b) {
    return add(sub(a->w, b->w), k->c_m);
}

/* The bodies of a contact. The static body is shared by all: each contact reads
 * and writes one of its own. */
typedef struct row_bodies {
    scree_twist still;
    scree_sym3 rigid;
    scree_twist *a, *b;
    const scree_sym3 *I_a, *I_b;
} row_bodies;

static inline void row_find(const scree_problem *p, const scree_row *k,
                            row_bodies *s) {
    s->still = (scree_twist){0};
    s->rigid = (scree_sym3){0};
    s->a = k->a < p->n_body ? &p->u[k->a] : &s->still;
    s->b = k->b < p->n_body ? &p->u[k->b] : &s->still;
    s->I_a = s->I_b = &s->rigid;
    if (!k->general) return;
    s->I_a = k->a < p->n_body ? &p->inv_I[k->a] : &s->rigid;
    s->I_b = k->b < p->n_body ? &p->inv_I[k->b] : &s->rigid;
}

static inline void row_turn(row_bodies *s, scree_vec3 dM) {
    s->a->w = add(s->a->w, sym3_mul(s->I_a, dM));
    s->b->w = sub(s->b->w, sym3_mul(s->I_b, dM));
}

/* u += M^-1 W (dP, dM) */
static inline void row_move(const scree_row *k, row_bodies *s, double dP_n,
                            scree_vec3 dP_t, scree_vec3 dM) {
    row_push(k, s->a, s->b, s->I_a, s->I_b, dP_n, dP_t);
    if (scree_row_turns(k)) row_turn(s, dM);
}

/* All that acts along n and across it. */
static inline scree_vec3 row_force(const scree_row *k) {
    return add_scaled(k->P_t, k->P_n, k->n);
}

/* The step of a joint a share omega of the way to the solution of its own problem, its
 * force split along n as that of a contact. */
static inline row_step row_joint_step(const scree_row *k, const scree_twist *a,
                                      const scree_twist *b, double omega) {
    row_step to = scree_bars_step(k->bars, row_force(k), k->M, row_xi(k, a, b),
                                  row_omega(k, a, b), omega);
    to.P_n = dot(k->n, to.P_t);
    to.P_t = add_scaled(to.P_t, -to.P_n, k->n);
    return to;
}

static inline bars_map row_joint_map(const scree_row *k, const scree_twist *u) {
    const scree_twist *a = &u[k->a], *b = &u[k->b];
    return scree_bars_measure(k->bars, row_force(k), k->M, row_xi(k, a, b),
                              row_omega(k, a, b));
}

/* ---- the prox step ---------------------------------------------------------------- */

/* The prox step of one contact with step sizes r_n, r_t: normal first, then
 * friction. For round bodies normal and tangent do not couple within a contact,
 * so r = 1/G_ii makes this the exact local solution. */
static inline row_step row_prox(const scree_row *k, scree_vec3 xi, double r_n,
                                double r_t) {
    const double P_n = prox_half_line(k->P_n - r_n * dot(k->n, xi));
    return (row_step){.P_n = P_n, .P_t = row_friction(k, P_n, xi, r_t)};
}

#endif
