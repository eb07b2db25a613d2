/* cradle.c: Newton's cradle, the example of Leine 2024 for impacts of several bodies: what
 * simultaneous contact gives, and what impacts one after another give.
 *
 *     in contact    all contacts are closed in one impact: with Newton's law the first of
 *                   n balls ends with (1 + e) / n - e, all others with (1 + e) / n
 *     with gaps     each impact is one of two balls: ball k of the wave leaves with
 *                   ((1 + e) / 2)^(k-1) (1 - e) / 2, the last with ((1 + e) / 2)^(n-1)
 *
 * times v_0; for e = 1 and n = 5 that is -0.6, 0.4, 0.4, 0.4, 0.4 against 0, 0, 0, 0, 1.
 * Both keep momentum, and energy for e = 1: neither law is wrong, the gaps decide. */
#include <math.h>
#include <stdio.h>

#include "cases/studies/study.h"
#include "engine/scree.h"

enum { MOST_BALLS = 10 };
static const double radius = 0.05, speed = 1;

static scree_world *fail(study *st, scree_world *world) {
    scree_fail(&st->error, SCREE_UNSUPPORTED, "study '%s': %s", st->name,
               world ? scree_world_error(world) : "out of memory");
    scree_world_destroy(world);
    return NULL;
}

/* The first ball is on its way; the others rest `gap` apart. */
static scree_world *make_balls(study *st, int n, double gap, double e,
                               const char *stepper, double dt) {
    scree_world_def def = scree_world_def_default();
    scree_material_def steel = scree_material_def_default();
    scree_world *world = NULL;
    if (st->error.status != SCREE_OK) return NULL;
    def.gravity[2] = 0;
    def.dt = dt;
    def.stepper = stepper;
    def.gap_control = false;
    def.restitution_speed = 0;
    def.solver.tolerance = 1e-15;
    def.solver.iterations = 10000;
    def.hits = SCREE_HITS_PUBLISHED;
    def.threads = 1;
    steel.law = (scree_contact_law){.e_n = e};
    if (scree_world_create(&def, &world) != SCREE_OK ||
        scree_world_add_material(world, &steel, NULL) != SCREE_OK)
        return fail(st, world);
    for (int i = 0; i < n; ++i) {
        scree_sphere_def ball = scree_sphere_def_default();
        ball.radius = radius;
        ball.position[0] = (2 * radius + gap) * i;
        if (i == 0) ball.position[0] -= 0.5 * speed * dt;
        if (i == 0) ball.velocity[0] = speed;
        if (scree_world_add_sphere(world, &ball, NULL) != SCREE_OK)
            return fail(st, world);
    }
    return world;
}

static void run_to(study *st, scree_world *world, double t, int n,
                   series *out) {
    while (world && scree_world_time(world) < t - 1e-9) {
        double x[3 * MOST_BALLS] = {0};
        if (scree_world_step(world) != SCREE_OK) {
            scree_fail(&st->error, SCREE_UNSUPPORTED, "%s",
                       scree_world_error(world));
            return;
        }
        if (!out) continue;
        scree_world_read_state(world, &(scree_state_view){.position = x});
        series_add(st, out, scree_world_time(world), x[0], n > 1 ? x[3] : 0,
                   n > 2 ? x[6] : 0, n > 3 ? x[9] : 0, n > 4 ? x[12] : 0);
    }
}

/* ---- in contact ---------------------------------------------------------------- */

static double worst_in_contact(study *st, const char *stepper, int n,
                               double e) {
    const double rest = (1 + e) / n * speed;
    double v[3 * MOST_BALLS] = {0}, worst = 0;
    scree_world *world = make_balls(st, n, 0, e, stepper, 1e-4);
    if (!world) return NAN;
    run_to(st, world, 1e-4, n, NULL);
    scree_world_read_state(world, &(scree_state_view){.velocity = v});
    for (int i = 0; i < n; ++i)
        worst = fmax(worst, fabs(v[3 * i] - (i ? rest : rest - e * speed)));
    scree_world_destroy(world);
    return worst;
}

static void study_contact(study *st) {
    static const int sizes[] = {2, 3, 5, 10};
    static const char *const steppers[] = {"moreau", "rattle"};
    for (int k = 0; k < 2; ++k) {
        study_heading("%s, in contact: (1 + e) / n, the first - e beside it",
                      steppers[k]);
        for (int i = 0; i < STUDY_COUNT(sizes); ++i)
            for (int j = 0; j < 3; ++j)
                study_at_most(
                    st, worst_in_contact(st, steppers[k], sizes[i], 0.5 * j),
                    2e-15, "%d balls, e = %g: worst velocity [m/s]", sizes[i],
                    0.5 * j);
    }
}

/* ---- with gaps ------------------------------------------------------------------ */

static void study_gaps(study *st, const char *stepper, double e,
                       const char *file) {
    enum { N = 5 };
    const double gap = 1e-3, share = (1 + e) / 2;
    double v[3 * N] = {0}, wave = speed;
    series out = {0};
    scree_world *world = make_balls(st, N, gap, e, stepper, 1e-5);
    run_to(st, world, 0.01, N, file ? &out : NULL);
    if (!world) return;
    scree_world_read_state(world, &(scree_state_view){.velocity = v});
    study_heading("%s, gaps of 1 mm, e = %g, after the wave", stepper, e);
    for (int i = 0; i < N; ++i) {
        const double left = i < N - 1 ? wave * (1 - e) / 2 : wave;
        study_near(st, v[3 * i], left, 5e-16, "ball %d [m/s]", i + 1);
        wave *= share;
    }
    scree_world_destroy(world);
    if (file) series_write(st, &out, file, "t,x_1,x_2,x_3,x_4,x_5");
}

static void write_contact(study *st) {
    series out = {0};
    scree_world *world = make_balls(st, 5, 0, 1, "moreau", 1e-5);
    run_to(st, world, 0.01, 5, &out);
    scree_world_destroy(world);
    series_write(st, &out, "contact.csv", "t,x_1,x_2,x_3,x_4,x_5");
}

static const char script[] =
    "set multiplot layout 1,3 title "
    "'Newton''s cradle (Leine 2024): way of each ball from its place'\n"
    "set xlabel 't [ms]'\n"
    "set ylabel 'way [mm]'\n"
    "set key top left\n"
    "set yrange [-7:11]\n"
    "do for [name in 'contact gaps inelastic'] {\n"
    "  set title name eq 'contact' ? 'in contact, e = 1' : name eq 'gaps' ? "
    "'gaps of 1 mm, e = 1' : 'gaps of 1 mm, e = 0.8'\n"
    "  d = name eq 'contact' ? 0.1 : 0.101\n"
    "  plot for [k = 1:5] name.'.csv' using (1e3*column('t')):(1e3*(column('x_'"
    ".k) - (k-1)*d)) with lines linestyle k title 'ball '.k\n"
    "}\n"
    "unset multiplot\n";

static void run(study *st) {
    study_contact(st);
    study_gaps(st, "moreau", 1, "gaps.csv");
    study_gaps(st, "moreau", 0.8, "inelastic.csv");
    study_gaps(st, "rattle", 0.8, NULL);
    write_contact(st);
    study_plot(st, "cradle", 1450, 460, script);
}

const scree_study_ops scree_study_cradle = {
    .name = "cradle",
    .about = "Newton's cradle in contact and with gaps (Leine 2024)",
    .run = run,
};
