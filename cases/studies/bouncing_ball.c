/* bouncing_ball.c: 000 section 5.1, Figs. 2 and 3, and its rows of Table 1. */
#include <math.h>
#include <stdio.h>

#include "cases/studies/study.h"

enum { N_CASE = 3, IMPACT_STEP = 43 };

static const double dt = 1e-2;

/* Case k + 1. Iterations are the greatest numbers of Table 1. */
static const struct {
    double e_n, omega, t_end;
    double P_N, P_F;   /* of the step in which the ball hits the plane */
    double x, x_exact; /* at t = 1.1 */
    double
        average[2]; /* Newton steps of Table 1, where at most 2 to 3, and 2 */
} cases[N_CASE] = {
    {0.5, 0, 1.5, 6.2784, 0, 0, 0, {1.0066, 0.9466}},
    {0, 50, 1.1, 4.2183, -0.84366, -0.8713463, -0.8713429, {1.0270, 0.9466}},
    {0, 10, 1.1, 4.2183, -0.2857143, -0.1928155, -0.1918992, {1.0270, 0.6756}},
};

/* What one run shows. */
typedef struct result {
    double P_N, P_F, lowest, t_roll, x;
} result;

static void look(result *seen, const trial *r, series *out) {
    const scree_dense *s = r->s;
    series_add(r->st, out, s->t, s->g[0], s->P[0], s->P[1], s->q[0], s->u[0],
               s->u[2]);
    seen->lowest = fmin(seen->lowest, s->g[0]);
    if (s->steps == IMPACT_STEP) seen->P_N = s->P[0], seen->P_F = s->P[1];
    const bool free_of_friction = fabs(s->P[1]) < 1e-10;
    if (s->steps > IMPACT_STEP && free_of_friction && seen->t_roll == 0)
        seen->t_roll = s->t;
    if (s->t < 1.1 + dt / 2) seen->x = s->q[0];
}

static void compare_friction(study *st, const scree_dense *s,
                             const result *seen, int k) {
    const double u = k == 1 ? -1.4285714286 : -0.2857142857;
    study_near(st, seen->P_F, cases[k].P_F, k == 1 ? 1e-5 : 1e-7,
               "dP_F of the impact [N s]");
    if (k == 1) study_near(st, seen->t_roll, 0.74, 1e-9, "rolls from t [s]");
    study_near(st, s->u[0], u, 1e-8, "u_x when it rolls [m/s]");
    study_near(st, s->u[2], -u / 0.1, 1e-7, "omega when it rolls [rad/s]");
    study_near(st, seen->x, cases[k].x, 1e-7, "x(1.1) [m]");
    study_show(st, seen->x, cases[k].x_exact, "  beside the exact value");
}

static void compare(study *st, const scree_dense *s, const result *seen,
                    int k) {
    study_heading("case %d: e_N = %g, omega = %g rad/s; rattle, dt = %g s",
                  k + 1, cases[k].e_n, cases[k].omega, dt);
    study_near(st, seen->P_N, cases[k].P_N, 1e-6, "dP_N of the impact [N s]");
    study_at_most(st, -seen->lowest, 1e-9, "deepest penetration [m]");
    if (k > 0)
        compare_friction(st, s, seen, k);
    else {
        study_near(st, s->q[1], 0.1, 1e-8,
                   "rests past the accumulation (1.2850588 s): y");
        study_near(st, s->u[1], 0, 1e-8, "  u_y [m/s]");
    }
    for (int stage = 0; stage < 2; ++stage)
        study_work(st, s, stage, 1, cases[k].average[stage]);
}

static void run_case(study *st, int k) {
    trial r = trial_make(st, "bouncing-ball", "rattle", dt);
    trial_set(&r, "e_n", cases[k].e_n);
    trial_set(&r, "omega", cases[k].omega);
    r.options.tolerance = 1e-8;
    series out = {0};
    result seen = {.lowest = INFINITY};
    while (trial_step(&r, cases[k].t_end)) look(&seen, &r, &out);
    if (r.s) compare(st, r.s, &seen, k);
    trial_end(&r);
    char file[32];
    snprintf(file, sizeof file, "case-%d.csv", k + 1);
    series_write(st, &out, file, "t,gap,dP_N,dP_F,x,u_x,omega");
}

static const char script[] =
    "set multiplot layout 1,3 title "
    "'Rotating bouncing ball, rattle, dt = 0.01 s (Breuling et al. 2024, Figs. "
    "2 and 3)'\n"
    "set xlabel 't [s]'\n"
    "set ylabel 'gap g_N [m]'\n"
    "set title 'case 1: accumulating impacts'\n"
    "set arrow 1 from 1.2850588, graph 0 to 1.2850588, graph 1 nohead "
    "linestyle 9\n"
    "set label 1 'accumulation' at 1.24, graph 0.6 rotate by 90\n"
    "plot 'case-1.csv' using 't':'gap' with lines linestyle 1 notitle\n"
    "unset arrow 1\n"
    "unset label 1\n"
    "set key top right\n"
    "set ylabel 'percussion of a step [N s]'\n"
    "do for [k = 2:3] {\n"
    "  set title sprintf('case %d: omega = %d rad/s', k, k == 2 ? 50 : 10)\n"
    "  set yrange [-1.2 : 4.6]\n"
    "  f = sprintf('case-%d.csv', k)\n"
    "  plot f using 't':'dP_N' with lines linestyle 1 title 'normal',\\\n"
    "       f using 't':'dP_F' with lines linestyle 2 title 'friction'\n"
    "}\n"
    "unset multiplot\n";

static void run(study *st) {
    for (int k = 0; k < N_CASE; ++k) run_case(st, k);
    study_plot(st, "bouncing-ball", 1350, 430, script);
}

const scree_study_ops scree_study_bouncing_ball = {
    .name = "bouncing-ball",
    .about = "a ball with spin falls, bounces, slides and rolls (Breuling et "
             "al. 2024, 5.1)",
    .run = run,
};
