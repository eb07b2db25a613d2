/* apgd.h: accelerated projected gradients (Nesterov) on bodies and contacts.
 *
 * The rule is that of apgd_rule.h. Each contact has a step of its own, rho = 1/G_N, and
 * all of them the bound L.
 *
 * This is apgd_blocks.c on the problem scaled by sqrt(rho), which changes no cone,
 * but G is never written out. u is linear in P, so that velocities are extrapolated
 * as percussions are, and one coloured pass per trial gives du = M^-1 W d, from
 * zero: d^T G d = d . W^T du keeps its digits however small d is. Sums are over
 * all ranks, and passes add up exactly over copies of bodies (coupling.h): as many
 * ranks as one likes make the same iterates, to rounding.
 *
 * Cones. A contact that turns has the percussions (P_N, y, z) with y = (P_T,
 * M_N / drill) and z = M_T / length, against xi_N, (xi_T, drill omega_N) and
 * length omega_T; all that was said holds for
 *     K = { |y| <= mu P_N, |z| <= nu P_N },   nu = roll / length,
 *     s = mu |(xi_T, drill omega_N)| + nu |length omega_T|.
 * The length makes steps of moments and of percussions alike, length^2 =
 * rho_m / rho. Anisotropic contacts count stretched (problem.h). */
#ifndef SCREE_SOLVERS_APGD_H
#define SCREE_SOLVERS_APGD_H

#include "solvers/methods/apgd_rule.h"
#include "solvers/problem/method.h"
#include "solvers/problem/pass.h"

/* Beside a block of the problem, in which P is x and P_last is x_last. */
typedef struct scree_apgd_block {
    double y_n[SCREE_LANES], y_t[3][SCREE_LANES];
    double xi[3][SCREE_LANES]; /* at y */
    double shift[SCREE_LANES]; /* s */
    double slip[SCREE_LANES];  /* what s should be, at x */
} scree_apgd_block;

typedef struct scree_apgd_general {
    scree_apgd_block common;
    /* Rolling and drilling. */
    double y_m[3][SCREE_LANES];
    double omega[3][SCREE_LANES]; /* at y */
} scree_apgd_general;

typedef struct scree_apgd {
    scree_problem *p; /* its u: u(x) between iterations, du in a trial */
    scree_apgd_block *blocks;     /* (round blocks) */
    scree_apgd_general *generals; /* (general blocks) */
    scree_twist *at_y;            /* (n_body + 1) u(y) */
    scree_velocity *free, *last;  /* (n_body) u_free, u(x_last) */
    scree_apgd_sums *partial;     /* (chunks) */
    row_step *best;               /* (n_contact) P of the least residual */
    scree_apgd_rule rule;
    bool accepted; /* the last trial */
} scree_apgd;

/* With u = u_free in the problem; before the first sweep it becomes u_free +
 * M^-1 W P. All arrays live in `scratch`; false: no room. */
bool scree_apgd_begin(scree_apgd *s, scree_problem *p, scree_arena *scratch);

/* So many iterations. Leaves u = u_free + M^-1 W P, afresh. */
void scree_apgd_sweep(scree_apgd *s, int count);

/* ---- round contacts, four at a time (apgd_round.c); general ones, one by one
 * (apgd_general.c). Of the blocks first .. last - 1, counted by kind. */

typedef void scree_apgd_part(const scree_apgd *s, int64_t first, int64_t last);
/* y, xi there, x_last; then the trial x. */
scree_apgd_part scree_apgd_round_start, scree_apgd_general_start;
/* The trial x for another L. */
scree_apgd_part scree_apgd_round_step, scree_apgd_general_step;
/* The slip for the velocities in p->u. */
scree_apgd_part scree_apgd_round_slip, scree_apgd_general_slip;

/* Added to what is there; the slip at x comes along. */
typedef void scree_apgd_sum(const scree_apgd *s, int64_t first, int64_t last,
                            scree_apgd_sums *sums);
scree_apgd_sum scree_apgd_round_sum, scree_apgd_general_sum;

/* u += M^-1 W (x - y); context: a scree_apgd. */
scree_block_work scree_apgd_round_push, scree_apgd_round_push_one_by_one;
scree_block_work scree_apgd_general_push;

#endif
