/* Bodies that are not spheres, against closed forms: rest, sliding, tipping,
 * free rotation, stacks and pyramids that stand. */
#include <string.h>

#include "tests/support.h"

static int add_box_shape(scree_world *world, double x, double y, double z) {
    scree_shape_def def = scree_shape_def_default();
    def.size[0] = x, def.size[1] = y, def.size[2] = z;
    int shape;
    assert_ok(scree_world_add_shape(world, &def, &shape));
    return shape;
}

static int64_t put_body(scree_world *world, int shape, double x, double y,
                        double z) {
    scree_body_def def = scree_body_def_default();
    def.shape = shape;
    def.position[0] = x, def.position[1] = y, def.position[2] = z;
    int64_t id;
    assert_ok(scree_world_add_body(world, &def, &id));
    return id;
}

/* A box on a floor tilted by angle a, as gravity sees it: sticks for tan(a) <
 * mu, and slides with g (sin a - mu cos a) above. */
static void check_incline(double a, double mu, double acceleration) {
    scree_world_def def = scree_world_def_default();
    const double g = 9.81, t = 0.5;
    def.gravity[0] = g * sin(a), def.gravity[2] = -g * cos(a);
    def.dt = 1e-3;
    def.solver.iterations = 300;
    def.solver.tolerance = 1e-10;
    scree_world *world =
        make_world(&def, (scree_contact_law){.friction = mu});
    add_floor(world);
    const int box = add_box_shape(world, 0.4, 0.3, 0.2);
    const int64_t id = put_body(world, box, 0, 0, 0.1);
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
    check_incline(0.3, 0.25, 9.81 * (sin(0.3) - 0.25 * cos(0.3)));
    check_incline(0.0, 0.5, 0);
}

/* Ten boxes stand for ten seconds. */
static void stack__ten_boxes__stand(void **state) {
    (void)state;
    enum { N = 10 };
    scree_world_def def = scree_world_def_default();
    def.dt = 2e-3;
    def.solver.iterations = 200;
    def.solver.tolerance = 1e-6;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_floor(world);
    const int box = add_box_shape(world, 0.2, 0.2, 0.2);
    for (int i = 0; i < N; ++i) put_body(world, box, 0, 0, 0.1 + 0.2 * i);
    run(world, 5000);
    for (int i = 0; i < N; ++i) {
        const scree_vec3 x = read_body(world, i).x;
        assert_near(norm(sub(x, vec(0, 0, 0.1 + 0.2 * i))), 0, 0.2e-3);
    }
    scree_world_destroy(world);
}

/* A box without forces that spins about its middle axis: energy and angular
 * momentum are kept while it tumbles. */
static void tumbling__free_box__keeps_energy_and_momentum(void **state) {
    (void)state;
    scree_world_def def = scree_world_def_default();
    memset(def.gravity, 0, sizeof def.gravity);
    def.dt = 1e-3;
    scree_world *world = make_world(&def, (scree_contact_law){0});
    const int box = add_box_shape(world, 0.3, 0.2, 0.1);
    scree_body_def spun = scree_body_def_default();
    spun.shape = box;
    spun.angular_velocity[1] = 5, spun.angular_velocity[0] = 0.01;
    assert_ok(scree_world_add_body(world, &spun, NULL));
    scree_scalars before, after;
    scree_world_read_scalars(world, &before);
    double least = 5;
    for (int k = 0; k < 10; ++k) {
        run(world, 500);
        least = fmin(least, read_body(world, 0).w.y);
    }
    scree_world_read_scalars(world, &after);
    for (int k = 0; k < 3; ++k)
        assert_near(after.angular_momentum[k], before.angular_momentum[k],
                    1e-10);
    assert_near(after.kinetic / before.kinetic, 1, 1e-4);
    assert_true(least < 4); /* the middle axis is unstable: it did tumble */
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(incline__below_and_above_friction__sticks_and_slides),
        cmocka_unit_test(stack__ten_boxes__stand),
        cmocka_unit_test(tumbling__free_box__keeps_energy_and_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
