/* generalized_alpha.c: the nonsmooth generalized-alpha scheme of Capobianco, Harsch, Eugster
 * and Leine 2021, after Bruels, Acary and Cardona 2014 and Arnold and Bruels 2007.
 *
 *     (1 - m) a*_{n+1} + m a*_n = (1 - f) a_{n+1} + f a_n
 *     u_{n+1} = u_n + dt ((1 - gamma) a*_n + gamma a*_{n+1}) + U
 *     v       = u_n + dt ((1/2 - beta) a*_n + beta a*_{n+1}) + Q / dt
 *     q_{n+1} = q_n + dt/2 (qdot(t_n, q_n, v) + qdot(t_{n+1}, q_{n+1}, v))
 *     M a = h + W lambda,   M U = W Lambda,   M Q = W_g kappa + dt/2 W_F Lambda_F
 *
 * all of them at t_{n+1}, with m, f, gamma, beta of the spectral radius rho_inf at infinite
 * frequency. lambda* follows lambda as a* follows a. Laws act on three levels:
 *     g(q_{n+1})                       against  K = kappa / dt + dt (1/2 - beta, beta) lambda*
 *     gamma(u_{n+1}) + e gamma(u_n)    against  P = Lambda + dt (1 - gamma, gamma) lambda*
 *     gamma'(a_{n+1})                  against  lambda
 * each where the one above holds: no gap opens below zero, no velocity drifts, impacts obey
 * Newton's law, and closed contacts have forces of second order. Friction that slips is
 * mu lambda_N against the slip.
 *
 * In K and P the levels come apart. With the forces that h makes alone, free = M^-1 h, and
 * the known parts of P and K (those of lambda* at t_n),
 *     u = u_known + dt gamma c free + M^-1 W (P - P_known)
 *     v = v_known + dt beta c free + M^-1 W_g (K - K_known)
 *         + M^-1 W_F ((P - P_known) / 2 + dt (beta - gamma / 2) c lambda_F),
 * c = (1 - f) / (1 - m): lambda_{n+1} does not act on u and v but for the last term. So a step
 * is Newton's method for (u, v), in which positions, velocities and accelerations are three
 * linear inclusions in turn, as in RATTLE: redundant contacts are the inner solver's business.
 * Jacobians are by forward differences, 2 n_u evaluations each.
 *
 * Order 2 in q and u while no law changes its mode; events are first order.
 * friction: midslip. The law of P makes the whole friction point against the end velocity,
 * first order once the slip turns (as in rattle.c). Where a contact stays closed and slips it
 * is asked of Lambda instead: the mean of lambda turns with the slip, and the rest is small.
 *
 * Deviations from the paper: q_{n+1} by RATTLE's rule, which keeps unit quaternions, in place
 * of a Taylor step; a contact that restitution has thrown back has no lambda. */
#include "engine/steppers/generalized_alpha.h"

#include <math.h>
#include <string.h>

#include "engine/steppers/lobatto_world.h"
#include "engine/system/stepper.h"

typedef scree_alpha_step step;
typedef scree_alpha_point point;

/* Times that marks of smooth slip are tried. */
enum { MOST_PASSES = 4 };

scree_alpha scree_alpha_of(double rho_inf) {
    scree_alpha alpha = {.m = (2 * rho_inf - 1) / (rho_inf + 1),
                         .f = rho_inf / (rho_inf + 1)};
    alpha.gamma = 0.5 + alpha.f - alpha.m;
    alpha.beta = 0.25 * (0.5 + alpha.gamma) * (0.5 + alpha.gamma);
    alpha.share = (1 - alpha.f) / (1 - alpha.m);
    return alpha;
}

/* ---- memory ------------------------------------------------------------------ */

/* A word that says that the history is one of this scheme, the time that it is of, then
 * a, a*, lambda, lambda*. */
enum { WORD, TIME, N_WORD };
static const double KEPT = 2021;

bool scree_alpha_find_history(scree_dense *s, scree_alpha_history *history) {
    const int n = s->ops->n_u, m = s->ops->n_row;
    if (s->n_history < N_WORD + 2 * (int64_t)(n + m)) return false;
    history->a = s->history + N_WORD;
    history->a_mean = history->a + n;
    history->lambda = history->a_mean + n;
    history->lambda_mean = history->lambda + m;
    return true;
}

