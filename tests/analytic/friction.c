/* Friction laws beyond Coulomb's disc: rolling resistance and drilling, against
 * closed forms. */
#include <string.h>

#include "tests/support.h"

static const double g = 9.81;

enum { STEPPERS = 2 };
static const char *const steppers[] = {"moreau", "rattle"};

static scree_world_def settings(const char *stepper) {
    scree_world_def def = scree_world_def_default();
    def.stepper = stepper;
    def.dt = 1e-3;
    def.solver.iterations = 500;
    def.solver.tolerance = 1e-10;
    return def;
}

/* A solid sphere that rolls without slip at v stops after v^2 / (2 a) with
 * a = 5/7 g rolling / r: the moment rolling m g brakes m (1 + 2/5) r^2. */
static void check_stop(const char *stepper) {
    const double r = 0.1, v = 0.5, rolling = 0.005;
    const double a = 5.0 / 7 * g * rolling / r, t = v / a;
    const scree_world_def def = settings(stepper);
    scree_world *world = make_world(
        &def, (scree_contact_law){.friction = 0.8, .rolling = rolling});
    add_floor(world);
    add_sphere(world, r, vec(0, 0, r), vec(v, 0, 0), vec(0, v / r, 0));
    run(world, (int)(0.5 * t / def.dt));
    assert_near(read_body(world, 0).v.x, 0.5 * v, 1e-3 * v);
    run(world, (int)(t / def.dt));
    assert_near(read_body(world, 0).x.x, 0.5 * v * v / a, 2e-3 * v * v / a);
    assert_near(read_body(world, 0).v.x, 0, 1e-9);
    assert_near(energy_defect(world), 0, 1e-9);
    scree_world_destroy(world);
}

static void rolling__sphere_on_floor__stops_at_the_distance(void **state) {
    (void)state;
    for (int k = 0; k < STEPPERS; ++k) check_stop(steppers[k]);
}

/* On a slope it stays for tan(alpha) < rolling / r, and rolls above. */
static void rolling__sphere_on_slope__stays_below_the_angle(void **state) {
    (void)state;
    const double r = 0.1, rolling = 0.01;
    for (int k = 0; k < 2 * STEPPERS; ++k) {
        const bool above = k % 2;
        const double alpha = atan(rolling / r) * (above ? 1.1 : 0.9);
        scree_world_def def = settings(steppers[k / 2]);
        def.gravity[0] = g * sin(alpha), def.gravity[2] = -g * cos(alpha);
        scree_world *world = make_world(
            &def, (scree_contact_law){.friction = 0.8, .rolling = rolling});
        add_floor(world);
        add_sphere(world, r, vec(0, 0, r), vec(0, 0, 0), vec(0, 0, 0));
        run(world, 500);
        const double a = 5.0 / 7 * g * (sin(alpha) - rolling / r * cos(alpha));
        assert_near(read_body(world, 0).v.x, above ? 0.5 * a : 0,
                    above ? 1e-3 * a : 1e-8);
        scree_world_destroy(world);
    }
}

/* The lever of a patch of radius R with the pressure of Hertz, by summing rings:
 * p = 3 N / (2 pi R^2) sqrt(1 - (s / R)^2). */
static double hertz_lever(double R) {
    enum { RINGS = 20000 };
    double sum = 0;
    for (int i = 0; i < RINGS; ++i) {
        const double x = (i + 0.5) / RINGS;
        sum += 3 * R * x * x * sqrt(1 - x * x) / RINGS;
    }
    return sum;
}

/* A sphere that spins on the spot is braked as its patch slips all over; a contact
 * without one does not feel it. */
static void drilling__spinning_sphere__brakes_evenly(void **state) {
    (void)state;
    const double r = 0.1, w = 10, mu = 0.3, drilling = 0.01;
    const double lever = hertz_lever(drilling);
    const double brake = mu * g * lever / (0.4 * r * r);
    assert_near(lever, 3 * SCREE_PI / 16 * drilling, 1e-6 * drilling);
    for (int k = 0; k < 2 * STEPPERS; ++k) {
        const bool patch = k % 2;
        const scree_world_def def = settings(steppers[k / 2]);
        scree_world *world = make_world(
            &def, (scree_contact_law){.friction = mu,
                                      .drilling = patch ? drilling : 0});
        add_floor(world);
        add_sphere(world, r, vec(0, 0, r), vec(0, 0, 0), vec(0, 0, w));
        run(world, 500);
        assert_near(read_body(world, 0).w.z, patch ? w - 0.5 * brake : w,
                    1e-6 * w);
        assert_near(norm(read_body(world, 0).v), 0, 1e-9);
        assert_near(energy_defect(world), 0, 1e-9);
        scree_world_destroy(world);
    }
}

