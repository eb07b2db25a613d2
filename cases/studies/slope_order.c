/* slope_order.c: 000 section 5.3, Figs. 7 and 8, and 001 section 6.3, Fig. 9:
 * a point mass on a slope, errors over step sizes.
 *
 * The error is measure (56) of 000 with p = 1, |e| = dt sum_i |f_i - ref_i|,
 * the largest component. References: q, u   event-driven: sliding as an
 * equation for (x, v), v the speed along the tangent, by RK4 with 5e-5 s;
 * impact, reversal and stick are met exactly. 000 takes rattle with dt = 5e-5,
 * which for a first order error (cases 3, 4) makes the observed order 0.05 too
 * high. dP     rattle with dt = 5e-5, as in 000: dP of a long step is compared
 * with dP of the short step that ends at the same time. So dP is its own error,
 * of first order; P(t), the sum until t, is shown beside it. lobatto is
 * compared until t = 1.6, before the mass sticks, as in 001. */
#include <math.h>
#include <stdio.h>

#include "cases/studies/study.h"
#include "engine/base/elementary/elementary.h"

enum { N_CASE = 4, N_DT = 8, N_REFERENCE = 65536 };
enum { Q, U, DP_N, DP_F, SUM_N, N_ERROR };
enum { X, Y, U_X, U_Y, P_N, P_F, S_N, N_COLUMN }; /* of a path */

static const double dt_reference = 5e-5;

/* Case k + 1: parameters, and when and where the mass sticks. `smooth`: no
 * event before it sticks, so that rattle is second order. */
static const struct {
    double y_0, u_0, t_stick, x_stick;
    bool smooth;
    double x_error;   /* that rattle may leave of x_stick at dt_reference [m] */
    int most, newton; /* linearisations of stage 1; Newton steps in Table 1 */
    double average[2];         /* numbers of Table 1 */
    double rattle_u, moreau_u; /* tolerances of the orders of e_u */
} cases[N_CASE] = {
    {1, 0, 2.0973523, 2.8491846, true, 1e-7, 4, 2, {1.2774, 0.6463}, .02, .02},
    {1, 1, 1.9295861, 2.9803885, true, 1e-7, 3, 2, {1.1737, 0.5945}, .02, .02},
    {1,
     -1,
     2.2197854,
     2.9204391,
     false,
     2e-7,
     4,
     4,
     {1.3628, 0.6859},
     .05,
     .03},
    {1.5, 0, 2.1878832, 3.1638661, false, 2e-5, 3, 5, {1.2469, 0.6737}, .1, .1},
};

/* ---- exact solution ------------------------------------------------------ */

static const double gravity = 10, mu = 0.3;

/* A mass in free fall at x = 0 for another `fall` seconds, or on the slope with
 * speed v along the tangent, in the sense of `sign`. */
typedef struct slider {
    double t, fall, y, x, v, sign;
    bool stuck;
} slider;

static slider slider_make(int k) {
    const double height = cases[k].y_0 - 1;
    return (slider){.fall = sqrt(2 * height / gravity),
                    .y = cases[k].y_0,
                    .v = cases[k].u_0,
                    .sign = cases[k].u_0 < 0 ? -1 : 1};
}

/* xdot = v / s,  vdot = g E / s - sign mu (g / s + E v^2 / s^3), where E / s^3
 * is the curvature of the slope. */
static void slider_rate(const slider *a, double *dx, double *dv) {
    const double E = scree_exp(-a->x), s = sqrt(1 + E * E);
    *dx = a->v / s;
    *dv = gravity * E / s -
          a->sign * mu * (gravity / s + E * a->v * a->v / (s * s * s));
}

static slider rk4(const slider *a, double h) {
    static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    slider b = *a, end = *a;
    double dx = 0, dv = 0;
    for (int i = 0; i < 4; ++i) {
        b.x = a->x + at[i] * h * dx, b.v = a->v + at[i] * h * dv;
        slider_rate(&b, &dx, &dv);
        end.x += h / 6 * weight[i] * dx, end.v += h / 6 * weight[i] * dv;
    }
    end.t += h;
    return end;
}

