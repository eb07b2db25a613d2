/* slider_crank.c: 000 section 5.2, the panels of Fig. 5. */
#include <math.h>

#include "cases/studies/study.h"

enum { PHI_1 = 2, PHI_2 = 5, X_3 = 6, Y_3 = 7, PHI_3 = 8 };
enum { FIRST_CONTACT = 6 /* law; the joints come before */ };

/* rattle with dt = 1e-4, and the limit dt -> 0; REFERENCE.md. */
static const struct {
    const char *name;
    double t;
    int i;
    double value;
} points[] = {
    {"phi_1(0.02) [rad]", 0.02, PHI_1, 1.613468},
    {"phi_1(0.04) [rad]", 0.04, PHI_1, 3.935570},
    {"phi_1(0.08) [rad]", 0.08, PHI_1, 7.332443},
    {"phi_1(0.1) [rad]", 0.1, PHI_1, 9.002124},
    {"phi_2(0.1) [rad]", 0.1, PHI_2, -0.209897},
};
static const double limits[] = {9.00070, -0.21056, 0.159795}; /* at t = 0.1 */

typedef struct result {
    double drift, lowest, t_turn, t_settled;
    double at[STUDY_COUNT(points)];
} result;

static void look_at_constraints(result *seen, const scree_dense *s) {
    for (int l = 0; l < s->ops->n_law; ++l)
        if (l < FIRST_CONTACT)
            seen->drift = fmax(seen->drift, fabs(s->g[l]));
        else
            seen->lowest = fmin(seen->lowest, s->g[l]);
}

static void look(result *seen, trial *r, double phi_before, series *out) {
    const scree_dense *s = r->s;
    double gamma[14];
    look_at_constraints(seen, s);
    for (int k = 0; k < STUDY_COUNT(points); ++k)
        if (fabs(s->t - points[k].t) < 0.4 * r->dt)
            seen->at[k] = s->q[points[k].i];
    if (phi_before < 2 * M_PI && s->q[PHI_1] >= 2 * M_PI)
        seen->t_turn = study_crossing(s->t - s->dt, phi_before, s->t,
                                      s->q[PHI_1], 2 * M_PI);
    if (fabs(s->q[PHI_3]) > 1e-5) seen->t_settled = s->t;
    scree_dense_gamma(r->s, s->t, s->q, s->u, gamma);
    series_add(r->st, out, s->t, s->q[PHI_1], s->q[PHI_2], s->q[X_3], s->q[Y_3],
               s->q[PHI_3], s->u[PHI_1], s->u[PHI_2], s->u[PHI_3],
               s->g[FIRST_CONTACT], gamma[6], s->g[FIRST_CONTACT + 2],
               gamma[10]);
}

static trial simulate(study *st, const char *stepper, double dt,
                      const char *file, result *seen) {
    trial r = trial_make(st, "slider-crank", stepper, dt);
    r.options.tolerance = 1e-8;
    series out = {0};
    double phi = 0;
    while (trial_step(&r, 0.1)) {
        look(seen, &r, phi, &out);
        phi = r.s->q[PHI_1];
    }
    series_write(st, &out, file,
                 "t,phi_1,phi_2,x_3,y_3,phi_3,u_phi1,u_phi2,u_phi3,g_1,gamma_1,"
                 "g_3,gamma_3");
    return r;
}

/* Table 1 counts Newton steps on the whole of (41): at most 5 and 3. */
static void compare_work(study *st, const scree_dense *s) {
    study_work(st, s, 0, 2, 2.2290);
    study_work(st, s, 1, 2, 1.0081);
}

/* What a step leaves: 1 to 5 times the errors seen. */
typedef struct tolerances {
    double phi_1, phi_2, x_3, drift;
} tolerances;

static void compare_limits(study *st, const double *q, const tolerances *to) {
    study_near(st, q[PHI_1], limits[0], to->phi_1, "phi_1(0.1), limit [rad]");
    study_near(st, q[PHI_2], limits[1], to->phi_2, "phi_2(0.1), limit [rad]");
    study_near(st, q[X_3], limits[2], to->x_3, "x_3(0.1), limit [m]");
}

static void compare_gaps(study *st, const result *seen, const tolerances *to) {
    study_at_most(st, seen->drift, to->drift,
                  "largest bilateral violation [m]");
    study_at_most(st, -seen->lowest, 1e-10, "deepest penetration [m]");
}

