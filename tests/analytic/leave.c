/* Bodies that leave (engine/step/leave.c): when, what is counted, what stays as it was, and
 * how a run goes on from a checkpoint. */
#include "engine/world/state.h"
#include "engine/world/world.h"
#include <string.h>

#include "tests/in_memory.h"
#include "tests/support.h"

static const double G = 9.81;
static const scree_vec3 zero = {0, 0, 0};

static scree_world *empty_world(const char *stepper, double e) {
    scree_world_def def = scree_world_def_default();
    def.stepper = stepper;
    return make_world(&def, (scree_contact_law){.friction = 0.5, .e_n = e});
}

static int add_outlet(scree_world *world, scree_vec3 low, scree_vec3 high,
                      bool outside, scree_outlet_action action) {
    int outlet = -1;
    scree_outlet_def def = scree_outlet_def_default();
    vec_to(low, def.low);
    vec_to(high, def.high);
    def.outside = outside;
    def.action = action;
    assert_ok(scree_world_add_outlet(world, &def, &outlet));
    return outlet;
}

static int below(scree_world *world, double z) {
    return add_outlet(world, vec(-1e3, -1e3, -1e3), vec(1e3, 1e3, z), false,
                      SCREE_OUTLET_REMOVE);
}

static void assert_left(const scree_world *world, int outlet, int64_t bodies,
                        double mass) {
    int64_t n;
    double m;
    scree_world_read_outlet(world, outlet, &n, &m);
    assert_int_equal(n, bodies);
    assert_near(m, mass, 1e-12 * mass);
}

/* ---- when, and what is counted -------------------------------------------------- */

/* Centres fall by g t^2 / 2: the step after which each is below is known. */
static void leave__free_fall__at_its_step_with_mass_and_energy(void **state) {
    (void)state;
    scree_world *world = empty_world("moreau", 0);
    const int outlet = below(world, 0);
    const double heights[] = {0.5, 0.1, 0.3}, r = 0.05;
    for (int k = 0; k < 3; ++k)
        add_sphere(world, r, vec(k, 0, heights[k]), zero, zero);
    const double m = read_body(world, 0).m;
    for (int step = 1; step <= 400; ++step) {
        const double way = G * 1e-6 * step * step / 2;
        int64_t gone = 0;
        run(world, 1);
        for (int k = 0; k < 3; ++k) gone += heights[k] <= way;
        assert_left(world, outlet, gone, m * (double)gone);
        assert_int_equal(scree_world_body_count(world), 3 - gone);
        assert_int_equal(scree_world_removed_count(world), gone);
        assert_near(energy_defect(world), 0, 1e-12);
    }
    assert_int_equal(scree_world_body_count(world), 0);
    assert_near(read_scalars(world).inserted, 0, 1e-9);
    scree_world_destroy(world);
}

