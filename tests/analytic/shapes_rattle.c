/* RATTLE with boxes: nothing overlaps at the end of any step, and what stands
 * stands. */
#include <stdlib.h>

#include "tests/analytic/shapes_fixture.h"

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
    if (pit > 0) add_box(fresh, pit);
    else add_floor(fresh);
    const int box = add_box_shape(fresh, size.x, size.y, size.z);
    const int n = (int)scree_world_body_count(world);
    for (int i = 0; i < n; ++i) {
        const body b = read_body(world, i);
        put_body(fresh,
                 (put){box, .x = b.x, .turn = rotation_vector(b.q)});
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
    enum { N = 60 };
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
                              .turn = random_vec(&rng),
                              .v = {0, 0, -1}});
    double worst = 0, own = 0;
    int beyond = 0;
    const double r = radius_of(size);
    const int steps = (int)(0.6 / dt + 0.5);
    for (int k = 0; k < steps; ++k) {
        run(world, 1);
        const double overlap = read_scalars(world).penetration_max;
        beyond += overlap > 1.1 * def.solver.tolerance * r;
        own = fmax(own, overlap);
        if (k % 5 == 0)
            worst = fmax(worst, fresh_overlap(world, size, 0.45));
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
        drift = fmax(drift, norm(sub(read_body(world, i).x,
                                     vec(0, 0, 0.1 + 0.2 * i))));
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rattle__stack_of_boxes__rests),
        cmocka_unit_test(rattle__heap_of_boxes__never_overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
