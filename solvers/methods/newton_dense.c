/* newton_dense.c: semismooth Newton with an active set (Alart and Curnier).
 *
 * Where x = P - rho xi lies decides the branch of each set, and with it the
 * equation of each of its rows:
 *
 *     half line   x > 0:       xi = 0      else P = 0
 *     interval    lo < x < hi: xi = 0      else P = lo or P = hi
 *     ball        |x| < a:     xi_F = 0    else P_F = (mu P_N + radius) e,
 *                                               e = x / |x|
 *     free        xi = 0
 *     zero        P = 0
 *
 * The radius a that decides is that of the projected normal x_N, not of P_N, so
 * that friction and normal close in the same iteration; a <= 0 is the point 0
 * and never sticks. In slip the derivative of e is
 * (I - e e^T) / |x| (dP_F - rho G_F dP), and that of the radius mu dP_N. All
 * equations but slip in two or more components are linear, so that the right
 * branches end the search in one step. rho is in none of the solutions.
 *
 * A singular Jacobian (redundant contacts, stick directions that coincide)
 * takes the least-norm step. Full steps may circle: after PATIENCE iterations
 * without progress prox Gauss-Seidel goes on from the best iterate, and Newton
 * polishes what it finds. If that circles again, proximal points P_k follow:
 * solutions of
 *
 *     xi + alpha (P - P_k) / rho,   alpha -> 0,
 *
 * which is regular whatever the contacts, and has the solution as fixed point.
 * All three are reported as `singular`. report->iterations counts Newton steps;
 * one costs n^3. */
#include "solvers/dense/delassus_sets.h"
#include "solvers/dense/semismooth.h"
#include "solvers/problem/method.h"

#include "engine/base/error.h"

enum { PATIENCE = 8, FIRST_SWEEPS = 64, MOST_SWEEPS = 1024, MOST_POINTS = 200 };
static const double PROGRESS = 0.9;
static const double FIRST_ALPHA = 0.1, LEAST_ALPHA = 1e-4, POINT = 0.01;

typedef struct newton {
    scree_delassus *d;
    scree_arena *scratch;
    double *rho;   /* (n_set) */
    double *scale; /* (n) sqrt(rho): J and P with one unit */
    int *owner;    /* (n) set of each row */
    double *xi;    /* (n) */
    double *J;     /* (n x n) */
    double *LU;    /* (n x n) */
    double *F;     /* (n) */
    int *pivot;    /* (n) */
    double *best;  /* (n) P of the least residual */
    double best_residual;
    int since_best;
    double *b, *diagonal; /* (n) of d while a proximal term is in it */
    double *kept;         /* (n) P of the best proximal point */
} newton;

static bool allocate_newton(newton *w) {
    scree_arena *to = w->scratch;
    const size_t n = (size_t)w->d->n;
    return SCREE_PUSH(to, w->rho, w->d->n_set) && SCREE_PUSH(to, w->scale, n) &&
           SCREE_PUSH(to, w->owner, n) && SCREE_PUSH(to, w->xi, n) &&
           SCREE_PUSH(to, w->J, n * n) && SCREE_PUSH(to, w->LU, n * n) &&
           SCREE_PUSH(to, w->F, n) && SCREE_PUSH(to, w->pivot, n) &&
           SCREE_PUSH(to, w->best, n) && SCREE_PUSH(to, w->b, n) &&
           SCREE_PUSH(to, w->diagonal, n) && SCREE_PUSH(to, w->kept, n);
}

static void set_up(newton *w) {
    scree_delassus_rho(w->d, w->rho);
    for (int k = 0; k < w->d->n_set; ++k) {
        const scree_set *s = &w->d->sets[k];
        for (int i = s->row; i < s->row + s->n; ++i) {
            w->owner[i] = k;
            w->scale[i] = w->rho[k] > 0 ? sqrt(w->rho[k]) : 1;
        }
    }
}

/* ---- the equations ------------------------------------------------------ */

