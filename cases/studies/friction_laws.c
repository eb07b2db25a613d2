/* friction_laws.c: set-valued against regularised friction on the block on a belt, Leine
 * 2024, set A: arctan smoothing and the LuGre model approach Coulomb's law as they become
 * stiff, and cost steps for it.
 *
 *     arctan   -lambda = a (2/pi) atan(eps gamma): creeps in stick with
 *              gamma = tan(pi F / 2 a) / eps; explicit steps must stay below
 *              pi m / (a eps)
 *     LuGre    bristles of stiffness sigma_0, damping sigma_1 = sqrt(sigma_0 m)
 *
 * Both converge slowly: the greatest friction they reach beside the smooth part,
 * max a (2/pi) atan(eps gamma) - (4/pi) atan(3 gamma), lacks 2 sqrt(24 a / eps) / pi of a,
 * and the block leaves the belt so much sooner: order 1/2 of the period. */
#include <math.h>
#include <stdio.h>

#include "cases/studies/belt_cycle.h"
#include "engine/base/elementary/elementary.h"

/* The limit cycle of Coulomb's law, by events. */
static const double period = 6.670357, low = -1.06306, high = 7.20263;
static const double radius = 5, belt = 3;
enum { N_STIFF = 4 };

static double middle(void) {
    return (low + high) / 2;
}

/* ---- Coulomb's law ----------------------------------------------------------- */

static void study_coulomb(study *st) {
    trial r = trial_make(st, "belt", "rattle", 1e-2);
    series out = {0};
    const belt_cycle c = belt_cycle_run(&r, middle(), &out);
    study_heading("Coulomb's law, rattle, dt = 0.01 s");
    study_near(st, c.period, period, 1e-5 * period, "period [s]");
    if (r.s) study_show(st, (double)r.s->unconverged, 0, "unconverged steps");
    trial_end(&r);
    series_write(st, &out, "coulomb.csv", "t,x,v,friction");
}

/* ---- regularised laws ----------------------------------------------------------- */

typedef struct law {
    const char *model, *parameter, *file;
    double stiff[N_STIFF];
    double order, within; /* of the error of the period in 1 / stiffness */
} law;

static const law laws[] = {
    {"belt-arctan", "eps", "arctan", {30, 100, 300, 1000}, 0.5, 0.05},
    {"belt-lugre", "sigma_0", "lugre", {100, 300, 1000, 3000}, 0.5, 0.05},
};

static trial make_trial(study *st, const law *l, double stiff,
                        const char *stepper, double dt) {
    trial r = trial_make(st, l->model, stepper, dt);
    r.options.stages = 3;
    r.options.tolerance = 1e-10;
    trial_set(&r, l->parameter, stiff);
    if (l == &laws[1]) trial_set(&r, "sigma_1", sqrt(stiff));
    return r;
}

static void study_law(study *st, const law *l) {
    double inverse[N_STIFF], e[N_STIFF];
    series errors = {0};
    study_heading("%s, lobatto s = 3, dt = 0.01 s", l->model);
    for (int i = 0; i < N_STIFF; ++i) {
        trial r = make_trial(st, l, l->stiff[i], "lobatto", 1e-2);
        series out = {0};
        const belt_cycle c = belt_cycle_run(&r, middle(), i == 1 ? &out : NULL);
        trial_end(&r);
        inverse[i] = 1 / l->stiff[i], e[i] = fabs(c.period - period);
        study_show(st, c.period, period, "%s = %g: period [s]", l->parameter,
                   l->stiff[i]);
        series_add(st, &errors, inverse[i], e[i]);
        char file[48];
        snprintf(file, sizeof file, "%s.csv", l->file);
        if (i == 1) series_write(st, &out, file, "t,x,v,friction");
    }
    study_near(st, study_order(inverse, e, N_STIFF), l->order, l->within,
               "order in 1 / %s, error %.1e .. %.1e s", l->parameter, e[0],
               e[N_STIFF - 1]);
    char file[48];
    snprintf(file, sizeof file, "%s-errors.csv", l->file);
    series_write(st, &errors, file, "inverse,e");
}

/* ---- creep -------------------------------------------------------------------- */

/* In stick, at x = 2 on the way up: the force is k x - F_D(gamma), less what the slow
 * change of gamma takes. */