static void study_rattle(study *st) {
    const tolerances to = {3e-3, 1.5e-3, 1e-4, 5e-10};
    result seen = {0};
    trial r = simulate(st, "rattle", 1e-4, "rattle.csv", &seen);
    study_heading("rattle, dt = 1e-4 s, tolerance 1e-8");
    for (int k = 0; k < STUDY_COUNT(points); ++k)
        study_near(st, seen.at[k], points[k].value, 1e-6, "%s", points[k].name);
    if (r.s) compare_limits(st, r.s->q, &to);
    study_near(st, seen.t_turn, 0.06834, 2e-5, "first revolution at [s]");
    study_show(st, seen.t_settled, 0.0091, "|phi_3| < 1e-5 from t [s]");
    compare_gaps(st, &seen, &to);
    if (r.s) compare_work(st, r.s);
    trial_end(&r);
}

static void study_coarse(study *st) {
    const tolerances to = {0.3, 0.15, 8e-3, 3e-9};
    result seen = {0};
    trial r = simulate(st, "rattle", 1e-3, "rattle-coarse.csv", &seen);
    study_heading("rattle, dt = 1e-3 s");
    if (r.s) compare_limits(st, r.s->q, &to);
    compare_gaps(st, &seen, &to);
    trial_end(&r);
}

/* Moreau holds the constraints on velocity level only: it drifts, and reaches
 * the same limit slowly. */
static void study_moreau(study *st, double dt, double phi_1, const char *file) {
    result seen = {0};
    trial r = simulate(st, "moreau", dt, file, &seen);
    study_heading("moreau, dt = %g s", dt);
    if (r.s) study_near(st, r.s->q[PHI_1], phi_1, 4e-4, "phi_1(0.1) [rad]");
    study_show(st, seen.drift, NAN, "largest bilateral violation [m]");
    study_show(st, -seen.lowest, NAN, "deepest penetration [m]");
    trial_end(&r);
}

static const char script[] =
    "set multiplot layout 2,3 title "
    "'Slider-crank with clearance, dt = 1e-4 s (Breuling et al. 2024, Fig. "
    "5)'\n"
    "f = 'rattle.csv'\n"
    "m = 'moreau.csv'\n"
    "set xlabel 't [s]'\n"
    "set xtics 0.02\n"
    "set ytics nomirror\n"
    "set y2tics\n"
    "set key top right\n"
    "do for [k in '1 3'] {\n"
    "  set title sprintf('gap of corner %s', k)\n"
    "  set ylabel 'g_N [mm]'\n"
    "  set y2label 'its rate [m/s]'\n"
    "  set yrange [-1:3]\n"
    "  set y2range [-4:4]\n"
    "  plot f using (column('t')):(1e3*column('g_'.k)) with lines linestyle 1 "
    "title 'g_N',\\\n"
    "    f using (column('t')):(column('gamma_'.k)) axes x1y2 with lines "
    "linestyle 2 title 'rate'\n"
    "}\n"
    "unset y2tics\n"
    "unset y2label\n"
    "set yrange [*:*]\n"
    "set title 'crank and rod'\n"
    "set ylabel 'angular velocity [rad/s]'\n"
    "set yrange [-150:300]\n"
    "plot f using 't':'u_phi1' with lines linestyle 1 title 'crank, "
    "rattle',\\\n"
    "     f using 't':'u_phi2' with lines linestyle 2 title 'rod, rattle',\\\n"
    "     m using 't':'u_phi1' with lines linestyle 9 title 'crank, "
    "moreau',\\\n"
    "     m using 't':'u_phi2' with lines linestyle 9 title 'rod, moreau'\n"
    "set yrange [*:*]\n"
    "set title 'slider: settles at about 0.0091 s'\n"
    "set ylabel 'phi_3 [rad]'\n"
    "set xrange [0:0.02]\n"
    "set xtics 0.005\n"
    "plot f using 't':'phi_3' with lines linestyle 1 title 'rattle',\\\n"
    "     m using 't':'phi_3' with lines linestyle 3 title 'moreau'\n"
    "set xrange [*:*]\n"
    "set xtics autofreq\n"
    "set title 'phase portrait of the rod'\n"
    "set xlabel 'phi_2 [rad]'\n"
    "set ylabel 'its velocity [rad/s]'\n"
    "plot f using 'phi_2':'u_phi2' with lines linestyle 1 notitle\n"
    "set title 'path of the centre of the slider'\n"
    "set xlabel 'x_3 [m]'\n"
    "set ylabel 'y_3 [mm]'\n"
    "plot f using (column('x_3')):(1e3*column('y_3')) with lines linestyle 1 "
    "notitle\n"
    "unset multiplot\n";

static void run(study *st) {
    study_rattle(st);
    study_coarse(st);
    study_moreau(st, 1e-4, 8.562, "moreau.csv");
    study_moreau(st, 1e-5, 8.949, "moreau-fine.csv");
    study_plot(st, "slider-crank", 1450, 820, script);
}

const scree_study_ops scree_study_slider_crank = {
    .name = "slider-crank",
    .about =
        "a slider-crank mechanism with clearance (Breuling et al. 2024, 5.2)",
    .run = run,
};
