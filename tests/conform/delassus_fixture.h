/* delassus_fixture.h: small explicit inclusion problems, in few words, and what
 * a solution is by the definition of the sets, without a prox. */
#ifndef SCREE_TESTS_CONFORM_DELASSUS_FIXTURE_H
#define SCREE_TESTS_CONFORM_DELASSUS_FIXTURE_H

#include <string.h>

#include "solvers/problem/method.h"
#include "tests/support.h"

enum { MOST = 64 };

static const char *const METHODS[] = {"prox", "newton", "lemke"};
enum { N_METHOD = 3 };

/* ---- problems ----------------------------------------------------------- */

typedef struct fixture {
    double G[MOST * MOST], b[MOST], P[MOST];
    scree_set sets[MOST];
    scree_delassus d;
    scree_arena scratch;
} fixture;

static void start(fixture *f, int n) {
    memset(f, 0, sizeof *f);
    f->d = (scree_delassus){
        .n = n, .G = f->G, .b = f->b, .P = f->P, .sets = f->sets};
}

static void add_set(fixture *f, scree_set s) {
    f->sets[f->d.n_set++] = s;
}

static void add_row(fixture *f, scree_set_kind kind, int row) {
    add_set(f, (scree_set){.kind = kind, .row = row, .n = 1});
}

static void add_interval(fixture *f, int row, double lo, double hi) {
    add_set(f, (scree_set){.kind = SCREE_SET_INTERVAL,
                           .row = row,
                           .n = 1,
                           .lo = lo,
                           .hi = hi});
}

static void add_ball(fixture *f, int row, int n, int normal, double mu,
                     double radius) {
    add_set(f, (scree_set){.kind = SCREE_SET_BALL,
                           .row = row,
                           .n = n,
                           .normal = normal,
                           .mu = mu,
                           .radius = radius});
}

/* A contact with `n` components of friction from `row`. */
static void add_contact(fixture *f, int row, int n, double mu) {
    add_row(f, SCREE_SET_HALFLINE, row);
    if (n) add_ball(f, row + 1, n, row, mu, 0);
}

static double *entry(fixture *f, int i, int j) {
    return &f->G[i * f->d.n + j];
}

/* G = W^T M^-1 W and b = W^T u for W (n_q x n, row-major). */
static void set_dynamics(fixture *f, int n_q, const double *W,
                         const double *inv_m, const double *u) {
    const int n = f->d.n;
    for (int i = 0; i < n; ++i) {
        f->b[i] = 0;
        for (int k = 0; k < n_q; ++k) f->b[i] += W[k * n + i] * u[k];
        for (int j = 0; j < n; ++j) {
            *entry(f, i, j) = 0;
            for (int k = 0; k < n_q; ++k)
                *entry(f, i, j) += W[k * n + i] * inv_m[k] * W[k * n + j];
        }
    }
}

static bool planar(const fixture *f) {
    for (int k = 0; k < f->d.n_set; ++k)
        if (f->sets[k].kind == SCREE_SET_BALL && f->sets[k].n > 1) return false;
    return true;
}

static scree_report solve_from(fixture *f, const char *method, double tolerance,
                               int iterations) {
    scree_report report;
    const size_t mark = scree_arena_mark(&f->scratch);
    const scree_solver_options o = {.tolerance = tolerance,
                                    .iterations = iterations};
    assert_ok(
        scree_method_find(method)->dense(&f->d, &o, &f->scratch, &report));
    assert_true(scree_arena_mark(&f->scratch) == mark);
    return report;
}

/* From P = 0. */
static scree_report solve(fixture *f, const char *method, double tolerance) {
    memset(f->P, 0, sizeof f->P);
    const bool newton = strcmp(method, "newton") == 0;
    return solve_from(f, method, tolerance, newton ? 100 : 1000000);
}

/* ---- what a solution is ------------------------------------------------- */

/* -xi in N_C(P) for C = [lo, hi], by cases; percussions through G_ii in m/s. */
static double interval_defect(double P, double xi, double lo, double hi,
                              double g) {
    double worst = fmax(g * (lo - P), g * (P - hi));
    worst = fmax(worst, fmin(xi, g * (P - lo))); /* xi > 0 only at lo */
    return fmax(worst, fmin(-xi, g * (hi - P))); /* xi < 0 only at hi */
}

static double ball_defect(const fixture *f, const scree_set *s,
                          const double *xi) {
    const double a = s->radius + (s->normal >= 0 ? s->mu * f->P[s->normal] : 0);
    double P2 = 0, xi2 = 0, power = 0, g = 0;
    for (int i = s->row; i < s->row + s->n; ++i) {
        P2 += f->P[i] * f->P[i], xi2 += xi[i] * xi[i], power += f->P[i] * xi[i];
        g = fmax(g, f->G[i * f->d.n + i]);
    }
    const double P = sqrt(P2), slip = sqrt(xi2);
    double worst = fmax(g * (P - a), fmin(slip, g * (a - P)));
    if (P > 0 && slip > 0) /* against the slip */
        worst = fmax(worst, fmin(slip, g * P) * (1 + power / (P * slip)));
    return worst;
}

static double law_defect(const fixture *f) {
    double xi[MOST], worst = 0;
    scree_delassus_xi(&f->d, xi);
    for (int k = 0; k < f->d.n_set; ++k) {
        const scree_set *s = &f->sets[k];
        const int i = s->row;
        const double g = f->G[i * f->d.n + i];
        double lo = 0, hi = INFINITY, e = 0;
        if (s->kind == SCREE_SET_INTERVAL) lo = s->lo, hi = s->hi;
        if (s->kind == SCREE_SET_ZERO) hi = 0;
        if (s->kind == SCREE_SET_FREE)
            e = fabs(xi[i]);
        else if (s->kind == SCREE_SET_BALL)
            e = ball_defect(f, s, xi);
        else
            e = interval_defect(f->P[i], xi[i], lo, hi, g);
        worst = fmax(worst, e);
    }
    return worst;
}

#endif