void scree_alpha_mark_history(scree_dense *s, bool kept) {
    s->history[WORD] = kept ? KEPT : 0;
    s->history[TIME] = s->t;
}

static bool push_step(step *w) {
    scree_dense *s = w->s;
    const int n = s->ops->n_u, m = s->ops->n_row, n_law = s->ops->n_law;
    double **of_u[] = {&w->u_known, &w->v_known, &w->u, &w->v};
    double **of_rows[] = {&w->gamma_n, &w->P_known, &w->K_known,
                          &w->K,       &w->L,       &w->slip};
    bool have = scree_alpha_push_point(s, &w->at);
    for (size_t i = 0; i < sizeof of_u / sizeof *of_u; ++i)
        have &= (*of_u[i] = scree_dense_push(s, n)) != NULL;
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; ++i)
        have &= (*of_rows[i] = scree_dense_push(s, m)) != NULL;
    w->g_n = scree_dense_push(s, n_law);
    w->P = s->P;
    return have && w->g_n && SCREE_PUSH(&s->scratch, w->sets, m) &&
           SCREE_PUSH(&s->scratch, w->mode, m) &&
           SCREE_PUSH(&s->scratch, w->closed, n_law) &&
           SCREE_PUSH(&s->scratch, w->tied, n_law) &&
           SCREE_PUSH(&s->scratch, w->ties, n_law);
}

/* ---- one step ------------------------------------------------------------------ */

static void add_forces(step *w) {
    const int m = w->s->ops->n_row;
    for (int j = 0; j < m; ++j) w->L[j] /= w->dt;
    scree_alpha_add(w->at.free, w->at.frame.X, w->L, m, w->s->ops->n_u, 1);
}

/* A history where there is none: the accelerations of the state at t_n. */
static scree_status begin_history(step *w) {
    scree_dense *s = w->s;
    const size_t of_u = (size_t)s->ops->n_u * sizeof *w->kept.a;
    const size_t of_rows = (size_t)s->ops->n_row * sizeof *w->L;
    w->at.t = s->t;
    memcpy(w->at.q, s->q, (size_t)s->ops->n_q * sizeof *s->q);
    memset(w->L, 0, of_rows), memset(w->gamma_n, 0, of_rows);
    if (!scree_alpha_see(w, s->u, &w->at)) return scree_alpha_singular(w);
    scree_alpha_directions(w);
    scree_alpha_guess_modes(w, s->u);
    TRY(scree_alpha_accelerate(w, s->u));
    add_forces(w);
    memcpy(w->kept.a, w->at.free, of_u),
        memcpy(w->kept.a_mean, w->at.free, of_u);
    memcpy(w->kept.lambda, w->L, of_rows),
        memcpy(w->kept.lambda_mean, w->L, of_rows);
    return SCREE_OK;
}

static void begin_step(step *w) {
    scree_dense *s = w->s;
    const scree_alpha *al = &w->alpha;
    const int n = s->ops->n_u, m = s->ops->n_row;
    for (int i = 0; i < n; ++i) {
        const double known =
            scree_alpha_known(al, w->kept.a[i], w->kept.a_mean[i]);
        w->u_known[i] = s->u[i] + w->dt * ((1 - al->gamma) * w->kept.a_mean[i] +
                                           al->gamma * known);
        w->v_known[i] =
            s->u[i] +
            w->dt * ((0.5 - al->beta) * w->kept.a_mean[i] + al->beta * known);
    }
    for (int i = 0; i < m; ++i) {
        const double mean = w->kept.lambda_mean[i];
        const double known = scree_alpha_known(al, w->kept.lambda[i], mean);
        w->P_known[i] = w->dt * ((1 - al->gamma) * mean + al->gamma * known);
        w->K_known[i] = w->dt * ((0.5 - al->beta) * mean + al->beta * known);
        w->L[i] = w->P[i] = w->dt * w->kept.lambda[i];
        w->K[i] = 0.5 * w->P[i];
        w->mode[i] = 0;
    }
    memcpy(w->u, s->u, (size_t)n * sizeof *w->u);
    memcpy(w->v, s->u, (size_t)n * sizeof *w->v);
    scree_dense_gaps(s, s->t, s->q, w->g_n);
    scree_dense_gamma(s, s->t, s->q, s->u, w->gamma_n);
    for (int k = 0; k < s->ops->n_law; ++k)
        w->closed[k] = true, w->tied[k] = w->ties[k] = false;
}

