/* Walls that forces drive (engine/world/servo.h), by closed forms. */
#include <string.h>

#include "tests/analytic/shapes_fixture.h"

static scree_world_def loose_def(double dt) {
    scree_world_def def = firm_def(dt);
    def.gravity[2] = 0;
    def.solver.tolerance = 1e-10;
    return def;
}

static int add_driven(scree_world *world, scree_vec3 point, scree_vec3 normal,
                      const scree_servo *servo) {
    scree_plane_def def = scree_plane_def_default();
    int wall;
    vec_to(point, def.point);
    vec_to(normal, def.normal);
    def.servo = *servo;
    assert_ok(scree_world_add_plane(world, &def, &wall));
    return wall;
}

static scree_servo servo_of(scree_servo_kind kind, double target) {
    scree_servo servo = scree_servo_default();
    servo.kind = kind, servo.target = target;
    return servo;
}

static scree_servo_view look(const scree_world *world, int wall) {
    scree_servo_view view;
    scree_world_read_servo(world, wall, &view);
    return view;
}

/* Of bodies on the wall, along its normal. */
static double load_on(const scree_world *world, int wall) {
    double force[3], point[3], normal[3];
    scree_world_read_wall_force(world, wall, force);
    scree_world_read_wall(world, wall, point, normal);
    return -dot(vec_from(force), vec_from(normal));
}

/* ---- nothing in its way -------------------------------------------------------- */

/* v = speed (1 - (1 + dt c / m)^-n), m / c = 10 dt, and never faster. */
static void wall__with_nothing_in_its_way__comes_to_its_speed(void **state) {
    (void)state;
    const double dt = 1e-3;
    const scree_world_def def = loose_def(dt);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    scree_servo servo = servo_of(SCREE_SERVO_FORCE, 50);
    servo.speed = 0.2;
    const int wall = add_driven(world, vec(0, 0, 3), vec(0, 0, -1), &servo);
    double way = 0, before = 0;
    for (int n = 1; n <= 300; ++n) {
        run(world, 1);
        const double v = 0.2 * (1 - pow(1.1, -n));
        way += 0.5 * dt * (before + v), before = v;
        assert_near(look(world, wall).velocity, v, 1e-12);
        assert_true(look(world, wall).velocity <= 0.2 * (1 + 1e-15));
    }
    double point[3], normal[3], velocity[3];
    scree_world_read_wall(world, wall, point, normal);
    assert_near(point[2], 3 - way, 1e-12);
    scree_world_read_wall_velocity(world, wall, point, velocity);
    assert_near(velocity[2], -before, 1e-15);
    scree_world_destroy(world);
}

/* ---- against a body ------------------------------------------------------------- */

/* It bears the force exactly from the second step of contact on. */
static void sphere__under_a_driven_wall__bears_its_force(void **state) {
    (void)state;
    const scree_world_def def = loose_def(1e-3);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.3});
    add_floor(world);
    add_sphere(world, 0.5, vec(0, 0, 0.5), vec(0, 0, 0), vec(0, 0, 0));
    const scree_servo servo = servo_of(SCREE_SERVO_FORCE, 200);
    const int wall = add_driven(world, vec(0, 0, 1.01), vec(0, 0, -1), &servo);
    int n = 0;
    for (; load_on(world, wall) == 0 && n < 1000; ++n) run(world, 1);
    assert_true(n < 200);
    run(world, 2);
    for (int k = 0; k < 50; ++k) {
        run(world, 1);
        assert_near(load_on(world, wall), 200, 1e-6);
        assert_near(load_on(world, 0), 200, 1e-6);
        assert_near(look(world, wall).velocity, 0, 1e-9);
    }
    assert_near(look(world, wall).way, 0.01, 2e-5);
    assert_near(energy_defect(world), 0, 1e-12);
    scree_world_destroy(world);
}

/* A sphere hits a wall that nothing presses: two bodies on a line. */
static void sphere__hits_a_free_wall__as_bodies_hit(void **state) {
    (void)state;
    const double e = 0.6, M = 700, v = -2;
    const scree_world_def def = loose_def(1e-3);
    scree_world *world = make_world(&def, (scree_contact_law){.e_n = e});
    scree_servo servo = servo_of(SCREE_SERVO_FORCE, 0);
    servo.mass = M, servo.damping = 0;
    const int wall = add_driven(world, vec(0, 0, 0), vec(0, 0, 1), &servo);
    const int64_t id =
        add_sphere(world, 0.5, vec(0.2, 0, 0.6), vec(1, 0, v), vec(0, 3, 0));
    const double m = read_body(world, id).m;
    run(world, 300);
    const double common = m * v / (m + M);
    assert_near(read_body(world, id).v.z, common - e * M * v / (m + M), 1e-9);
    assert_near(look(world, wall).velocity, common + e * m * v / (m + M), 1e-9);
    assert_near(read_body(world, id).v.x, 1, 1e-12);
    assert_near(energy_defect(world) / m, 0, 1e-12);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wall__with_nothing_in_its_way__comes_to_its_speed),
        cmocka_unit_test(sphere__under_a_driven_wall__bears_its_force),
        cmocka_unit_test(sphere__hits_a_free_wall__as_bodies_hit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
