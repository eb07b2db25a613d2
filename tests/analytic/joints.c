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

/* ---- hinges and sliders ------------------------------------------------------------------ */

/* A wheel on a hinge at its centre, with spin w0. */
static scree_world *make_wheel(const char *stepper, double dt, double spin,
                               scree_joint_def *def) {
    scree_world *world = make_still(stepper, dt, G);
    const int64_t a = add_sphere(world, 0.5, none, none, vec(0, spin, 0));
    *def = joint_of(SCREE_JOINT_HINGE, a, SCREE_GROUND, none, none);
    vec_to(vec(0, 1, 0), def->axis);
    return world;
}

static double theta_of(const scree_world *world, int64_t id) {
    const body b = read_body(world, id);
    return 0.4 * b.m * b.r * b.r;
}

/* w(t) = w0 - T t / theta, and rest after w0 theta / T, T w0 theta / 2 T ... of energy. */
static void hinge_stops_as(const char *stepper) {
    const double dt = 1e-3, spin = 3;
    scree_joint_def def;
    scree_world *world = make_wheel(stepper, dt, spin, &def);
    const double theta = theta_of(world, 0), stop = 0.5;
    def.friction = spin * theta / stop;
    const int64_t k = add_joint(world, &def);
    run(world, 250);
    assert_near(read_body(world, 0).w.y, spin / 2, 1e-9);
    run(world, 249);
    assert_true(read_body(world, 0).w.y > 0);
    run(world, 2);
    assert_near(read_body(world, 0).w.y, 0, 1e-9);
    assert_near(view_joint(world, k).position, spin * stop / 2, 2e-3);
    assert_near(view_joint(world, k).dissipated, 0.5 * theta * spin * spin,
                1e-6 * theta);
    assert_near(energy_defect(world), 0, 1e-9 * theta);
    scree_world_destroy(world);
}
static void hinge__friction__stops_in_time(void **state) {
    (void)state;
    hinge_stops_as("moreau");
    hinge_stops_as("rattle");
}

/* A motor turns at its speed, and under more than its torque stalls: a mass on an arm is
 * held where m g l sin(a) is its torque at most. */
static void motor_as(const char *stepper) {
    scree_joint_def def;
    scree_world *world = make_wheel(stepper, 1e-3, 0, &def);
    const double theta = theta_of(world, 0);
    def.motor = true, def.speed = 2, def.strength = theta * 2 / 0.2;
    const int64_t k = add_joint(world, &def);
    run(world, 100); /* half way to its speed */
    assert_near(read_body(world, 0).w.y, 1, 1e-6);
    run(world, 200);
    assert_near(read_body(world, 0).w.y, 2, 1e-6);
    assert_near(view_joint(world, k).work, 0.5 * theta * 4, 1e-5 * theta);
    assert_near(energy_defect(world), 0, 1e-6 * theta);
    scree_world_destroy(world);
}
static void motor__strength__reaches_its_speed(void **state) {
    (void)state;
    motor_as("moreau");
    motor_as("rattle");
}

/* The torque that a weight at the end of a level arm needs, and a little less. */
static double sunk_after(double share) {
    scree_world *world = make_still("moreau", 1e-3, G);
    const int64_t a = add_sphere(world, 0.1, vec(1, 0, 0), none, none);
    scree_joint_def def =
        joint_of(SCREE_JOINT_HINGE, a, SCREE_GROUND, none, none);
    vec_to(vec(0, 1, 0), def.axis);
    def.motor = true, def.strength = share * read_body(world, a).m * G;
    add_joint(world, &def);
    run(world, 300);
    const double z = read_body(world, a).x.z;
    scree_world_destroy(world);
    return z;
}
static void motor__load__stalls_at_its_strength(void **state) {
    (void)state;
    assert_near(sunk_after(1.0001), 0, 1e-6);
    assert_true(sunk_after(0.98) < -5e-3);
}

/* A bead on an inclined wire: friction holds it up to its force, beyond it slides with
 * the rest. */