/* To v = 0, within h: reversal, or stick where the slope is flat enough. */
static void slider_stop(slider *a, double h) {
    double lo = 0, hi = h;
    for (int i = 0; i < 60; ++i) {
        const double middle = (lo + hi) / 2;
        *(rk4(a, middle).v * a->sign > 0 ? &lo : &hi) = middle;
    }
    *a = rk4(a, hi);
    a->v = 0;
    a->stuck = scree_exp(-a->x) <= mu;
    a->sign = 1;
}

static void slider_slide(slider *a, double h) {
    const double end = a->t + h;
    while (!a->stuck && a->t < end) {
        const slider b = rk4(a, end - a->t);
        if (b.v * a->sign >= 0)
            *a = b;
        else
            slider_stop(a, end - a->t);
    }
}

/* The inelastic impact at x = 0, where E = 1, takes the normal part of the
 * velocity and, by friction, mu times as much of the tangential part. */
static void slider_advance(slider *a, double h) {
    const double falling = fmin(h, a->fall - a->t);
    if (falling > 0) {
        a->t += falling;
        a->y = 1 + gravity * (a->fall * a->fall - a->t * a->t) / 2;
        a->v = (1 - mu) * gravity * a->t / sqrt(2);
        if (falling == h) return;
        h -= falling;
    }
    slider_slide(a, h);
    a->y = scree_exp(-a->x);
}

/* Into the first four columns of a path with steps of dt. Returns when and
 * where the mass sticks. */
static slider put_exact(series *rows, int k, double dt) {
    slider a = slider_make(k);
    for (size_t i = 0; i < rows->n; ++i) {
        double *row = &rows->values[i * N_COLUMN];
        slider_advance(&a, dt);
        const double E = a.y, s = sqrt(1 + E * E);
        const bool falls = a.t < a.fall;
        row[X] = a.x, row[Y] = a.y;
        row[U_X] = falls ? 0 : a.v / s;
        row[U_Y] = falls ? -gravity * a.t : -a.v * E / s;
    }
    return a;
}

/* ---- paths --------------------------------------------------------------- */

static trial make(study *st, int k, const char *stepper, double dt) {
    trial r = trial_make(st, "slope", stepper, dt);
    trial_set(&r, "y0", cases[k].y_0);
    trial_set(&r, "u0", cases[k].u_0);
    return r;
}

/* n steps, one row of N_COLUMN each; `r` is left at the end. */
static series path(trial *r, int n) {
    series out = {0};
    double sum = 0;
    for (int i = 0; i < n && trial_step(r, INFINITY); ++i) {
        const scree_dense *s = r->s;
        sum += s->P[0];
        series_add(r->st, &out, s->q[0], s->q[1], s->u[0], s->u[1], s->P[0],
                   s->P[1], sum);
    }
    return out;
}

/* (56) of all columns, then the larger of the components. */
static void measure(const series *path_of, const series *reference, double dt,
                    double *error) {
    double sum[N_COLUMN] = {0};
    const size_t every = path_of->n ? reference->n / path_of->n : 1;
    for (size_t i = 0; i < path_of->n; ++i) {
        const double *a = series_row(path_of, i);
        const double *b = series_row(reference, (i + 1) * every - 1);
        for (int k = 0; k < N_COLUMN; ++k) sum[k] += dt * fabs(a[k] - b[k]);
    }
    error[Q] = fmax(sum[X], sum[Y]);
    error[U] = fmax(sum[U_X], sum[U_Y]);
    error[DP_N] = sum[P_N], error[DP_F] = sum[P_F], error[SUM_N] = sum[S_N];
}

/* ---- errors over step sizes ---------------------------------------------- */

typedef struct errors {
    int n;
    double dt[N_DT], e[N_ERROR][N_DT];
} errors;

static void add_error(errors *all, const series *path_of,
                      const series *reference, double dt) {
    double e[N_ERROR];
    measure(path_of, reference, dt, e);
    all->dt[all->n] = dt;
    for (int k = 0; k < N_ERROR; ++k) all->e[k][all->n] = e[k];
    ++all->n;
}

static double order(const errors *all, int k) {
    return study_order(all->dt, all->e[k], all->n);
}

static void write_errors(study *st, const errors *all, const char *stepper,
                         int k) {
    series out = {0};
    for (int i = 0; i < all->n; ++i)
        series_add(st, &out, all->dt[i], all->e[Q][i], all->e[U][i],
                   all->e[DP_N][i], all->e[DP_F][i], all->e[SUM_N][i]);
    char file[64];
    snprintf(file, sizeof file, "%s-case-%d.csv", stepper, k + 1);
    series_write(st, &out, file, "dt,e_q,e_u,e_dP_N,e_dP_F,e_sum_P_N");
}

