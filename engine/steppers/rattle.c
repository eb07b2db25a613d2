/* rattle.c: nonsmooth RATTLE, 000 sections 3 and 4.
 *
 * Stage 1, residual (41): u_{n+1/2} and q_{n+1} with the laws on positions:
 *     M_n (u_{n+1/2} - u_n) = dt/2 h(t_n, q_n, u_{n+1/2}) + W_n P1
 *     0 <= g_N(q_{n+1})  perp  P1_N >= 0,   friction of u_{n+1/2} in D(mu P1_N)
 * Stage 2, residual (43): u_{n+1} with the laws on velocities, in the total
 * percussion P = P1 + P2 of the step:
 *     M_{n+1} (u_{n+1} - u_{n+1/2}) = dt/2 h(t_{n+1}, q_{n+1}, u_{n+1/2})
 *                                     + W_{n+1} (P - P1)
 *     xi_N = gamma_N(u_{n+1}) + e_N gamma_N(u_n)  against P_N  where active,
 *     xi_F = gamma_F(u_{n+1}) + e_F gamma_F(u_n)  against P_F in D(mu P_N).
 * A contact is active in stage 2 where r g_N - P1_N <= 0, as published, or where g_N at
 * q_{n+1} is closed to rounding (1e-10 m): a gap that stage 1 leaves at 1e-17 m with
 * P1_N = 0, as of a body that comes to rest among others, is no gap.
 *
 * Second order in q and u while no law changes its mode; no gap is left below
 * minus the tolerance at the end of any step. Nonholonomic constraints that turn
 * are first order: (29a) binds u_{n+1/2} by the direction at q_{n+1}.
 *
 * friction: midslip. The published friction law makes the whole step's friction
 * point against the end velocity, first order once the slip direction turns.
 * Where a step resolves the slip (conditions below), the friction row of stage 2
 * is P_F = -mu P_N d with d the slip direction of u_{n+1/2}, averaged over q_n
 * and q_{n+1}: the midpoint rule for the friction impulse, second order.
 *
 * hits: balanced. With e_N > 0 the published law makes energy wherever W_N turns
 * within the step of a hit. Hits are therefore turned back by the velocities in the
 * direction in which both stages together push them (hits.h): they make none while
 * M is constant. */
#include <math.h>
#include <string.h>

#include "engine/steppers/hits.h"
#include "engine/steppers/position_stage.h"

/* Passes for the balance of hits at most, beside the first. */
enum { MOST_PASSES = 3 };
#include "solvers/dense/semismooth.h"

/* Closed at the beginning of a step, in the length scale of the models. */
static const double CLOSED = 1e-10;

typedef struct rattle {
    scree_dense *s;
    const scree_dense_options *options;
    scree_error *error;
    double *u_n, *u_half, *u_free; /* (n_u) */
    double *q_next;                /* (n_q) */
    double *P1;                    /* (n_row) */
    double *gamma_n;               /* (n_row) at t_n, q_n, u_n */
    double *gamma_next;            /* (n_row) of u_n at q_{n+1}, chi of t_n */
    double *shift;                 /* (n_row) chi and restitution of stage 2 */
    double *g_n, *g_next;          /* (n_law) */
    double *slip;                  /* (n_row) midslip: mean slip, then d */
    bool *active, *resolved;       /* (n_law) */
    scree_set *sets;
    scree_frame frame_n, frame; /* at q_n and at q_{n+1} */
} rattle;

static bool allocate_work(rattle *r) {
    scree_dense *s = r->s;
    const int n = s->ops->n_u, m = s->ops->n_row, n_law = s->ops->n_law;
    r->u_n = scree_dense_push(s, n);
    r->u_half = scree_dense_push(s, n);
    r->u_free = scree_dense_push(s, n);
    r->q_next = scree_dense_push(s, s->ops->n_q);
    r->P1 = s->P_first;
    r->gamma_n = scree_dense_push(s, m);
    r->gamma_next = scree_dense_push(s, m);
    r->shift = scree_dense_push(s, m);
    r->g_n = scree_dense_push(s, n_law);
    r->g_next = scree_dense_push(s, n_law);
    r->slip = scree_dense_push(s, m);
    r->active = scree_arena_push(&s->scratch, (size_t)n_law);
    r->resolved = scree_arena_push(&s->scratch, (size_t)n_law);
    r->sets = scree_arena_push(&s->scratch, (size_t)m * sizeof *r->sets);
    return r->u_n && r->u_half && r->u_free && r->q_next && r->gamma_n &&
           r->gamma_next && r->shift && r->g_n && r->g_next && r->slip &&
           r->active && r->resolved && r->sets;
}

