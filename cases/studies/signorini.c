/* signorini.c: static problems of Signorini, Leine 2024: equilibrium with unilateral
 * contacts but no motion,
 *
 *     K q = W lambda + f,   g = W^T q + g_0,   0 <= g  perp  lambda >= 0,
 *
 * whose LCP y = A x + b, A = W^T K^-1 W, b = g_0 + W^T K^-1 f, is solved by lemke and by
 * proximal points: one spring against a stop, and an elastic string under its weight over
 * a flat obstacle, whose free boundary is known:
 *
 *     T w'' = p  off the obstacle,  w = -d on it,  w(0) = 0:  leaves it at
 *     s = sqrt(2 d T / p)  from each end, with slope 0. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/studies/study.h"
#include "solvers/dense/semismooth.h"
#include "solvers/problem/method.h"

enum { MOST_NODES = 128 };

/* Length, tension, weight per length, depth of the obstacle. */
static const double length = 1, tension = 10, weight = 40, depth = 0.2;

typedef struct lcp {
    int n;
    double G[MOST_NODES * MOST_NODES], b[MOST_NODES], P[MOST_NODES];
    scree_set sets[MOST_NODES];
} lcp;

static scree_report solve(study *st, lcp *c, const char *method) {
    scree_report report = {0};
    scree_arena scratch = {0};
    const scree_solver_options options = {.tolerance = 1e-13,
                                          .iterations = 1000000};
    memset(c->P, 0, sizeof c->P);
    for (int i = 0; i < c->n; ++i)
        c->sets[i] = (scree_set){
            .kind = SCREE_SET_HALFLINE, .row = i, .n = 1, .normal = -1};
    scree_delassus d = {.n = c->n,
                        .G = c->G,
                        .b = c->b,
                        .P = c->P,
                        .n_set = c->n,
                        .sets = c->sets};
    if (st->error.status == SCREE_OK)
        scree_inclusion_solve(scree_in_dense(&d), scree_method_find(method),
                              &options, &scratch, &report, &st->error);
    scree_arena_free(&scratch);
    return report;
}

/* ---- one spring (Leine 2024) ------------------------------------------------- */

/* g = lambda / k + b: pressed against the stop where b < 0. */
static void study_spring(study *st, lcp *c) {
    const double k = 50, b[] = {-0.1, 0, 0.1};
    study_heading("a spring k = 50 N/m and a stop at the distance b");
    for (int i = 0; i < STUDY_COUNT(b); ++i) {
        c->n = 1, c->G[0] = 1 / k, c->b[0] = b[i];
        solve(st, c, "lemke");
        study_near(st, c->P[0], fmax(0, -k * b[i]), 1e-13,
                   "b = %4.1f m: force by lemke [N]", b[i]);
        solve(st, c, "prox");
        study_near(st, c->P[0], fmax(0, -k * b[i]), 1e-11, "  by prox [N]");
    }
}

/* ---- a string over an obstacle ------------------------------------------------ */

/* K = T / h tridiag(-1, 2, -1) has the inverse h / T min(i, j) (n + 1 - max) / (n + 1);
 * the weight of an interval h hangs at each node. */
static void make_string(lcp *c, int n) {
    const double h = length / (n + 1);
    c->n = n;
    for (int i = 0; i < n; ++i) {
        double free = 0;
        for (int j = 0; j < n; ++j) {
            const int low = i < j ? i : j, high = i < j ? j : i;
            c->G[i * n + j] =
                h / tension * (low + 1) * (n - high) / (double)(n + 1);
            free -= c->G[i * n + j] * weight * h;
        }
        c->b[i] = depth + free;
    }
}

/* g = G P + b, height w = g - depth */
static double height_at(const lcp *c, int i) {
    double g = c->b[i];
    for (int j = 0; j < c->n; ++j) g += c->G[i * c->n + j] * c->P[j];
    return g - depth;
}

static double exact_height(double x) {
    const double s = sqrt(2 * depth * tension / weight);
    const double from_end = fmin(x, length - x);
    if (from_end >= s) return -depth;
    return -depth + weight / (2 * tension) * (s - from_end) * (s - from_end);
}

typedef struct shape {
    double error, least_gap, worst_product, force;
} shape;

static shape see_shape(study *st, const lcp *c, series *out) {
    shape seen = {.least_gap = INFINITY};
    for (int i = 0; i < c->n; ++i) {
        const double x = length * (i + 1) / (c->n + 1), w = height_at(c, i);
        seen.error = fmax(seen.error, fabs(w - exact_height(x)));
        seen.least_gap = fmin(seen.least_gap, w + depth);
        seen.worst_product =
            fmax(seen.worst_product, fabs(c->P[i] * (w + depth)));
        seen.force += c->P[i];
        if (out)
            series_add(st, out, x, w, exact_height(x),
                       c->P[i] * (c->n + 1) / length);
    }
    return seen;
}

