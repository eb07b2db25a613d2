/* RATTLE with boxes: nothing overlaps at the end of any step, what stands stands,
 * and what flies tumbles as it should. */
#include <stdlib.h>

#include "tests/analytic/shapes_fixture.h"
#include "tests/trial.h"

static scree_world_def rattle_def(double dt, scree_friction_law friction) {
    scree_world_def def = firm_def(dt);
    def.solver.iterations = 1000;
    def.stepper = "rattle";
    def.friction = friction;
    return def;
}

/* Overlap of the bodies as a world sees it that has never met them. */
static double fresh_overlap(const scree_world *world, scree_vec3 size,
                            double pit) {
    scree_world_def def = scree_world_def_default();
    def.gravity[2] = 0;
    def.dt = 1e-9;
    def.gap_control = false;
    scree_world *fresh = make_world(&def, (scree_contact_law){0});
    if (pit > 0)
        add_box(fresh, pit);
    else
        add_floor(fresh);
    const int box = add_box_shape(fresh, size.x, size.y, size.z);
    const int n = (int)scree_world_body_count(world);
    for (int i = 0; i < n; ++i) {
        const body b = read_body(world, i);
        put_body(fresh, (put){box, .x = b.x, .turn = rotation_vector(b.q)});
    }
    run(fresh, 1);
    const double overlap = read_scalars(fresh).penetration_max;
    scree_world_destroy(fresh);
    return overlap;
}

/* Radius of the ball of a box's volume. */
static double radius_of(scree_vec3 s) {
    return cbrt(0.75 * s.x * s.y * s.z / SCREE_PI);
}

static void check_heap(double dt, scree_friction_law friction) {
    enum { N = 36 };
    const scree_vec3 size = {0.2, 0.15, 0.12};
    const scree_world_def def = rattle_def(dt, friction);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.4});
    add_box(world, 0.45);
    const int box = add_box_shape(world, size.x, size.y, size.z);
    scree_random rng = scree_random_stream(21, 0);
    for (int i = 0; i < N; ++i)
        put_body(world, (put){box,
                              .x = scale(0.3, vec(i % 3 - 1, i / 3 % 3 - 1,
                                                  i / 9 + 0.6)),
                              .turn = random_vec(&rng), .v = {0, 0, -1}});
    double worst = 0, own = 0;
    int beyond = 0;
    const double r = radius_of(size);
    const int steps = (int)(0.6 / dt + 0.5);
    for (int k = 0; k < steps; ++k) {
        run(world, 1);
        const double overlap = read_scalars(world).penetration_max;
        beyond += overlap > 1.1 * def.solver.tolerance * r;
        own = fmax(own, overlap);
        if (k % 5 == 0) worst = fmax(worst, fresh_overlap(world, size, 0.45));
    }
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    print_message("heap, dt %g, %s: overlap %.2g r (own %.2g r, beyond the "
                  "tolerance in %d of %d steps), %d contacts, %d steps "
                  "unconverged\n",
                  dt, friction == SCREE_FRICTION_TOTAL ? "total" : "midslip",
                  worst / r, own / r, beyond, steps,
                  (int)scree_world_contact_count(world), (int)cost.unconverged);
    /* Where the sweeps do not reach the tolerance, a few of it may be left. */
    assert_true(beyond <= 0.01 * steps);
    assert_true(own <= 10 * def.solver.tolerance * r);
    /* Faces are preferred to edges that separate by 1e-4 of the body less
     * (scree_face_bias): what another choice measures may be that much deeper. */
    assert_true(worst <= 2e-4 * r);
    scree_world_destroy(world);
}

static void rattle__heap_of_boxes__never_overlaps(void **state) {
    (void)state;
    const double dts[] = {5e-3, 1e-3};
    for (int k = 0; k < 2; ++k) {
        check_heap(dts[k], SCREE_FRICTION_TOTAL);
        check_heap(dts[k], SCREE_FRICTION_MIDSLIP);
    }
}

