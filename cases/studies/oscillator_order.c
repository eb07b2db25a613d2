/* oscillator_order.c: 002 section 10.3, Fig. 12: an oscillator hits a wall.
 *
 * moreau-adaptive with fixed order p and dt_min = dt_max^p: by (50) of 002 the
 * global error is of order p in dt_max. The exact solution is a piece of a sine
 * between two impacts, whose times are found by bisection. */
#include <math.h>
#include <stdio.h>

#include "cases/studies/study.h"
#include "engine/base/elementary/elementary.h"

enum { N_IMPACT = 4, N_DT = 13 };

static const double t_end = 1.5, restitution = 0.6;

/* ---- exact solution ------------------------------------------------------ */

typedef struct swing {
    double t, x, v;
} swing;

/* About x = -0.15 with c / m = 200. */
static swing swung(swing a, double time) {
    const double w = sqrt(200), c = scree_cos(w * time),
                 s = scree_sin(w * time);
    const double d = a.x + 0.15;
    return (swing){a.t + time, d * c + a.v / w * s - 0.15, a.v * c - d * w * s};
}

static double time_to_wall(swing a) {
    const double scan = 1e-3;
    double lo = scan, hi = 2 * scan;
    for (; swung(a, hi).x < 0; hi += scan) lo = hi;
    for (int k = 0; k < 60; ++k) {
        const double middle = (lo + hi) / 2;
        *(swung(a, middle).x > 0 ? &hi : &lo) = middle;
    }
    return lo;
}

/* Impact times, and the state at t_end. */
static swing exact(double impact[N_IMPACT]) {
    swing a = {0, -0.5, 0.2};
    for (int k = 0; k < N_IMPACT; ++k) {
        a = swung(a, time_to_wall(a));
        a.x = 0, a.v *= -restitution;
        impact[k] = a.t;
    }
    return swung(a, t_end - a.t);
}

/* ---- runs ---------------------------------------------------------------- */

static trial make(study *st, double dt_max, int p) {
    trial r = trial_make(st, "impact-oscillator", "moreau-adaptive", dt_max);
    r.options.dt_min = 1;
    for (int i = 0; i < p; ++i) r.options.dt_min *= dt_max;
    r.options.order = p;
    return r;
}

/* A fine run: histories, impact times and the end. */
static void study_history(study *st) {
    double reference[N_IMPACT], t[N_IMPACT] = {0};
    const swing end = exact(reference);
    trial r = make(st, 5e-3, 4);
    series out = {0};
    int n = 0, last = 1;
    while (trial_step(&r, t_end)) {
        const scree_dense *s = r.s;
        if (s->mode[0] == 0 && last == 1 && n < N_IMPACT) t[n++] = s->t;
        last = s->mode[0];
        series_add(st, &out, s->t, s->q[0], s->u[0], s->P[0], s->dt);
    }
    study_heading("moreau-adaptive, p = 4, dt_max = 5e-3 s, dt_min = dt_max^4");
    for (int k = 0; k < N_IMPACT; ++k)
        study_near(st, t[k], reference[k], 2e-8, "impact %d at [s]", k + 1);
    if (r.s) study_near(st, r.s->q[0], -0.16480333, 5e-8, "x(1.5) [m]");
    if (r.s) study_near(st, r.s->u[0], 2.18923898, 1e-7, "v(1.5) [m/s]");
    study_near(st, end.x, -0.16480333, 1e-8, "exact solution here: x(1.5)");
    study_near(st, end.v, 2.18923898, 1e-8, "exact solution here: v(1.5)");
    trial_end(&r);
    series_write(st, &out, "history.csv", "t,x,v,impulse,dt");
}

/* Length of (x - x_exact, v - v_exact). An extrapolation of order p takes
 * 1 + 3 + .. + (2 p - 1) = p^2 substeps: a measure of the work. */
static double error_of(study *st, double dt, int p, series *out) {
    double unused[N_IMPACT];
    const swing end = exact(unused);
    trial r = make(st, dt, p);
    trial_run(&r, t_end);
    double e = NAN;
    if (r.s) {
        e = scree_hypot(r.s->q[0] - end.x, r.s->u[0] - end.v);
        series_add(st, out, dt, e, fabs(r.s->q[0] - end.x), (double)r.s->steps,
                   (double)r.s->steps * p * p);
    }
    trial_end(&r);
    return e;
}