static double *J_row(newton *w, int i) {
    return &w->J[(size_t)i * (size_t)w->d->n];
}

/* xi_i = 0 */
static void write_constraint(newton *w, int i) {
    memcpy(J_row(w, i), G_row(w->d, i), (size_t)w->d->n * sizeof *w->J);
    w->F[i] = w->xi[i];
}

/* (P_i - value) / rho = 0 */
static void write_impressed(newton *w, int i, double value, double rho) {
    memset(J_row(w, i), 0, (size_t)w->d->n * sizeof *w->J);
    J_row(w, i)[i] = 1 / rho;
    w->F[i] = (w->d->P[i] - value) / rho;
}

/* A set without mass keeps its P. */
static void write_massless(newton *w, const scree_set *s) {
    for (int i = s->row; i < s->row + s->n; ++i)
        write_impressed(w, i, w->d->P[i], 1);
}

static void write_row(newton *w, const scree_set *s, double rho) {
    const int i = s->row;
    const double *P = w->d->P, x = P[i] - rho * w->xi[i];
    if (set_is_inside(s, P, w->xi, rho))
        write_constraint(w, i);
    else
        write_impressed(w, i, prox_row(s, 1, x), rho);
}

/* The radius that the projected normal percussion allows. */
static double predicted_radius(const newton *w, const scree_set *s) {
    if (s->normal < 0) return ball_radius(s, 0);
    const int owner = w->owner[s->normal];
    const double x = w->d->P[s->normal] - w->rho[owner] * w->xi[s->normal];
    return ball_radius(s, prox_row(&w->d->sets[owner], 1, x));
}

/* Row i of (P_F - a e) / rho = 0 for a > 0, e = x / |x|; with c = a / |x|
 *     dF_i = (dP_i - mu e_i dP_N) / rho
 *            - c sum_k (delta_ik - e_i e_k) (dP_k / rho - G_k dP) */
static void write_slip_row(newton *w, const scree_set *s, int i, double rho,
                           double length) {
    const double *P = w->d->P, a = ball_radius_at(s, P);
    const double c = fmin(a / length, 1),
                 e_i = (P[i] - rho * w->xi[i]) / length;
    write_impressed(w, i, a * e_i, rho);
    double *J = J_row(w, i);
    for (int k = s->row; k < s->row + s->n; ++k) {
        const double e_k = (P[k] - rho * w->xi[k]) / length;
        const double turn = c * ((i == k) - e_i * e_k);
        J[k] -= turn / rho;
        for (int j = 0; j < w->d->n && turn != 0; ++j)
            J[j] += turn * G_row(w->d, k)[j];
    }
    if (s->normal >= 0) J[s->normal] -= s->mu * e_i / rho;
}

static void write_ball(newton *w, const scree_set *s, double rho) {
    const double a = predicted_radius(w, s);
    const double length = set_length(s, w->d->P, w->xi, rho);
    for (int i = s->row; i < s->row + s->n; ++i) {
        if (!(a > 0))
            write_impressed(w, i, 0, rho);
        else if (length < a)
            write_constraint(w, i);
        else
            write_slip_row(w, s, i, rho, length);
    }
}

static void write_equations(newton *w) {
    for (int k = 0; k < w->d->n_set; ++k) {
        const scree_set *s = &w->d->sets[k];
        if (!(w->rho[k] > 0))
            write_massless(w, s);
        else if (s->kind == SCREE_SET_BALL)
            write_ball(w, s, w->rho[k]);
        else
            write_row(w, s, w->rho[k]);
    }
}

/* ---- one step ----------------------------------------------------------- */

/* J <- S J S, F <- -S F with S = diag(sqrt(rho)): all of order one, whatever
 * the masses; the step of least norm is then least in the metric of G. */
