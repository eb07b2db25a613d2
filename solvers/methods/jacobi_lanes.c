/* jacobi.c: projected Jacobi, 002 equation (22), relaxed (27).
 *
 *     P_i <- prox_{C_i}(P_i - r_i (W_i^T u + c_i)) for all i from the same u,
 *     then u <- u + M^-1 W dP.
 *
 * With r_i = 1/G_ii this diverges as soon as a body has many contacts. Steps that bound
 * the coupling of G by its diagonal, body by body, make it safe (jacobi_steps.c).
 *
 * Momentum (momentum.h) has steps of BOLD_GOING from the first on and a b_max that leaves
 * 1/PACE of what pgs leaves to 1. Between sweeps coarse.h corrects what they are slow at:
 * without it a stack of 20 boxes takes more than 1 000 sweeps to 1e-5. Sweeps from a cold
 * start to 3.5e-4, of lattices of 4 to 5 thousand spheres, the bed of 10 000 of bench_cold,
 * and a stack of 20 boxes to 1e-5:
 *
 *                                       lattices         bed    stack
 *     pgs                               11 13 15          71     22
 *     d_b for lambda_b, 1 to 1.3 steps  49 58 67         167     31
 *     lambda_b, 1 step                  49 46 67         163     31
 *     1 step, DELAY 2                   40 44 50         174     31
 *     1.3 steps, DELAY 2                33 38 42         162     42
 *     1.3 steps, DELAY 3                32 38 40         169     42
 *     1.3 steps, DELAY 3, PACE 2        32 38 40         151     42
 *     1.4 steps, DELAY 2                32 36 40          -      96
 *
 * (PACE 3 but there). With d_b and 1.9 steps momentum did not converge on the bed within
 * 1 600 sweeps. Half or twice as long steps of friction, residuals taken more often, and
 * corrections as often as pgs has them gained nothing. */
#include "engine/base/error.h"
#include "solvers/coarse/coarse.h"
#include "solvers/methods/jacobi.h"
#include "solvers/methods/jacobi_steps.h"
#include "solvers/methods/momentum.h"

#include <string.h>

/* Longest step with momentum, from the first on: the iteration is stable up to
 * 2 (1 + b) / (1 + 2 b) safe ones, which is 1.33 for b = 1. */
static const double BOLD_GOING = 1.3;
/* b = (k - 1)/(k + 5): with (k - 1)/(k + 2) it overshoots, and starts again. */
static const double DELAY = 3;
/* Sweeps that do what one of pgs does; and corrections come that much less often. */
enum { PACE = 2, CORRECTION_PACE = 2 };

typedef struct jacobi {
    row_step *change;  /* (lanes) dP of this sweep: round ones, then general */
    double *r_n, *r_t; /* (lanes) by the first sweep */
    double omega;      /* of them */
    bool chosen;
    scree_status status;
    scree_arena *scratch;
    double stretch; /* of all steps, in [1, most] */
    double most;
    scree_momentum going;
    scree_coarse coarse;
} jacobi;

/* ---- steps ---------------------------------------------------------------------- */

/* After a check of the residual. */
static void watch_residual(void *context, double residual) {
    jacobi *j = context;
    scree_coarse_watch(&j->coarse, residual);
    const bool grew = scree_momentum_watch(&j->going, residual);
    j->stretch = scree_jacobi_stretch(j->stretch, grew, j->most);
}

/* ---- a sweep -------------------------------------------------------------------- */

/* The prox step of one contact; dP is kept for the push. */
static row_step project_row(const scree_problem *p, const scree_row *row,
                            int64_t at, const jacobi *j) {
    if (scree_row_is_joint(row)) {
        const row_step to =
            row_joint_step(row, &p->u[row->a], &p->u[row->b], j->r_n[at]);
        j->change[at] = (row_step){to.P_n - row->P_n, sub(to.P_t, row->P_t),
                                   sub(to.M, row->M)};
        return to;
    }
    const scree_vec3 xi = row_xi(row, &p->u[row->a], &p->u[row->b]);
    const scree_vec3 omega = row_omega(row, &p->u[row->a], &p->u[row->b]);
    const double r_t = j->stretch * j->r_t[at];
    row_step s = {.P_n = prox_half_line(row->P_n - j->stretch * j->r_n[at] *
                                                       dot(row->n, xi))};
    /* Moments share the step of friction, as a share of the safe one. */
    row_resist(row, xi, omega, r_t,
               row->rho_t > 0 ? r_t / row->rho_t * row->rho_m : 0, &s);
    j->change[at] =
        (row_step){s.P_n - row->P_n, sub(s.P_t, row->P_t), sub(s.M, row->M)};
    return s;
}

