/* Motions of one or a few spheres that have closed forms. */
#include "tests/support.h"

static const scree_vec3 zero = {0, 0, 0};

static scree_world_def def_with(double dt, bool gap_control) {
    scree_world_def def = scree_world_def_default();
    def.dt = dt;
    def.gap_control = gap_control;
    def.solver.tolerance = 1e-12;
    def.solver.iterations = 1000;
    return def;
}

/* ---- free motion --------------------------------------------------------- */

static void moreau__free_fall__exact(void **state) {
    (void)state;
    const scree_world_def def = def_with(1e-2, true);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    add_sphere(world, 0.1, vec(1, 2, 3), vec(0.5, -0.25, 4), zero);
    run(world, 100);
    const body b = read_body(world, 0);
    assert_near(b.x.x, 1.5, 1e-13);
    assert_near(b.x.y, 1.75, 1e-13);
    assert_near(b.x.z, 3 + 4 - 0.5 * 9.81, 1e-12);
    assert_near(b.v.z, 4 - 9.81, 1e-12);
    scree_world_destroy(world);
}

static void moreau__free_spin__orientation_exact(void **state) {
    (void)state;
    const scree_world_def def = def_with(1e-2, true);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    const scree_vec3 w = vec(3, -2, 6); /* 7 rad/s */
    add_sphere(world, 0.1, zero, zero, w);
    run(world, 100);
    const body b = read_body(world, 0);
    const double half = 0.5 * 7.0;
    assert_near(b.q.w, cos(half), 1e-13);
    assert_near(b.q.x, sin(half) * 3 / 7, 1e-13);
    assert_near(b.q.y, sin(half) * -2 / 7, 1e-13);
    assert_near(b.q.z, sin(half) * 6 / 7, 1e-13);
    assert_near(norm(sub(b.w, w)), 0, 1e-15);
    scree_world_destroy(world);
}

/* ---- impact -------------------------------------------------------------- */

/* Highest point between impacts k and k + 1, for k = 1 .. n. */
static void bounce_heights(double e, bool gap_control, double dt, int n,
                           double *height) {
    const scree_world_def def = def_with(dt, gap_control);
    scree_world *world = make_world(&def, (scree_contact_law){.e_n = e});
    add_floor(world);
    const double r = 0.1, h = 1.0;
    add_sphere(world, r, vec(0, 0, h + r), zero, zero);
    double last = 0;
    for (int k = -1; k < n;) {
        run(world, 1);
        const body b = read_body(world, 0);
        if (last < 0 && b.v.z > 0) ++k; /* an impact */
        if (last > 0 && b.v.z <= 0 && k >= 0) height[k] = b.x.z - r;
        if (last > 0 && b.v.z <= 0 && k == n - 1) break;
        last = b.v.z;
    }
    scree_world_destroy(world);
}

static void check_bounce_heights(bool gap_control) {
    const double e = 0.8, dt = 1e-5;
    double height[4];
    bounce_heights(e, gap_control, dt, 4, height);
    /* An impact is late by up to dt, at up to 4.5 m/s, each time. */
    for (int k = 0; k < 4; ++k)
        assert_near(height[k], pow(e, 2 * (k + 1)), 5 * dt * (k + 1));
}

static void moreau__bounce__heights_e_2n(void **state) {
    (void)state;
    check_bounce_heights(false);
}

static void gap_control__bounce__heights_e_2n(void **state) {
    (void)state;
    check_bounce_heights(true);
}

static void moreau__bounce__restitution_exact(void **state) {
    (void)state;
    for (int on = 0; on < 2; ++on) {
        scree_world_def def = def_with(1e-3, on);
        def.gravity[2] = 0;
        scree_world *world = make_world(&def, (scree_contact_law){.e_n = 0.7});
        add_floor(world);
        add_sphere(world, 0.1, vec(0, 0, 0.2), vec(0, 0, -3), zero);
        run(world, 100);
        assert_near(read_body(world, 0).v.z, 2.1, 1e-14);
        scree_world_destroy(world);
    }
}

