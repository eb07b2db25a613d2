/* RATTLE on worlds: no penetration at any step size, second order where the
 * papers promise it, and the same motion as the dense implementation. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/random.h"
#include "engine/system/dense.h"
#include "tests/support.h"

static const scree_vec3 zero = {0, 0, 0};

static scree_world_def rattle_def(double dt) {
    scree_world_def def = scree_world_def_default();
    def.stepper = "rattle";
    def.dt = dt;
    def.threads = 1;
    def.solver.tolerance = 1e-12;
    def.solver.iterations = 1000;
    return def;
}

static void rattle__free_fall__exact(void **state) {
    (void)state;
    const scree_world_def def = rattle_def(1e-2);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    add_sphere(world, 0.1, vec(1, 2, 3), vec(0.5, -0.25, 4), vec(3, -2, 6));
    run(world, 100);
    const body b = read_body(world, 0);
    assert_near(b.x.x, 1.5, 1e-13);
    assert_near(b.x.z, 3 + 4 - 0.5 * 9.81, 1e-12);
    assert_near(b.v.z, 4 - 9.81, 1e-12);
    assert_near(b.q.w, cos(3.5), 1e-13);
    scree_world_destroy(world);
}

static void rattle__impact__restitution_exact_and_no_overlap(void **state) {
    (void)state;
    scree_world_def def = rattle_def(7e-3);
    def.gravity[2] = 0;
    scree_world *world = make_world(&def, (scree_contact_law){.e_n = 0.7});
    add_floor(world);
    add_sphere(world, 0.1, vec(0, 0, 0.2), vec(0, 0, -3), zero);
    for (int k = 0; k < 100; ++k) {
        run(world, 1);
        assert_true(read_body(world, 0).x.z >= 0.1 - 1e-12);
    }
    assert_near(read_body(world, 0).v.z, 2.1, 1e-12);
    scree_world_destroy(world);
}

static void rattle__sliding_sphere__rolls_at_five_sevenths(void **state) {
    (void)state;
    const double v0 = 2, mu = 0.2, r = 0.1;
    for (int law = SCREE_FRICTION_TOTAL; law <= SCREE_FRICTION_MIDSLIP; ++law) {
        scree_world_def def = rattle_def(1e-3);
        def.friction = (scree_friction_law)law;
        scree_world *world =
            make_world(&def, (scree_contact_law){.friction = mu});
        add_floor(world);
        add_sphere(world, r, vec(0, 0, r), vec(v0, 0, 0), zero);
        run(world, 1000);
        const body b = read_body(world, 0);
        assert_near(b.v.x, 5 * v0 / 7, 1e-10);
        assert_near(b.v.x - r * b.w.y, 0, 1e-10);
        assert_near(b.x.x, 1.511785, 2e-6); /* second order: 1e-4 for Moreau */
        assert_near(b.x.z, r, 1e-12);
        scree_world_destroy(world);
    }
}

/* ---- turning slip ---------------------------------------------------------- */

/* Sphere with spin on a floor, gravity tilted sideways: the slip direction
 * turns. Velocity error at t = 0.1 for a step size. */
static body turning_slip(double dt, scree_friction_law law) {
    scree_world_def def = rattle_def(dt);
    vec_to(vec(0, 4, -9.81), def.gravity);
    def.friction = law;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.2});
    add_floor(world);
    add_sphere(world, 0.1, vec(0, 0, 0.1), vec(1, 0.5, 0), vec(3, -8, 5));
    run(world, (int)(0.1 / dt + 0.5));
    const body b = read_body(world, 0);
    scree_world_destroy(world);
    return b;
}

static double observed_order(scree_friction_law law) {
    const body exact = turning_slip(1e-5, SCREE_FRICTION_MIDSLIP);
    const body coarse = turning_slip(4e-3, law), fine = turning_slip(1e-3, law);
    return log2(norm(sub(coarse.v, exact.v)) / norm(sub(fine.v, exact.v))) / 2;
}

static void rattle__turning_slip__order_two_with_midslip_one_without(void **s) {
    (void)s;
    const double published = observed_order(SCREE_FRICTION_TOTAL);
    const double midslip = observed_order(SCREE_FRICTION_MIDSLIP);
    print_message("order in velocity: published %.3f, midslip %.3f\n",
                  published, midslip);
    assert_near(published, 1, 0.15);
    assert_near(midslip, 2, 0.15);
}

