/* lobatto_examples.c: Capobianco et al. sections 6.1 and 6.2, Figs. 3, 4 and 6: the
 * rotating ball and the slider-crank mechanism by lobatto with three stages. */
#include <math.h>
#include <stdio.h>

#include "cases/studies/study.h"

/* ---- the ball (6.1) ------------------------------------------------------------ */

enum { N_CASE = 3 };

/* g = 9.81, R = 0.1, m = 1, mu = 0.2; rolling keeps 2/7 of the spin. */
static const double dt_ball = 1e-2, t_impact = 0.4283529, v_impact = 4.2021423;
static const struct {
    double e_n, omega, t_end;
    double x;    /* at t = 1.1, exact [m] */
    double to_x; /* what the step leaves of it */
} cases[N_CASE] = {
    {0.5, 0, 1.5, 0, 1e-12},
    {0, 50, 1.1, -0.8713429, 5e-5},
    {0, 10, 1.1, -0.1918992, 2e-3},
};

typedef struct ball {
    double lowest, P_N, P_F; /* percussions of the hit [N s] */
    double v_before, v_after;
} ball;

static void look_at_ball(ball *seen, const scree_dense *s, double v_before) {
    seen->lowest = fmin(seen->lowest, s->g[0]);
    if (s->P[0] <= 0 || seen->P_N > 0) return;
    seen->P_N = s->P[0], seen->P_F = s->P[1];
    seen->v_before = v_before, seen->v_after = s->u[1];
}

/* The law of the hit over one step, which holds the weight as well. */
static void compare_ball(study *st, const scree_dense *s, const ball *seen,
                         int k) {
    study_heading("ball, case %d: e_N = %g, omega = %g rad/s; s = 3, dt = %g s",
                  k + 1, cases[k].e_n, cases[k].omega, dt_ball);
    study_near(st, seen->v_after, -cases[k].e_n * seen->v_before, 1e-12,
               "speed after the hit, e v_before [m/s]");
    study_near(st, seen->P_N,
               9.81 * dt_ball - (1 + cases[k].e_n) * seen->v_before, 1e-12,
               "percussion of the hit, m (1 + e) v + m g dt [N s]");
    study_near(st, -seen->v_before, v_impact, 0.98 * 9.81 * dt_ball,
               "speed before it, one step early at most [m/s]");
    study_at_most(st, -seen->lowest, 2.5e-13, "deepest penetration [m]");
    if (k == 0) {
        study_near(st, s->q[1], 0.1, 1e-12, "rests past the accumulation: y");
        study_near(st, s->u[1], 0, 8e-11, "  u_y [m/s]");
        return;
    }
    study_near(st, seen->P_F, k == 1 ? -0.2 * seen->P_N : -2. / 7, 1e-9,
               k == 1 ? "friction of the hit: slips, -mu P_N [N s]"
                      : "friction of the hit: sticks, -2/7 [N s]");
    study_near(st, s->u[2], 2. / 7 * cases[k].omega, 1e-8,
               "spin when it rolls, 2/7 omega [rad/s]");
    study_near(st, s->u[0], -0.1 * s->u[2], 1e-9, "u_x = -R omega [m/s]");
    study_near(st, s->q[0], cases[k].x, cases[k].to_x, "x(1.1) [m]");
}

static void study_ball(study *st, int k) {
    trial r = trial_make(st, "bouncing-ball", "lobatto", dt_ball);
    trial_set(&r, "e_n", cases[k].e_n);
    trial_set(&r, "omega", cases[k].omega);
    r.options.stages = 3;
    series out = {0};
    ball seen = {.lowest = INFINITY};
    double v = 0;
    while (trial_step(&r, cases[k].t_end)) {
        look_at_ball(&seen, r.s, v);
        v = r.s->u[1];
        series_add(st, &out, r.s->t, r.s->g[0], r.s->P[0], r.s->P[1], v);
    }
    if (r.s) compare_ball(st, r.s, &seen, k);
    trial_end(&r);
    char file[32];
    snprintf(file, sizeof file, "ball-%d.csv", k + 1);
    series_write(st, &out, file, "t,gap,dP_N,dP_F,v");
}

/* ---- the slider-crank (6.2) ------------------------------------------------------ */

enum { PHI_1 = 2, PHI_2 = 5, X_3 = 6, Y_3 = 7, PHI_3 = 8, FIRST_CONTACT = 6 };

typedef struct crank {
    double drift, lowest, t_turn, t_settled;
} crank;

static void look_at_crank(crank *seen, const scree_dense *s, double phi) {
    for (int l = 0; l < s->ops->n_law; ++l)
        if (l < FIRST_CONTACT)
            seen->drift = fmax(seen->drift, fabs(s->g[l]));
        else
            seen->lowest = fmin(seen->lowest, s->g[l]);
    if (phi < 2 * M_PI && s->q[PHI_1] >= 2 * M_PI)
        seen->t_turn =
            study_crossing(s->t - s->dt, phi, s->t, s->q[PHI_1], 2 * M_PI);
    if (fabs(s->q[PHI_3]) > 1e-5) seen->t_settled = s->t;
}

