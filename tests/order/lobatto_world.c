/* lobatto on small worlds (engine/steppers/lobatto_world.c): its order in flight and while
 * bodies slide, what the model of the same system does, and what it refuses. */
#include "engine/world/state.h"
#include "tests/in_memory.h"
#include "tests/order/slides.h"

static const scree_vec3 zero = {0, 0, 0};

static scree_world_def lobatto_def(double dt, int stages) {
    scree_world_def def = firm_def(dt);
    def.stepper = "lobatto";
    def.stages = stages;
    def.threads = 1;
    return def;
}

/* ---- order ----------------------------------------------------------------------- */

static scree_world *make_tumbler(double dt, int stages) {
    const scree_world_def def = lobatto_def(dt, stages);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    put_body(world, (put){.shape = add_box_shape(world, 0.2, 0.1, 0.05),
                          .v = vec(1, 2, 3),
                          .w = vec(8, 1, 5)});
    return world;
}

/* The largest steps and the halvings are such that roundings stay away. */
static void lobatto__box_tumbles__order_2s_less_2(void **state) {
    (void)state;
    const double T = 0.4;
    double exact[13], y[13], dt[3], error[3];
    scree_world *world = make_tumbler(1e-3, 2);
    const body begin = read_body(world, 0);
    write_state(&begin, exact);
    rk4(tumble_rates, world, 13, T, 5e-5, exact);
    scree_world_destroy(world);
    for (int s = 2; s <= 5; ++s) {
        for (int k = 0; k < 3; ++k) {
            dt[k] = (s < 4 ? 0.04 : s < 5 ? 0.1 : 0.2) / (1 << k);
            world = make_tumbler(dt[k], s);
            run(world, (int)lround(T / dt[k]));
            const body b = read_body(world, 0);
            write_state(&b, y);
            error[k] = distance_of(y, exact, 13);
            assert_near(scree_world_time(world), T, 1e-12);
            scree_world_destroy(world);
        }
        const double found = order_of(dt, error, 3);
        print_message("s = %d: %.2e %.2e %.2e, %.2f\n", s, error[0], error[1],
                      error[2], found);
        assert_true(found > 2 * s - 2 - 0.4);
    }
}

/* A corner slides, and the slip turns. */
static void check_sliding(slide_body s, int stages, double largest) {
    s.stepper = "lobatto";
    s.tolerance = 1e-13;
    s.stages = stages;
    s.friction = SCREE_FRICTION_MIDSLIP;
    for (int k = 0; k < 2; ++k) {
        s.mu = 0.3 * k;
        const errors e = find_errors(&s, SLIDE_PLANE, largest);
        assert_true(e.order_u > 2 * stages - 2 - 0.3);
        assert_true(e.order_q > 2 * stages - 2 - 0.3);
    }
}

static void lobatto__bodies_slide__order_2s_less_2(void **state) {
    (void)state;
    for (int stages = 2; stages <= 3; ++stages) {
        check_sliding(slide_square(), stages, stages == 2 ? 5e-3 : 2e-2);
        check_sliding(slide_box(), stages, stages == 2 ? 5e-3 : 2e-2);
        check_sliding(slide_capsule(), stages, stages == 2 ? 5e-3 : 2e-2);
    }
}

/* ---- the model of the same system ---------------------------------------------------- */

/* falling-mass is a point above a table, e = 0.7: what a sphere's lowest point does. */
static void lobatto__bouncing_sphere__as_the_model(void **state) {
    (void)state;
    const double r = 0.05;
    for (int stages = 2; stages <= 4; ++stages) {
        scree_world_def def = lobatto_def(1e-3, stages);
        scree_world *world = make_world(&def, (scree_contact_law){.e_n = 0.7});
        add_floor(world);
        scree_dense *s;
        scree_error error = {0};
        assert_ok(
            scree_dense_create(scree_model_find("falling-mass"), NULL, &s));
        add_sphere(world, r, vec(0, 0, s->q[0] + r), zero, zero);
        scree_dense_options options = scree_dense_options_default();
        options.stages = stages;
        for (int k = 0; k < 900; ++k) {
            run(world, 1);
            assert_ok(scree_dense_step(s, "lobatto", &options, &error));
            const body b = read_body(world, 0);
            assert_near(b.x.z - r, s->q[0], 1e-8);
            assert_near(b.v.z, s->u[0], 1e-8);
        }
        assert_true(fabs(s->u[0]) < 0.05);
        const scree_scalars now = read_scalars(world);
        assert_near(energy_defect(world) / now.inserted, 0, 3e-2);
        scree_dense_destroy(s);
        scree_world_destroy(world);
    }
}