/* The model spinning-sphere, dense, Newton, and the same sphere as a world. */
static void rattle__world_and_model__same_motion(void **state) {
    (void)state;
    const scree_model_ops *ops = scree_model_find("spinning-sphere");
    assert_non_null(ops);
    double p[32];
    double force = 0;
    for (int i = 0; i < ops->n_parameter; ++i) {
        p[i] = ops->parameters[i].value;
        if (!strcmp(ops->parameters[i].name, "force")) force = p[i] = 2;
    }
    scree_dense *model;
    assert_ok(scree_dense_create(ops, p, &model));
    scree_dense_options options = scree_dense_options_default();
    options.dt = 2e-3;
    options.tolerance = 1e-12;
    scree_error error;

    /* The lateral force on the model's mass, as a tilt of gravity. */
    scree_world_def def = rattle_def(2e-3);
    double mass[36];
    ops->mass(p, 0, model->q, mass);
    vec_to(vec(0, force / mass[0], -9.81), def.gravity);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.2});
    add_floor(world);
    add_sphere(world, 0.1, vec(0, 0, 0.1), vec(1, 0.5, 0), vec(3, -8, 5));
    for (int k = 0; k < 100; ++k) {
        assert_ok(scree_dense_step(model, "rattle", &options, &error));
        run(world, 1);
        const body b = read_body(world, 0);
        assert_near(b.v.x, model->u[0], 1e-9);
        assert_near(b.v.y, model->u[1], 1e-9);
        assert_near(b.w.x, model->u[3], 1e-8);
        assert_near(b.w.y, model->u[4], 1e-8);
    }
    scree_world_destroy(world);
    scree_dense_destroy(model);
}

/* ---- many ------------------------------------------------------------------- */

static void rattle__isolated_cluster__momentum_to_rounding(void **state) {
    (void)state;
    scree_world_def def = rattle_def(2e-3);
    def.gravity[2] = 0;
    def.solver.tolerance = 1e-6;
    def.solver.iterations = 100;
    const scree_contact_law law = {.friction = 0.4, .e_n = 0.3};
    scree_world *world = make_world(&def, law);
    scree_random rng = {5};
    for (int i = 0; i < 64; ++i) {
        const scree_vec3 x = vec(0.11 * (i % 4 - 1.5), 0.11 * (i / 4 % 4 - 1.5),
                                 0.11 * (i / 16 - 1.5));
        add_sphere(world, scree_random_range(&rng, 0.03, 0.05), x,
                   add(scale(-3, x), vec(0.3, 0.1 - x.x, 0.2)), zero);
    }
    const scree_scalars before = read_scalars(world);
    run(world, 200);
    const scree_scalars after = read_scalars(world);
    for (int k = 0; k < 3; ++k)
        assert_near(after.momentum[k], before.momentum[k], 1e-12);
    assert_true(after.kinetic < before.kinetic);
    scree_world_destroy(world);
}

/* Deepest overlap of all pairs and walls, by brute force. */
static double deepest_overlap(const scree_world *world, double half) {
    const size_t n = (size_t)scree_world_body_count(world);
    double *x = malloc(3 * n * sizeof *x), *r = malloc(n * sizeof *r);
    const scree_state_view view = {.position = x, .radius = r};
    scree_world_read_state(world, &view);
    double worst = 0;
    for (size_t i = 0; i < n; ++i) {
        const double *p = &x[3 * i];
        worst =
            fmax(worst, r[i] - fmin(p[2], half - fmax(fabs(p[0]), fabs(p[1]))));
        for (size_t j = 0; j < i; ++j) {
            const scree_vec3 d = sub(vec_from(p), vec_from(&x[3 * j]));
            if (fabs(d.x) < 0.13 && fabs(d.y) < 0.13)
                worst = fmax(worst, r[i] + r[j] - norm(d));
        }
    }
    free(x);
    free(r);
    return worst;
}

typedef struct settling {
    double mean, deepest, kinetic, potential, ms;
} settling;

static double least_radius(const scree_world *world) {
    double least = INFINITY;
    for (int64_t i = 0; i < scree_world_body_count(world); ++i)
        least = fmin(least, read_body(world, i).r);
    return least;
}

static settling settle(const char *stepper, double dt, bool promises) {
    enum { N = 1000 };
    const double half = 0.43;
    scree_world_def def = scree_world_def_default();
    def.stepper = stepper;
    def.dt = dt;
    def.threads = 1;
    def.capacity = N;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_box(world, half);
    add_cloud(world, N, half, 0.04, 0.06, 12);
    settling s = {0};
    const double promise =
        promises ? def.solver.tolerance * least_radius(world) : INFINITY;
    const int steps = (int)(0.8 / dt + 0.5);
    for (int k = 0; k < steps; ++k) {
        run(world, 1);
        /* Brute force over half a million pairs, every 40 ms of the settling. */
        if (k % (int)(0.04 / dt + 0.5) == 0) {
            const double overlap = deepest_overlap(world, half);
            assert_true(overlap <= promise);
            s.deepest = fmax(s.deepest, overlap);
        }
        s.deepest = fmax(s.deepest, read_scalars(world).penetration_max);
    }
    assert_true(s.deepest <= promise);
    const scree_scalars scalars = read_scalars(world);
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    for (int p = 0; p < SCREE_PHASE_COUNT; ++p)
        s.ms += cost.seconds[p] / steps * 1e3;
    s.mean = scalars.penetration_mean;
    s.kinetic = scalars.kinetic / N;
    s.potential = scalars.potential / N;
    scree_world_destroy(world);
    return s;
}