/* Contensou: a sphere that slides while it spins feels the force mu m g v / c
 * with c = sqrt(v^2 + (lever w_z)^2): spin makes it slide more freely. */
static void check_slide_and_spin(const char *stepper, double w) {
    const double r = 0.1, v = 1, mu = 0.2, drilling = 0.03;
    scree_world_def def = settings(stepper);
    def.dt = 1e-4;
    scree_world *world = make_world(
        &def, (scree_contact_law){.friction = mu, .drilling = drilling});
    add_floor(world);
    add_sphere(world, r, vec(0, 0, r), vec(v, 0, 0), vec(0, 0, w));
    run(world, 10);
    const double share = v / hypot(v, hertz_lever(drilling) * w);
    assert_near(v - read_body(world, 0).v.x, mu * g * 1e-3 * share,
                0.02 * mu * g * 1e-3);
    assert_near(read_body(world, 0).w.z, w, 0.05 * w);
    scree_world_destroy(world);
}

static void drilling__sliding_and_spinning__share_one_ball(void **state) {
    (void)state;
    for (int k = 0; k < STEPPERS; ++k) {
        check_slide_and_spin(steppers[k], 100);
        check_slide_and_spin(steppers[k], 0.02);
    }
}

/* ---- warm start ------------------------------------------------------------------- */

/* Spheres at rest on a slope that rolling alone holds, in a row that leans on its
 * lowest: every one bears a moment. */
static scree_world *leaning_row(const char *stepper, bool warm) {
    enum { N = 12 };
    const double r = 0.1, rolling = 0.02, alpha = 0.8 * atan(rolling / r);
    scree_world_def def = settings(stepper);
    def.solver.iterations = 20000;
    def.solver.tolerance = 1e-8;
    def.solver.warm_start = warm;
    def.solver.coarse = SCREE_COARSE_OFF; /* sweeps are counted */
    def.solver.clusters = 0;
    def.gravity[0] = g * sin(alpha), def.gravity[2] = -g * cos(alpha);
    const double patch = 0.16 / (3 * SCREE_PI); /* a lever of 1 cm */
    scree_world *world = make_world(
        &def, (scree_contact_law){
                  .friction = 0.8, .rolling = rolling, .drilling = patch});
    add_floor(world);
    for (int i = 0; i < N; ++i)
        add_sphere(world, r, vec(2 * r * i, 0, r), vec(0, 0, 0), vec(0, 0, 0));
    return world;
}

/* Sweeps of the first step and of the second, all stages and rounds. */
static void count_sweeps(const char *stepper, bool warm, int sweeps[2]) {
    scree_world *world = leaning_row(stepper, warm);
    int64_t before = 0;
    for (int k = 0; k < 2; ++k) {
        run(world, 1);
        scree_cost cost;
        scree_world_read_cost(world, &cost);
        assert_int_equal(cost.unconverged, 0);
        sweeps[k] = (int)(cost.iterations - before);
        before = cost.iterations;
    }
    scree_world_destroy(world);
}

/* The next step at rest starts from the moments of the last one. */
static void warm_start__resting_on_moments__few_sweeps(void **state) {
    (void)state;
    for (int k = 0; k < STEPPERS; ++k) {
        int cold[2], warm[2];
        count_sweeps(steppers[k], false, cold);
        count_sweeps(steppers[k], true, warm);
        print_message("%s: sweeps %d, then %d; from nothing %d\n", steppers[k],
                      warm[0], warm[1], cold[1]);
        assert_true(warm[1] <= 8); /* 4 for each stage of rattle */
        assert_true(warm[0] > 100 && cold[1] > 100);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rolling__sphere_on_floor__stops_at_the_distance),
        cmocka_unit_test(rolling__sphere_on_slope__stays_below_the_angle),
        cmocka_unit_test(drilling__spinning_sphere__brakes_evenly),
        cmocka_unit_test(drilling__sliding_and_spinning__share_one_ball),
        cmocka_unit_test(warm_start__resting_on_moments__few_sweeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