static double inner_product(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

/* ---- stage 1 --------------------------------------------------------------- */

static scree_status stage_1(rattle *r) {
    scree_dense *s = r->s;
    const double dt = r->options->dt;
    memcpy(r->u_n, s->u, (size_t)s->ops->n_u * sizeof *r->u_n);
    scree_dense_gaps(s, s->t, s->q, r->g_n);
    scree_dense_gamma(s, s->t, s->q, s->u, r->gamma_n);
    TRY(scree_dense_frame(s, s->t, s->q, &r->frame_n));
    const scree_position_stage stage = {.dt = dt,
                                        .tau = 0.5 * dt,
                                        .set_dt = 0.5 * dt,
                                        .implicit = true,
                                        .u_n = r->u_n,
                                        .u = r->u_half,
                                        .q = r->q_next,
                                        .P = r->P1};
    TRY(scree_position_stage_solve(s, &stage, &r->frame_n, r->options,
                                   r->error));
    scree_dense_gaps(s, s->t + dt, r->q_next, r->g_next);
    return SCREE_OK;
}

/* ---- midslip: which contacts does the step resolve? ------------------------- */

/* What stage 1 leaves of its laws, as a velocity (position_stage.c). */
static double accuracy_of(const rattle *r) {
    double most = 0;
    for (int i = 0; i < r->s->ops->n_u; ++i) most = fmax(most, fabs(r->u_n[i]));
    return r->options->tolerance * (1 + most);
}

/* The stage 1 before left a gap of a closed contact at zero to that accuracy. */
static bool closed_at_begin(const rattle *r, int k) {
    return r->g_n[k] <= CLOSED + 2 * accuracy_of(r) * r->options->dt;
}

static bool closed_newly(const rattle *r, int k) {
    const scree_law *law = &r->s->laws[k];
    return law->kind == SCREE_LAW_CONTACT && !closed_at_begin(r, k) &&
           r->P1[law->row] > 0;
}

static int friction_row(const scree_law *law) {
    return law->kind == SCREE_LAW_CONTACT ? law->row + 1 : law->row;
}

/* Radius of the reservoir over `dt` with the percussions P. */
static double reservoir_radius(const scree_law *law, const double *P,
                               double dt) {
    return law->kind == SCREE_LAW_CONTACT ? law->mu * P[law->row] : law->a * dt;
}

/* Spectral norm of the law's own friction block. */
static double friction_block_norm(const rattle *r, const scree_law *law) {
    const int n = r->s->ops->n_u, f = law->n_f, row = friction_row(law);
    double G[3][3] = {{0}}, x[3] = {1, 0.7, 0.4};
    for (int i = 0; i < f; ++i)
        for (int j = 0; j < f; ++j)
            G[i][j] = inner_product(&r->frame.Wt[(row + i) * n],
                                    &r->frame.X[(row + j) * n], n);
    double norm_G = G[0][0];
    for (int k = 0; k < 20; ++k) { /* power iteration on at most 3 x 3 */
        double y[3] = {0};
        for (int i = 0; i < f; ++i)
            for (int j = 0; j < f; ++j) y[i] += G[i][j] * x[j];
        norm_G = sqrt(inner_product(y, y, f) / inner_product(x, x, f));
        memcpy(x, y, sizeof x);
    }
    return norm_G;
}

/* A contact is closed over the whole step; friction of its own always is. */
static bool stays_closed(const rattle *r, int k) {
    const scree_law *law = &r->s->laws[k];
    return law->kind == SCREE_LAW_FRICTION ||
           (closed_at_begin(r, k) && r->active[k] && r->P1[law->row] > 0);
}

static bool step_resolves(const rattle *r, int k) {
    const scree_law *law = &r->s->laws[k];
    const int row = friction_row(law);
    const double *P_f = &r->P1[row], *mean = &r->slip[row];
    const double size_P = sqrt(inner_product(P_f, P_f, law->n_f));
    const double speed = sqrt(inner_product(mean, mean, law->n_f));
    const double radius = reservoir_radius(law, r->P1, 0.5 * r->options->dt);
    const bool slips = size_P >= radius * (1 - 1e-9) && speed > 0;
    return stays_closed(r, k) && slips &&
           inner_product(&r->gamma_n[row], mean, law->n_f) > 0 &&
           friction_block_norm(r, law) * size_P <= speed;
}

static bool has_friction(const scree_law *law) {
    return law->n_f > 0 && law->e_f == 0 &&
           (law->kind == SCREE_LAW_CONTACT || law->kind == SCREE_LAW_FRICTION);
}

/* Mean slip over both positions at u_{n+1/2}, made a direction. */
static void find_resolved(rattle *r) {
    scree_dense *s = r->s;
    const size_t mark = scree_arena_mark(&s->scratch);
    double *begin = scree_dense_push(s, s->ops->n_row);
    scree_dense_gamma(s, s->t, s->q, r->u_half, begin);
    scree_dense_gamma(s, s->t + r->options->dt, r->q_next, r->u_half, r->slip);
    for (int i = 0; i < s->ops->n_row; ++i)
        r->slip[i] = 0.5 * (r->slip[i] + begin[i]);
    scree_arena_pop(&s->scratch, mark);

    bool quiet = true;
    for (int k = 0; k < s->ops->n_law; ++k) quiet &= !closed_newly(r, k);
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law *law = &s->laws[k];
        r->resolved[k] = quiet && has_friction(law) && step_resolves(r, k);
        if (!r->resolved[k]) continue;
        double *d = &r->slip[friction_row(law)];
        const double speed = sqrt(inner_product(d, d, law->n_f));
        for (int i = 0; i < law->n_f; ++i) d[i] /= speed;
    }
}