/* Bouncing ball of 000 5.1: impacts accumulate at t = 1.2850588 for e = 1/2,
 * 3 times the first impact time 0.4283529. */
static void moreau__bouncing_ball__accumulation_time(void **state) {
    (void)state;
    const double t1 = 0.4283529, dt = 1e-5, r = 0.1;
    for (int on = 0; on < 2; ++on) {
        const scree_world_def def = def_with(dt, on);
        scree_world *world = make_world(&def, (scree_contact_law){.e_n = 0.5});
        add_floor(world);
        add_sphere(world, r, vec(0, 0, 0.5 * 9.81 * t1 * t1 + r), zero, zero);
        double last_moving = 0;
        for (int k = 0; k < 140000; ++k) {
            run(world, 1);
            if (fabs(read_body(world, 0).v.z) > 1e-2)
                last_moving = scree_world_time(world);
        }
        /* Below 1e-2 m/s the rest of the series takes 4e-3 s. */
        assert_near(last_moving, 1.2850588, 5e-3);
        assert_near(read_body(world, 0).v.z, 0, 1e-12);
        scree_world_destroy(world);
    }
}

static void moreau__tangential_restitution__reverses_slip(void **state) {
    (void)state;
    /* Sticking impact with e_T: the slip velocity is reversed, -e_T times. */
    scree_world_def def = def_with(1e-3, false);
    def.gravity[2] = 0;
    const scree_contact_law law = {.friction = 10, .e_n = 0.5, .e_t = 0.6};
    scree_world *world = make_world(&def, law);
    add_floor(world);
    const double r = 0.1, vx = 0.4, wy = -3;
    add_sphere(world, r, vec(0, 0, 0.2), vec(vx, 0, -3), vec(0, wy, 0));
    run(world, 100);
    const body b = read_body(world, 0);
    const double slip_before = vx - r * wy, slip_after = b.v.x - r * b.w.y;
    assert_near(slip_after, -0.6 * slip_before, 1e-13);
    /* The impulse acts at the contact point: m vx + theta wy / r is kept. */
    assert_near(b.v.x + 0.4 * r * b.w.y, vx + 0.4 * r * wy, 1e-14);
    scree_world_destroy(world);
}

/* Simultaneous Newton impacts in a chain at rest in contact: REFERENCE values
 * (-1/3, 2/3, 2/3) and (-0.6, 0.4, 0.4, 0.4, 0.4). */
static void check_cradle_in_contact(int n, const double *expected) {
    scree_world_def def = def_with(1e-3, false);
    def.gravity[2] = 0;
    def.solver.tolerance = 1e-15;
    def.solver.iterations = 10000;
    scree_world *world = make_world(&def, (scree_contact_law){.e_n = 1});
    const double r = 0.1, v0 = 1, dt = def.dt;
    /* At the first midpoint all balls touch. */
    for (int i = 0; i < n; ++i)
        add_sphere(world, r, vec(2 * r * i - (i ? 0 : 0.5 * v0 * dt), 0, 0),
                   vec(i ? 0 : v0, 0, 0), zero);
    run(world, 1);
    for (int i = 0; i < n; ++i)
        assert_near(read_body(world, i).v.x, expected[i], 1e-12);
    scree_world_destroy(world);
}

static void cradle__in_contact__newton_law(void **state) {
    (void)state;
    check_cradle_in_contact(3, (double[]){-1. / 3, 2. / 3, 2. / 3});
    check_cradle_in_contact(5, (double[]){-0.6, 0.4, 0.4, 0.4, 0.4});
}

static void cradle__small_gaps__last_ball_leaves(void **state) {
    (void)state;
    for (int on = 0; on < 2; ++on) {
        scree_world_def def = def_with(1e-4, on);
        def.gravity[2] = 0;
        scree_world *world = make_world(&def, (scree_contact_law){.e_n = 1});
        const double r = 0.1, gap = 1e-3;
        for (int i = 0; i < 5; ++i)
            add_sphere(world, r, vec((2 * r + gap) * i, 0, 0),
                       vec(i ? 0 : 1, 0, 0), zero);
        run(world, 1000);
        for (int i = 0; i < 5; ++i)
            assert_near(read_body(world, i).v.x, i == 4, 1e-12);
        scree_world_destroy(world);
    }
}

