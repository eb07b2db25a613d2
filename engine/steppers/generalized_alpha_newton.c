/* generalized_alpha_newton.c: Newton's method for the velocities u and v of a step, in which
 * the laws on positions, velocities and accelerations are three linear inclusions in turn
 * (generalized_alpha.c). */
#include <math.h>
#include <string.h>

#include "engine/steppers/generalized_alpha.h"
#include "solvers/dense/semismooth.h"

typedef scree_alpha_step step;
typedef scree_alpha_point point;

enum { MOST_ROUNDS = 50, KINEMATIC_ROUNDS = 50 };
/* Rounds after which what was closed stays so. Friction moves positions too: where it opens
 * the gap that it needs, the laws have no solution, and rounds would go to and fro. */
enum { LATCH = 12 };

static double largest_of(const double *x, int n) {
    double most = 0;
    for (int i = 0; i < n; ++i) most = fmax(most, fabs(x[i]));
    return most;
}

void scree_alpha_add(double *x, const double *X, const double *P, int m, int n,
                     double sign) {
    for (int j = 0; j < m; ++j)
        for (int i = 0; i < n; ++i) x[i] += sign * P[j] * X[j * n + i];
}

static bool push_frame(scree_dense *s, scree_frame *f) {
    const int n = s->ops->n_u, m = s->ops->n_row;
    f->M = scree_dense_push(s, n * n);
    f->Wt = scree_dense_push(s, m * n);
    f->chi = scree_dense_push(s, m);
    f->X = scree_dense_push(s, m * n);
    return SCREE_PUSH(&s->scratch, f->pivot, n) && f->M && f->Wt && f->chi &&
           f->X;
}

bool scree_alpha_push_point(scree_dense *s, point *at) {
    at->q = scree_dense_push(s, s->ops->n_q);
    at->free = scree_dense_push(s, s->ops->n_u);
    at->gamma = scree_dense_push(s, s->ops->n_row);
    at->g = scree_dense_push(s, s->ops->n_law);
    return push_frame(s, &at->frame) && at->q && at->free && at->gamma && at->g;
}

/* ---- at one (u, v) ------------------------------------------------------------- */

/* q(v), by fixed point where the kinematics depend on q. */
static void end_position(step *w, const double *v, double *q) {
    scree_dense *s = w->s;
    const int n_q = s->ops->n_q;
    const size_t mark = scree_arena_mark(&s->scratch);
    double *rate_n = scree_dense_push(s, n_q), *rate = scree_dense_push(s, n_q);
    scree_dense_kinematics(s, s->t, s->q, v, rate_n);
    for (int i = 0; i < n_q; ++i) q[i] = s->q[i] + w->dt * rate_n[i];
    double change = s->ops->kinematics ? INFINITY : 0, last = INFINITY;
    for (int k = 0; k < KINEMATIC_ROUNDS && change > 0; ++k) {
        scree_dense_kinematics(s, s->t + w->dt, q, v, rate);
        change = 0;
        for (int i = 0; i < n_q; ++i) {
            const double next = s->q[i] + 0.5 * w->dt * (rate_n[i] + rate[i]);
            change = fmax(change, fabs(next - q[i]));
            q[i] = next;
        }
        if (change >= last) break; /* down to rounding */
        last = change;
    }
    scree_arena_pop(&s->scratch, mark);
}

/* What depends on u alone, at the position of the point. */
static void see_velocity(step *w, const double *u, point *at) {
    scree_dense *s = w->s;
    const int n = s->ops->n_u;
    s->ops->force(s->p, at->t, at->q, u, at->free);
    scree_lu_solve(at->frame.M, at->frame.pivot, n, at->free);
    memcpy(at->gamma, at->frame.chi, (size_t)s->ops->n_row * sizeof *u);
    for (int i = 0; i < s->ops->n_row; ++i)
        for (int k = 0; k < n; ++k)
            at->gamma[i] += at->frame.Wt[i * n + k] * u[k];
}

/* At the time and position of the point. False: M is singular. */
bool scree_alpha_see(step *w, const double *u, point *at) {
    scree_dense *s = w->s;
    const int n = s->ops->n_u, m = s->ops->n_row;
    scree_frame *f = &at->frame;
    s->ops->mass(s->p, at->t, at->q, f->M);
    if (!scree_lu_factor(f->M, f->pivot, n)) return false;
    scree_dense_rows(s, at->t, at->q, f->Wt, f->chi);
    scree_dense_gaps(s, at->t, at->q, at->g);
    memcpy(f->X, f->Wt, (size_t)(m * n) * sizeof *f->X);
    for (int i = 0; i < m; ++i) scree_lu_solve(f->M, f->pivot, n, &f->X[i * n]);
    see_velocity(w, u, at);
    return true;
}