/* dt = 2.56e-2, 1.28e-2, ... 2e-4. */
static errors errors_of(study *st, int k, const char *stepper,
                        const series *reference) {
    errors all = {0};
    for (int i = 0; i < N_DT; ++i) {
        const double dt = 2.56e-2 / (1 << i);
        trial r = make(st, k, stepper, dt);
        series p = path(&r, (int)lround(N_REFERENCE * dt_reference / dt));
        add_error(&all, &p, reference, dt);
        series_free(&p);
        trial_end(&r);
    }
    write_errors(st, &all, stepper, k);
    return all;
}

/* ---- rattle -------------------------------------------------------------- */

/* References have three digits. */
static const double DIGITS = 5e-3;

/* Events are resolved to the order of dt; where there is none before it sticks,
 * the position is exact to the order of dt^2. */
static void compare_path(study *st, int k, const scree_dense *s,
                         const series *rows) {
    study_near(st, s->q[0], cases[k].x_stick, cases[k].x_error,
               "rattle, dt = 5e-5 s: sticks at x [m]");
    double most = 0;
    for (size_t i = 0; i < rows->n; ++i)
        most = fmax(most, series_row(rows, i)[P_N]);
    if (k == 3)
        study_near(st, most, 7.024815, 2e-3, "percussion of the impact [N s]");
    /* Table 1 does not say its dt: at 5e-5 the tolerance 1e-12 is in the rounding of
     * gap / dt, and finding that out takes a linearisation or two. */
    study_work(st, s, 0, cases[k].most, cases[k].average[0]);
    study_show(st, s->most_iterations[0], cases[k].newton,
               "  most (Table 1: Newton steps)");
    study_work(st, s, 1, 1, cases[k].average[1]);
    study_show(st, (double)s->unconverged, 0,
               "steps of 65536 that stall above 1e-12");
}

/* The path of the smallest step, with exact q and u in it. */
static series make_reference(study *st, int k) {
    trial r = make(st, k, "rattle", dt_reference);
    series rows = path(&r, N_REFERENCE);
    if (r.s) compare_path(st, k, r.s, &rows);
    trial_end(&r);
    const slider stop = put_exact(&rows, k, dt_reference);
    study_near(st, stop.t, cases[k].t_stick, 1e-7, "exact: sticks at t [s]");
    study_near(st, stop.x, cases[k].x_stick, 1e-7, "exact: at x [m]");
    return rows;
}

static void write_path(study *st, int k, const series *reference) {
    series out = {0};
    for (size_t i = 0; i < reference->n; i += 128) {
        const double *a = series_row(reference, i);
        series_add(st, &out, (double)(i + 1) * dt_reference, a[X], a[Y], a[U_X],
                   a[U_Y], a[P_N] / dt_reference, a[P_F] / dt_reference);
    }
    char file[32];
    snprintf(file, sizeof file, "path-case-%d.csv", k + 1);
    series_write(st, &out, file, "t,x,y,u_x,u_y,force_N,force_F");
}

static void compare_rattle(study *st, int k, const errors *all) {
    const double p = cases[k].smooth ? 2 : 1;
    if (k == 0) {
        study_near(st, all->e[Q][0], 4.13e-4, DIGITS * 4.13e-4,
                   "e_q, dt 2.56e-2");
        study_near(st, all->e[U][0], 9.11e-4, DIGITS * 9.11e-4,
                   "e_u, dt 2.56e-2");
        study_near(st, all->e[Q][1], 1.07e-4, DIGITS * 1.07e-4,
                   "e_q, dt 1.28e-2");
        study_near(st, all->e[U][1], 2.28e-4, DIGITS * 2.28e-4,
                   "e_u, dt 1.28e-2");
    }
    study_near(st, order(all, U), p, cases[k].rattle_u, "order of e_u");
    if (cases[k].smooth)
        study_near(st, order(all, Q), p, 0.1, "order of e_q");
    else
        study_show(st, order(all, Q), p, "order of e_q");
    study_near(st, order(all, DP_N), 1, 0.1, "order of e_dPN");
    study_near(st, order(all, DP_F), 1, 0.1, "order of e_dPF");
    study_show(st, order(all, SUM_N), p, "order of the sum of dP_N");
}