static void equilibrate_jacobian(newton *w) {
    const int n = w->d->n;
    for (int i = 0; i < n; ++i) {
        double *J = J_row(w, i);
        w->F[i] *= -w->scale[i];
        for (int j = 0; j < n; ++j) J[j] *= w->scale[i] * w->scale[j];
    }
}

static scree_status take_step(newton *w, scree_report *report) {
    const int n = w->d->n;
    write_equations(w);
    equilibrate_jacobian(w);
    memcpy(w->LU, w->J, (size_t)n * (size_t)n * sizeof *w->J);
    if (scree_lu_factor(w->LU, w->pivot, n)) {
        scree_lu_solve(w->LU, w->pivot, n, w->F);
    } else {
        report->singular = true;
        TRY(scree_least_norm(w->J, n, w->F, w->scratch));
    }
    for (int i = 0; i < n; ++i) w->d->P[i] += w->scale[i] * w->F[i];
    ++report->iterations;
    return SCREE_OK;
}

/* ---- the search --------------------------------------------------------- */

/* Residual of P; keeps the best. */
static double measure_residual(newton *w) {
    scree_delassus_xi(w->d, w->xi);
    const double residual = scree_delassus_worst(w->d, w->xi, w->rho);
    ++w->since_best;
    if (residual < PROGRESS * w->best_residual) w->since_best = 0;
    if (residual < w->best_residual) {
        w->best_residual = residual;
        memcpy(w->best, w->d->P, (size_t)w->d->n * sizeof *w->best);
    }
    return residual;
}

static void restore_best(newton *w) {
    if (w->best_residual < INFINITY)
        memcpy(w->d->P, w->best, (size_t)w->d->n * sizeof *w->best);
}

/* Newton steps until solved, out of steps or patience, or not finite. */
static scree_status search_line(newton *w, const scree_solver_options *o,
                                scree_report *report) {
    w->since_best = -1;
    while (measure_residual(w) > scree_delassus_reachable(w->d, o->tolerance) &&
           w->since_best < PATIENCE && report->iterations < o->iterations)
        TRY(take_step(w, report));
    restore_best(w);
    report->residual = w->best_residual < INFINITY ? w->best_residual : NAN;
    report->converged =
        report->residual <= scree_delassus_reachable(w->d, o->tolerance);
    return SCREE_OK;
}

/* Sweeps of prox from where the search ended. */
static scree_status sweep_on(newton *w, double tolerance, int sweeps) {
    const scree_solver_options o = {.tolerance = tolerance,
                                    .iterations = sweeps};
    scree_report by_prox;
    return scree_dense_prox(w->d, &o, w->scratch, &by_prox);
}

/* ---- proximal points ---------------------------------------------------- */

/* G <- G + alpha / rho, b <- b - alpha P / rho with the P of now. */
static void add_proximal(newton *w, double alpha) {
    const scree_delassus *d = w->d;
    memcpy(w->b, d->b, (size_t)d->n * sizeof *w->b);
    for (int i = 0; i < d->n; ++i) {
        double *G_ii = &d->G[(size_t)i * (size_t)d->n + (size_t)i];
        const double rho = w->rho[w->owner[i]];
        const double term = rho > 0 ? alpha / (w->scale[i] * w->scale[i]) : 0;
        w->diagonal[i] = *G_ii;
        *G_ii += term;
        d->b[i] -= term * d->P[i];
    }
    scree_delassus_rho(d, w->rho);
}

static void remove_proximal(newton *w) {
    const size_t n = (size_t)w->d->n;
    memcpy(w->d->b, w->b, n * sizeof *w->b);
    for (size_t i = 0; i < n; ++i) w->d->G[i * n + i] = w->diagonal[i];
    scree_delassus_rho(w->d, w->rho);
}

/* P <- next proximal point to the tolerance given, by Newton, or as near as
 * prox comes if that circles. */
static scree_status proximal_point(newton *w, double tolerance, int iterations,
                                   scree_report *inner) {
    const scree_solver_options o = {.tolerance = tolerance,
                                    .iterations = iterations};
    w->best_residual = INFINITY;
    TRY(search_line(w, &o, inner));
    return inner->converged ? SCREE_OK : sweep_on(w, tolerance, MOST_SWEEPS);
}

