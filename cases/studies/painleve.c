/* painleve.c: Painleve's rod, named by Leine 2024 among what hard contact has to answer:
 * a rod slides with its tip ahead. While it slips, g'' = A lambda / m + b with
 *
 *     A = 1 + 3 cos^2 phi + 3 mu sin phi cos phi,   b = l phi'^2 sin phi - g,
 *
 * and A < 0 for mu > 4/3 about tan phi = -2: no force keeps the tip out. Percussions do:
 * an impact without collision, which stops the slip at once, in every scheme and for every
 * step size. Where the rod sticks after it, W_F^T u = 0, W_N^T u = 0 and momentum give the
 * velocity in closed form. */
#include <math.h>
#include <stdio.h>

#include "cases/studies/study.h"
#include "engine/base/elementary/elementary.h"

static const double l = 0.5, gravity = 9.81, slip = 1;
static const char *const steppers[] = {"moreau", "rattle", "lobatto",
                                       "semi-implicit-3"};

static double coefficient_A(double phi, double mu) {
    const double c = scree_cos(phi), s = scree_sin(phi);
    return 1 + 3 * c * c + 3 * mu * s * c;
}

/* The tip that slips with v is stopped, and stays on the plane: the percussion at the tip
 * keeps the moment about it, (J + m l^2) omega = -m l v sin phi for q' = (v, 0, 0), and is
 * what the centre's velocity (-l sin phi, l cos phi) omega lacks. */
static double spin_after(double phi) {
    return -slip * scree_sin(phi) / (l * (1. / 3 + 1));
}

typedef struct result {
    double slip, lowest, P_N, P_F, spin; /* after the first step */
} result;

static result first_step(study *st, const char *stepper, double mu, double dt) {
    trial r = trial_make(st, "painleve-rod", stepper, dt);
    result seen = {0};
    trial_set(&r, "mu", mu);
    if (trial_step(&r, 1)) {
        double gamma[2];
        scree_dense_gamma(r.s, r.s->t, r.s->q, r.s->u, gamma);
        seen = (result){gamma[1], r.s->g[0], r.s->P[0], r.s->P[1], r.s->u[2]};
    }
    trial_end(&r);
    return seen;
}

static void study_border(study *st) {
    const double phi = M_PI - scree_atan(2);
    double least = INFINITY, at = 0;
    for (int k = 1; k < 1000; ++k) {
        const double x = M_PI / 2 * (1 + 1e-3 * k);
        const double c = scree_cos(x), s = scree_sin(x);
        const double mu = -(1 + 3 * c * c) / (3 * s * c);
        if (mu < least) least = mu, at = x;
    }
    study_heading("where A < 0");
    study_near(st, coefficient_A(phi, 1.5), -0.2, 1e-14,
               "A for tan phi = -2, mu = 1.5");
    study_near(st, least, 4. / 3, 1.5e-6, "least mu with A = 0");
    study_near(st, at, phi, 1e-3, "  at phi = pi - atan 2 [rad]");
}

/* What a step adds to the impact is of the order of the step: 1 to 5 times what is seen.
 * Moreau's scheme stops the tip of the midpoint. */
static void study_scheme(study *st, const char *stepper, double dt) {
    const double phi = M_PI - scree_atan(2), spin = spin_after(phi);
    const bool midpoint = stepper == steppers[0];
    const result seen = first_step(st, stepper, 1.5, dt);
    study_near(st, seen.slip, 0, midpoint ? dt : 1e-14,
               "dt = %g: slip after it [m/s]", dt);
    study_near(st, seen.spin, spin, 20 * dt, "  spin [rad/s]");
    study_near(st, seen.P_N, l * scree_cos(phi) * spin, 20 * dt,
               "  P_N, whatever the step [N s]");
    study_near(st, seen.P_F, -slip - l * scree_sin(phi) * spin, 13 * dt,
               "  P_F [N s]");
}

static void study_impact(study *st) {
    for (int i = 0; i < STUDY_COUNT(steppers); ++i) {
        study_heading("%s, mu = 1.5: impact without collision", steppers[i]);
        study_scheme(st, steppers[i], 1e-3);
        study_scheme(st, steppers[i], 1e-5);
    }
}

/* Below 4/3 the same start slides: lambda = -m b / A, and the slip goes on. */
static void study_regular(study *st) {
    const double phi = M_PI - scree_atan(2), mu = 0.3, dt = 1e-4;
    const double force = gravity / coefficient_A(phi, mu);
    study_heading("mu = 0.3: the rod slides, lambda = m g / A");
    for (int i = 0; i < STUDY_COUNT(steppers); ++i) {
        const result seen = first_step(st, steppers[i], mu, dt);
        study_near(st, seen.P_N / dt, force, 1.5e-6, "%s: normal force [N]",
                   steppers[i]);
        study_near(st, seen.P_F, -mu * seen.P_N, 1e-17,
                   "  friction, -mu P_N [N s]");
    }
}

/* The whole motion with mu = 1.5, and mu below the border. */
static void write_motion(study *st, double mu, const char *file) {
    trial r = trial_make(st, "painleve-rod", "rattle", 1e-4);
    series out = {0};
    trial_set(&r, "mu", mu);
    while (trial_step(&r, 0.3)) {
        double gamma[2];
        scree_dense_gamma(r.s, r.s->t, r.s->q, r.s->u, gamma);
        series_add(st, &out, r.s->t, gamma[1], r.s->q[2], r.s->g[0],
                   r.s->P[0] / r.s->dt, coefficient_A(r.s->q[2], mu));
    }
    trial_end(&r);
    series_write(st, &out, file, "t,slip,phi,gap,force,A");
}

static const char script[] =
    "set multiplot layout 1,3 title "
    "'Painleve: a rod that slides with its tip ahead (Leine 2024)'\n"
    "set xlabel 't [s]'\n"
    "set key center right\n"
    "set title 'slip of the tip'\n"
    "set ylabel '[m/s]'\n"
    "plot 'high.csv' using 't':'slip' with lines linestyle 2 title 'mu = "
    "1.5',\\\n"
    "  'low.csv' using 't':'slip' with lines linestyle 1 title 'mu = 0.3'\n"
    "set title 'angle of the rod'\n"
    "set ylabel 'phi [rad]'\n"
    "set key bottom left\n"
    "plot 'high.csv' using 't':'phi' with lines linestyle 2 title 'mu = "
    "1.5',\\\n"
    "  'low.csv' using 't':'phi' with lines linestyle 1 title 'mu = 0.3'\n"
    "set title 'A, negative: no force keeps the tip out'\n"
    "set xlabel 'phi [rad]'\n"
    "set ylabel 'A'\n"
    "set key top left\n"
    "set samples 400\n"
    "A(x, mu) = 1 + 3*cos(x)**2 + 3*mu*sin(x)*cos(x)\n"
    "plot [pi/2:pi] A(x, 0.3) with lines linestyle 1 title 'mu = 0.3',\\\n"
    "  A(x, 4./3) with lines linestyle 3 title 'mu = 4/3',\\\n"
    "  A(x, 1.5) with lines linestyle 2 title 'mu = 1.5',\\\n"
    "  0 with lines linestyle 9 notitle\n"
    "unset multiplot\n";

static void run(study *st) {
    study_border(st);
    study_impact(st);
    study_regular(st);
    write_motion(st, 1.5, "high.csv");
    write_motion(st, 0.3, "low.csv");
    study_plot(st, "painleve", 1450, 460, script);
}

const scree_study_ops scree_study_painleve = {
    .name = "painleve",
    .about = "Painleve's rod: an impact without collision (Leine 2024)",
    .run = run,
};