/* ---- friction ------------------------------------------------------------ */

/* Slides, then rolls with 5/7 v0 from t = 2 v0 / (7 mu g) on. */
static void friction__sliding_sphere__rolls_at_five_sevenths(void **state) {
    (void)state;
    const double v0 = 2, mu = 0.2, r = 0.1, dt = 1e-4;
    const double t_roll = 2 * v0 / (7 * mu * 9.81);
    for (int on = 0; on < 2; ++on) {
        const scree_world_def def = def_with(dt, on);
        scree_world *world =
            make_world(&def, (scree_contact_law){.friction = mu});
        add_floor(world);
        add_sphere(world, r, vec(0, 0, r), vec(v0, 0, 0), zero);
        run(world, (int)(t_roll / dt) - 2);
        body b = read_body(world, 0);
        assert_true(b.v.x - r * b.w.y > 1e-6); /* still slips */
        run(world, 4);
        b = read_body(world, 0);
        assert_near(b.v.x - r * b.w.y, 0, 1e-12); /* rolls */
        run(world, (int)(1 / dt + 0.5) - (int)scree_world_steps(world));
        b = read_body(world, 0);
        assert_near(b.v.x, 5 * v0 / 7, 1e-12);
        assert_near(b.x.x, 1.511785, 1e-4);
        scree_world_destroy(world);
    }
}

/* A sphere with spin in general position: REFERENCE, the slip direction does
 * not turn, rolls at 0.2868460 with (0.4857143, 0.2714286, 0). */
static void friction__spinning_sphere__rolls_as_predicted(void **state) {
    (void)state;
    const double mu = 0.2, r = 0.1, dt = 1e-4;
    const scree_world_def def = def_with(dt, true);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = mu});
    add_floor(world);
    add_sphere(world, r, vec(0, 0, r), vec(1, 0.5, 0), vec(3, -8, 5));
    run(world, (int)(0.2868460 / dt) - 1);
    body b = read_body(world, 0);
    const scree_vec3 arm = vec(0, 0, -r);
    assert_true(norm(add(b.v, cross(b.w, arm))) > 1e-6);
    run(world, 3);
    b = read_body(world, 0);
    assert_near(norm(add(b.v, cross(b.w, arm))), 0, 1e-9);
    assert_near(b.v.x, 0.4857143, 1e-7);
    assert_near(b.v.y, 0.2714286, 1e-7);
    assert_near(b.w.z, 5, 1e-12); /* drilling is free */
    scree_world_destroy(world);
}

/* On an incline a sphere rolls with 5/7 g sin(a) for tan(a) < 7/2 mu and slips
 * with g (sin(a) - mu cos(a)) above. */
static void check_incline(double tan_a, double mu, bool rolls) {
    const double a = atan(tan_a), g = 9.81, r = 0.1, dt = 1e-3;
    for (int on = 0; on < 2; ++on) {
        scree_world_def def = def_with(dt, on);
        vec_to(vec(g * sin(a), 0, -g * cos(a)), def.gravity);
        scree_world *world =
            make_world(&def, (scree_contact_law){.friction = mu});
        add_floor(world);
        add_sphere(world, r, vec(0, 0, r), zero, zero);
        run(world, 500);
        const body b = read_body(world, 0);
        const double acceleration =
            rolls ? 5. / 7 * g * sin(a) : g * (sin(a) - mu * cos(a));
        assert_near(b.v.x, acceleration * 0.5, 1e-10);
        assert_near(b.x.x, 0.5 * acceleration * 0.25, 1e-10);
        if (rolls) assert_near(b.v.x - r * b.w.y, 0, 1e-11);
        scree_world_destroy(world);
    }
}

static void friction__incline__rolls_below_slips_above(void **state) {
    (void)state;
    check_incline(0.69, 0.2, true);
    check_incline(0.71, 0.2, false);
}

/* ---- rest and moving walls ----------------------------------------------- */

