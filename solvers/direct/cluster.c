#include "solvers/direct/cluster.h"

#include <string.h>

#include "engine/base/error.h"
#include "solvers/dense/delassus_sets.h"
#include "solvers/dense/rows.h"
#include "solvers/problem/kernel.h"
#include "solvers/problem/method.h"

/* Errors beside `speed` that end the search. Masses of a ratio of 1e8 leave 1e-8 of
 * rounding. */
static const double EXACT = 1e-7;
static const double SOFT = 1e-10;

static void take_over(const scree_written *w) {
    for (int32_t k = 0; k < w->n; ++k) {
        scree_row *row = &w->rows[k];
        const row_step s = scree_written_step(w, k);
        row_bodies bodies;
        row_find(w->p, row, &bodies);
        row_move(row, &bodies, s.P_n - row->P_n, sub(s.P_t, row->P_t),
                 sub(s.M, row->M));
        row->P_n = s.P_n, row->P_t = s.P_t, row->M = s.M;
    }
}

/* ---- the solve ------------------------------------------------------------------------ */

/* xi of the velocities becomes that without P. */
static void take_out(const scree_written *w) {
    const scree_delassus *d = &w->d;
    for (int i = 0; i < d->n; ++i) {
        for (int j = 0; j < d->n; ++j) d->b[i] -= G_row(d, i)[j] * d->P[j];
        d->b[i] += w->lines[i].soft * d->P[i]; /* no velocity has it */
    }
}

/* G <- G + SOFT diag(G), b <- b - SOFT diag(G) P: the next proximal point. Corners of
 * a face that do not lie in one plane cannot all be closed, and percussions that move
 * no body tell which of them open: the term lets those percussions move. It is so
 * small that few points are enough. */
static void soften_rows(scree_delassus *d, const double *G_ii,
                        const double *b) {
    for (int i = 0; i < d->n; ++i) {
        d->G[(size_t)i * (size_t)d->n + (size_t)i] = (1 + SOFT) * G_ii[i];
        d->b[i] = b[i] - SOFT * G_ii[i] * d->P[i];
    }
}

static void harden_diagonal(scree_delassus *d, const double *G_ii,
                            const double *b) {
    for (int i = 0; i < d->n; ++i)
        d->G[(size_t)i * (size_t)d->n + (size_t)i] = G_ii[i];
    memcpy(d->b, b, (size_t)d->n * sizeof *b);
}

/* What proximal points start from and lead to. */
typedef struct points {
    double *G_ii, *b, *best; /* (n) */
    double residual;         /* of the best */
} points;

static double keep_best(points *x, const scree_delassus *d,
                        scree_arena *scratch) {
    const double residual = scree_delassus_residual(d, scratch);
    if (residual < x->residual) {
        x->residual = residual;
        memcpy(x->best, d->P, (size_t)d->n * sizeof *x->best);
    }
    return residual;
}

/* Newton ends where it ended before: so it would from all points that follow. */
static bool stays_put(double residual, double last) {
    return fabs(residual - last) <= 0.01 * last;
}

/* P becomes the best of all points; true if that is another one. */
static scree_status follow_points(scree_delassus *d, double tolerance,
                                  scree_cluster_effort effort,
                                  scree_arena *scratch, bool *better) {
    points x = {.residual = INFINITY};
    if (!SCREE_PUSH(scratch, x.G_ii, d->n) || !SCREE_PUSH(scratch, x.b, d->n) ||
        !SCREE_PUSH(scratch, x.best, d->n))
        return SCREE_OUT_OF_MEMORY;
    for (int i = 0; i < d->n; ++i)
        x.G_ii[i] = d->G[(size_t)i * (size_t)d->n + (size_t)i];
    memcpy(x.b, d->b, (size_t)d->n * sizeof *x.b);
    keep_best(&x, d, scratch);
    const double before = x.residual;
    const scree_solver_options newton = {.tolerance = 0.1 * tolerance,
                                         .iterations = effort.steps};
    double now = before, last = 0;
    int k = 0;
    while (k++ < effort.points && x.residual > tolerance &&
           !stays_put(now, last)) {
        scree_report report;
        soften_rows(d, x.G_ii, x.b);
        TRY(scree_dense_newton(d, &newton, scratch, &report));
        harden_diagonal(d, x.G_ii, x.b);
        last = now;
        now = keep_best(&x, d, scratch);
    }
    memcpy(d->P, x.best, (size_t)d->n * sizeof *d->P);
    *better = x.residual < before;
    return SCREE_OK;
}

/* A cluster without solution drives its percussions to infinity: a sphere with large
 * friction, wedged in a corner, that is to bounce from both walls. Masses that hit each
 * other are within this factor, and loads from outside are there before. */
static const double MOST_LOAD = 1e3;

/* Of the bodies that move [kg]; one may count for each of its contacts. */
static double mass_of(const scree_written *w) {
    double mass = 0;
    for (int32_t k = 0; k < w->n; ++k) {
        const double inv_a = w->p->u[w->rows[k].a].inv_m;
        const double inv_b = w->p->u[w->rows[k].b].inv_m;
        mass += (inv_a > 0 ? 1 / inv_a : 0) + (inv_b > 0 ? 1 / inv_b : 0);
    }
    return mass;
}

static bool is_bounded(const scree_written *w, double speed) {
    double before = 0, after = 0;
    for (int32_t k = 0; k < w->n; ++k) {
        if (scree_row_is_joint(&w->rows[k])) continue;
        before = fmax(before, w->rows[k].P_n);
        after = fmax(after, w->d.P[w->first[k]]);
    }
    return after <= fmax(before, MOST_LOAD * mass_of(w) * speed);
}

static scree_status solve_written(scree_written *w, double speed,
                                  scree_cluster_effort effort,
                                  scree_arena *scratch, bool *better) {
    TRY(scree_rows_write(w, scratch));
    take_out(w);
    TRY(follow_points(&w->d, EXACT * speed, effort, scratch, better));
    *better = *better && is_bounded(w, speed);
    if (*better) take_over(w);
    return SCREE_OK;
}

scree_status scree_cluster_solve_rows(const scree_problem *p, scree_row *rows,
                                      int32_t n, double speed,
                                      scree_cluster_effort effort,
                                      scree_arena *scratch, bool *better) {
    const size_t mark = scree_arena_mark(scratch);
    scree_written w = {.p = p, .n = n, .rows = rows};
    *better = false;
    const scree_status status =
        solve_written(&w, speed, effort, scratch, better);
    scree_arena_pop(scratch, mark);
    return status;
}
