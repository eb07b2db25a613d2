/* Joints of worlds: pendulums against a fine solution of their equations, drift, energy,
 * hinges, sliders, motors, springs and cables against closed forms. */
#include <string.h>

#include "engine/scree_joints.h"
#include "tests/support.h"

/* ---- small worlds ------------------------------------------------------------------- */

static scree_world *make_still(const char *stepper, double dt, double g) {
    scree_world_def def = scree_world_def_default();
    def.stepper = stepper;
    def.dt = dt;
    def.gravity[2] = -g;
    def.solver.tolerance = 1e-9;
    return make_world(&def, (scree_contact_law){.friction = 0.3});
}

static int64_t add_joint(scree_world *world, const scree_joint_def *def) {
    int64_t k;
    if (scree_world_add_joint(world, def, &k) != SCREE_OK)
        fail_msg("%s", scree_world_error(world));
    return k;
}

static scree_joint_def joint_of(scree_joint_kind kind, int64_t a, int64_t b,
                                scree_vec3 at_a, scree_vec3 at_b) {
    scree_joint_def def = scree_joint_def_default();
    def.kind = kind;
    def.a = a, def.b = b;
    vec_to(at_a, def.point_a);
    vec_to(at_b, def.point_b);
    return def;
}

static scree_joint_view view_joint(const scree_world *world, int64_t k) {
    scree_joint_view view;
    assert_ok(scree_world_read_joint(world, k, &view));
    return view;
}

static const scree_vec3 none = {0, 0, 0};

/* ---- a pendulum of two point masses, by its equations ----------------------------------- */

typedef struct angles {
    double x[4]; /* a, b, their rates; both from below */
} angles;

static const double G = 9.81;

static void rates_of(const double *x, double m1, double m2, double l1,
                     double l2, double *dx) {
    const double d = x[0] - x[1], c = cos(d), s = sin(d);
    const double A = (m1 + m2) * l1, B = m2 * l2 * c, C = l1 * c, D = l2;
    const double e = -m2 * l2 * x[3] * x[3] * s - (m1 + m2) * G * sin(x[0]);
    const double f = l1 * x[2] * x[2] * s - G * sin(x[1]);
    const double det = A * D - B * C;
    dx[0] = x[2], dx[1] = x[3];
    dx[2] = (e * D - B * f) / det;
    dx[3] = (A * f - C * e) / det;
}

static void add_rates(const double *x, double h, const double *dx, double *to) {
    for (int k = 0; k < 4; ++k) to[k] = x[k] + h * dx[k];
}

static angles swing_exactly(angles at, double m1, double m2, double t) {
    enum { STEPS = 20000 };
    const double h = t / STEPS;
    for (int n = 0; n < STEPS; ++n) {
        double k[4][4], x[4];
        rates_of(at.x, m1, m2, 1, 1, k[0]);
        add_rates(at.x, 0.5 * h, k[0], x);
        rates_of(x, m1, m2, 1, 1, k[1]);
        add_rates(at.x, 0.5 * h, k[1], x);
        rates_of(x, m1, m2, 1, 1, k[2]);
        add_rates(at.x, h, k[2], x);
        rates_of(x, m1, m2, 1, 1, k[3]);
        for (int i = 0; i < 4; ++i)
            at.x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
    return at;
}

static scree_vec3 hanging(double angle) {
    return vec(sin(angle), 0, -cos(angle));
}

/* Spheres on rods, or on balls at arms of their own. */
static scree_world *make_pendulum(const char *stepper, double dt, int links,
                                  bool balls) {
    scree_world *world = make_still(stepper, dt, G);
    const scree_vec3 x1 = hanging(1.2), x2 = add(x1, hanging(0.4));
    const int64_t a = add_sphere(world, 0.1, x1, none, none);
    scree_joint_def def = joint_of(SCREE_JOINT_ROD, a, SCREE_GROUND, x1, none);
    if (balls) def = joint_of(SCREE_JOINT_BALL, a, SCREE_GROUND, none, none);
    add_joint(world, &def);
    if (links == 1) return world;
    const int64_t b = add_sphere(world, 0.1, x2, none, none);
    def = joint_of(SCREE_JOINT_ROD, b, a, x2, x1);
    add_joint(world, &def);
    return world;
}

static double swing_error(const char *stepper, double dt, int links,
                          double *drift) {
    scree_world *world = make_pendulum(stepper, dt, links, false);
    const angles from = {{1.2, 0.4, 0, 0}};
    const angles end = swing_exactly(from, 1, links > 1 ? 1 : 1e-300, 1.0);
    *drift = 0;
    for (int n = (int)lround(1 / dt); n > 0; --n) {
        assert_ok(scree_world_step(world));
        for (int64_t k = 0; k < links; ++k)
            *drift = fmax(*drift, view_joint(world, k).drift);
    }
    const scree_vec3 x1 = hanging(end.x[0]), x2 = add(x1, hanging(end.x[1]));
    double error = norm(sub(read_body(world, 0).x, x1));
    if (links > 1) error += norm(sub(read_body(world, 1).x, x2));
    scree_world_destroy(world);
    return error;
}

static void swings_as(const char *stepper, int links, double most_drift) {
    double drift, error[3];
    for (int k = 0; k < 3; ++k)
        error[k] = swing_error(stepper, 4e-3 / (1 << k), links, &drift);
    print_message("%s, %d links: %g %g %g, drift %g\n", stepper, links,
                  error[0], error[1], error[2], drift);
    assert_true(error[1] < error[0] / 3.5 && error[2] < error[1] / 3.5);
    assert_true(error[2] < 1e-4);
    assert_true(drift < most_drift);
}

/* Midpoints are a distance of second order away: (v dt)^2 / 2 l at 5 m/s and 1 ms. */
static void moreau__pendulum__order_2(void **state) {
    (void)state;
    swings_as("moreau", 1, 1.5e-5);
}
static void moreau__double_pendulum__order_2(void **state) {
    (void)state;
    swings_as("moreau", 2, 3e-5);
}

static void rattle__pendulum__order_2_and_no_drift(void **state) {
    (void)state;
    swings_as("rattle", 1, 1e-12);
}
static void rattle__double_pendulum__order_2_and_no_drift(void **state) {
    (void)state;
    swings_as("rattle", 2, 1e-12);
}

/* A stiff body about a ball at its end: a physical pendulum, theta = m (l^2 + 2/5 r^2). */
static void moreau__ball__sphere_swings_as_a_body(void **state) {
    (void)state;
    const double r = 0.1, theta = 1 + 0.4 * r * r, small = 1e-3;
    const double period = 2 * M_PI * sqrt(theta / G), dt = period / 2000;
    scree_world *world = make_still("moreau", dt, G);
    const int64_t a = add_sphere(world, r, hanging(small), none, none);
    const scree_joint_def def =
        joint_of(SCREE_JOINT_BALL, a, SCREE_GROUND, none, none);
    add_joint(world, &def);
    run(world, 500); /* a quarter */
    assert_near(read_body(world, a).x.x, 0, 2e-5 * small);
    run(world, 1500);
    assert_near(read_body(world, a).x.x, sin(small), 2e-5 * small);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moreau__pendulum__order_2),
        cmocka_unit_test(moreau__double_pendulum__order_2),
        cmocka_unit_test(rattle__pendulum__order_2_and_no_drift),
        cmocka_unit_test(rattle__double_pendulum__order_2_and_no_drift),
        cmocka_unit_test(moreau__ball__sphere_swings_as_a_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
