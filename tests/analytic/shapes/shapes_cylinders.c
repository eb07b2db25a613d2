/* Cylinders that stand on each other, and those that carry a box. */
#include "tests/analytic/shapes_fixture.h"

enum { MOST = 16 };

/* How far any body has moved after that time. */
static double drift_of(scree_world *world, double dt, double time) {
    scree_vec3 begin[MOST];
    const int n = (int)scree_world_body_count(world);
    assert_true(n <= MOST);
    for (int i = 0; i < n; ++i) begin[i] = read_body(world, i).x;
    run(world, (int)lround(time / dt));
    double most = 0;
    for (int i = 0; i < n; ++i)
        most = fmax(most, norm(sub(read_body(world, i).x, begin[i])));
    return most;
}

static scree_world_def def_of(const char *stepper, double dt) {
    scree_world_def def = firm_def(dt);
    def.stepper = stepper;
    return def;
}

/* Ten cylinders on a box, each turned about the axis and a little aside: the
 * touches are those of two discs. */
static double stack_drifts(const char *stepper, double dt, double time) {
    const double R = 0.1, H = 0.2;
    const scree_world_def def = def_of(stepper, dt);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_floor(world);
    put_body(world,
             (put){add_box_shape(world, 0.5, 0.5, H), .x = vec(0, 0, H / 2)});
    const int cylinder = add_round_shape(world, SCREE_SHAPE_CYLINDER, R, H);
    for (int i = 0; i < 10; ++i)
        put_body(world, (put){cylinder,
                              .x = vec(i % 2 ? 0.1 * R : 0, 0, (i + 1.5) * H),
                              .turn = vec(0, 0, 0.3 * i)});
    const double drift = drift_of(world, dt, time) / H;
    print_message("ten cylinders, %s, %g s: drift %.2g\n", stepper, time,
                  drift);
    scree_world_destroy(world);
    return drift;
}

static void stack__of_ten_cylinders__stands(void **state) {
    (void)state;
    assert_true(stack_drifts("moreau", 5e-3, 10) < 1e-3);
    assert_true(stack_drifts("rattle", 2e-3, 1) < 1e-3);
}

/* A box on two cylinders that lie on the floor: it stands still and level, for
 * friction holds what would roll; cut loose by a push it rolls along, without
 * slip: the box moves twice as far as the cylinders. */
static scree_world *box_on_rollers(const char *stepper, double dt,
                                   double speed) {
    const double R = 0.1;
    scree_world_def def = def_of(stepper, dt);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_floor(world);
    const int cylinder = add_round_shape(world, SCREE_SHAPE_CYLINDER, R, 0.4);
    for (int side = -1; side <= 1; side += 2)
        put_body(world, (put){cylinder, .x = vec(0.2 * side, 0, R),
                              .turn = vec(SCREE_PI / 2, 0, 0),
                              .v = vec(speed / 2, 0, 0),
                              .w = vec(0, speed / 2 / R, 0)});
    put_body(world, (put){add_box_shape(world, 1, 0.3, 0.1),
                          .x = vec(0, 0, 2 * R + 0.05), .v = vec(speed, 0, 0)});
    return world;
}

static void box__on_two_lying_cylinders__rests(void **state) {
    (void)state;
    const char *steppers[] = {"moreau", "rattle"};
    for (int k = 0; k < 2; ++k) {
        scree_world *world = box_on_rollers(steppers[k], 2e-3, 0);
        const double drift = drift_of(world, 2e-3, k ? 1 : 4);
        print_message("box on rollers, %s: drift %.2g\n", steppers[k], drift);
        assert_true(drift < 1e-3 * 0.1);
        assert_true(turned_by(read_body(world, 2).q) < 1e-4);
        scree_world_destroy(world);
    }
}

static void box__on_two_rolling_cylinders__moves_twice_as_far(void **state) {
    (void)state;
    const double speed = 0.1;
    scree_world *world = box_on_rollers("moreau", 2e-3, speed);
    run(world, 500);
    print_message("box at %.6g, rollers at %.6g and %.6g\n",
                  read_body(world, 2).x.x, read_body(world, 0).x.x + 0.2,
                  read_body(world, 1).x.x - 0.2);
    assert_near(read_body(world, 2).x.x, speed, 1e-4);
    assert_near(read_body(world, 0).x.x + 0.2, speed / 2, 1e-4);
    assert_near(read_body(world, 1).x.x - 0.2, speed / 2, 1e-4);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stack__of_ten_cylinders__stands),
        cmocka_unit_test(box__on_two_lying_cylinders__rests),
        cmocka_unit_test(box__on_two_rolling_cylinders__moves_twice_as_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
