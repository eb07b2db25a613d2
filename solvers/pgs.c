/* pgs.c: projected Gauss-Seidel, 002 equation (23), relaxed (28).
 *
 *     P_i <- prox_{C_i}(P_i - r_i (W_i^T u + c_i)),   u <- u + M^-1 W_i dP_i
 *
 * contact after contact, r_i = omega / G_ii. Each contact sees the percussions
 * that the sweep has already changed through u. Cost per contact and sweep: two
 * bodies and one lane of a block, about 90 flops. */
#include "solvers/kernel.h"
#include "solvers/solver.h"

static inline void sweep_lane(scree_block *k, int lane, scree_twist *u,
                              double omega) {
    scree_twist *a = &u[k->a[lane]], *b = &u[k->b[lane]];
    const scree_vec3 xi = lane_xi(k, lane, a, b);
    const lane_step s = lane_prox(k, lane, xi, omega * k->rho_n[lane],
                                  omega * k->rho_t[lane]);
    lane_push(k, lane, a, b, s.P_n - k->P_n[lane],
              sub(s.P_t, lane_get(k->P_t, lane)));
    k->P_n[lane] = s.P_n;
    lane_set(k->P_t, lane, s.P_t);
}

static void sweep(scree_problem *p, void *context) {
    const double omega = *(const double *)context;
    scree_twist *u = p->u;
    const int64_t n = scree_problem_block_count(p);
    for (int64_t i = 0; i < n; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane)
            sweep_lane(&p->blocks[i], lane, u, omega);
}

/* Without friction only centres move, along n. */
static inline void sweep_normal_lane(scree_block *k, int lane, scree_twist *u,
                                     double omega) {
    scree_twist *a = &u[k->a[lane]], *b = &u[k->b[lane]];
    const scree_vec3 n = lane_get(k->n, lane);
    const double xi_n =
        dot(n, add(sub(a->v, b->v), lane_get(k->c, lane)));
    const double P_n =
        prox_half_line(k->P_n[lane] - omega * k->rho_n[lane] * xi_n);
    const double dP_n = P_n - k->P_n[lane];
    a->v = add_scaled(a->v, a->inv_m * dP_n, n);
    b->v = add_scaled(b->v, -b->inv_m * dP_n, n);
    k->P_n[lane] = P_n;
}

static void sweep_normal(scree_problem *p, void *context) {
    const double omega = *(const double *)context;
    scree_twist *u = p->u;
    const int64_t n = scree_problem_block_count(p);
    for (int64_t i = 0; i < n; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane)
            sweep_normal_lane(&p->blocks[i], lane, u, omega);
}

static scree_status solve(scree_problem *p, const scree_solver_options *options,
                          scree_arena *scratch, scree_report *report) {
    (void)scratch;
    double omega = options->relaxation;
    scree_iterate(p, options, p->frictionless ? sweep_normal : sweep, &omega,
                  report);
    return SCREE_OK;
}

const scree_solver_ops scree_solver_pgs = {
    .name = "pgs",
    .about = "projected Gauss-Seidel (prox SOR), contact after contact",
    .solve = solve,
};