static void rest__stack_of_ten_in_tube__stays(void **state) {
    (void)state;
    const double r = 0.1;
    for (int on = 0; on < 2; ++on) {
        const scree_world_def def = def_with(1e-3, on);
        scree_world *world =
            make_world(&def, (scree_contact_law){.friction = 0.5});
        add_box(world, r);
        for (int i = 0; i < 10; ++i)
            add_sphere(world, r, vec(0, 0, r + 2 * r * i), zero, zero);
        run(world, 1000);
        for (int i = 0; i < 10; ++i) {
            const body b = read_body(world, i);
            assert_near(b.x.z, r + 2 * r * i, 1e-8);
            assert_near(norm(b.v), 0, 1e-8);
        }
        double force[3];
        scree_world_read_wall_force(world, 0, force);
        assert_near(force[2], -10 * read_body(world, 0).m * 9.81, 1e-5);
        scree_world_destroy(world);
    }
}

/* A belt that starts below a resting sphere drags it along: slip, then roll
 * with 2/7 of the belt's velocity. */
static void walls__moving_belt__drags_sphere(void **state) {
    (void)state;
    const double mu = 0.3, r = 0.1, v = 1;
    const scree_world_def def = def_with(1e-4, true);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = mu});
    scree_plane_def plane = scree_plane_def_default();
    plane.motion.velocity[0] = v;
    assert_ok(scree_world_add_plane(world, &plane, NULL));
    add_sphere(world, r, vec(0, 0, r), zero, zero);
    run(world, 900); /* slips until t = 2 v / (7 mu g) = 0.0971 */
    assert_near(read_body(world, 0).v.x, mu * 9.81 * 0.09, 1e-9);
    run(world, 2100);
    const body b = read_body(world, 0);
    assert_near(b.v.x, 2 * v / 7, 1e-11);
    assert_near(energy_defect(world), 0, 1e-10);
    scree_world_destroy(world);
}

/* A floor that oscillates below g carries a sphere; its mean force over a
 * window is m (g + mean acceleration). */
static void walls__slow_oscillation__carries_sphere(void **state) {
    (void)state;
    const double A = 0.01, f = 3, r = 0.1, dt = 1e-4;
    const double omega = 2 * SCREE_PI * f; /* A omega^2 = 3.55 < g */
    enum { WINDOW = 100 };
    const scree_world_def def = def_with(dt, true);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    scree_plane_def plane = scree_plane_def_default();
    plane.motion.amplitude[2] = A;
    plane.motion.frequency = f;
    assert_ok(scree_world_add_plane(world, &plane, NULL));
    add_sphere(world, r, vec(0, 0, r), vec(0, 0, A * omega), zero);
    for (int window = 0; window < 50; ++window) {
        const double t0 = scree_world_time(world);
        double sum = 0;
        for (int k = 0; k < WINDOW; ++k) {
            double force[3];
            run(world, 1);
            scree_world_read_wall_force(world, 0, force);
            sum -= force[2] / WINDOW;
            assert_near(read_body(world, 0).x.z - r,
                        A * sin(omega * scree_world_time(world)), 2e-3 * A);
        }
        const double t1 = scree_world_time(world);
        const double a =
            A * omega * (cos(omega * t1) - cos(omega * t0)) / (t1 - t0);
        assert_near(sum / read_body(world, 0).m, 9.81 + a, 0.03);
    }
    assert_near(energy_defect(world), 0, 1e-10);
    scree_world_destroy(world);
}

/* A plane that turns about its own normal spins a sphere on the axis only by
 * friction away from the axis: off the axis the sphere is dragged round. */
static void walls__turntable__velocity_at_contact(void **state) {
    (void)state;
    const scree_world_def def = def_with(1e-4, true);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    scree_plane_def plane = scree_plane_def_default();
    plane.motion.rate = 2;
    assert_ok(scree_world_add_plane(world, &plane, NULL));
    add_sphere(world, 0.05, vec(0.4, 0, 0.05), zero, zero);
    run(world, 100); /* slips: pulled along +y, the wall moves with 0.8 m/s */
    const body b = read_body(world, 0);
    assert_near(b.v.y, 0.5 * 9.81 * 0.01, 1e-5);
    assert_near(b.v.x, 0, 1e-3);
    scree_world_destroy(world);
}