/* 9.00070 and the others: the limit dt -> 0. */
static void compare_crank(study *st, const scree_dense *s, const crank *seen) {
    study_heading("slider-crank, s = 3, dt = 1e-4 s, tolerance 1e-8");
    study_near(st, s->q[PHI_1], 9.00070, 5e-4, "phi_1(0.1), limit [rad]");
    study_near(st, s->q[PHI_2], -0.21056, 2.5e-4, "phi_2(0.1), limit [rad]");
    study_near(st, s->q[X_3], 0.159795, 2e-5, "x_3(0.1), limit [m]");
    study_near(st, seen->t_turn, 0.06834, 5e-6, "first revolution at [s]");
    study_near(st, seen->t_settled, 0.0091, 5e-4,
               "slider settles, about [s] (Fig. 6c: 0.01)");
    study_at_most(st, seen->drift, 3.5e-11, "largest bilateral violation [m]");
    study_at_most(st, -seen->lowest, 2.5e-15, "deepest penetration [m]");
    study_at_most(st, (double)s->unconverged, 0, "unconverged steps");
}

static void study_crank(study *st) {
    trial r = trial_make(st, "slider-crank", "lobatto", 1e-4);
    r.options.stages = 3;
    r.options.tolerance = 1e-8;
    series out = {0};
    crank seen = {0};
    double phi = 0;
    while (trial_step(&r, 0.1)) {
        const scree_dense *s = r.s;
        double gamma[14];
        look_at_crank(&seen, s, phi);
        phi = s->q[PHI_1];
        scree_dense_gamma(r.s, s->t, s->q, s->u, gamma);
        series_add(st, &out, s->t, s->g[FIRST_CONTACT], gamma[6],
                   s->g[FIRST_CONTACT + 2], gamma[10], s->q[PHI_3], s->u[PHI_3],
                   s->q[X_3], s->q[Y_3]);
    }
    if (r.s) compare_crank(st, r.s, &seen);
    trial_end(&r);
    series_write(st, &out, "crank.csv",
                 "t,g_1,gamma_1,g_3,gamma_3,phi_3,u_phi3,x_3,y_3");
}

static const char script[] =
    "set multiplot layout 2,4 title "
    "'Lobatto IIIA-IIIB with three stages (Capobianco et al., Figs. 3, 4 and "
    "6)'\n"
    "set xlabel 't [s]'\n"
    "set ylabel 'gap g_N [m]'\n"
    "set title 'ball, case 1'\n"
    "plot 'ball-1.csv' using 't':'gap' with lines linestyle 1 notitle\n"
    "set ylabel 'percussion of a step [N s]'\n"
    "set yrange [-1.2:4.6]\n"
    "do for [k = 2:3] {\n"
    "  set title sprintf('ball, case %d', k)\n"
    "  f = sprintf('ball-%d.csv', k)\n"
    "  plot f using 't':'dP_N' with lines linestyle 1 title 'normal',\\\n"
    "       f using 't':'dP_F' with lines linestyle 2 title 'friction'\n"
    "}\n"
    "set title 'ball, case 1: velocity'\n"
    "set ylabel '[m/s]'\n"
    "set yrange [*:*]\n"
    "plot 'ball-1.csv' using 't':'v' with lines linestyle 1 notitle\n"
    "f = 'crank.csv'\n"
    "set xtics 0.05\n"
    "set ylabel 'g_N [mm], its rate [m/s]'\n"
    "set yrange [-4:5]\n"
    "do for [k in '1 3'] {\n"
    "  set title sprintf('crank: gap of corner %s', k)\n"
    "  plot f using (column('t')):(column('gamma_'.k)) with lines linestyle 2 "
    "linewidth 0.5 title 'rate',\\\n"
    "    f using (column('t')):(1e3*column('g_'.k)) with lines linestyle 1 "
    "title 'g_N'\n"
    "}\n"
    "set title 'crank: angle of the slider'\n"
    "set ylabel 'phi_3 [rad]'\n"
    "set yrange [*:*]\n"
    "set xrange [0:0.02]\n"
    "set xtics 0.01\n"
    "plot f using 't':'phi_3' with lines linestyle 1 notitle\n"
    "set xrange [*:*]\n"
    "set xtics 0.1\n"
    "set title 'crank: path of S_3'\n"
    "set xlabel 'x_3 [m]'\n"
    "set ylabel 'y_3 [mm]'\n"
    "plot f using (column('x_3')):(1e3*column('y_3')) with lines linestyle 1 "
    "notitle\n"
    "unset multiplot\n";

static void run(study *st) {
    for (int k = 0; k < N_CASE; ++k) study_ball(st, k);
    study_crank(st);
    study_note("the ball first touches at %.7f s with %.7f m/s", t_impact,
               v_impact);
    study_plot(st, "lobatto-examples", 1700, 820, script);
}

const scree_study_ops scree_study_lobatto_examples = {
    .name = "lobatto-examples",
    .about = "the ball and the slider-crank by lobatto (Capobianco et al., 6.1 "
             "and 6.2)",
    .run = run,
};
