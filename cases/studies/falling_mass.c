/* falling_mass.c: 002 sections 8 and 10.1, Figs. 5, 9 and 10: a point mass that bounces
 * until it rests, by moreau-adaptive with three ways to extrapolate a contact that stays.
 *
 *     odd     1, 3, 5, .. substeps: the published remedy, what the program does
 *     all     1, 2, 3, .. substeps, which make (-eps)^n alternate and grow
 *     fading  1, 2, 3, .. substeps with eps^(dt / dt_min): the second remedy of 8.2 */
#include <math.h>
#include <stdio.h>

#include "cases/studies/study.h"
#include "engine/base/elementary/elementary.h"
#include "engine/steppers/extrapolation.h"

static const double t_end = 1.2, e_n = 0.7, height = 0.07, gravity = 9.81;
static const double dt_min = 1e-5, dt_max = 0.05;
enum { ORDERS = 4, N_IMPACT = 3 };

static const struct way {
    const char *name;
    scree_substeps_rule rule;
    bool recovers; /* the step grows again when the mass is at rest */
} ways[] = {
    {"odd", SCREE_SUBSTEPS_ODD, true},
    {"all", SCREE_SUBSTEPS_ALL, false},
    {"fading", SCREE_SUBSTEPS_FADING, true},
};

/* ---- one contact (46), (47), Fig. 5 ---------------------------------------- */

/* T_{i,i} / gamma_B of orders 1 to 4, from T_{i,1} = (-eps)^n. */
static void extrapolate_contact(scree_substeps_rule rule, double eps,
                                double T_ii[ORDERS]) {
    double T[ORDERS];
    int n[ORDERS];
    for (int i = 0; i < ORDERS; ++i) {
        n[i] = scree_substep_count(rule, i);
        T[i] = 1;
        for (int k = 0; k < n[i]; ++k) T[i] *= -eps;
        scree_aitken_neville(T, 1, n, i);
        T_ii[i] = T[0];
    }
}

static void study_contact(study *st) {
    static const double published[ORDERS] = {-0.7, 1.68, -3.8535, 9.2682};
    double all[ORDERS], odd[ORDERS];
    series out = {0};
    extrapolate_contact(SCREE_SUBSTEPS_ALL, e_n, all);
    study_heading("an enduring contact, eps = 0.7, substeps 1, 2, 3, 4 (47)");
    study_show(st, all[0], published[0], "T_11 / gamma_B");
    for (int i = 1; i < ORDERS; ++i)
        study_near(st, all[i], published[i], 5e-5, "T_%d%d / gamma_B", i + 1,
                   i + 1);
    study_heading("substeps 1, 3, 5, 7: contractions for every eps (Fig. 5b)");
    double most = 0;
    for (int k = 0; k <= 100; ++k) {
        const double eps = 0.01 * k;
        extrapolate_contact(SCREE_SUBSTEPS_ALL, eps, all);
        extrapolate_contact(SCREE_SUBSTEPS_ODD, eps, odd);
        for (int i = 0; i < ORDERS; ++i) most = fmax(most, fabs(odd[i]));
        series_add(st, &out, eps, all[0], all[1], all[2], all[3], odd[0],
                   odd[1], odd[2], odd[3]);
    }
    study_at_most(st, most, 1 + 1e-14, "largest |T_ii / gamma_B|");
    series_write(st, &out, "contact.csv",
                 "eps,all_1,all_2,all_3,all_4,odd_1,odd_2,odd_3,odd_4");
}

/* ---- the falling mass (Figs. 9 and 10) -------------------------------------- */

typedef struct result {
    int n_impact, order_in_flight;
    double t_impact[N_IMPACT], dt_at_rest, speed_at_rest;
    int64_t steps;
} result;

/* An impact is resolved in a step of dt_min, which turns the velocity round. */
static void watch_step(result *seen, const scree_dense *s,
                       double speed_before) {
    if (s->P[0] > 0 && speed_before < 0 && s->u[0] > 0 &&
        seen->n_impact < N_IMPACT)
        seen->t_impact[seen->n_impact++] = s->t;
    if (s->t < 0.11) seen->order_in_flight = s->order;
    if (s->t < t_end - 0.3) return;
    seen->dt_at_rest = fmax(seen->dt_at_rest, s->dt);
    seen->speed_at_rest = fmax(seen->speed_at_rest, fabs(s->u[0]));
}

static result run_mass(study *st, const struct way *way) {
    trial r = trial_make(st, "falling-mass", "moreau-adaptive", dt_max);
    series out = {0};
    result seen = {0};
    r.options.dt_min = dt_min;
    r.options.order = 4;
    r.options.atol = 1e-6;
    r.options.substeps = way->rule;
    /* `all` crawls at dt_min when it should rest: this bounds its steps. */
    for (; r.s && st->error.status == SCREE_OK && r.s->t < t_end - 1e-9;
         ++seen.steps) {
        const double before = r.s->u[0];
        if (!trial_step(&r, t_end)) break;
        watch_step(&seen, r.s, before);
        series_add(st, &out, r.s->t, r.s->q[0], r.s->u[0], r.s->dt, r.s->order);
    }
    trial_end(&r);
    char file[32];
    snprintf(file, sizeof file, "%s.csv", way->name);
    series_write(st, &out, file, "t,z,v,dt,order");
    return seen;
}