static double next_mean(const scree_alpha *alpha, double x, double x_next,
                        double mean) {
    return scree_alpha_known(alpha, x, mean) + alpha->share * x_next;
}

static void keep_history(step *w) {
    const scree_dense *s = w->s;
    const int n = s->ops->n_u, m = s->ops->n_row;
    const double *a = w->at.free;
    add_forces(w);
    for (int i = 0; i < n; ++i) {
        w->kept.a_mean[i] =
            next_mean(&w->alpha, w->kept.a[i], a[i], w->kept.a_mean[i]);
        w->kept.a[i] = a[i];
    }
    for (int j = 0; j < m; ++j) {
        w->kept.lambda_mean[j] = next_mean(&w->alpha, w->kept.lambda[j],
                                           w->L[j], w->kept.lambda_mean[j]);
        w->kept.lambda[j] = w->L[j];
    }
}

static void finish_step(step *w, const scree_report *report) {
    scree_dense *s = w->s;
    scree_dense_count(s, 0, report->iterations, report->converged,
                      report->singular, report->residual);
    keep_history(w);
    memcpy(s->q, w->at.q, (size_t)s->ops->n_q * sizeof *s->q);
    memcpy(s->u, w->u, (size_t)s->ops->n_u * sizeof *s->u);
    if (s->ops->normalise) s->ops->normalise(s->p, s->q);
    memcpy(s->g, w->at.g, (size_t)s->ops->n_law * sizeof *s->g);
    memcpy(s->P_first, w->K, (size_t)s->ops->n_row * sizeof *w->K);
    memcpy(s->mode, w->mode, (size_t)s->ops->n_row * sizeof *w->mode);
    s->t += w->dt;
    s->dt = w->dt;
    scree_alpha_mark_history(s, true);
}

/* Where slip turns smoothly its friction is tied to the forces, and solved again. */
static scree_status turn_slip(step *w, scree_report *report) {
    if (!report->converged || !scree_alpha_mark_slip(w)) return SCREE_OK;
    for (int pass = 0; pass < MOST_PASSES; ++pass) {
        TRY(scree_alpha_solve(w, report));
        if (report->converged && !scree_alpha_unmark_slip(w)) return SCREE_OK;
        if (!report->converged) break;
    }
    memset(w->tied, 0, (size_t)w->s->ops->n_law * sizeof *w->tied);
    return scree_alpha_solve(w, report);
}

static scree_status dense_step(scree_dense *s,
                               const scree_dense_options *options,
                               scree_error *error) {
    step w = {.s = s,
              .options = options,
              .error = error,
              .dt = options->dt,
              .alpha = scree_alpha_of(options->rho_inf)};
    scree_report report = {0};
    if (!(options->rho_inf >= 0 && options->rho_inf <= 1))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "rho_inf = %g must be 0 to 1", options->rho_inf);
    if (!push_step(&w)) return SCREE_OUT_OF_MEMORY;
    if (!scree_alpha_find_history(s, &w.kept))
        return scree_fail(error, SCREE_UNSUPPORTED,
                          "generalized-alpha: no room for a history of model "
                          "'%s'",
                          s->ops->name);
    if (s->history[WORD] != KEPT || s->history[TIME] != s->t)
        TRY(begin_history(&w));
    begin_step(&w);
    TRY(scree_alpha_solve(&w, &report));
    if (options->friction == SCREE_FRICTION_MIDSLIP)
        TRY(turn_slip(&w, &report));
    finish_step(&w, &report);
    return SCREE_OK;
}

const scree_stepper_ops scree_stepper_generalized_alpha = {
    .name = "generalized-alpha",
    .about = "nonsmooth generalized-alpha, second order, numerical dissipation "
             "by rho_inf",
    .dense_step = dense_step,
    .world_step = scree_world_lobatto,
    .remembers = true,
    .history_per_dof = 2,
};
