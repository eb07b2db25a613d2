/* semismooth.c: the Newton loop of semismooth.h and its linear algebra.
 *
 * The step is taken in full: where the branches settle, a piecewise linear F is
 * solved exactly and a smooth one with quadratic convergence, and shortening
 * the step would only lose that. A step is halved when the residual leaves the
 * range of all earlier ones by GROWTH, or is not a number.
 *
 * The last call of `evaluate` is always unfrozen and at the returned x, so that
 * the caller's context may keep what it found there. */
#include "solvers/dense/semismooth.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/base/error.h"

/* Difference of an unknown of size one. Above the root of the machine epsilon
 * (1.5e-8) on purpose: the error of J, 2e-7 F'', costs no iteration, while its
 * noise, eps / 2e-7 = 5e-10, stays well below what makes J regular. */
static const double DIFFERENCE = 0x1p-22;
/* Pivots below this part of the largest one are noise of the differences. */
static const double NOISE = 2e-9;
static const double GROWTH = 1e3;
enum { MOST_HALVINGS = 10 };

/* ---- LU ------------------------------------------------------------------ */

static double largest_of(const double *a, int n) {
    double most = 0;
    for (int i = 0; i < n; ++i) most = fmax(most, fabs(a[i]));
    return most;
}

static void swap_rows(double *A, int n, int i, int j) {
    if (i == j) return;
    for (int k = 0; k < n; ++k) {
        const double t = A[i * n + k];
        A[i * n + k] = A[j * n + k];
        A[j * n + k] = t;
    }
}

static int pivot_row(const double *A, int n, int k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
        if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    return best;
}

static void eliminate_column(double *A, int n, int k) {
    for (int i = k + 1; i < n; ++i) {
        const double l = A[i * n + k] /= A[k * n + k];
        for (int j = k + 1; j < n; ++j) A[i * n + j] -= l * A[k * n + j];
    }
}

bool scree_lu_factor(double *A, int *pivot, int n) {
    const double floor = 8 * n * DBL_EPSILON * largest_of(A, n * n);
    bool regular = true;
    for (int k = 0; k < n; ++k) {
        pivot[k] = pivot_row(A, n, k);
        swap_rows(A, n, k, pivot[k]);
        if (!(fabs(A[k * n + k]) > floor)) regular = false;
        if (A[k * n + k] != 0) eliminate_column(A, n, k);
    }
    return regular;
}

void scree_lu_solve(const double *LU, const int *pivot, int n, double *b) {
    for (int k = 0; k < n; ++k) {
        const double t = b[pivot[k]];
        b[pivot[k]] = b[k];
        b[k] = t;
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j) b[i] -= LU[i * n + j] * b[j];
    for (int i = n - 1; i >= 0; --i) {
        for (int j = i + 1; j < n; ++j) b[i] -= LU[i * n + j] * b[j];
        b[i] /= LU[i * n + i];
    }
}

/* ---- least norm ------------------------------------------------------------
 *
 *     A P = Q [R S; 0 0],   [R S] = [T 0] Z,   x = P Z^T [T^-1 (Q^T b)_r; 0]
 *
 * Q and Z are products of reflections I - tau v v^T with v_0 = 1. A reflection
 * acts on entries of a strided vector: `head`, and `n_tail` entries from
 * `tail`. */

typedef struct reflection {
    double *head, *tail; /* v_0 = 1 is not stored in head; v_1.. is in tail */
    int n_tail, stride;
    double tau;
} reflection;

/* Chooses v so that the vector becomes (beta, 0, ..); stores beta and v in it.
 */
static void reflection_make(reflection *h) {
    double tail2 = 0;
    for (int i = 0; i < h->n_tail; ++i) {
        const double v = h->tail[i * h->stride];
        tail2 += v * v;
    }
    h->tau = 0;
    if (tail2 == 0) return;
    const double alpha = *h->head;
    const double beta = -copysign(sqrt(alpha * alpha + tail2), alpha);
    h->tau = (beta - alpha) / beta;
    for (int i = 0; i < h->n_tail; ++i) h->tail[i * h->stride] /= alpha - beta;
    *h->head = beta;
}

/* Applies it to another vector (head, tail with its own stride). */
static void reflect_vector(const reflection *h, double *head, double *tail,
                           int stride) {
    double sum = *head;
    for (int i = 0; i < h->n_tail; ++i)
        sum += h->tail[i * h->stride] * tail[i * stride];
    sum *= h->tau;
    *head -= sum;
    for (int i = 0; i < h->n_tail; ++i)
        tail[i * stride] -= sum * h->tail[i * h->stride];
}

static void swap_columns(double *A, int n, int i, int j) {
    for (int k = 0; k < n && i != j; ++k) {
        const double t = A[k * n + i];
        A[k * n + i] = A[k * n + j];
        A[k * n + j] = t;
    }
}