/* Block i of both kinds. */
static void project_block(scree_problem *p, int64_t i, double b,
                          const jacobi *j) {
    const bool general = i >= p->round.n_block;
    scree_general *g = general ? &p->generals[i - p->round.n_block] : NULL;
    scree_four *k = scree_problem_four_at(p, i);
    for (int lane = 0; lane < SCREE_LANES; ++lane) {
        lane_extrapolate(k, lane, b);
        if (general) lane_extrapolate_moment(g, lane, b);
        const scree_row row = row_of_block(p, i, lane);
        const row_step s = project_row(p, &row, i * SCREE_LANES + lane, j);
        lane_store(k, lane, s.P_n, s.P_t);
        if (general) lane_set(g->M, lane, s.M);
    }
}

/* Base: the number of the first block of their kind. */
static void push_rows(scree_problem *p, const int32_t *list, int64_t first,
                      int64_t last, int64_t base, const jacobi *j) {
    for (int64_t i = first; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            const scree_row row = row_of_block(p, base + list[i], lane);
            const row_step *dP =
                &j->change[(base + list[i]) * SCREE_LANES + lane];
            row_bodies s;
            row_find(p, &row, &s);
            row_move(&row, &s, dP->P_n, dP->P_t, dP->M);
        }
}

static void push_round(scree_problem *p, const int32_t *list, int64_t first,
                       int64_t last, const void *context) {
    push_rows(p, list, first, last, 0, context);
}

static void push_general(scree_problem *p, const int32_t *list, int64_t first,
                         int64_t last, const void *context) {
    push_rows(p, list, first, last, p->round.n_block, context);
}

static const scree_pass push = {push_round, push_round, push_general,
                                push_general};

typedef struct sweeps_task {
    scree_problem *p;
    jacobi *j;
    int count;
} sweeps_task;

/* A member's part: prox steps in any order, then pushes colour after colour. */
static void sweep_share(void *context, const scree_team *team) {
    const sweeps_task *t = context;
    scree_problem *p = t->p;
    scree_momentum m = t->j->going; /* every member counts for itself */
    for (int s = 0; s < t->count; ++s) {
        scree_momentum_step(&m);
        if (m.most > 0) {
            scree_problem_pass_bodies(p, team, scree_momentum_extrapolate, &m);
            scree_team_wait(team);
        }
        int64_t first = 0, last = scree_problem_blocks(p);
        scree_team_share(team, &first, &last);
        for (int64_t i = first; i < last; ++i) project_block(p, i, m.b, t->j);
        scree_team_wait(team);
        scree_problem_pass(p, team, &push, t->j);
        scree_team_wait(team);
    }
}

/* Bodies at rest need no sweep, and so no steps. */
static bool have_steps(jacobi *j, const scree_problem *p) {
    if (!j->chosen)
        j->status =
            scree_jacobi_choose(p, j->omega, j->scratch, j->r_n, j->r_t);
    j->chosen = true;
    return j->status == SCREE_OK;
}

static void sweep_all(scree_problem *p, void *context, int count) {
    jacobi *j = context;
    scree_momentum *m = &j->going;
    sweeps_task t = {p, j, count};
    if (!have_steps(j, p)) return;
    scree_momentum_correct(m, &j->coarse, count);
    scree_momentum_carry_frame(m, p);
    scree_team_run(scree_problem_threads(p), sweep_share, &t);
    m->k += count;
}

/* ---- the solver ------------------------------------------------------------------ */

scree_status scree_lanes_jacobi(scree_problem *p,
                                const scree_solver_options *options,
                                scree_arena *scratch, scree_report *report) {
    const size_t mark = scree_arena_mark(scratch);
    /* For all blocks there is room for: the same from step to step. */
    const size_t n =
        SCREE_LANES * (size_t)(p->round.capacity + p->general.capacity);
    const double momentum = options->momentum;
    const double bold = momentum > 0 ? BOLD_GOING : SCREE_JACOBI_BOLD;
    const double omega =
        momentum > 0 ? fmin(options->relaxation, bold) : options->relaxation;
    const double most = fmax(1, bold / omega);
    jacobi j = {
        .change = scree_arena_push(scratch, n * sizeof *j.change),
        .r_n = scree_arena_push(scratch, n * sizeof *j.r_n),
        .r_t = scree_arena_push(scratch, n * sizeof *j.r_t),
        .omega = omega,
        .scratch = scratch,
        .stretch = momentum > 0 ? most : 1,
        .most = most,
        .going = {.most = momentum > 0 ? 1 - (1 - momentum) / PACE : 0,
                  .delay = DELAY,
                  .last_residual = INFINITY,
                  .u_last = scree_arena_push(
                      scratch, (size_t)p->n_body * sizeof(scree_twist))}};
    if (!j.change || !j.r_n || !j.r_t || !j.going.u_last)
        return SCREE_OUT_OF_MEMORY;
    memset(j.r_n, 0, n * sizeof *j.r_n);
    memset(j.r_t, 0, n * sizeof *j.r_t);
    TRY(scree_coarse_begin(&j.coarse, p, options, CORRECTION_PACE, scratch));
    scree_iterate(p, options, sweep_all, watch_residual, &j, report);
    scree_arena_pop(scratch, mark);
    return j.status;
}