static void compare_moreau(study *st, int k, const errors *all) {
    if (k == 0) {
        study_near(st, all->e[Q][0], 4.37e-2, DIGITS * 4.37e-2,
                   "moreau: e_q, dt 2.56e-2");
        study_near(st, all->e[U][0], 1.76e-2, DIGITS * 1.76e-2,
                   "moreau: e_u, dt 2.56e-2");
    }
    study_near(st, order(all, U), 1, cases[k].moreau_u, "moreau: order of e_u");
    study_show(st, order(all, Q), 1, "moreau: order of e_q");
}

static void study_case(study *st, int k) {
    study_heading("case %d: y_0 = %g m, u_0 = %g m/s; T = 3.2768 s", k + 1,
                  cases[k].y_0, cases[k].u_0);
    series reference = make_reference(st, k);
    const errors rattle = errors_of(st, k, "rattle", &reference);
    compare_rattle(st, k, &rattle);
    const errors moreau = errors_of(st, k, "moreau", &reference);
    compare_moreau(st, k, &moreau);
    write_path(st, k, &reference);
    series_free(&reference);
}

/* ---- lobatto ------------------------------------------------------------- */

static series lobatto_path(study *st, int k, int stages, double dt) {
    trial r = make(st, k, "lobatto", dt);
    r.options.stages = stages;
    r.options.tolerance = 1e-14;
    series out = path(&r, (int)lround(1.6 / dt));
    trial_end(&r);
    return out;
}

static void write_lobatto(study *st, const errors *all, int stages, int k) {
    series out = {0};
    for (int i = 0; i < all->n; ++i)
        series_add(st, &out, all->dt[i], all->e[Q][i], all->e[U][i]);
    char file[64];
    snprintf(file, sizeof file, "lobatto-%d-case-%d.csv", stages, k + 1);
    series_write(st, &out, file, "dt,e_q,e_u");
}

/* dt is halved n - 1 times from `coarsest`: while the error is above rounding.
 * tolerance NAN: no verdict. */
static void study_lobatto(study *st, int k, int stages, double coarsest, int n,
                          double tolerance, const series *reference) {
    errors all = {0};
    for (int i = 0; i < n; ++i) {
        const double dt = coarsest / (1 << i);
        series p = lobatto_path(st, k, stages, dt);
        add_error(&all, &p, reference, dt);
        series_free(&p);
    }
    write_lobatto(st, &all, stages, k);
    const double p = cases[k].smooth ? 2 * stages - 2 : 1;
    if (isnan(tolerance))
        study_show(st, order(&all, U), p, "s = %d: order of e_u", stages);
    else
        study_near(st, order(&all, U), p, tolerance,
                   "s = %d: order of e_u, dt %.3g .. %.3g", stages, coarsest,
                   all.dt[n - 1]);
    study_show(st, order(&all, Q), p, "s = %d: order of e_q", stages);
}

/* Exact rows until t = 1.6; the percussions of these stay 0. */
static series lobatto_reference(study *st, int k) {
    series rows = {0};
    for (int i = 0; i < 4096; ++i) series_add(st, &rows, 0, 0, 0, 0, 0, 0, 0);
    put_exact(&rows, k, 1.6 / 4096);
    return rows;
}

static void study_lobatto_smooth(study *st) {
    study_heading(
        "lobatto, case 1 until t = 1.6 s (Capobianco et al. 2024, Fig. 9)");
    series reference = lobatto_reference(st, 0);
    study_lobatto(st, 0, 2, 0.1, 8, 0.03, &reference);
    study_lobatto(st, 0, 3, 0.1, 6, 0.04, &reference);
    study_lobatto(st, 0, 4, 0.1, 3, 0.15, &reference);
    series_free(&reference);
    study_note("s = 4 reaches rounding after three step sizes");
}

/* Case 4, which is case 2 of 001: an impact. */
static void study_lobatto_impact(study *st) {
    study_heading("lobatto, case 4 until t = 1.6 s: an impact is first order");
    series reference = lobatto_reference(st, 3);
    for (int stages = 2; stages <= 4; ++stages)
        study_lobatto(st, 3, stages, 0.1, 8, stages < 4 ? 0.05 : NAN,
                      &reference);
    series_free(&reference);
    study_note("s = 4 may touch at an inner stage only and hit some steps "
               "late: its errors scatter");
}