/* The column with the largest norm below row k. */
static int pivot_column(const double *A, int n, int k) {
    int best = k;
    double most = -1;
    for (int j = k; j < n; ++j) {
        double norm2 = 0;
        for (int i = k; i < n; ++i) norm2 += A[i * n + j] * A[i * n + j];
        if (norm2 > most) best = j, most = norm2;
    }
    return best;
}

/* A P = Q [R S; 0 ~0] in place, Q^T applied to b; returns the rank. */
static int triangularise_rows(double *A, int n, double *b, int *order,
                              double tolerance) {
    for (int k = 0; k < n; ++k) {
        order[k] = pivot_column(A, n, k);
        swap_columns(A, n, k, order[k]);
        double *below = k + 1 < n ? &A[(k + 1) * n + k] : NULL;
        reflection h = {&A[k * n + k], below, n - 1 - k, n, 0};
        reflection_make(&h);
        if (!(fabs(A[k * n + k]) > tolerance * fabs(A[0]))) return k;
        for (int j = k + 1; j < n; ++j)
            reflect_vector(&h, &A[k * n + j], &A[(k + 1) * n + j], n);
        reflect_vector(&h, &b[k], &b[k + 1], 1);
    }
    return n;
}

/* [R S] = [T 0] Z in place, bottom row first. */
static void annihilate_rest(double *A, int n, int rank, double *tau) {
    for (int i = rank - 1; i >= 0; --i) {
        reflection h = {&A[i * n + i], &A[i * n + rank], n - rank, 1, 0};
        reflection_make(&h);
        tau[i] = h.tau;
        for (int k = 0; k < i; ++k)
            reflect_vector(&h, &A[k * n + i], &A[k * n + rank], 1);
    }
}

static void back_substitute(const double *A, int n, int rank, double *b) {
    for (int i = rank - 1; i >= 0; --i) {
        for (int j = i + 1; j < rank; ++j) b[i] -= A[i * n + j] * b[j];
        b[i] /= A[i * n + i];
    }
    for (int i = rank; i < n; ++i) b[i] = 0;
}

/* b <- Z^T b */
static void rotate_back(double *A, int n, int rank, const double *tau,
                        double *b) {
    for (int i = 0; i < rank; ++i) {
        const reflection h = {NULL, &A[i * n + rank], n - rank, 1, tau[i]};
        reflect_vector(&h, &b[i], &b[rank], 1);
    }
}

/* b <- P b, undoing the exchanges last .. 0 of columns. */
static void reorder_back(double *b, const int *order, int last) {
    for (int k = last; k >= 0; --k) {
        const double t = b[k];
        b[k] = b[order[k]];
        b[order[k]] = t;
    }
}