static void slider__friction__slides_with_the_rest(void **state) {
    (void)state;
    for (int rattle = 0; rattle < 2; ++rattle) {
        scree_world *world = make_still(rattle ? "rattle" : "moreau", 1e-3, G);
        const int64_t a = add_sphere(world, 0.1, none, none, none);
        const double m = read_body(world, a).m;
        scree_joint_def def =
            joint_of(SCREE_JOINT_SLIDER, a, SCREE_GROUND, none, none);
        vec_to(vec(1, 0, -1), def.axis);
        def.friction = 0.25 * m * G;
        const int64_t k = add_joint(world, &def);
        run(world, 500);
        const double acceleration = G * (sqrt(0.5) - 0.25);
        assert_near(view_joint(world, k).position, acceleration / 8,
                    rattle ? 1e-9 : 2e-3 * acceleration);
        assert_near(norm(read_body(world, a).v), 0.5 * acceleration, 1e-6);
        assert_near(norm(read_body(world, a).w), 0, 1e-9);
        assert_true(view_joint(world, k).drift < 1e-12);
        assert_near(energy_defect(world), 0, 1e-8 * m);
        scree_world_destroy(world);
    }
}

/* A free slider bounces between its limits with the restitution asked for. */
static void slider__limits__hold_and_bounce(void **state) {
    (void)state;
    for (int rattle = 0; rattle < 2; ++rattle) {
        scree_world *world = make_still(rattle ? "rattle" : "moreau", 1e-3, 0);
        const int64_t a = add_sphere(world, 0.1, none, vec(1, 0, 0), none);
        scree_joint_def def =
            joint_of(SCREE_JOINT_SLIDER, a, SCREE_GROUND, none, none);
        vec_to(vec(1, 0, 0), def.axis);
        def.limited = true, def.restitution = 0.5;
        def.limits[0] = -0.1, def.limits[1] = 0.2005;
        add_joint(world, &def);
        run(world, 300);
        assert_near(read_body(world, a).v.x, -0.5, 1e-9);
        run(world, 600);
        assert_near(read_body(world, a).v.x, 0.25, 1e-9);
        for (int n = 0; n < 3000; ++n) {
            run(world, 1);
            const double x = read_body(world, a).x.x;
            assert_true(x > -0.1 - 1e-6 && x < 0.2005 + 1e-6);
        }
        scree_world_destroy(world);
    }
}

/* Two bodies fixed to each other turn as one, and keep momentum. */
static void fixed__free_flight__is_one_body(void **state) {
    (void)state;
    for (int rattle = 0; rattle < 2; ++rattle) {
        scree_world *world = make_still(rattle ? "rattle" : "moreau", 1e-3, 0);
        const int64_t a =
            add_sphere(world, 0.1, vec(0.1, 0, 0), vec(0, 1, 0), vec(0, 0, 10));
        const int64_t b = add_sphere(world, 0.1, vec(-0.1, 0, 0), vec(0, -1, 0),
                                     vec(0, 0, 10));
        const scree_joint_def def =
            joint_of(SCREE_JOINT_FIXED, a, b, none, none);
        const int64_t k = add_joint(world, &def);
        const scree_scalars before = read_scalars(world);
        run(world, 628); /* a turn */
        assert_near(read_body(world, a).x.x, 0.1, 1e-3);
        assert_near(read_body(world, a).w.z, 10, 1e-3);
        assert_true(view_joint(world, k).drift < (rattle ? 1e-12 : 1e-5));
        const scree_scalars after = read_scalars(world);
        assert_near(after.angular_momentum[2], before.angular_momentum[2],
                    1e-4 * before.angular_momentum[2]);
        assert_near(after.momentum[0], 0, 1e-9);
        assert_near(after.kinetic, before.kinetic, 1e-4 * before.kinetic);
        scree_world_destroy(world);
    }
}

/* ---- springs ------------------------------------------------------------------------------ */