/* P_F = -mu P_N d: the friction acts through the normal percussion. */
static void tie_friction(rattle *r, double sign) {
    const int n = r->s->ops->n_u;
    for (int k = 0; k < r->s->ops->n_law; ++k) {
        const scree_law *law = &r->s->laws[k];
        if (!r->resolved[k] || law->kind != SCREE_LAW_CONTACT) continue;
        for (int i = 0; i < law->n_f; ++i)
            for (int c = 0; c < n; ++c)
                r->frame.X[law->row * n + c] -=
                    sign * law->mu * r->slip[law->row + 1 + i] *
                    r->frame.X[(law->row + 1 + i) * n + c];
    }
}

/* A fixed reservoir: its percussion is known, and acts on the free velocity. */
static void add_fixed_friction(const rattle *r) {
    scree_dense *s = r->s;
    const int n = s->ops->n_u;
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law *law = &s->laws[k];
        if (!r->resolved[k] || law->kind != SCREE_LAW_FRICTION) continue;
        for (int i = law->row; i < law->row + law->n_f; ++i)
            for (int c = 0; c < n; ++c)
                s->u[c] -= law->a * r->options->dt * r->slip[i] *
                           r->frame.X[i * n + c];
    }
}

/* ---- stage 2 --------------------------------------------------------------- */

static void find_active(rattle *r) {
    const scree_dense *s = r->s;
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law *law = &s->laws[k];
        r->active[k] = law->kind != SCREE_LAW_CONTACT ||
                       r->options->r * r->g_next[k] <= r->P1[law->row] ||
                       r->g_next[k] <= CLOSED;
    }
}

/* u_{n+1/2} + M^-1 (dt/2 h - W P1): what is left to the total percussion. */
static void free_velocity(rattle *r) {
    scree_dense *s = r->s;
    const int n = s->ops->n_u;
    s->ops->force(s->p, s->t + r->options->dt, r->q_next, r->u_half, r->u_free);
    scree_lu_solve(r->frame.M, r->frame.pivot, n, r->u_free);
    for (int i = 0; i < n; ++i)
        r->u_free[i] = r->u_half[i] + 0.5 * r->options->dt * r->u_free[i];
    for (int j = 0; j < s->ops->n_row; ++j)
        for (int i = 0; i < n; ++i)
            r->u_free[i] -= r->frame.X[j * n + i] * r->P1[j];
}

