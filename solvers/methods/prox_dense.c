/* prox_dense.c: prox Gauss-Seidel on the explicit Delassus matrix.
 *
 *     P_i <- prox_{C_i}(P_i - r_i (sum_j G_ij P_j + b_i)),   i = 1 .. n_set,
 *
 * with what earlier sets of the sweep have just found (002, equation 23), and
 * r_i = omega rho_i (delassus_sets.h). omega starts at 1 and follows the
 * progress over windows of sweeps. Strong coupling of normal and friction can
 * circle at 1: updates that do not fall, and do not point the same way from
 * sweep to sweep as those of slow convergence do, make omega smaller; updates
 * that fall fast let it come back. A set without mass keeps its P inside C. One
 * sweep costs n^2. */
#include "solvers/dense/delassus_sets.h"
#include "solvers/problem/method.h"

#include "engine/base/error.h"

enum { WINDOW = 16 };
static const double LEAST_OMEGA = 0.02;
static const double SAME_WAY = 0.9; /* cosine of successive updates */

/* Updates dP of a window of sweeps. */
typedef struct progress {
    double most;   /* largest |dP| / r [m/s]; the residual resembles it */
    double along;  /* sum of dP_k dP_{k-1} / rho */
    double square; /* sum of dP_k^2 / rho */
} progress;

typedef struct prox {
    scree_delassus *d;
    double *rho; /* (n_set) */
    double *xi;  /* (n) */
    double *old; /* (n) P before its set's turn */
    double *dP;  /* (n) of the last sweep */
    double omega;
} prox;

static void note_change(prox *p, int i, double dP, double r, progress *w) {
    w->most = fmax(w->most, fabs(dP) / r);
    w->along += dP * p->dP[i] / r;
    w->square += dP * dP / r;
    p->dP[i] = dP;
}

/* One sweep, added to the window's progress; its own largest |dP| / r. */
static double sweep_sets(prox *p, progress *window) {
    progress now = {0};
    for (int k = 0; k < p->d->n_set; ++k) {
        const scree_set *s = &p->d->sets[k];
        const double r = p->omega * p->rho[k];
        double *P = p->d->P;
        for (int i = s->row; i < s->row + s->n; ++i) {
            p->old[i] = P[i];
            p->xi[i] = r > 0 ? xi_of_row(p->d, i) : 0;
        }
        set_project(s, P, p->xi, r);
        for (int i = s->row; i < s->row + s->n && r > 0; ++i)
            note_change(p, i, P[i] - p->old[i], r, &now);
    }
    window->most = fmax(window->most, now.most);
    window->along += now.along, window->square += now.square;
    return now.most;
}

static scree_residual measure_loop(scree_loop *g) {
    prox *p = g->problem;
    scree_delassus_xi(p->d, p->xi);
    g->goal.tolerance = scree_delassus_reachable(p->d, g->options->tolerance);
    return (scree_residual){.residual =
                                scree_delassus_worst(p->d, p->xi, p->rho)};
}

/* When the loop says so, beside the first and the last time. */
static const scree_course course = {.measure = measure_loop, .part = 1};

static void adapt_factors(prox *p, const progress *now,
                          const progress *before) {
    const bool circles = now->along < SAME_WAY * now->square;
    if (now->most > (circles ? 0.8 : 1) * before->most)
        p->omega = fmax(LEAST_OMEGA, 0.7 * p->omega);
    else if (now->most < 0.5 * before->most)
        p->omega = fmin(1, 1.2 * p->omega);
}

/* Measures at the end of windows, and where updates are as small as the residual is
 * to be. */
static void sweep_on(prox *p, scree_loop *g) {
    progress now = {0}, before = {.most = INFINITY};
    bool window_ends = false;
    while (!scree_loop_advance(g)) {
        if (window_ends) {
            adapt_factors(p, &now, &before);
            before = now, now = (progress){0};
        }
        const double most = sweep_sets(p, &now);
        window_ends = g->iteration % WINDOW == 0 ||
                      g->iteration == g->options->iterations;
        g->next = window_ends || !(most > g->goal.tolerance) ? g->iteration
                                                             : INT64_MAX;
    }
}

static scree_status run_sweeps(prox *p, scree_loop *g, scree_arena *scratch) {
    const int n = p->d->n;
    if (!SCREE_PUSH(scratch, p->rho, p->d->n_set) ||
        !SCREE_PUSH(scratch, p->xi, n) || !SCREE_PUSH(scratch, p->old, n) ||
        !SCREE_PUSH(scratch, p->dP, n))
        return SCREE_OUT_OF_MEMORY;
    TRY(scree_loop_keep(g, p->d->P, n, scratch));
    memset(p->dP, 0, (size_t)n * sizeof *p->dP);
    scree_delassus_rho(p->d, p->rho);
    sweep_on(p, g);
    scree_loop_end(g);
    return SCREE_OK;
}

scree_status scree_dense_prox(scree_delassus *d,
                              const scree_solver_options *options,
                              scree_arena *scratch, scree_report *report) {
    const size_t mark = scree_arena_mark(scratch);
    prox p = {.d = d, .omega = 1};
    scree_loop g;
    scree_loop_begin(&g, &course, &p, options, report);
    const scree_status status = run_sweeps(&p, &g, scratch);
    scree_arena_pop(scratch, mark);
    return status;
}