/* A switching point falls anywhere in a step of dt_min: single errors scatter.
 * So many step sizes are fitted, a quarter of an octave apart. Order 1 needs
 * smaller ones to be in its asymptotic range. */
static void study_orders(study *st) {
    static const double largest[] = {2e-3, 2e-2, 2e-2, 2e-2};
    static const double observed[] = {0.87, 2.02, 2.73, 4.06};
    static const double within[] = {0.3, 0.025, 0.3,
                                    0.09}; /* 1 to 5 times seen */
    study_heading("orders in dt_max, dt_min = dt_max^p (Fig. 12(e))");
    for (int p = 1; p <= 4; ++p) {
        double dt[N_DT], e[N_DT];
        series out = {0};
        for (int i = 0; i < N_DT; ++i) {
            dt[i] = largest[p - 1] * scree_exp2(-0.25 * i);
            e[i] = error_of(st, dt[i], p, &out);
        }
        const double order = study_order(dt, e, N_DT);
        study_near(st, order, p, within[p - 1], "p = %d: observed order", p);
        study_show(st, order, observed[p - 1], "  beside another program");
        char file[32];
        snprintf(file, sizeof file, "order-%d.csv", p);
        series_write(st, &out, file, "dt,e,e_x,steps,substeps");
    }
}

static const char script[] =
    "set multiplot layout 2,3 title "
    "'Impact oscillator, moreau-adaptive (Studer et al. 2008, Fig. 12)'\n"
    "f = 'history.csv'\n"
    "set xlabel 't [s]'\n"
    "set ylabel 'x [m]'\n"
    "set title 'position'\n"
    "plot f using 't':'x' with linespoints linestyle 1 pointsize 0.3 notitle\n"
    "set ylabel 'v [m/s]'\n"
    "set title 'velocity'\n"
    "plot f using 't':'v' with linespoints linestyle 1 pointsize 0.3 notitle\n"
    "set ylabel 'impulse of a step [N s]'\n"
    "set title 'contact impulses'\n"
    "plot f using 't':'impulse' with impulses linestyle 2 notitle\n"
    "set title 'step size'\n"
    "set ylabel 'dt [s]'\n"
    "set logscale y\n"
    "set format y '10^{%L}'\n"
    "plot f using 't':'dt' with lines linestyle 3 notitle\n"
    "set logscale xy\n"
    "set format x '10^{%L}'\n"
    "set key top left\n"
    "set title 'global error of x'\n"
    "set ylabel 'e_G [m]'\n"
    "set xlabel 'dt_{max} [s]'\n"
    "set xrange [1e-4:4e-2]\n"
    "set yrange [1e-12:1e4]\n"
    "plot for [p = 1:4] sprintf('order-%d.csv', p) using 'dt':'e_x' "
    "with linespoints linestyle p pointsize 0.7 title sprintf('p = %d', p),\\\n"
    "  for [p = 1:4] (p == 1 ? 10 : p == 2 ? 60 : p == 3 ? 2e2 : 8e2) * x**p "
    "with lines linestyle 9 title p == 1 ? 'orders 1 to 4' : ''\n"
    "set title 'global error over work'\n"
    "set xlabel 'substeps of Moreau (steps times p^2)'\n"
    "set xrange [1e2:1e5]\n"
    "set key top right\n"
    "plot for [p = 1:4] sprintf('order-%d.csv', p) using 'substeps':'e_x' "
    "with linespoints linestyle p pointsize 0.7 title sprintf('p = %d', p)\n"
    "unset multiplot\n";

static void run(study *st) {
    study_history(st);
    study_orders(st);
    study_plot(st, "oscillator-order", 1500, 900, script);
}

const scree_study_ops scree_study_oscillator_order = {
    .name = "oscillator-order",
    .about = "orders of extrapolated Moreau on an oscillator (Studer et al. "
             "2008, 10.3)",
    .run = run,
};