/* ---- many contacts -------------------------------------------------------------------- */

/* Three boxes on each other: twelve contacts stand, and books close. */
static scree_world *make_stack(bool bodies) {
    scree_world_def def = lobatto_def(2e-3, 2);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    const int box = add_box_shape(world, 0.2, 0.2, 0.1);
    add_floor(world);
    for (int k = 0; k < (bodies ? 3 : 0); ++k)
        put_body(world, (put){.shape = box,
                              .x = vec(0.01 * k, 0, 0.05 + 0.1 * k),
                              .turn = vec(0, 0, 0.1 * k)});
    return world;
}

static void lobatto__stack__stands(void **state) {
    (void)state;
    scree_world *world = make_stack(true);
    run(world, 25);
    const scree_scalars now = read_scalars(world);
    double force[3];
    scree_world_read_wall_force(world, 0, force);
    double mass = 0;
    for (int k = 0; k < 3; ++k) mass += read_body(world, k).m;
    assert_true(now.contacts >= 9);
    assert_true(now.kinetic < 1e-10 * now.potential);
    assert_near(force[2] / (-mass * G), 1, 1e-6);
    assert_near(read_body(world, 2).x.z, 0.25, 1e-6);
    assert_int_equal(now.solve.converged, true);
    scree_world_destroy(world);
}

static void lobatto__checkpoint__same_bits(void **state) {
    (void)state;
    scree_world *world = make_stack(true), *again = make_stack(false);
    scree_error error = {0};
    in_memory m = {.n = 0};
    scree_archive a = {.ops = &in_memory_ops, .self = &m, .error = &error};
    run(world, 5);
    assert_ok(scree_world_archive(world, &a));
    a.loads = true;
    assert_ok(scree_world_archive(again, &a));
    run(world, 5);
    run(again, 5);
    assert_true(scree_world_hash(world) == scree_world_hash(again));
    scree_world_destroy(world);
    scree_world_destroy(again);
    in_memory_clear(&m);
}

/* ---- what it refuses ------------------------------------------------------------------- */

static void lobatto__too_many__refused_by_name(void **state) {
    (void)state;
    scree_world_def def = lobatto_def(1e-3, 2);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    for (int k = 0; k < 101; ++k)
        add_sphere(world, 0.1, vec(k, 0, 0), zero, zero);
    assert_int_equal(scree_world_step(world), SCREE_UNSUPPORTED);
    assert_non_null(strstr(scree_world_error(world), "101 bodies"));
    assert_non_null(strstr(scree_world_error(world), "take rattle"));
    scree_world_destroy(world);

    world = make_world(&def, (scree_contact_law){0});
    for (int k = 0; k < 98; ++k)
        add_sphere(world, 0.1,
                   vec(0.2 * (k % 7), 0.2 * (k / 7 % 7), 0.2 * (k / 49)), zero,
                   zero);
    for (int k = 0; k < 3; ++k) add_plane(world, vec(0, 0, -0.1), vec(0, 0, 1));
    assert_int_equal(scree_world_step(world), SCREE_UNSUPPORTED);
    assert_non_null(strstr(scree_world_error(world), "contacts within reach"));
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lobatto__box_tumbles__order_2s_less_2),
        cmocka_unit_test(lobatto__bodies_slide__order_2s_less_2),
        cmocka_unit_test(lobatto__bouncing_sphere__as_the_model),
        cmocka_unit_test(lobatto__stack__stands),
        cmocka_unit_test(lobatto__checkpoint__same_bits),
        cmocka_unit_test(lobatto__too_many__refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