/* x'' = -2 z w x' - w^2 x, order 2 for both steppers, and stable for stiff springs. */
static double spring_error(const char *stepper, double dt, double damping) {
    scree_world *world = make_still(stepper, dt, 0);
    const int64_t a = add_sphere(world, 0.1, vec(2.1, 0, 0), none, none);
    const double m = read_body(world, a).m, w = 20, z = damping;
    scree_joint_def def =
        joint_of(SCREE_JOINT_SPRING, a, SCREE_GROUND, vec(2.1, 0, 0), none);
    def.length = 2, def.stiffness = m * w * w, def.damping = 2 * z * w * m;
    add_joint(world, &def);
    run(world, (int)lround(1 / dt));
    const double wd = w * sqrt(1 - z * z), t = 1;
    const double x =
        0.1 * exp(-z * w * t) * (cos(wd * t) + z * w / wd * sin(wd * t));
    const double error = fabs(read_body(world, a).x.x - 2 - x);
    const scree_scalars s = read_scalars(world);
    assert_near(s.scheme_error, 0, 0.25 * w * dt * w * dt * 0.5 * m * 4);
    if (z == 0) assert_near(s.dissipated_joints, 0, 1e-9);
    scree_world_destroy(world);
    return error;
}
static void spring__swing__order_2(void **state) {
    (void)state;
    for (int rattle = 0; rattle < 2; ++rattle)
        for (int damped = 0; damped < 2; ++damped) {
            const char *stepper = rattle ? "rattle" : "moreau";
            const double coarse = spring_error(stepper, 4e-3, 0.1 * damped);
            const double fine = spring_error(stepper, 2e-3, 0.1 * damped);
            print_message("%s spring, damping %d: %g %g\n", stepper, damped,
                          coarse, fine);
            assert_true(fine < coarse / 3.4 && fine < 1e-3);
        }
}
static void moreau__stiff_spring__stays_bounded(void **state) {
    (void)state;
    scree_world *world = make_still("moreau", 1e-2, 0);
    const int64_t a = add_sphere(world, 0.1, vec(1, 0, 0), vec(1, 0, 0), none);
    const double m = read_body(world, a).m;
    scree_joint_def def =
        joint_of(SCREE_JOINT_SPRING, a, SCREE_GROUND, vec(1, 0, 0), none);
    def.stiffness = 1e10 * m;
    add_joint(world, &def);
    run(world, 1000);
    assert_true(fabs(read_body(world, a).v.x) < 1 + 1e-6);
    assert_near(read_body(world, a).x.x, 1, 1e-2);
    scree_world_destroy(world);
}

/* A preload holds up to its force; with more the spring gives way by (F - F0) / k. */
static void spring__prestress__gives_way_beyond_it(void **state) {
    (void)state;
    for (int more = 0; more < 2; ++more) {
        scree_world *world = make_still("moreau", 1e-3, G);
        const int64_t a = add_sphere(world, 0.1, vec(0, 0, -1), none, none);
        const double weight = read_body(world, a).m * G;
        scree_joint_def def =
            joint_of(SCREE_JOINT_SPRING, a, SCREE_GROUND, vec(0, 0, -1), none);
        def.prestress = (more ? 0.5 : 1.5) * weight;
        def.stiffness = 100 * weight, def.damping = 10 * weight;
        const int64_t k = add_joint(world, &def);
        run(world, 2000);
        assert_near(view_joint(world, k).position, more ? 1.005 : 1, 1e-6);
        scree_world_destroy(world);
    }
}

/* ---- cables -------------------------------------------------------------------------------- */

/* A mass falls freely until its cable comes tight, and bounces: -e v. */
static void cable__bounce__of_a_mass(void **state) {
    (void)state;
    for (int rattle = 0; rattle < 2; ++rattle) {
        scree_world *world = make_still(rattle ? "rattle" : "moreau", 1e-3, G);
        const int64_t a = add_sphere(world, 0.1, vec(0, 0, 0), none, none);
        scree_joint_def def =
            joint_of(SCREE_JOINT_CABLE, a, SCREE_GROUND, none, vec(0, 0, 0.5));
        def.length = 1, def.restitution = 0.6;
        const int64_t k = add_joint(world, &def);
        double most = 0, up = 0;
        for (int n = 0; n < 600; ++n) {
            run(world, 1);
            most = fmax(most, view_joint(world, k).position);
            up = fmax(up, read_body(world, a).v.z);
        }
        assert_true(most < 1 + 4e-3); /* at most what a step of the fall is */
        assert_near(up, 0.6 * sqrt(2 * G * 0.5), 3e-2);
        assert_near(energy_defect(world), 0, 4e-3 * read_body(world, a).m);
        scree_world_destroy(world);
    }
}

/* Without restitution it hangs, and bears the weight. */
static void cable__hanging__bears_the_weight(void **state) {
    (void)state;
    for (int elastic = 0; elastic < 2; ++elastic) {
        scree_world *world = make_still("moreau", 1e-3, G);
        const int64_t a = add_sphere(world, 0.1, none, none, none);
        const double weight = read_body(world, a).m * G;
        scree_joint_def def =
            joint_of(SCREE_JOINT_CABLE, a, SCREE_GROUND, none, vec(0, 0, 1));
        if (elastic) def.stiffness = 1000 * weight, def.damping = 20 * weight;
        const int64_t k = add_joint(world, &def);
        run(world, 2000);
        assert_near(view_joint(world, k).force, weight, 1e-6 * weight);
        assert_near(view_joint(world, k).position, elastic ? 1.001 : 1, 1e-6);
        scree_world_destroy(world);
    }
}