static scree_status least_norm(double *A, int n, double *b, double tolerance,
                               scree_arena *scratch) {
    const size_t mark = scree_arena_mark(scratch);
    int *order;
    double *tau;
    const bool room =
        SCREE_PUSH(scratch, order, n) && SCREE_PUSH(scratch, tau, n);
    if (room) {
        const int rank = triangularise_rows(A, n, b, order, tolerance);
        if (rank < n) annihilate_rest(A, n, rank, tau);
        back_substitute(A, n, rank, b);
        if (rank < n) rotate_back(A, n, rank, tau, b);
        reorder_back(b, order, rank < n ? rank : n - 1);
    }
    scree_arena_pop(scratch, mark);
    return room ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

scree_status scree_least_norm(double *A, int n, double *b,
                              scree_arena *scratch) {
    return least_norm(A, n, b, 1e-12, scratch);
}

/* ---- Newton -------------------------------------------------------------- */

typedef struct newton {
    const scree_residual_function *f;
    double *x;       /* (n) */
    double *F;       /* (n) at x */
    double *dx;      /* (n) */
    double *x_best;  /* (n) */
    double *x_start; /* (n) of a step */
    double *J, *LU;  /* (n x n) rows scaled to largest entry 1 */
    double *scale;   /* (n) of the rows */
    int *pivot;      /* (n) */
    int *active;     /* (n_active) */
    double residual, worst, best;
    scree_arena *scratch;
} newton;

static bool allocate_newton(newton *w) {
    scree_arena *to = w->scratch;
    const size_t n = (size_t)w->f->n, a = (size_t)w->f->n_active;
    if (!SCREE_PUSH(to, w->active, a)) return false;
    memset(w->active, 0, a * sizeof *w->active);
    return SCREE_PUSH(to, w->F, n) && SCREE_PUSH(to, w->dx, n) &&
           SCREE_PUSH(to, w->x_best, n) && SCREE_PUSH(to, w->x_start, n) &&
           SCREE_PUSH(to, w->J, n * n) && SCREE_PUSH(to, w->LU, n * n) &&
           SCREE_PUSH(to, w->scale, n) && SCREE_PUSH(to, w->pivot, n);
}

/* max |F|, infinite if any entry is not a number. */
static double norm_of(const double *F, int n) {
    double most = 0;
    for (int i = 0; i < n; ++i) {
        if (!isfinite(F[i])) return INFINITY;
        most = fmax(most, fabs(F[i]));
    }
    return most;
}

static void evaluate_map(newton *w) {
    w->f->evaluate(w->f->context, w->x, w->F, w->active, false);
    w->residual = norm_of(w->F, w->f->n);
}

static void remember_point(newton *w) {
    if (isfinite(w->residual)) w->worst = fmax(w->worst, w->residual);
    if (!(w->residual < w->best)) return;
    w->best = w->residual;
    memcpy(w->x_best, w->x, (size_t)w->f->n * sizeof *w->x);
}

/* Column j of J = (F(x + h e_j) - F(x)) / h on the branches of x. The
 * difference x + h - x, not h, divides: it is exact. dx serves as F(x + h e_j).
 */
static void differentiate_map(newton *w) {
    const int n = w->f->n;
    for (int j = 0; j < n; ++j) {
        const double x = w->x[j];
        w->x[j] = x + DIFFERENCE * fmax(1, fabs(x));
        const double h = w->x[j] - x;
        w->f->evaluate(w->f->context, w->x, w->dx, w->active, true);
        w->x[j] = x;
        for (int i = 0; i < n; ++i) w->J[i * n + j] = (w->dx[i] - w->F[i]) / h;
    }
}

/* Rows of different units get the same weight. */
static void equilibrate_rows(newton *w) {
    const int n = w->f->n;
    for (int i = 0; i < n; ++i) {
        const double most = largest_of(&w->J[i * n], n);
        w->scale[i] = most > 0 ? 1 / most : 1;
        for (int j = 0; j < n; ++j) w->J[i * n + j] *= w->scale[i];
    }
}

static bool is_regular(const newton *w) {
    const int n = w->f->n;
    double least = INFINITY, most = 0;
    for (int i = 0; i < n; ++i) {
        const double pivot = fabs(w->LU[i * n + i]);
        least = fmin(least, pivot), most = fmax(most, pivot);
    }
    return least > NOISE * most;
}

/* dx = -J^-1 F, or the step of least norm. */
static scree_status find_direction(newton *w, scree_newton_report *report) {
    const int n = w->f->n;
    differentiate_map(w);
    equilibrate_rows(w);
    for (int i = 0; i < n; ++i) w->dx[i] = -w->scale[i] * w->F[i];
    memcpy(w->LU, w->J, (size_t)n * (size_t)n * sizeof *w->J);
    if (scree_lu_factor(w->LU, w->pivot, n) && is_regular(w)) {
        scree_lu_solve(w->LU, w->pivot, n, w->dx);
        return SCREE_OK;
    }
    report->singular = true;
    return least_norm(w->J, n, w->dx, NOISE, w->scratch);
}

/* x <- x + 2^-k dx with the least k that keeps the residual in range. */
static void advance_point(newton *w) {
    const size_t n = (size_t)w->f->n;
    double length = 1;
    memcpy(w->x_start, w->x, n * sizeof *w->x);
    for (int k = 0; k <= MOST_HALVINGS; ++k, length *= 0.5) {
        for (size_t i = 0; i < n; ++i)
            w->x[i] = w->x_start[i] + length * w->dx[i];
        evaluate_map(w);
        if (w->residual <= GROWTH * w->worst) return;
    }
}

static scree_status run_steps(newton *w, double tolerance, int iterations,
                              scree_newton_report *report) {
    evaluate_map(w);
    remember_point(w);
    while (w->residual > tolerance && isfinite(w->residual) &&
           report->iterations < iterations) {
        TRY(find_direction(w, report));
        advance_point(w);
        remember_point(w);
        ++report->iterations;
    }
    if (w->residual > w->best) {
        memcpy(w->x, w->x_best, (size_t)w->f->n * sizeof *w->x);
        evaluate_map(w);
    }
    report->residual = w->residual;
    report->converged = w->residual <= tolerance;
    return SCREE_OK;
}

scree_status scree_semismooth_newton(const scree_residual_function *f,
                                     double *x, double tolerance,
                                     int iterations, scree_arena *scratch,
                                     scree_newton_report *report) {
    const size_t mark = scree_arena_mark(scratch);
    newton w = {.f = f, .x = x, .best = INFINITY, .scratch = scratch};
    *report = (scree_newton_report){0};
    const scree_status status =
        allocate_newton(&w) ? run_steps(&w, tolerance, iterations, report)
                            : SCREE_OUT_OF_MEMORY;
    scree_arena_pop(scratch, mark);
    return status;
}