static void study_creep(study *st) {
    const double eps = 1000;
    trial r = make_trial(st, &laws[0], eps, "lobatto", 2e-3);
    double before = INFINITY;
    while (trial_step(&r, 20)) {
        const double x = r.s->q[0];
        if (r.s->t > 10 && before < 2 && x >= 2) break;
        before = x;
    }
    study_heading(
        "creep of the block that should stick, eps = 1000 s/m, x = 2 m");
    if (!r.s) return;
    const double gamma = r.s->u[0] - belt;
    const double force = r.s->q[0] - 4 / M_PI * scree_atan(3 * gamma);
    const double creep = -scree_sin(M_PI * force / (2 * radius)) /
                         scree_cos(M_PI * force / (2 * radius)) / eps;
    study_near(st, gamma, creep, 0.01 * fabs(creep), "gamma [m/s]");
    trial_end(&r);
}

/* ---- steps ---------------------------------------------------------------------- */

/* The share of steps in which gamma turns round, where the block should stick. */
static double chatter(study *st, double eps, double dt) {
    trial r = make_trial(st, &laws[0], eps, "semi-implicit-2", dt);
    double last[2] = {0, 0};
    int turns = 0, steps = 0;
    while (trial_step(&r, 12)) {
        const double x = r.s->q[0], gamma = r.s->u[0] - belt;
        if (x > 1 && x < 3 && fabs(gamma) < 0.5) {
            turns += (gamma - last[0]) * (last[0] - last[1]) < 0;
            ++steps;
        }
        last[1] = last[0], last[0] = gamma;
    }
    trial_end(&r);
    return (double)turns / steps;
}

static void study_steps(study *st) {
    study_heading("explicit steps below and above pi m / (a eps): steps in "
                  "which gamma turns");
    for (int i = 0; i < 3; ++i) {
        const double eps = laws[0].stiff[i + 1], limit = M_PI / (radius * eps);
        study_at_most(st, chatter(st, eps, 0.4 * limit), 0.05,
                      "eps = %g: share with dt = %.1e s", eps, 0.4 * limit);
        study_at_least(st, chatter(st, eps, 1.6 * limit), 0.3,
                       "  with dt = %.1e s: it chatters", 1.6 * limit);
    }
    study_note("As a set Coulomb's law takes 0.01 s, with a period 5e-6 off; "
               "smoothed with eps = 1000 s/m the period");
    study_note("is 7e-3 off, and explicit steps end at 6e-4 s.");
}

static const char script[] =
    "set multiplot layout 1,3 title "
    "'Block on a belt: set-valued and regularised friction (Leine 2024)'\n"
    "set xlabel 'x [m]'\n"
    "set ylabel 'v [m/s]'\n"
    "set title 'limit cycles'\n"
    "set xrange [-2:9]\n"
    "set yrange [-5:5]\n"
    "set key center\n"
    "plot 'coulomb.csv' using 'x':'v' with lines linestyle 1 title "
    "'Coulomb',\\\n"
    "  'arctan.csv' using 'x':'v' with lines linestyle 2 title 'arctan, eps = "
    "100',\\\n"
    "  'lugre.csv' using 'x':'v' with lines linestyle 3 title 'LuGre, sigma_0 "
    "= "
    "300'\n"
    "set title 'where it should stick'\n"
    "set xrange [-1.5:5]\n"
    "set yrange [2.8:3.2]\n"
    "set key bottom center\n"
    "plot 'coulomb.csv' using 'x':'v' with lines linestyle 1 title "
    "'Coulomb',\\\n"
    "  'arctan.csv' using 'x':'v' with lines linestyle 2 title 'arctan',\\\n"
    "  'lugre.csv' using 'x':'v' with lines linestyle 3 title 'LuGre'\n"
    "set title 'error of the period'\n"
    "set logscale xy\n"
    "set format xy '10^{%L}'\n"
    "set xrange [*:*]\n"
    "set yrange [*:*]\n"
    "set key top left\n"
    "set xlabel '1 / eps [m/s], 1 / sigma_0 [m/N]'\n"
    "set ylabel '[s]'\n"
    "plot 'arctan-errors.csv' using 'inverse':'e' with linespoints linestyle 2 "
    "title 'arctan',\\\n"
    "  'lugre-errors.csv' using 'inverse':'e' with linespoints linestyle 3 "
    "title 'LuGre',\\\n"
    "  1.5*sqrt(x) with lines linestyle 9 title 'order 1/2'\n"
    "unset multiplot\n";

static void run(study *st) {
    study_coulomb(st);
    for (int k = 0; k < STUDY_COUNT(laws); ++k) study_law(st, &laws[k]);
    study_creep(st);
    study_steps(st);
    study_plot(st, "friction-laws", 1500, 480, script);
}

const scree_study_ops scree_study_friction_laws = {
    .name = "friction-laws",
    .about = "set-valued against smoothed and bristle friction (Leine 2024)",
    .run = run,
};
