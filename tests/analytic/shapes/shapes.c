/* Bodies that are not spheres, against closed forms: rest, sliding, tipping,
 * free rotation, a stack that stands. */
#include "tests/analytic/shapes_fixture.h"

/* A box on a floor tilted by angle a, as gravity sees it: sticks for tan(a) <
 * mu, and slides with g (sin a - mu cos a) above. */
static void check_incline(double a, double mu, double acceleration) {
    scree_world_def def = scree_world_def_default();
    const double t = 0.5;
    tilt(&def, a, 2);
    def.dt = 1e-3;
    def.solver.iterations = 300;
    def.solver.tolerance = 1e-10;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = mu});
    add_floor(world);
    const int box = add_box_shape(world, 0.4, 0.3, 0.2);
    const int64_t id = put_body(world, (put){box, .x = vec(0, 0, 0.1)});
    run(world, (int)(t / def.dt + 0.5));
    const scree_vec3 x = read_body(world, id).x, v = read_body(world, id).v;
    assert_near(v.x, acceleration * t, 1e-6 + 1e-3 * acceleration * t);
    assert_near(x.x, 0.5 * acceleration * t * t, 1e-5);
    assert_near(x.y, 0, 1e-8);
    assert_near(x.z, 0.1, 1e-5);
    scree_world_destroy(world);
}

static void incline__below_and_above_friction__sticks_and_slides(void **state) {
    (void)state;
    check_incline(0.3, 0.35, 0); /* tan 0.3 = 0.309 */
    check_incline(0.3, 0.25, G * (sin(0.3) - 0.25 * cos(0.3)));
    check_incline(0.0, 0.5, 0);
}

/* Ten boxes stand for ten seconds. */
static void stack__ten_boxes__stand(void **state) {
    (void)state;
    enum { N = 10 };
    const scree_world_def def = firm_def(2e-3);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_floor(world);
    const int box = add_box_shape(world, 0.2, 0.2, 0.2);
    for (int i = 0; i < N; ++i)
        put_body(world, (put){box, .x = vec(0, 0, 0.1 + 0.2 * i)});
    run(world, 5000);
    for (int i = 0; i < N; ++i) {
        const scree_vec3 x = read_body(world, i).x;
        assert_near(norm(sub(x, vec(0, 0, 0.1 + 0.2 * i))), 0, 0.2e-3);
    }
    scree_world_destroy(world);
}

/* Spin about the body's own y axis; in the inertial frame 2 T = L . w keeps the
 * spin along L whatever the body does. */
static double own_spin(const scree_world *world, int64_t id) {
    const body b = read_body(world, id);
    const scree_mat3 R = quat_matrix(b.q);
    return dot(R.y, b.w);
}

/* A box without forces that spins about its middle axis turns over again and
 * again; energy and angular momentum are kept. */
static void tumbling__free_box__keeps_energy_and_momentum(void **state) {
    (void)state;
    scree_world_def def = scree_world_def_default();
    memset(def.gravity, 0, sizeof def.gravity);
    def.dt = 1e-3;
    scree_world *world = make_world(&def, (scree_contact_law){0});
    put_body(world,
             (put){add_box_shape(world, 0.3, 0.2, 0.1), .w = vec(0.01, 5, 0)});
    const scree_scalars before = read_scalars(world);
    double least = 5;
    for (int k = 0; k < 50; ++k) {
        run(world, 100);
        least = fmin(least, own_spin(world, 0));
    }
    const scree_scalars after = read_scalars(world);
    for (int k = 0; k < 3; ++k)
        assert_near(after.angular_momentum[k], before.angular_momentum[k],
                    1e-11);
    assert_near(after.kinetic / before.kinetic, 1, 1e-4);
    assert_true(least < -4.9);
    scree_world_destroy(world);
}

/* A block of width w and height h on an incline with friction enough tips for
 * tan(a) > w / h. Returns the angle it has turned by after 1.5 s. */
static double tipped(double tangent) {
    scree_world_def def = firm_def(2e-3);
    tilt(&def, atan(tangent), 2);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 1});
    add_floor(world);
    const double w = 0.1, h = 0.2;
    put_body(world,
             (put){add_box_shape(world, w, 0.15, h), .x = vec(0, 0, h / 2)});
    run(world, 750);
    const double angle = turned_by(read_body(world, 0).q);
    scree_world_destroy(world);
    return angle;
}

static void
tipping__two_percent_about_the_limit__stands_and_falls(void **state) {
    (void)state;
    assert_near(tipped(0.98 * 0.5), 0, 1e-5);
    assert_true(tipped(1.02 * 0.5) > 0.5);
}

/* A plate of 10 x 10 balls lies flat, although a pair keeps fewer touches. */
static void clump__plate_of_100_balls__lies_flat(void **state) {
    (void)state;
    enum { SIDE = 10 };
    const scree_world_def def = firm_def(2e-3);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_floor(world);
    double balls[SIDE * SIDE][4];
    for (int k = 0; k < SIDE * SIDE; ++k) {
        balls[k][0] = 0.1 * (k % SIDE), balls[k][1] = 0.1 * (k / SIDE);
        balls[k][2] = 0, balls[k][3] = 0.05;
    }
    scree_shape_def plate = scree_shape_def_default();
    plate.kind = SCREE_SHAPE_CLUMP;
    plate.balls = balls[0], plate.n_ball = SIDE * SIDE;
    put_body(world, (put){add_shape(world, &plate), .x = vec(0, 0, 0.06)});
    run(world, 500);
    assert_near(turned_by(read_body(world, 0).q), 0, 1e-5);
    assert_near(read_body(world, 0).x.z, 0.05, 1e-5);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(incline__below_and_above_friction__sticks_and_slides),
        cmocka_unit_test(stack__ten_boxes__stand),
        cmocka_unit_test(
            tipping__two_percent_about_the_limit__stands_and_falls),
        cmocka_unit_test(clump__plate_of_100_balls__lies_flat),
        cmocka_unit_test(tumbling__free_box__keeps_energy_and_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
