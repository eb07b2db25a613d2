/* Rims under RATTLE: the point of contact runs round the body, and what a rolling disc
 * loses by it falls with the square of the step. */
#include "tests/analytic/shapes_fixture.h"
#include "tests/trial.h"

/* Euler's disc: its centre nearly stands while the point of contact runs round it with
 * the rate Omega, Omega^2 sin(tilt) = 4 g / R for a thin one; it turns about the line to
 * that point. Starts without slip, in contact. */
static scree_world *euler_disc(double dt) {
    const double R = 0.05, thick = 2e-3, tilted = 0.5;
    scree_world_def def = firm_def(dt);
    def.stepper = "rattle";
    def.threads = 1;
    def.solver.tolerance = 1e-10;
    def.solver.iterations = 2000;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 1});
    add_floor(world);
    const int disc = add_round_shape(world, SCREE_SHAPE_CYLINDER, R, thick);
    /* lowest point of the rim: down the disc by R, below it by half its thickness */
    const double c = cos(tilted), s = sin(tilted);
    const scree_vec3 down = {c, 0, -s}, axis = {s, 0, c};
    const scree_vec3 arm = add_scaled(scale(R, down), -0.5 * thick, axis);
    const double Omega = sqrt(4 * G / (R * s));
    const scree_vec3 w = scale(Omega * s, down);
    put_body(world, (put){.shape = disc,
                          .x = {0, 0, -arm.z},
                          .turn = {0, tilted, 0},
                          .v = scale(-1, cross(w, arm)),
                          .w = w});
    return world;
}

/* Share of its energy that the disc loses in a second. */
static double disc_loss(double dt) {
    scree_world *world = euler_disc(dt);
    run(world, (int)(1 / dt + 0.5));
    const scree_scalars s = read_scalars(world);
    const double loss = 1 - (s.kinetic + s.potential) / s.inserted;
    print_message("dt %g: loss %.3e, scheme error %.3e\n", dt, loss,
                  s.scheme_error / s.inserted);
    assert_near(s.dissipated / s.inserted, 0, 1e-9);
    scree_world_destroy(world);
    return loss;
}

static void rattle__euler_disc__loss_of_order_2(void **state) {
    (void)state;
    double dt[3], loss[3];
    for (int k = 0; k < 3; ++k) {
        dt[k] = 1e-3 / (1 << k);
        loss[k] = fabs(disc_loss(dt[k]));
    }
    const double order = order_of(dt, loss, 3);
    print_message("order %.2f\n", order);
    assert_true(order >= 1.7);
    assert_true(loss[0] < 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rattle__euler_disc__loss_of_order_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
