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

/* P of the set <- prox(P - r xi). */
static void project(prox *p, const scree_set *s, double r) {
    double *P = p->d->P;
    for (int i = s->row; i < s->row + s->n; ++i)
        p->xi[i] = r > 0 ? row_xi(p->d, i) : 0;
    if (s->kind != SCREE_SET_BALL) {
        P[s->row] = prox_row(s, P[s->row] - r * p->xi[s->row]);
        return;
    }
    const double length = set_length(s, P, p->xi, r);
    const double shrink = ball_shrink(ball_radius_at(s, P), length);
    for (int i = s->row; i < s->row + s->n; ++i)
        P[i] = shrink * (P[i] - r * p->xi[i]);
}

static void note(prox *p, int i, double dP, double r, progress *w) {
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
        const double r = p->omega * p->rho[k], *P = p->d->P;
        for (int i = s->row; i < s->row + s->n; ++i) p->old[i] = P[i];
        project(p, s, r);
        for (int i = s->row; i < s->row + s->n && r > 0; ++i)
            note(p, i, P[i] - p->old[i], r, &now);
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

static void adapt(prox *p, const progress *now, const progress *before) {
    const bool circles = now->along < SAME_WAY * now->square;
    if (now->most > (circles ? 0.8 : 1) * before->most)
        p->omega = fmax(LEAST_OMEGA, 0.7 * p->omega);
    else if (now->most < 0.5 * before->most)
        p->omega = fmin(1, 1.2 * p->omega);
}

/* Measures at the end of windows, and where updates are as small as the residual is
 * to be. */
static void run_sweeps(prox *p, scree_loop *g) {
    progress now = {0}, before = {.most = INFINITY};
    bool window_ends = false;
    while (!scree_loop_advance(g)) {
        if (window_ends) {
            adapt(p, &now, &before);
            before = now, now = (progress){0};
        }
        const double most = sweep_sets(p, &now);
        window_ends = g->iteration % WINDOW == 0 ||
                      g->iteration == g->options->iterations;
        g->next = window_ends || !(most > g->goal.tolerance) ? g->iteration
                                                             : INT64_MAX;
    }
}

static bool allocate(prox *p, scree_arena *scratch) {
    const size_t n = (size_t)p->d->n;
    p->rho = scree_arena_push(scratch, (size_t)p->d->n_set * sizeof *p->rho);
    p->xi = scree_arena_push(scratch, n * sizeof *p->xi);
    p->old = scree_arena_push(scratch, n * sizeof *p->old);
    p->dP = scree_arena_push(scratch, n * sizeof *p->dP);
    if (p->dP) memset(p->dP, 0, n * sizeof *p->dP);
    return p->rho && p->xi && p->old && p->dP;
}

scree_status scree_dense_prox(scree_delassus *d,
                              const scree_solver_options *options,
                              scree_arena *scratch, scree_report *report) {
    const size_t mark = scree_arena_mark(scratch);
    prox p = {.d = d, .omega = 1};
    scree_loop g;
    scree_loop_begin(&g, &course, &p, options, report);
    scree_status status =
        allocate(&p, scratch) ? SCREE_OK : SCREE_OUT_OF_MEMORY;
    if (status == SCREE_OK) status = scree_loop_keep(&g, d->P, d->n, scratch);
    if (status == SCREE_OK) {
        scree_delassus_rho(d, p.rho);
        run_sweeps(&p, &g);
        scree_loop_end(&g);
    }
    scree_arena_pop(scratch, mark);
    return status;
}