/* A load that grows until the cable breaks, at its force and not before. */
static void cable__breaks__at_its_force(void **state) {
    (void)state;
    scree_world *world = make_still("moreau", 1e-3, G);
    const int64_t a = add_sphere(world, 0.1, none, none, none);
    const double m = read_body(world, a).m, most = 3 * m * G;
    scree_joint_def def =
        joint_of(SCREE_JOINT_SPRING, a, SCREE_GROUND, none, vec(0, 0, -1));
    def.stiffness = 20 * m * G, def.length = 0.5;
    add_joint(world, &def); /* pulls with 10 weights at first */
    def = joint_of(SCREE_JOINT_CABLE, a, SCREE_GROUND, none, vec(0, 0, 1));
    def.stiffness = 100 * m * G, def.breaks_at = most;
    const int64_t k = add_joint(world, &def);
    double last = 0;
    for (int n = 0; n < 2000 && !view_joint(world, k).broken; ++n) {
        last = view_joint(world, k).force;
        run(world, 1);
    }
    assert_true(view_joint(world, k).broken);
    assert_near(view_joint(world, k).most_force, most, 1e-9 * most);
    assert_true(last < most && last > 0.9 * most);
    const double v = read_body(world, a).v.z;
    run(world, 10);
    assert_true(read_body(world, a).v.z < v);
    scree_world_destroy(world);
}

/* A brake slips at its force and takes all energy: F s = m v^2 / 2. */
static void cable__brake__slips_at_its_force(void **state) {
    (void)state;
    for (int elastic = 0; elastic < 2; ++elastic) {
        scree_world *world = make_still("moreau", 1e-3, 0);
        const int64_t a =
            add_sphere(world, 0.1, vec(1, 0, 0), vec(2, 0, 0), none);
        const double m = read_body(world, a).m, energy = 0.5 * m * 4;
        scree_joint_def def =
            joint_of(SCREE_JOINT_CABLE, a, SCREE_GROUND, vec(1, 0, 0), none);
        def.slips_at = energy / 0.25;
        if (elastic) def.stiffness = 1000 * def.slips_at;
        const int64_t k = add_joint(world, &def);
        double most = 0;
        for (int n = 0; n < 500; ++n) {
            run(world, 1);
            most = fmax(most, view_joint(world, k).force);
        }
        assert_near(most, def.slips_at, 1e-6 * def.slips_at);
        assert_near(view_joint(world, k).length, 1.25, elastic ? 3e-3 : 1.5e-3);
        if (!elastic) assert_near(read_body(world, a).v.x, 0, 1e-6);
        assert_near(view_joint(world, k).dissipated, energy,
                    (elastic ? 1e-2 : 1e-6) * energy);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moreau__pendulum__order_2),
        cmocka_unit_test(moreau__double_pendulum__order_2),
        cmocka_unit_test(rattle__pendulum__order_2_and_no_drift),
        cmocka_unit_test(rattle__double_pendulum__order_2_and_no_drift),
        cmocka_unit_test(moreau__ball__sphere_swings_as_a_body),
        cmocka_unit_test(hinge__friction__stops_in_time),
        cmocka_unit_test(motor__strength__reaches_its_speed),
        cmocka_unit_test(motor__load__stalls_at_its_strength),
        cmocka_unit_test(slider__friction__slides_with_the_rest),
        cmocka_unit_test(slider__limits__hold_and_bounce),
        cmocka_unit_test(fixed__free_flight__is_one_body),
        cmocka_unit_test(spring__swing__order_2),
        cmocka_unit_test(moreau__stiff_spring__stays_bounded),
        cmocka_unit_test(spring__prestress__gives_way_beyond_it),
        cmocka_unit_test(cable__bounce__of_a_mass),
        cmocka_unit_test(cable__hanging__bears_the_weight),
        cmocka_unit_test(cable__breaks__at_its_force),
        cmocka_unit_test(cable__brake__slips_at_its_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