static double restitution_of(const scree_law *law, int row) {
    if (law->kind == SCREE_LAW_CONTACT && row == law->row) return law->e_n;
    return law->kind == SCREE_LAW_CONTACT || law->kind == SCREE_LAW_FRICTION
               ? law->e_f
               : 0.0;
}

/* A contact that restitution turns back, balanced: open at first, or closed and not
 * at rest. */
static bool is_balanced(const rattle *r, int k) {
    const scree_law *law = &r->s->laws[k];
    if (r->options->hits != SCREE_HITS_BALANCED) return false;
    return law->kind == SCREE_LAW_CONTACT && law->e_n > 0 && r->active[k] &&
           (!closed_at_begin(r, k) ||
            fabs(r->gamma_n[law->row]) > 2 * accuracy_of(r));
}

/* Velocities of u at q_n and at q_{n+1}. */
static void gamma_at_both(const rattle *r, const double *u, double *at_begin,
                          double *at_end) {
    scree_dense *s = r->s;
    scree_dense_gamma(s, s->t, s->q, u, at_begin);
    scree_dense_gamma(s, s->t + r->options->dt, r->q_next, u, at_end);
}

/* How much chi of a row changes over the step. */
static double drift_of(const rattle *r, int row) {
    return r->frame.chi[row] - r->frame_n.chi[row];
}

static void balance_first(rattle *r) {
    scree_dense *s = r->s;
    const size_t mark = scree_arena_mark(&s->scratch);
    double *begin = scree_dense_push(s, s->ops->n_row);
    double *end = scree_dense_push(s, s->ops->n_row);
    gamma_at_both(r, r->u_half, begin, end);
    for (int k = 0; k < s->ops->n_law; ++k) {
        if (!is_balanced(r, k)) continue;
        const int i = s->laws[k].row;
        const double drift = drift_of(r, i);
        const scree_hit h = {{r->gamma_n[i], r->gamma_next[i]},
                             {begin[i], end[i] - drift},
                             {drift, drift}};
        r->shift[i] = r->frame.chi[i] - scree_hit_first(&h, s->laws[k].e_n);
    }
    scree_arena_pop(&s->scratch, mark);
}

/* Sets what turns hits back by what the last pass made of them. Must they be solved
 * again? */
static bool balance_again(rattle *r, int pass) {
    scree_dense *s = r->s;
    const size_t mark = scree_arena_mark(&s->scratch);
    double *begin = scree_dense_push(s, s->ops->n_row);
    double *end = scree_dense_push(s, s->ops->n_row);
    bool any = false;
    gamma_at_both(r, s->u, begin, end);
    for (int k = 0; k < s->ops->n_law; ++k) {
        const int i = s->laws[k].row;
        if (!is_balanced(r, k) || s->P[i] <= 0) continue;
        const scree_hit h = {.begin = {r->gamma_n[i], r->gamma_next[i]}};
        const double share = fmin(1, r->P1[i] / s->P[i]);
        const double ends[2] = {begin[i] + drift_of(r, i), end[i]};
        const double next =
            r->frame.chi[i] - scree_hit_next(&h, s->laws[k].e_n, share, ends);
        any |= fabs(next - r->shift[i]) > accuracy_of(r);
        r->shift[i] = next;
    }
    scree_arena_pop(&s->scratch, mark);
    return any && pass < MOST_PASSES;
}

static void measure_velocities(rattle *r) {
    scree_dense *s = r->s;
    scree_dense_gamma(s, s->t + r->options->dt, r->q_next, r->u_n,
                      r->gamma_next);
    for (int i = 0; i < s->ops->n_row; ++i) r->gamma_next[i] -= drift_of(r, i);
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law *law = &s->laws[k];
        for (int i = law->row; i < law->row + scree_law_rows(law); ++i)
            r->shift[i] =
                r->frame.chi[i] + restitution_of(law, i) * r->gamma_n[i];
    }
    balance_first(r);
}