static void check_stack(scree_friction_law friction) {
    const scree_vec3 size = {0.2, 0.2, 0.2};
    const scree_world_def def = rattle_def(2e-3, friction);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_floor(world);
    const int box = add_box_shape(world, size.x, size.y, size.z);
    for (int i = 0; i < 5; ++i)
        put_body(world, (put){box, .x = vec(0, 0, 0.1 + 0.2 * i)});
    run(world, 1000);
    double drift = 0;
    for (int i = 0; i < 5; ++i)
        drift = fmax(
            drift, norm(sub(read_body(world, i).x, vec(0, 0, 0.1 + 0.2 * i))));
    print_message("stack, %s: drift %.2g, overlap %.2g\n",
                  friction == SCREE_FRICTION_TOTAL ? "total" : "midslip", drift,
                  fresh_overlap(world, size, 0));
    assert_true(drift < 1e-3 * size.x);
    scree_world_destroy(world);
}

static void rattle__stack_of_boxes__rests(void **state) {
    (void)state;
    check_stack(SCREE_FRICTION_TOTAL);
    check_stack(SCREE_FRICTION_MIDSLIP);
}

/* ---- free rotation ------------------------------------------------------------ */

static const double BOX[3] = {0.3, 0.2, 0.1}, SPIN[3] = {1, 5, 2};

/* Euler's equations of the box, in its own frame. */
static void euler(const void *context, const double *w, double *dw) {
    (void)context;
    double I[3];
    for (int k = 0; k < 3; ++k) {
        const double a = BOX[(k + 1) % 3], b = BOX[(k + 2) % 3];
        I[k] = a * a + b * b;
    }
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        dw[k] = (I[i] - I[j]) / I[k] * w[i] * w[j];
    }
}

static scree_world *tumbling(double dt, double spin) {
    scree_world_def def = rattle_def(dt, SCREE_FRICTION_MIDSLIP);
    memset(def.gravity, 0, sizeof def.gravity);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    put_body(world, (put){add_box_shape(world, BOX[0], BOX[1], BOX[2]),
                          .w = scale(spin, vec_from(SPIN))});
    return world;
}

/* Error of the spin, as the box sees it, after 2 s. */
static double tumbling_error(double dt) {
    scree_world *world = tumbling(dt, 1);
    run(world, (int)lround(2 / dt));
    const body b = read_body(world, 0);
    const scree_mat3 R = quat_matrix(b.q);
    double exact[] = {SPIN[0], SPIN[1], SPIN[2]};
    rk4(euler, NULL, 3, 2, 1e-4, exact);
    scree_world_destroy(world);
    return norm(sub(mat3_mul_back(&R, b.w), vec_from(exact)));
}

static void rattle__free_box__tumbles_with_second_order(void **state) {
    (void)state;
    const double dt[] = {2e-2, 1e-2, 5e-3, 2.5e-3};
    double e[4];
    for (int k = 0; k < 4; ++k) e[k] = tumbling_error(dt[k]);
    const double order = order_of(dt, e, 4);
    print_message("tumbling box: order %.2f, error %.2g at dt %g\n", order,
                  e[3], dt[3]);
    assert_true(order > 1.9);
}

/* The two stages are the midpoint rule of Euler's equations, which keeps energy and
 * the size of the angular momentum, also where a step is a good part of a turn. */
static void rattle__free_box__keeps_energy_at_any_spin(void **state) {
    (void)state;
    for (double spin = 1; spin < 1000; spin *= 6) {
        scree_world *world = tumbling(1e-2, spin);
        const scree_scalars before = read_scalars(world);
        run(world, 1000);
        const scree_scalars after = read_scalars(world);
        assert_near(after.kinetic / before.kinetic, 1, 1e-10);
        assert_near(norm(vec_from(after.angular_momentum)) /
                        norm(vec_from(before.angular_momentum)),
                    1, 1e-10);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rattle__stack_of_boxes__rests),
        cmocka_unit_test(rattle__free_box__tumbles_with_second_order),
        cmocka_unit_test(rattle__free_box__keeps_energy_at_any_spin),
        cmocka_unit_test(rattle__heap_of_boxes__never_overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