static bool see_point(step *w, const double *u, const double *v, point *at) {
    at->t = w->s->t + w->dt;
    end_position(w, v, at->q);
    return scree_alpha_see(w, u, at);
}

/* What forces and the percussions of the iterate add to u_known and v_known, (2 n_u). */
static void find_pushes(const step *w, const point *at, double *push) {
    const scree_dense *s = w->s;
    const scree_alpha *al = &w->alpha;
    const int n = s->ops->n_u;
    for (int i = 0; i < n; ++i) {
        push[i] = w->dt * al->gamma * al->share * at->free[i];
        push[n + i] = w->dt * al->beta * al->share * at->free[i];
    }
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law *law = &s->laws[k];
        for (int j = law->row; j < law->row + scree_law_rows(law); ++j) {
            const double P = w->P[j] - w->P_known[j];
            const double Q = scree_alpha_is_gap(law, j)
                                 ? w->K[j] - w->K_known[j]
                                 : 0.5 * P + (al->beta - 0.5 * al->gamma) *
                                                 al->share * w->L[j];
            const double *X = &at->frame.X[j * n];
            for (int i = 0; i < n; ++i) push[i] += P * X[i];
            for (int i = 0; i < n; ++i) push[n + i] += Q * X[i];
        }
    }
}

/* Defect of both equations of motion, from the pushes that are there. */
static void momentum_defect(const step *w, double *push) {
    const int n = w->s->ops->n_u;
    for (int i = 0; i < n; ++i) {
        push[i] = w->u[i] - w->u_known[i] - push[i];
        push[n + i] = w->v[i] - w->v_known[i] - push[n + i];
    }
}

/* ---- how far from a solution ------------------------------------------------- */

/* Natural map of one level: rho is what its laws measure with the percussions P. */
static double natural_residual(step *w, const double *X, const double *rho,
                               double *P, int n_set) {
    scree_dense *s = w->s;
    const int n = s->ops->n_u, m = s->ops->n_row;
    const size_t mark = scree_arena_mark(&s->scratch);
    scree_delassus d = {.n = m,
                        .G = scree_dense_push(s, m * m),
                        .b = scree_dense_push(s, m),
                        .P = P,
                        .n_set = n_set,
                        .sets = w->sets};
    double worst = INFINITY;
    if (d.G && d.b) {
        for (int i = 0; i < m; ++i) {
            d.b[i] = rho[i];
            for (int j = 0; j < m; ++j) {
                double G = 0;
                for (int k = 0; k < n; ++k)
                    G += w->at.frame.Wt[i * n + k] * X[j * n + k];
                d.G[i * m + j] = G;
                d.b[i] -= G * P[j]; /* so that xi = G P + b = rho */
            }
        }
        worst = scree_delassus_residual(&d, &s->scratch);
    }
    scree_arena_pop(&s->scratch, mark);
    return worst;
}

static double restitution_of(const scree_law *law, int row) {
    if (law->kind == SCREE_LAW_CONTACT && row == law->row) return law->e_n;
    return law->kind == SCREE_LAW_CONTACT || law->kind == SCREE_LAW_FRICTION
               ? law->e_f
               : 0.0;
}

/* What the laws on positions measure, g / dt, and those on velocities, xi. */
static void measure_laws(step *w, const point *at, double *gaps, double *xi) {
    const scree_dense *s = w->s;
    memset(gaps, 0, (size_t)s->ops->n_row * sizeof *gaps);
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law *law = &s->laws[k];
        if (scree_law_has_gap(law)) gaps[law->row] = at->g[k] / w->dt;
        for (int i = law->row; i < law->row + scree_law_rows(law); ++i)
            xi[i] = at->gamma[i] + restitution_of(law, i) * w->gamma_n[i];
    }
}

/* Friction that is tied is right by construction, and takes no part. */
static void drop_tied(const step *w, double *P) {
    const scree_dense *s = w->s;
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law *law = &s->laws[k];
        const int row = scree_alpha_friction_row(law);
        for (int i = row; w->tied[k] && i < row + law->n_f; ++i) P[i] = 0;
    }
}