static void walls__gate__vanishes_in_time(void **state) {
    (void)state;
    scree_world_def def = def_with(1e-3, true);
    vec_to(vec(1, 0, 0), def.gravity);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    scree_plane_def gate = scree_plane_def_default();
    vec_to(vec(-1, 0, 0), gate.normal);
    gate.until = 0.5;
    assert_ok(scree_world_add_plane(world, &gate, NULL));
    add_sphere(world, 0.1, vec(-0.1, 0, 0), zero, zero);
    run(world, 500);
    assert_near(read_body(world, 0).x.x, -0.1, 1e-9);
    run(world, 500);
    assert_near(read_body(world, 0).x.x, -0.1 + 0.5 * 0.25, 1e-9);
    scree_world_destroy(world);
}

/* One rises and is gone after 0.2 s, one turns about the origin. */
static void walls__moving__are_read_where_they_are(void **state) {
    (void)state;
    const scree_world_def def = scree_world_def_default();
    scree_world *world = make_world(&def, (scree_contact_law){0});
    scree_plane_def rising = scree_plane_def_default(), turning = rising;
    vec_to(vec(0, 0, 1), rising.point);
    vec_to(vec(0, 0, 2), rising.normal);
    vec_to(vec(3, 0, 0.5), rising.motion.velocity);
    rising.until = 0.2;
    vec_to(vec(0, 0, 1), turning.point);
    vec_to(vec(0, 0, 1), turning.normal);
    vec_to(vec(0, 1, 0), turning.motion.axis);
    turning.motion.rate = 2;
    int walls[2];
    assert_ok(scree_world_add_plane(world, &rising, &walls[0]));
    assert_ok(scree_world_add_plane(world, &turning, &walls[1]));
    run(world, (int)lround(0.1 / def.dt));
    double point[3], normal[3];
    assert_true(scree_world_read_wall(world, walls[0], point, normal));
    assert_near(norm(sub(vec_from(point), vec(0, 0, 1.05))), 0, 1e-14);
    assert_near(norm(sub(vec_from(normal), vec(0, 0, 1))), 0, 1e-15);
    assert_true(scree_world_read_wall(world, walls[1], point, normal));
    const scree_vec3 turned = vec(sin(0.2), 0, cos(0.2));
    assert_near(norm(sub(vec_from(point), turned)), 0, 1e-14);
    assert_near(norm(sub(vec_from(normal), turned)), 0, 1e-14);
    run(world, (int)lround(0.11 / def.dt));
    assert_false(scree_world_read_wall(world, walls[0], point, normal));
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moreau__free_fall__exact),
        cmocka_unit_test(moreau__free_spin__orientation_exact),
        cmocka_unit_test(moreau__bounce__heights_e_2n),
        cmocka_unit_test(gap_control__bounce__heights_e_2n),
        cmocka_unit_test(moreau__bounce__restitution_exact),
        cmocka_unit_test(moreau__bouncing_ball__accumulation_time),
        cmocka_unit_test(moreau__tangential_restitution__reverses_slip),
        cmocka_unit_test(cradle__in_contact__newton_law),
        cmocka_unit_test(cradle__small_gaps__last_ball_leaves),
        cmocka_unit_test(friction__sliding_sphere__rolls_at_five_sevenths),
        cmocka_unit_test(friction__spinning_sphere__rolls_as_predicted),
        cmocka_unit_test(friction__incline__rolls_below_slips_above),
        cmocka_unit_test(rest__stack_of_ten_in_tube__stays),
        cmocka_unit_test(walls__moving_belt__drags_sphere),
        cmocka_unit_test(walls__slow_oscillation__carries_sphere),
        cmocka_unit_test(walls__turntable__velocity_at_contact),
        cmocka_unit_test(walls__gate__vanishes_in_time),
        cmocka_unit_test(walls__moving__are_read_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