static void keep_if_better(newton *w, scree_report *report) {
    scree_delassus_xi(w->d, w->xi);
    const double residual = scree_delassus_worst(w->d, w->xi, w->rho);
    if (!(residual < report->residual)) return;
    report->residual = residual;
    memcpy(w->kept, w->d->P, (size_t)w->d->n * sizeof *w->kept);
}

static scree_status follow_points(newton *w, const scree_solver_options *o,
                                  scree_report *report) {
    const double tolerance = o->tolerance;
    const int iterations = o->iterations;
    const size_t bytes = (size_t)w->d->n * sizeof *w->kept;
    double alpha = FIRST_ALPHA;
    memcpy(w->kept, w->d->P, bytes);
    for (int k = 0; k < MOST_POINTS && report->iterations < iterations; ++k) {
        if (report->residual <= scree_delassus_reachable(w->d, tolerance))
            break;
        scree_report inner = {.iterations = report->iterations};
        add_proximal(w, alpha);
        const scree_status status =
            proximal_point(w, POINT * report->residual, iterations, &inner);
        remove_proximal(w);
        TRY(status);
        keep_if_better(w, report);
        report->iterations = inner.iterations;
        alpha = inner.converged ? fmax(LEAST_ALPHA, 0.7 * alpha)
                                : fmin(1, 3 * alpha);
    }
    memcpy(w->d->P, w->kept, bytes);
    report->converged =
        report->residual <= scree_delassus_reachable(w->d, tolerance);
    return SCREE_OK;
}

/* ---- the method --------------------------------------------------------- */

/* Another start: all laws bound, every contact closed and sticking. Where
 * friction can jam a contact (Painleve), Newton does not find this branch from
 * an open one. */
static scree_status bind_all(newton *w) {
    const scree_delassus *d = w->d;
    const size_t n = (size_t)d->n;
    memcpy(w->J, d->G, n * n * sizeof *w->J);
    for (size_t i = 0; i < n; ++i) w->F[i] = -d->b[i];
    TRY(scree_least_norm(w->J, d->n, w->F, w->scratch));
    memcpy(d->P, w->F, n * sizeof *d->P);
    for (int k = 0; k < d->n_set; ++k)
        if (d->sets[k].kind == SCREE_SET_ZERO) d->P[d->sets[k].row] = 0;
    return SCREE_OK;
}

static bool is_over(const scree_report *report, const scree_solver_options *o) {
    return report->converged || isnan(report->residual) ||
           report->iterations >= o->iterations;
}

static scree_status solve_system(newton *w, const scree_solver_options *o,
                                 scree_report *report) {
    set_up(w);
    TRY(search_line(w, o, report));
    if (is_over(report, o)) return SCREE_OK;
    TRY(bind_all(w));
    TRY(search_line(w, o, report));
    for (int sweeps = FIRST_SWEEPS; sweeps <= MOST_SWEEPS; sweeps *= 4) {
        if (is_over(report, o)) return SCREE_OK;
        report->singular = true;
        TRY(sweep_on(w, o->tolerance, sweeps));
        TRY(search_line(w, o, report));
    }
    return is_over(report, o) ? SCREE_OK : follow_points(w, o, report);
}

scree_status scree_dense_newton(scree_delassus *d,
                                const scree_solver_options *options,
                                scree_arena *scratch, scree_report *report) {
    const size_t mark = scree_arena_mark(scratch);
    newton w = {.d = d, .scratch = scratch, .best_residual = INFINITY};
    *report = (scree_report){.residual = NAN};
    const scree_status status = allocate_newton(&w)
                                    ? solve_system(&w, options, report)
                                    : SCREE_OUT_OF_MEMORY;
    scree_arena_pop(scratch, mark);
    return status;
}