/* ---- picture ------------------------------------------------------------- */

static const char script[] =
    "set multiplot layout 3,4 title 'Point mass on slope "
    "(Breuling et al. 2024, Figs. 7 and 8; Capobianco et al. 2024, Fig. 9)'\n"
    "set key bottom right\n"
    "set xlabel 't [s]'\n"
    "do for [k = 1:4] {\n"
    "  f = sprintf('path-case-%d.csv', k)\n"
    "  set title sprintf('case %d: motion', k)\n"
    "  set ylabel 'x, y [m]; velocity [m/s]'\n"
    "  set yrange [-3.5:4]\n"
    "  plot f using 't':'x' with lines linestyle 1 title 'x',\\\n"
    "       f using 't':'y' with lines linestyle 3 title 'y',\\\n"
    "       f using 't':'u_x' with lines linestyle 2 title 'u_x',\\\n"
    "       f using 't':'u_y' with lines linestyle 5 title 'u_y'\n"
    "}\n"
    "set logscale xy\n"
    "set format y '10^{%L}'\n"
    "set format x '10^{%L}'\n"
    "set xlabel 'dt [s]'\n"
    "set xrange [1e-4:5e-2]\n"
    "set yrange [1e-14:10]\n"
    "set ylabel 'error (56)'\n"
    "set key bottom right samplen 2\n"
    "do for [k = 1:4] {\n"
    "  f = sprintf('rattle-case-%d.csv', k)\n"
    "  m = sprintf('moreau-case-%d.csv', k)\n"
    "  set title sprintf('case %d: rattle', k)\n"
    "  plot f using 'dt':'e_q' with linespoints linestyle 1 title 'e_q',\\\n"
    "       f using 'dt':'e_u' with linespoints linestyle 2 title 'e_u',\\\n"
    "       f using 'dt':'e_dP_N' with linespoints linestyle 3 "
    "title 'e_{dPN}',\\\n"
    "       f using 'dt':'e_dP_F' with linespoints linestyle 4 "
    "title 'e_{dPF}',\\\n"
    "       m using 'dt':'e_u' with linespoints linestyle 5 "
    "title 'e_u, moreau',\\\n"
    "       0.3*x with lines linestyle 9 title 'order 1',\\\n"
    "       0.1*x**2 with lines linestyle 9 title 'order 2'\n"
    "}\n"
    "set xrange [5e-4:0.2]\n"
    "set yrange [1e-14:1e4]\n"
    "set key top left\n"
    "do for [e in 'e_u e_q'] {\n"
    "  set ylabel e.', error (56)'\n"
    "  set title 'case 1: lobatto, t <= 1.6 s'\n"
    "  plot for [s = 2:4] sprintf('lobatto-%d-case-1.csv', s) "
    "using (column('dt')):(column(e)) with linespoints linestyle s-1 "
    "title sprintf('s = %d', s),\\\n"
    "       4*x**2 with lines linestyle 9 title 'orders 2, 4, 6',\\\n"
    "       0.15*x**4 with lines linestyle 9 notitle,\\\n"
    "       1e-2*x**6 with lines linestyle 9 notitle\n"
    "  set title 'case 4: lobatto, t <= 1.6 s'\n"
    "  plot for [s = 2:4] sprintf('lobatto-%d-case-4.csv', s) "
    "using (column('dt')):(column(e)) with linespoints linestyle s-1 "
    "title sprintf('s = %d', s),\\\n"
    "       0.5*x with lines linestyle 9 title 'order 1'\n"
    "}\n"
    "unset multiplot\n";

static void run(study *st) {
    for (int k = 0; k < N_CASE; ++k) study_case(st, k);
    study_note("e_q, e_u: against the event-driven solution; e_dP: against "
               "rattle, dt = 5e-5 s");
    study_lobatto_smooth(st);
    study_lobatto_impact(st);
    study_plot(st, "slope-order", 1700, 1150, script);
}

const scree_study_ops scree_study_slope_order = {
    .name = "slope-order",
    .about = "errors over step sizes on a slope (Breuling et al. 2024, 5.3; "
             "Capobianco et al. 2024, 6.3)",
    .run = run,
};