/* The sets of stage 2; tied friction rows take no part of their own. */
static int velocity_sets(const rattle *r) {
    const scree_dense *s = r->s;
    int n = scree_dense_sets(s, r->options->dt, r->active, r->sets);
    for (int i = 0; i < n; ++i) {
        scree_set *set = &r->sets[i];
        for (int k = 0; k < s->ops->n_law; ++k) {
            const scree_law *law = &s->laws[k];
            if (!r->resolved[k] || set->row != friction_row(law)) continue;
            *set = (scree_set){.kind = SCREE_SET_BALL,
                               .row = set->row,
                               .n = law->n_f,
                               .normal = -1}; /* radius 0 */
        }
    }
    return n;
}

static scree_status solve_velocities(rattle *r) {
    scree_dense *s = r->s;
    memcpy(s->u, r->u_free, (size_t)s->ops->n_u * sizeof *s->u);
    add_fixed_friction(r);
    tie_friction(r, 1);
    const scree_dense_inclusion in = {.Jt = r->frame.Wt,
                                      .shift = r->shift,
                                      .X = r->frame.X,
                                      .sets = r->sets,
                                      .n_set = velocity_sets(r),
                                      .u = s->u,
                                      .P = s->P};
    scree_report report;
    TRY(scree_dense_solve(s, &in, r->options, &report, r->error));
    tie_friction(r, -1);
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law *law = &s->laws[k];
        const int row = friction_row(law);
        for (int i = row; r->resolved[k] && i < row + law->n_f; ++i)
            s->P[i] = -reservoir_radius(law, s->P, r->options->dt) * r->slip[i];
    }
    scree_dense_count(s, 1, report.iterations, report.converged,
                      report.singular, report.residual);
    return SCREE_OK;
}

/* A slip that the step turned round was not resolved after all. */
static bool unresolve_reversed(rattle *r) {
    scree_dense *s = r->s;
    const int n = s->ops->n_u;
    bool any = false;
    for (int k = 0; k < s->ops->n_law; ++k) {
        if (!r->resolved[k]) continue;
        const scree_law *law = &s->laws[k];
        double along = 0;
        const int row = friction_row(law);
        for (int i = row; i < row + law->n_f; ++i)
            along += r->slip[i] * (r->frame.chi[i] +
                                   inner_product(&r->frame.Wt[i * n], s->u, n));
        if (along > 0) continue;
        r->resolved[k] = false;
        any = true;
    }
    return any;
}

static scree_status stage_2(rattle *r) {
    scree_dense *s = r->s;
    int pass = 0;
    TRY(scree_dense_frame(s, s->t + r->options->dt, r->q_next, &r->frame));
    find_active(r);
    memset(r->resolved, 0, (size_t)s->ops->n_law);
    if (r->options->friction == SCREE_FRICTION_MIDSLIP) find_resolved(r);
    free_velocity(r);
    measure_velocities(r);
    do TRY(solve_velocities(r));
    while (unresolve_reversed(r) || balance_again(r, pass++));
    return SCREE_OK;
}

static scree_status dense_step(scree_dense *s,
                               const scree_dense_options *options,
                               scree_error *error) {
    rattle r = {.s = s, .options = options, .error = error};
    if (!allocate_work(&r)) return SCREE_OUT_OF_MEMORY;
    TRY(stage_1(&r));
    TRY(stage_2(&r));
    memcpy(s->q, r.q_next, (size_t)s->ops->n_q * sizeof *s->q);
    if (s->ops->normalise) s->ops->normalise(s->p, s->q);
    memcpy(s->g, r.g_next, (size_t)s->ops->n_law * sizeof *s->g);
    s->t += options->dt;
    s->dt = options->dt;
    return SCREE_OK;
}

/* Many bodies: the same stages, matrix-free (engine/rattle/world_rattle.c). */
static scree_status step_rattle(const scree_system *system,
                                const scree_step_options *options) {
    TRY(system->ops->position_stage(system->self, options->dt));
    return system->ops->velocity_stage(system->self, options->dt);
}

const scree_stepper_ops scree_stepper_rattle = {
    .name = "rattle",
    .about = "nonsmooth RATTLE, second order, no penetration, two stages",
    .forces = true,
    .step = step_rattle,
    .dense_step = dense_step,
};