/* The promise: after any step no gap is below minus the tolerance (1e-4 of the
 * least radius), at any step size. */
static void rattle__settling_packing__no_gap_below_tolerance(void **state) {
    (void)state;
    const double dts[] = {1e-3, 5e-3};
    print_message("stepper   dt     mean overlap  deepest [m]  kinetic  "
                  "potential [J/body]  ms per step\n");
    for (int i = 0; i < 2; ++i) {
        const settling m = settle("moreau", dts[i], false);
        const settling r = settle("rattle", dts[i], true);
        print_message("moreau  %.0e  %.2e      %.2e     %.1e  %.4f  %8.1f\n",
                      dts[i], m.mean, m.deepest, m.kinetic, m.potential, m.ms);
        print_message("rattle  %.0e  %.2e      %.2e     %.1e  %.4f  %8.1f\n",
                      dts[i], r.mean, r.deepest, r.kinetic, r.potential, r.ms);
        assert_true(r.deepest < m.deepest);
        assert_near(r.potential / m.potential, 1, 0.02);
    }
}

/* A bed that Moreau's scheme to the letter has settled, with the overlap that it
 * keeps, handed to RATTLE at rest. */
static void rattle__bed_with_overlap__admitted_without_a_kick(void **state) {
    (void)state;
    enum { N = 200 };
    scree_world_def def = scree_world_def_default();
    def.dt = 4e-3;
    def.gap_control = false;
    const scree_contact_law law = {.friction = 0.5};
    scree_world *from = make_world(&def, law);
    add_box(from, 0.3);
    add_cloud(from, N, 0.3, 0.04, 0.05, 7);
    run(from, 300);
    def = rattle_def(1e-3);
    def.solver.tolerance = 1e-4;
    scree_world *world = make_world(&def, law);
    add_box(world, 0.3);
    for (int i = 0; i < N; ++i) {
        const body b = read_body(from, i);
        add_sphere(world, b.r, b.x, zero, zero);
    }
    assert_true(deepest_overlap(world, 0.3) > 1e-3);
    run(world, 20);
    /* 0.5 J per body if the overlap is left to the first step. */
    assert_true(read_scalars(world).kinetic / N < 0.02);
    scree_world_destroy(from);
    scree_world_destroy(world);
}

/* A bed that starts with overlap is admitted without a kick. */
static void rattle__initial_overlap__worked_off_without_velocity(void **state) {
    (void)state;
    scree_world_def def = rattle_def(1e-3);
    def.gravity[2] = 0;
    def.solver.tolerance = 1e-8;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_sphere(world, 0.1, vec(0, 0, 1), zero, zero);
    add_sphere(world, 0.1, vec(0.15, 0, 1), zero, zero);
    run(world, 3);
    assert_near(read_body(world, 1).x.x - read_body(world, 0).x.x, 0.2, 1e-8);
    assert_near(read_scalars(world).kinetic, 0, 1e-12);
    scree_world_destroy(world);
}

/* A step that misses its tolerance in both stages is one step. */
static void rattle__too_few_sweeps__unconverged_steps_counted_once(void **s) {
    (void)s;
    scree_world_def def = rattle_def(2e-3);
    def.solver.iterations = 1;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_box(world, 0.15);
    add_cloud(world, 40, 0.15, 0.03, 0.05, 3);
    run(world, 200);
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    assert_in_range(cost.unconverged, 50, 200);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rattle__free_fall__exact),
        cmocka_unit_test(rattle__impact__restitution_exact_and_no_overlap),
        cmocka_unit_test(rattle__sliding_sphere__rolls_at_five_sevenths),
        cmocka_unit_test(
            rattle__turning_slip__order_two_with_midslip_one_without),
        cmocka_unit_test(rattle__world_and_model__same_motion),
        cmocka_unit_test(rattle__isolated_cluster__momentum_to_rounding),
        cmocka_unit_test(rattle__settling_packing__no_gap_below_tolerance),
        cmocka_unit_test(rattle__bed_with_overlap__admitted_without_a_kick),
        cmocka_unit_test(rattle__initial_overlap__worked_off_without_velocity),
        cmocka_unit_test(
            rattle__too_few_sweeps__unconverged_steps_counted_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