static double worst_violation(step *w, double *gaps, double *xi,
                              double *defect) {
    scree_dense *s = w->s;
    const int n = s->ops->n_u, m = s->ops->n_row;
    find_pushes(w, &w->at, defect);
    momentum_defect(w, defect);
    const double worst = largest_of(defect, 2 * n);
    if (!m) return worst;
    const size_t mark = scree_arena_mark(&s->scratch);
    double *P = scree_dense_push(s, m), *X = scree_dense_push(s, m * n);
    if (!P || !X) return INFINITY;
    measure_laws(w, &w->at, gaps, xi);
    double of_K = natural_residual(w, w->at.frame.X, gaps, w->K,
                                   scree_alpha_position_sets(w));
    memcpy(P, w->P, (size_t)m * sizeof *P);
    memcpy(X, w->at.frame.X, (size_t)(m * n) * sizeof *X);
    memcpy(w->ties, w->tied, (size_t)s->ops->n_law * sizeof *w->ties);
    drop_tied(w, P);
    scree_alpha_tie(w, X, 1);
    const double of_P =
        natural_residual(w, X, xi, P, scree_alpha_velocity_sets(w));
    scree_arena_pop(&s->scratch, mark);
    return fmax(worst, fmax(of_K, of_P));
}

/* ---- one round of Newton's method ------------------------------------------------ */

typedef struct slope {
    double *J; /* (2 n_u x 2 n_u) d defects / d (u, v), factored */
    int *pivot;
    double *gaps;  /* (n_row x n_u) d (g / dt) / d v */
    double *gamma; /* (n_row x n_u) d gamma / d v */
    /* What unit percussions give u and v: of velocities, of positions. */
    double *u_of_P, *v_of_P, *u_of_K, *v_of_K; /* (n_row x n_u) */
} slope;

static bool push_slope(scree_dense *s, slope *d) {
    const int n = s->ops->n_u, m = s->ops->n_row;
    double **of_rows[] = {&d->gaps,   &d->gamma,  &d->u_of_P,
                          &d->v_of_P, &d->u_of_K, &d->v_of_K};
    bool have = (d->J = scree_dense_push(s, 4 * n * n)) != NULL;
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; ++i)
        have &= (*of_rows[i] = scree_dense_push(s, m * n)) != NULL;
    return have && SCREE_PUSH(&s->scratch, d->pivot, 2 * n);
}

scree_status scree_alpha_singular(const step *w) {
    return scree_fail(
        w->error, SCREE_UNSUPPORTED,
        "generalized-alpha: the mass matrix of model '%s', or the "
        "Jacobian of its step, is singular at t = %g s",
        w->s->ops->name, w->s->t);
}

/* Step of the forward differences: root of the rounding unit. */
static double difference_step(double x) {
    return 1.5e-8 * fmax(1.0, fabs(x));
}

/* Column of v[k]: the identity less what pushes change by; gaps and velocities. */
static bool position_column(step *w, int k, point *beside, double *moved,
                            const double *push, slope *d) {
    const scree_dense *s = w->s;
    const int n = s->ops->n_u;
    const double keep = w->v[k], eps = difference_step(keep);
    w->v[k] = keep + eps;
    const bool regular = see_point(w, w->u, w->v, beside);
    if (regular) find_pushes(w, beside, moved);
    w->v[k] = keep;
    for (int i = 0; i < 2 * n; ++i)
        d->J[i * 2 * n + n + k] = (i == n + k) - (moved[i] - push[i]) / eps;
    for (int l = 0; l < s->ops->n_law; ++l) {
        const scree_law *law = &s->laws[l];
        for (int i = law->row; i < law->row + scree_law_rows(law); ++i) {
            d->gamma[i * n + k] = (beside->gamma[i] - w->at.gamma[i]) / eps;
            d->gaps[i * n + k] =
                scree_alpha_is_gap(law, i)
                    ? (beside->g[l] - w->at.g[l]) / (w->dt * eps)
                    : 0;
        }
    }
    return regular;
}

/* Column of u[k], at the position of the iterate: `beside` has its frame. */
static void velocity_column(step *w, int k, point *beside, double *moved,
                            const double *push, slope *d) {
    const int n = w->s->ops->n_u;
    const double keep = w->u[k], eps = difference_step(keep);
    w->u[k] = keep + eps;
    see_velocity(w, w->u, beside);
    find_pushes(w, beside, moved);
    w->u[k] = keep;
    for (int i = 0; i < 2 * n; ++i)
        d->J[i * 2 * n + k] = (i == k) - (moved[i] - push[i]) / eps;
}