/* What the two methods differ by. */
static double compare_methods(study *st, lcp *c) {
    double by_prox[MOST_NODES], most = 0;
    solve(st, c, "prox");
    memcpy(by_prox, c->P, sizeof by_prox);
    solve(st, c, "lemke");
    for (int i = 0; i < c->n; ++i)
        most = fmax(most, fabs(by_prox[i] - c->P[i]));
    return most;
}

/* The free boundary falls anywhere between two nodes: errors scatter, below that of a
 * parabola whose end is half an interval off. */
static const int nodes[] = {9, 12, 16, 21, 28, 37, 49, 65, 85, 111};
enum { SIZES = sizeof nodes / sizeof *nodes };

static void compare_finest(study *st, const shape *seen, double h) {
    const double s = sqrt(2 * depth * tension / weight);
    /* Each end carries p s but for half an interval. */
    const double force = weight * (length - 2 * s);
    study_near(st, seen->force, force, 0.02 * weight * h,
               "force of the obstacle, %d nodes [N]", nodes[SIZES - 1]);
    study_at_most(st, seen->error, 1e-4, "error of its shape [m]");
}

static void study_string(study *st, lcp *c) {
    double least_gap = 0, product = 0, differ = 0, share = 0, h = 1;
    series errors = {0}, out = {0};
    shape seen = {0};
    for (int k = 0; k < SIZES; ++k) {
        make_string(c, nodes[k]);
        differ = fmax(differ, compare_methods(st, c));
        seen = see_shape(st, c, k == SIZES - 1 ? &out : NULL);
        h = length / (nodes[k] + 1);
        share = fmax(share, seen.error / (weight * h * h / (8 * tension)));
        least_gap = fmin(least_gap, seen.least_gap);
        product = fmax(product, seen.worst_product);
        series_add(st, &errors, h, seen.error);
    }
    study_heading("a string of %d to %d nodes over an obstacle", nodes[0],
                  nodes[SIZES - 1]);
    study_at_most(st, differ, 5e-10, "lemke and prox: difference [N]");
    study_at_least(st, least_gap, -1e-15, "least gap [m]");
    study_at_most(st, product, 1e-15, "largest g lambda [J]");
    compare_finest(st, &seen, h);
    study_at_most(st, share, 1, "largest error over p h^2 / (8 T)");
    series_write(st, &out, "string.csv", "x,w,exact,pressure");
    series_write(st, &errors, "errors.csv", "h,e");
}

static const char script[] =
    "set multiplot layout 1,3 title "
    "'Elastic string over an obstacle, static problem of Signorini (Leine "
    "2024)'\n"
    "f = 'string.csv'\n"
    "set xlabel 'x [m]'\n"
    "set title 'shape, 111 nodes'\n"
    "set ylabel 'w [m]'\n"
    "set yrange [-0.25:0]\n"
    "plot -0.2 with filledcurves y1=-0.25 linestyle 9 notitle,\\\n"
    "  f using 'x':'exact' with lines linestyle 2 title 'free boundary',\\\n"
    "  f using 'x':'w' with points linestyle 1 pointsize 0.4 title 'LCP'\n"
    "set title 'pressure of the obstacle'\n"
    "set ylabel 'lambda / h [N/m]'\n"
    "set yrange [0:60]\n"
    "plot f using 'x':'pressure' with linespoints linestyle 3 pointsize 0.4 "
    "notitle\n"
    "set title 'error of the shape'\n"
    "set logscale xy\n"
    "set format xy '10^{%L}'\n"
    "set yrange [*:*]\n"
    "set xlabel 'h [m]'\n"
    "set ylabel 'error [m]'\n"
    "set key top left\n"
    "plot 'errors.csv' using 'h':'e' with linespoints linestyle 1 notitle,\\\n"
    "  0.5*x**2 with lines linestyle 9 title 'p h^2 / (8 T)'\n"
    "unset multiplot\n";

static void run(study *st) {
    lcp *c = calloc(1, sizeof *c);
    if (!c) {
        scree_fail(&st->error, SCREE_OUT_OF_MEMORY, "out of memory");
        return;
    }
    study_spring(st, c);
    study_string(st, c);
    free(c);
    study_plot(st, "signorini", 1400, 430, script);
}

const scree_study_ops scree_study_signorini = {
    .name = "signorini",
    .about = "static contact: an elastic string over an obstacle (Leine 2024)",
    .run = run,
};