/* t_1 (1 + 2 (e + .. + e^k)) */
static double impact_time(int k) {
    double t = 1, power = 1;
    for (int i = 0; i < k; ++i) power *= e_n, t += 2 * power;
    return t * sqrt(2 * height / gravity);
}

static void study_way(study *st, const struct way *way) {
    const result seen = run_mass(st, way);
    study_heading("%s substeps: dt = 1e-5 .. 0.05 s, atol 1e-6", way->name);
    for (int k = 0; k < N_IMPACT; ++k)
        study_near(st, seen.t_impact[k], impact_time(k), 3 * dt_min,
                   "impact %d at [s]", k + 1);
    study_near(st, seen.order_in_flight, 2, 0, "order in flight (Fig. 10b)");
    if (way->recovers) {
        study_at_least(st, seen.dt_at_rest, 0.9 * dt_max,
                       "largest step at rest [s]");
        study_at_most(st, seen.speed_at_rest, 6e-12, "speed at rest [m/s]");
    } else {
        study_at_most(st, seen.dt_at_rest, 0.02 * dt_max,
                      "largest step at rest [s]: stays small (Fig. 9a)");
        study_at_least(st, seen.speed_at_rest, 5e-5,
                       "speed at rest [m/s]: oscillates (Fig. 9b)");
    }
    study_show(st, (double)seen.steps, NAN, "steps");
}

static const char script[] =
    "set multiplot layout 2,3 title "
    "'Point mass on a table, moreau-adaptive (Studer et al. 2008, Figs. 5, 9 "
    "and 10)'\n"
    "set xlabel 't [s]'\n"
    "set title 'height, odd substeps'\n"
    "set ylabel 'z [m]'\n"
    "plot 'odd.csv' using 't':'z' with lines linestyle 1 notitle\n"
    "set title 'velocity, odd substeps'\n"
    "set ylabel 'v [m/s]'\n"
    "plot 'odd.csv' using 't':'v' with lines linestyle 1 notitle\n"
    "set title 'order, odd substeps'\n"
    "set ylabel 'order'\n"
    "set yrange [0:5]\n"
    "plot 'odd.csv' using 't':'order' with steps linestyle 3 notitle\n"
    "set yrange [*:*]\n"
    "set title 'step size'\n"
    "set ylabel 'dt [s]'\n"
    "set logscale y\n"
    "set format y '10^{%L}'\n"
    "set key bottom left\n"
    "plot 'all.csv' using 't':'dt' with lines linestyle 2 title 'substeps 1, "
    "2, 3, 4',\\\n"
    "  'odd.csv' using 't':'dt' with lines linestyle 1 title '1, 3, 5, 7',\\\n"
    "  'fading.csv' using 't':'dt' with lines linestyle 3 dashtype 2 title "
    "'fading restitution'\n"
    "unset logscale y\n"
    "set format y '%g'\n"
    "set title 'velocity at rest'\n"
    "set xrange [0.68:1.2]\n"
    "set yrange [-2e-4:2e-4]\n"
    "set ylabel 'v [m/s]'\n"
    "set key top right\n"
    "plot 'all.csv' using 't':'v' with lines linestyle 2 title 'substeps 1, 2, "
    "3, 4',\\\n"
    "  'odd.csv' using 't':'v' with lines linestyle 1 title '1, 3, 5, 7'\n"
    "set xrange [0:1]\n"
    "set yrange [-4:4]\n"
    "set xlabel 'eps'\n"
    "set ylabel 'T_{ii} / gamma_B'\n"
    "set title 'enduring contact: all (thin), odd (thick)'\n"
    "set key top left\n"
    "plot for [i = 1:4] 'contact.csv' using 'eps':'all_'.i with lines "
    "linestyle i dashtype 2 notitle,\\\n"
    "  for [i = 1:4] 'contact.csv' using 'eps':'odd_'.i with lines linestyle i "
    "linewidth 2 title 'order '.i\n"
    "unset multiplot\n";

static void run(study *st) {
    study_contact(st);
    for (int k = 0; k < STUDY_COUNT(ways); ++k) study_way(st, &ways[k]);
    study_plot(st, "falling-mass", 1500, 860, script);
}

const scree_study_ops scree_study_falling_mass = {
    .name = "falling-mass",
    .about = "odd against even substeps of a bouncing mass (Studer et al. "
             "2008, 8 and 10.1)",
    .run = run,
};