static void percussion_columns(step *w, double *column, slope *d) {
    const scree_dense *s = w->s;
    const int n = s->ops->n_u;
    const size_t bytes = (size_t)n * sizeof *column;
    for (int l = 0; l < s->ops->n_law; ++l) {
        const scree_law *law = &s->laws[l];
        for (int j = law->row; j < law->row + scree_law_rows(law); ++j) {
            const double *X = &w->at.frame.X[j * n];
            const bool gap = scree_alpha_is_gap(law, j);
            memcpy(column, X, bytes);
            for (int i = 0; i < n; ++i) column[n + i] = gap ? 0 : 0.5 * X[i];
            scree_lu_solve(d->J, d->pivot, 2 * n, column);
            memcpy(&d->u_of_P[j * n], column, bytes);
            memcpy(&d->v_of_P[j * n], column + n, bytes);
            memset(column, 0, 2 * bytes);
            if (gap) memcpy(column + n, X, bytes);
            if (gap) scree_lu_solve(d->J, d->pivot, 2 * n, column);
            memcpy(&d->u_of_K[j * n], column, bytes);
            memcpy(&d->v_of_K[j * n], column + n, bytes);
        }
    }
}

static scree_status linearise_step(step *w, slope *d) {
    scree_dense *s = w->s;
    const int n = s->ops->n_u;
    const size_t mark = scree_arena_mark(&s->scratch);
    point beside = {0}, here = w->at;
    double *moved = scree_dense_push(s, 2 * n);
    double *push = scree_dense_push(s, 2 * n);
    if (!moved || !push || !scree_alpha_push_point(s, &beside))
        return SCREE_OUT_OF_MEMORY;
    find_pushes(w, &w->at, push);
    bool regular = true;
    for (int k = 0; k < n; ++k)
        regular &= position_column(w, k, &beside, moved, push, d);
    here.free = beside.free, here.gamma = beside.gamma;
    for (int k = 0; k < n; ++k) velocity_column(w, k, &here, moved, push, d);
    regular = regular && scree_lu_factor(d->J, d->pivot, 2 * n);
    if (regular) percussion_columns(w, moved, d);
    scree_arena_pop(&s->scratch, mark);
    return regular ? SCREE_OK : scree_alpha_singular(w);
}

/* K and with it v and u: gaps at the end are closed or open. */
static scree_status solve_positions(step *w, const slope *d, const double *gaps,
                                    const double *v_old, scree_report *report) {
    scree_dense *s = w->s;
    const int n = s->ops->n_u, m = s->ops->n_row;
    const size_t mark = scree_arena_mark(&s->scratch);
    double *shift = scree_dense_push(s, m), *K_old = scree_dense_push(s, m);
    if (!shift || !K_old) return SCREE_OUT_OF_MEMORY;
    memcpy(K_old, w->K, (size_t)m * sizeof *K_old);
    scree_alpha_add(w->v, d->v_of_K, w->K, m, n, -1);
    for (int i = 0; i < m; ++i) {
        shift[i] = gaps[i];
        for (int k = 0; k < n; ++k) shift[i] -= d->gaps[i * n + k] * v_old[k];
    }
    const scree_dense_inclusion in = {.Jt = d->gaps,
                                      .shift = shift,
                                      .X = d->v_of_K,
                                      .sets = w->sets,
                                      .n_set = scree_alpha_position_sets(w),
                                      .u = w->v,
                                      .P = w->K};
    TRY(scree_dense_solve(s, &in, w->options, report, w->error));
    for (int l = 0; l < s->ops->n_law; ++l)
        w->closed[l] = !scree_law_has_gap(&s->laws[l]) ||
                       s->mode[s->laws[l].row] == 0 ||
                       (w->closed[l] && w->round > LATCH);
    for (int i = 0; i < m; ++i) K_old[i] = w->K[i] - K_old[i];
    scree_alpha_add(w->u, d->u_of_K, K_old, m, n, 1);
    scree_arena_pop(&s->scratch, mark);
    return SCREE_OK;
}

/* The percussions that are known before the solve: of tied friction. */
static void add_turned(step *w, const slope *d) {
    const scree_dense *s = w->s;
    const int n = s->ops->n_u;
    for (int k = 0; k < s->ops->n_law; ++k) {
        const scree_law *law = &s->laws[k];
        const int row = scree_alpha_friction_row(law);
        for (int i = row; w->tied[k] && i < row + law->n_f; ++i) {
            const double P = scree_alpha_turned(w, law, i);
            for (int c = 0; c < n; ++c) w->u[c] += P * d->u_of_P[i * n + c];
        }
    }
}

