/* jacobi.c: projected Jacobi, 002 equation (22), relaxed (27).
 *
 *     P_i <- prox_{C_i}(P_i - r_i (W_i^T u + c_i)) for all i from the same u,
 *     then u <- u + M^-1 W dP.
 *
 * With r_i = 1/G_ii this diverges as soon as a body has many contacts. Mass
 * splitting makes it safe: a body with d contacts lends each of them 1/d of its
 * mass, so that r_i = omega / (d_a G_ii^a + d_b G_ii^b) bounds the coupling of
 * G by its diagonal (jacobi.h).
 *
 * Momentum (momentum.h) has steps up to BOLD_GOING and a b_max that leaves 1/PACE of
 * what pgs leaves to 1. On a bed of 10 000 spheres, from a cold start to 3.5e-4, that
 * takes 430 sweeps, 228 with corrections, where pgs takes 189 and 79. Between
 * sweeps coarse.h corrects what they are slow at: without it a stack of 20 boxes takes
 * more than 1 000 sweeps to 1e-5, with it 31. */
#include "engine/base/error.h"
#include "solvers/coarse/coarse.h"
#include "solvers/methods/jacobi.h"
#include "solvers/methods/momentum.h"

#include <string.h>

/* Longest step (jacobi.h) with momentum. */
static const double BOLD_GOING = 1.3;
/* Sweeps that do what one of pgs does; and corrections come that much less often. */
enum { PACE = 3, CORRECTION_PACE = 2 };

typedef struct jacobi {
    row_step *change;  /* (lanes) dP of this sweep: round ones, then general */
    double *r_n, *r_t; /* (lanes) */
    int64_t lanes;
    double stretch; /* of all steps, in [1, most] */
    double most;
    scree_momentum going;
    scree_coarse coarse;
} jacobi;

/* ---- steps ---------------------------------------------------------------------- */

static void count_contacts(const scree_problem *p, int32_t *degree) {
    memset(degree, 0, ((size_t)p->n_body + 1) * sizeof *degree);
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_row row = scree_problem_row(p, i);
        ++degree[row.a];
        ++degree[row.b];
    }
    for (int64_t k = 0; p->coupling && k < p->coupling->n_shared; ++k) {
        const scree_shared *b = &p->coupling->shared[k];
        degree[b->place] = (int32_t)b->degree;
    }
}

/* Where the arrays of jacobi have contact i. */
static int64_t lane_of(const scree_problem *p, int64_t i) {
    return scree_problem_is_general(p, i)
               ? SCREE_LANES * p->round.n_block + ~p->slot[i]
               : p->slot[i];
}

/* What the turning of one body adds to G_ii: along n, and across it the sum over
 * both tangents (stretched), which for round contacts is twice what each has. */
typedef struct share {
    double n, t;
} share;

static share turning_share(const scree_problem *p, const scree_row *row,
                           bool of_a) {
    const int32_t body = of_a ? row->a : row->b;
    const scree_vec3 r = scree_row_arm(row, of_a);
    scree_vec3 d[3] = {row->n, perpendicular(row->n),
                       cross(row->n, perpendicular(row->n))};
    for (int k = 1; k < 3 && scree_row_is_oval(row); ++k)
        d[k] = scree_row_stretch(row, d[k]);
    double G[3];
    for (int k = 0; k < 3; ++k) {
        const scree_vec3 m = cross(r, d[k]);
        G[k] = dot(m, scree_row_turn(p, row, body, m));
    }
    return (share){G[0], G[1] + G[2]};
}

static void choose_steps(const scree_problem *p, const int32_t *degree,
                         double omega, jacobi *j) {
    memset(j->r_n, 0, (size_t)j->lanes * sizeof *j->r_n);
    memset(j->r_t, 0, (size_t)j->lanes * sizeof *j->r_t);
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_row row = scree_problem_row(p, i);
        const double da = degree[row.a], db = degree[row.b];
        if (scree_row_is_joint(&row)) { /* a share of its own solution */
            j->r_n[lane_of(p, i)] = omega / fmax(row.a < p->n_body ? da : 1,
                                                 row.b < p->n_body ? db : 1);
            continue;
        }
        const double m = da * p->u[row.a].inv_m + db * p->u[row.b].inv_m;
        const share a = turning_share(p, &row, true),
                    b = turning_share(p, &row, false);
        /* In general contacts normal and tangents turn the body together. */
        const double m_t = m * fmax(1, row.ratio * row.ratio);
        const double all = m_t + da * (a.n + a.t) + db * (b.n + b.t);
        const double G_n = row.general ? all : m;
        const double G_t = row.general ? all : m + 0.5 * (da * a.t + db * b.t);
        j->r_n[lane_of(p, i)] = G_n > 0 ? omega / G_n : 0;
        j->r_t[lane_of(p, i)] = G_t > 0 ? omega / G_t : 0;
    }
}

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

static void sweep_all(scree_problem *p, void *context, int count) {
    jacobi *j = context;
    scree_momentum *m = &j->going;
    sweeps_task t = {p, j, count};
    scree_momentum_correct(m, &j->coarse, count);
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
    jacobi j = {
        .change = scree_arena_push(scratch, n * sizeof *j.change),
        .r_n = scree_arena_push(scratch, n * sizeof *j.r_n),
        .r_t = scree_arena_push(scratch, n * sizeof *j.r_t),
        .lanes = (int64_t)n,
        .stretch = 1,
        .most = fmax(1, bold / options->relaxation),
        .going = {.most = momentum > 0 ? 1 - (1 - momentum) / PACE : 0,
                  .last_residual = INFINITY,
                  .u_last = scree_arena_push(
                      scratch, (size_t)p->n_body * sizeof(scree_twist))}};
    int32_t *degree =
        scree_arena_push(scratch, ((size_t)p->n_body + 1) * sizeof *degree);
    bool room = j.change && j.r_n && j.r_t && degree && j.going.u_last;
    room = room &&
           !scree_coarse_begin(&j.coarse, p, options, CORRECTION_PACE, scratch);
    if (room) {
        count_contacts(p, degree);
        choose_steps(p, degree, options->relaxation, &j);
        scree_iterate(p, options, sweep_all, watch_residual, &j, report);
    }
    scree_arena_pop(scratch, mark);
    return room ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}