static void leave__outside_of_a_box__on_each_side(void **state) {
    (void)state;
    const scree_vec3 ways[] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                               {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    scree_world_def def = scree_world_def_default();
    def.gravity[2] = 0;
    scree_world *world = make_world(&def, (scree_contact_law){0});
    const int room = add_outlet(world, vec(-1, -1, -1), vec(1, 1, 1), true,
                                SCREE_OUTLET_REMOVE);
    for (int k = 0; k < 6; ++k)
        add_sphere(world, 0.05, scale(0.5, ways[k]), scale(1, ways[k]), zero);
    add_sphere(world, 0.05, zero, zero, zero);
    run(world, 499);
    assert_int_equal(scree_world_body_count(world), 7);
    run(world, 3);
    assert_int_equal(scree_world_body_count(world), 1);
    assert_left(world, room, 6, 6 * read_body(world, 0).m);
    scree_world_destroy(world);
}

/* ---- ids and rows ------------------------------------------------------------------ */

static int64_t id_of_row(const scree_world *world, int64_t row) {
    int64_t ids[64];
    assert_true(scree_world_body_count(world) <= 64);
    assert_ok(scree_world_read_state(world, &(scree_state_view){.id = ids}));
    return ids[row];
}

static void leave__ids__stay_and_are_not_given_again(void **state) {
    (void)state;
    scree_world *world = empty_world("moreau", 0);
    for (int k = 0; k < 8; ++k)
        add_sphere(world, 0.05, vec(k, 0, 1), zero, zero);
    const int64_t first[] = {6, 0}, then[] = {3};
    assert_ok(scree_world_remove_bodies(world, first, 2));
    assert_ok(scree_world_remove_bodies(world, then, 1));
    assert_int_equal(add_sphere(world, 0.05, vec(9, 0, 1), zero, zero), 8);
    const int64_t left[] = {1, 2, 4, 5, 7, 8};
    for (int k = 0; k < 6; ++k) {
        assert_int_equal(id_of_row(world, k), left[k]);
        assert_near(read_body(world, k).x.x, k < 5 ? (double)left[k] : 9, 0);
    }
    run(world, 3);
    for (int k = 0; k < 6; ++k) assert_int_equal(id_of_row(world, k), left[k]);
    scree_world_destroy(world);
}

static void leave__what_cannot_be__is_refused(void **state) {
    (void)state;
    scree_world *world = empty_world("moreau", 0);
    for (int k = 0; k < 3; ++k)
        add_sphere(world, 0.05, vec(k, 0, 1), zero, zero);
    const int64_t none[] = {3}, twice[] = {1, 1}, one[] = {1};
    assert_int_equal(scree_world_remove_bodies(world, none, 1),
                     SCREE_BAD_ARGUMENT);
    assert_string_equal(scree_world_error(world), "ids: there is no body 3");
    assert_int_equal(scree_world_remove_bodies(world, twice, 2),
                     SCREE_BAD_ARGUMENT);
    assert_ok(scree_world_remove_bodies(world, one, 1));
    assert_int_equal(scree_world_remove_bodies(world, one, 1),
                     SCREE_BAD_ARGUMENT);
    assert_int_equal(scree_world_body_count(world), 2);
    scree_outlet_def flat = scree_outlet_def_default();
    assert_int_equal(scree_world_add_outlet(world, &flat, NULL),
                     SCREE_BAD_ARGUMENT);
    assert_int_equal(
        scree_world_add_outlet(world, &(scree_outlet_def){0}, NULL),
        SCREE_BAD_ARGUMENT);
    scree_world_destroy(world);
}

/* ---- the others --------------------------------------------------------------------- */

static scree_world *heap_of(const char *stepper, int spheres) {
    scree_world *world = empty_world(stepper, 0);
    add_box(world, 0.25);
    add_cloud(world, spheres, 0.2, 0.03, 0.04, 7);
    return world;
}

/* Percussions of what stays go on: it moves as if nobody had left far away. */
static void leave__bed__does_not_feel_that_a_far_body_goes(void **state) {
    (void)state;
    const char *const steppers[] = {"moreau", "rattle"};
    for (int s = 0; s < 2; ++s) {
        scree_world *worlds[2];
        scree_report reports[2];
        const int64_t far = 40;
        for (int k = 0; k < 2; ++k) {
            worlds[k] = heap_of(steppers[s], 40);
            add_sphere(worlds[k], 0.03, vec(50, 0, 1), zero, zero);
            run(worlds[k], 1500);
        }
        assert_ok(scree_world_remove_bodies(worlds[1], &far, 1));
        for (int k = 0; k < 2; ++k) {
            run(worlds[k], 1);
            scree_world_read_report(worlds[k], &reports[k]);
            run(worlds[k], 20);
        }
        assert_true(reports[1].iterations <= reports[0].iterations + 5);
        double most = 0;
        for (int64_t id = 0; id < far; ++id)
            most = fmax(most, norm(sub(read_body(worlds[0], id).x,
                                       read_body(worlds[1], id).x)));
        print_message("%s: %.1e m apart, kinetic energy %.1e J\n", steppers[s],
                      most, read_scalars(worlds[0]).kinetic);
        assert_true(most < 1e-6);
        for (int k = 0; k < 2; ++k) scree_world_destroy(worlds[k]);
    }
}

/* Nothing else changes for the steppers that keep arrays of bodies of their own: the last
 * body leaves, then the first one; what stays rests on the floor. */
static void leave__every_stepper__the_others_go_on(void **state) {
    (void)state;
    const char *name;
    for (int k = 0; (name = scree_stepper_name(k, NULL)); ++k) {
        scree_world *world = empty_world(name, 0);
        add_floor(world);
        add_outlet(world, vec(2, -9, -9), vec(9, 9, 9), false,
                   SCREE_OUTLET_REMOVE);
        add_sphere(world, 0.1, vec(1, 0, 0.6), vec(10, 0, 2), zero);
        add_sphere(world, 0.1, vec(0, 0, 0.1), zero, zero);
        add_sphere(world, 0.1, vec(1, 1, 0.6), vec(20, 0, 2), zero);
        while (scree_world_time(world) < 0.2) run(world, 1);
        assert_left(world, 0, 2, 2 * read_body(world, 0).m);
        assert_int_equal(id_of_row(world, 0), 1);
        assert_near(read_body(world, 0).x.z, 0.1, 1e-5);
        scree_world_destroy(world);
    }
}

/* What lay on a body that is gone falls; contacts name bodies that are there. */
static void leave__lower_of_two__upper_falls_free(void **state) {
    (void)state;
    scree_world *world = empty_world("moreau", 0);
    add_floor(world);
    const int64_t low = add_sphere(world, 0.1, vec(0, 0, 0.1), zero, zero);
    add_sphere(world, 0.1, vec(0, 0, 0.3), zero, zero);
    run(world, 10);
    assert_int_equal(scree_world_contact_count(world), 2);
    assert_ok(scree_world_remove_bodies(world, &low, 1));
    assert_int_equal(scree_world_contact_count(world), 0);
    assert_int_equal(scree_world_total_contacts(world), 0);
    run(world, 100);
    assert_near(read_body(world, 0).x.z, 0.3 - G * 0.01 / 2, 1e-9);
    scree_world_destroy(world);
}

/* ---- stop and error --------------------------------------------------------------------- */

static void leave__stop_and_error__named(void **state) {
    (void)state;
    scree_world *world = empty_world("moreau", 0);
    add_outlet(world, vec(-1, -1, 0), vec(1, 1, 2), true, SCREE_OUTLET_STOP);
    add_sphere(world, 0.05, vec(0, 0, 1), zero, zero);
    add_sphere(world, 0.05, vec(0, 0.5, 0.001), zero, zero);
    int64_t id = 7;
    int outlet = 7;
    assert_false(scree_world_is_stopped(world, &id, &outlet));
    run(world, 15);
    assert_true(scree_world_is_stopped(world, &id, &outlet));
    assert_int_equal(id, 1);
    assert_int_equal(outlet, 0);
    assert_int_equal(scree_world_body_count(world), 2);
    scree_world_destroy(world);

    world = empty_world("moreau", 0);
    add_outlet(world, vec(-1, -1, 0), vec(1, 1, 2), true, SCREE_OUTLET_REFUSE);
    add_sphere(world, 0.05, vec(0, 0.5, 1e-6), zero, zero);
    assert_int_equal(scree_world_step(world), SCREE_LEFT);
    assert_non_null(strstr(scree_world_error(world), "body 0 left the world"));
    scree_world_destroy(world);
}

/* ---- checkpoints ------------------------------------------------------------------------- */

static scree_world *drain(const char *stepper, bool filled) {
    scree_world *world = empty_world(stepper, 0.2);
    add_plane(world, vec(-0.3, 0, 0), vec(1, 0, 1));
    below(world, -0.2);
    if (filled) add_cloud(world, 60, 0.2, 0.03, 0.04, 3);
    return world;
}

static uint64_t restarted(const char *stepper, in_memory *m, int steps) {
    scree_error error = {0};
    scree_world *world = drain(stepper, false);
    scree_archive a = {
        .ops = &in_memory_ops, .self = m, .loads = true, .error = &error};
    assert_ok(scree_world_archive(world, &a));
    run(world, steps);
    const uint64_t hash = scree_world_hash(world);
    int64_t bodies;
    scree_world_read_outlet(world, 0, &bodies, NULL);
    assert_int_equal(bodies, scree_world_removed_count(world));
    assert_true(bodies > 0);
    scree_world_destroy(world);
    return hash;
}

static void leave__checkpoint__goes_on_with_the_same_bits(void **state) {
    (void)state;
    const char *const steppers[] = {"moreau", "rattle"};
    for (int s = 0; s < 2; ++s) {
        scree_world *world = drain(steppers[s], true);
        scree_error error = {0};
        in_memory m = {.n = 0};
        while (scree_world_removed_count(world) < 9) run(world, 1);
        scree_archive a = {.ops = &in_memory_ops, .self = &m, .error = &error};
        assert_ok(scree_world_archive(world, &a));
        run(world, 150);
        assert_true(scree_world_removed_count(world) > 9);
        assert_true(scree_world_hash(world) == restarted(steppers[s], &m, 150));
        scree_world_destroy(world);
        in_memory_clear(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leave__free_fall__at_its_step_with_mass_and_energy),
        cmocka_unit_test(leave__outside_of_a_box__on_each_side),
        cmocka_unit_test(leave__ids__stay_and_are_not_given_again),
        cmocka_unit_test(leave__what_cannot_be__is_refused),
        cmocka_unit_test(leave__bed__does_not_feel_that_a_far_body_goes),
        cmocka_unit_test(leave__every_stepper__the_others_go_on),
        cmocka_unit_test(leave__lower_of_two__upper_falls_free),
        cmocka_unit_test(leave__stop_and_error__named),
        cmocka_unit_test(leave__checkpoint__goes_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