/* P and with it u and v, in the velocities that the new positions measure. */
static scree_status solve_velocities(step *w, slope *d, const double *xi,
                                     const double *u_old, const double *v_old,
                                     scree_report *report) {
    scree_dense *s = w->s;
    const int n = s->ops->n_u, m = s->ops->n_row;
    const size_t mark = scree_arena_mark(&s->scratch);
    double *shift = scree_dense_push(s, m), *P_old = scree_dense_push(s, m);
    if (!shift || !P_old) return SCREE_OUT_OF_MEMORY;
    memcpy(P_old, w->P, (size_t)m * sizeof *P_old);
    scree_alpha_add(w->u, d->u_of_P, w->P, m, n, -1);
    memcpy(w->ties, w->tied, (size_t)s->ops->n_law * sizeof *w->ties);
    add_turned(w, d);
    drop_tied(w, w->P);
    for (int i = 0; i < m; ++i) {
        shift[i] = xi[i];
        for (int k = 0; k < n; ++k)
            shift[i] += d->gamma[i * n + k] * (w->v[k] - v_old[k]) -
                        w->at.frame.Wt[i * n + k] * u_old[k];
    }
    scree_alpha_tie(w, d->u_of_P, 1);
    const scree_dense_inclusion in = {.Jt = w->at.frame.Wt,
                                      .shift = shift,
                                      .X = d->u_of_P,
                                      .sets = w->sets,
                                      .n_set = scree_alpha_velocity_sets(w),
                                      .u = w->u,
                                      .P = w->P};
    TRY(scree_dense_solve(s, &in, w->options, report, w->error));
    memcpy(w->mode, s->mode, (size_t)m * sizeof *w->mode);
    scree_alpha_tied_friction(w);
    for (int i = 0; i < m; ++i) P_old[i] = w->P[i] - P_old[i];
    scree_alpha_add(w->v, d->v_of_P, P_old, m, n, 1);
    scree_arena_pop(&s->scratch, mark);
    return SCREE_OK;
}

static scree_status newton_round(step *w, const double *gaps, const double *xi,
                                 double *defect, bool *singular) {
    scree_dense *s = w->s;
    const int n = s->ops->n_u;
    const size_t mark = scree_arena_mark(&s->scratch);
    slope d = {0};
    scree_report of_K = {0}, of_P = {0};
    double *u_old = scree_dense_push(s, n), *v_old = scree_dense_push(s, n);
    if (!push_slope(s, &d) || !u_old || !v_old) return SCREE_OUT_OF_MEMORY;
    TRY(linearise_step(w, &d));
    memcpy(u_old, w->u, (size_t)n * sizeof *u_old);
    memcpy(v_old, w->v, (size_t)n * sizeof *v_old);
    scree_lu_solve(d.J, d.pivot, 2 * n, defect);
    for (int i = 0; i < n; ++i) w->u[i] -= defect[i], w->v[i] -= defect[n + i];
    TRY(solve_positions(w, &d, gaps, v_old, &of_K));
    TRY(solve_velocities(w, &d, xi, u_old, v_old, &of_P));
    *singular |= of_K.singular || of_P.singular;
    scree_arena_pop(&s->scratch, mark);
    return SCREE_OK;
}

/* From the iterate to the solution: at most MOST_ROUNDS. */
scree_status scree_alpha_solve(step *w, scree_report *total) {
    scree_dense *s = w->s;
    const int n = s->ops->n_u, m = s->ops->n_row;
    double *gaps = scree_dense_push(s, m), *xi = scree_dense_push(s, m);
    double *defect = scree_dense_push(s, 2 * n);
    if (!gaps || !xi || !defect) return SCREE_OUT_OF_MEMORY;
    /* As in position_stage.c: relative to the velocities, not below rounding. */
    const double tolerance = w->options->tolerance * (1 + largest_of(s->u, n));
    const double rounding = 8 * 0x1p-52 * largest_of(s->q, s->ops->n_q) / w->dt;
    bool done = false;
    double worst = INFINITY, last;
    int k = -1;
    do {
        w->round = ++k;
        if (k > 0) TRY(newton_round(w, gaps, xi, defect, &total->singular));
        if (!see_point(w, w->u, w->v, &w->at)) return scree_alpha_singular(w);
        scree_alpha_directions(w);
        if (k > 0) TRY(scree_alpha_accelerate(w, w->u));
        if (k > 0) scree_alpha_tied_friction(w);
        last = worst;
        worst = worst_violation(w, gaps, xi, defect);
        done = worst <= tolerance || (worst <= rounding && worst > 0.5 * last);
        done = done && k > 0;
    } while (!done && isfinite(worst) && k < MOST_ROUNDS);
    total->iterations += k;
    total->converged = done, total->residual = worst;
    return SCREE_OK;
}
