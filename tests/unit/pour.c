/* pour.c: bodies that enter over time: how many, where, and in which order. */
#include "engine/generate/place.h"
#include "tests/unit/snapshot.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
// clang-format off
#include <cmocka.h>
// clang-format on

/* The linker puts this in the place of scree_place_is_free. */
static int64_t tries;
bool __real_scree_place_is_free(const scree_place *place, scree_ball ball);
bool __wrap_scree_place_is_free(const scree_place *place, scree_ball ball);
bool __wrap_scree_place_is_free(const scree_place *place, scree_ball ball) {
    tries++;
    return __real_scree_place_is_free(place, ball);
}

/* ---- open regions -------------------------------------------------------- */

static scree_pour thin_pour(void) {
    return (scree_pour){
        .region = {.kind = SCREE_REGION_BOX,
                   .min = {0, 0, 1},
                   .max = {0.5, 0.5, 1.5}},
        .rate = 500,
        .count = INT64_MAX,
        .start = 0.01,
        .stop = 10,
        .grain = {.radius = uniform(0.01, 0.02), .velocity = {0, 0, -3}}};
}

static void advance(const scree_pour *pour, scree_pour_state *progress,
                    scree_world *world) {
    scree_error error = {0};
    if (scree_pour_advance(pour, progress, world, &error))
        fail_msg("%s", error.text);
}

/* Pours for `steps` steps, and checks each new sphere against all others. */
static void pour_steps(const scree_pour *pour, scree_pour_state *progress,
                       scree_world *world, int steps) {
    for (int i = 0; i < steps; i++) {
        const int64_t before = scree_world_body_count(world);
        advance(pour, progress, world);
        snapshot s = take(world);
        assert_no_overlap(&s, before);
        drop(&s);
        assert_int_equal(scree_world_step(world), SCREE_OK);
    }
}

static void pour__open_region__keeps_the_rate_without_overlap(void **state) {
    (void)state;
    scree_world *world = world_with_material();
    const scree_pour pour = thin_pour();
    scree_pour_state progress = {.seed = 10};
    pour_steps(&pour, &progress, world, 10);
    assert_int_equal(progress.inserted, 0); /* t = 0.009 was the last */
    pour_steps(&pour, &progress, world, 1);
    assert_int_equal(progress.inserted, 1);
    pour_steps(&pour, &progress, world, 400);
    assert_int_equal(progress.inserted, 201);
    assert_int_equal(scree_world_body_count(world), 201);
    scree_world_destroy(world);
}

static void pour__count_and_stop__end_it(void **state) {
    (void)state;
    scree_world *world = world_with_material();
    scree_pour pour = thin_pour();
    pour.count = 7;
    scree_pour_state progress = {.seed = 10};
    pour_steps(&pour, &progress, world, 100);
    assert_int_equal(progress.inserted, 7);
    pour.count = INT64_MAX;
    pour.stop = 0.05;
    pour_steps(&pour, &progress, world, 100);
    assert_int_equal(progress.inserted, 7);
    scree_world_destroy(world);
}

static void pour__same_stream__same_bodies(void **state) {
    (void)state;
    snapshot s[2];
    for (int run = 0; run < 2; run++) {
        scree_world *world = world_with_material();
        const scree_pour pour = thin_pour();
        scree_pour_state progress = {.seed = 94};
        pour_steps(&pour, &progress, world, 100);
        s[run] = take(world);
        scree_world_destroy(world);
    }
    assert_true(s[0].n == 45 && same_bodies(&s[0], &s[1]));
    drop(&s[0]);
    drop(&s[1]);
}

/* ---- regions ------------------------------------------------------------- */

static void pour__slanted_cylinder__spheres_inside_and_apart(void **state) {
    (void)state;
    scree_world *world = world_with_material();
    scree_pour pour = thin_pour();
    pour.region = slanted_cylinder();
    pour.rate = 1e6, pour.start = -1, pour.count = 600;
    scree_pour_state progress = {.seed = 5};
    for (int k = 0; k < 1000; k++) advance(&pour, &progress, world);
    assert_int_equal(progress.inserted, 600);
    snapshot s = take(world);
    assert_no_overlap(&s, 0);
    double mean = 0;
    for (int64_t k = 0; k < 600; k++)
        mean += assert_in_slanted_cylinder(&s, k) / 600;
    assert_true(fabs(mean - 0.55) < 5 * 1.1 / sqrt(12 * 600.0));
    drop(&s);
    scree_world_destroy(world);
}

static void pour__in_the_plane__discs_inside_and_apart(void **state) {
    (void)state;
    scree_world_def def = scree_world_def_default();
    def.planar = true;
    memset(def.gravity, 0, sizeof def.gravity);
    scree_world *world = world_of(&def);
    scree_pour pour = thin_pour();
    pour.region = (scree_region){
        .kind = SCREE_REGION_BOX, .planar = true, .max = {1, 0.5, 0}};
    pour.rate = 1e6, pour.start = -1, pour.count = 300;
    pour.grain.velocity[2] = 0;
    scree_pour_state progress = {.seed = 5};
    for (int k = 0; k < 1000; k++) advance(&pour, &progress, world);
    assert_int_equal(progress.inserted, 300);
    snapshot s = take(world);
    assert_no_overlap(&s, 0);
    for (int64_t k = 0; k < s.n; k++) {
        const double *x = s.x + 3 * k, r = s.r[k];
        assert_true(x[0] >= r && x[0] <= 1 - r);
        assert_true(x[1] >= r && x[1] <= 0.5 - r && x[2] == 0);
    }
    drop(&s);
    scree_world_destroy(world);
}

/* ---- inlets that are blocked --------------------------------------------- */

/* Falls out of the way of what is due. */
static scree_world *world_with_a_stopper(scree_pour *pour) {
    scree_world *world = world_with_material();
    pour->start = 0;
    pour->region.max[0] = pour->region.max[1] = 0.08;
    pour->region.max[2] = 1.08;
    add_ball(world, 0.04, 0.04, 1.04, 0.06);
    return world;
}

/* Large and small ones: the small ones find places where the large do not. */
static const double two_sizes[] = {0.005, 0.02};

static scree_pour narrow_pour(void) {
    scree_pour pour = thin_pour();
    pour.grain.radius = (scree_radius_law){
        .kind = SCREE_RADIUS_LIST, .n = 2, .values = two_sizes};
    return pour;
}

static void pour__blocked__waits_and_enters_in_order(void **state) {
    (void)state;
    snapshot s[2];
    for (int run = 0; run < 2; run++) {
        scree_pour pour = narrow_pour();
        scree_pour_state progress = {.seed = 7};
        scree_world *world =
            run ? world_with_material() : world_with_a_stopper(&pour);
        if (run == 0) {
            advance(&pour, &progress, world);
            assert_int_equal(progress.inserted, 0);
        }
        pour_steps(&pour, &progress, world, 500);
        assert_true(progress.inserted > 100);
        /* 250 are due; in the open all are there. */
        assert_true(run ? progress.inserted > 240 : progress.inserted < 240);
        s[run] = take(world);
        scree_world_destroy(world);
    }
    /* Behind the stopper the sizes are those of an open region, one by one. */
    int64_t large = 0;
    for (int64_t k = 0; k < s[0].n - 1; k++) {
        assert_true(s[0].r[k + 1] == s[1].r[k]);
        large += s[1].r[k] == two_sizes[1];
    }
    assert_true(fabs((double)large / (double)s[0].n - 0.5) < 0.15);
    drop(&s[0]);
    drop(&s[1]);
}

/* Nothing moves, and the only gap takes thousands of tries. */
static void pour__blocked__looks_elsewhere_in_each_call(void **state) {
    (void)state;
    scree_world *world = world_with_material();
    scree_pour pour = thin_pour();
    pour.start = 0, pour.count = 1;
    pour.grain.radius = constant(0.02);
    pour.region.max[0] = pour.region.max[1] = 0.1;
    pour.region.max[2] = 1.1;
    add_ball(world, 0.05, 0.05, 1.05, 0.0299);
    scree_pour_state progress = {.seed = 3};
    for (int k = 0; k < 1000; k++) advance(&pour, &progress, world);
    assert_int_equal(progress.inserted, 1);
    assert_true(progress.calls > 3);
    snapshot s = take(world);
    assert_no_overlap(&s, 1);
    drop(&s);
    scree_world_destroy(world);
}

static void pour__large_backlog__tries_as_many_as_enter(void **state) {
    (void)state;
    scree_pour pour = thin_pour();
    scree_world *world = world_with_a_stopper(&pour);
    pour.rate = 1e9;
    scree_pour_state progress = {.seed = 3};
    int64_t most = 0;
    for (int k = 0; k < 200; k++) {
        const int64_t before = progress.inserted;
        tries = 0;
        advance(&pour, &progress, world);
        const int64_t entered = progress.inserted - before;
        assert_true(tries > 0 && tries <= 56 * (2 * entered + 1));
        if (entered > most) most = entered;
        assert_int_equal(scree_world_step(world), SCREE_OK);
    }
    assert_true(most > 1); /* in one call */
    scree_world_destroy(world);
}

static void pour__all_due_at_once__a_call_brings_10000(void **state) {
    (void)state;
    scree_world *world = world_with_material();
    scree_pour pour = thin_pour();
    pour.start = 0, pour.rate = 1e9, pour.count = 12000;
    pour.grain.radius = constant(1e-4);
    scree_pour_state progress = {.seed = 3};
    advance(&pour, &progress, world);
    assert_int_equal(progress.inserted, 1); /* at t = 0 */
    assert_int_equal(scree_world_step(world), SCREE_OK);
    advance(&pour, &progress, world);
    assert_int_equal(progress.inserted, 10001);
    advance(&pour, &progress, world);
    assert_int_equal(progress.inserted, 12000);
    assert_int_equal(scree_world_body_count(world), 12000);
    scree_world_destroy(world);
}

/* ---- faults -------------------------------------------------------------- */

static void pour__bad_material__says_what_the_world_says(void **state) {
    (void)state;
    scree_world *world = world_with_material();
    scree_pour pour = thin_pour();
    pour.start = 0;
    pour.grain.material = 12;
    scree_pour_state progress = {.seed = 10};
    scree_error error = {0};
    assert_int_equal(scree_pour_advance(&pour, &progress, world, &error),
                     SCREE_BAD_ARGUMENT);
    assert_string_equal(error.text, scree_world_error(world));
    assert_int_equal(scree_world_body_count(world), 0);
    assert_true(progress.inserted == 0 && progress.calls == 0);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pour__open_region__keeps_the_rate_without_overlap),
        cmocka_unit_test(pour__count_and_stop__end_it),
        cmocka_unit_test(pour__same_stream__same_bodies),
        cmocka_unit_test(pour__slanted_cylinder__spheres_inside_and_apart),
        cmocka_unit_test(pour__in_the_plane__discs_inside_and_apart),
        cmocka_unit_test(pour__blocked__waits_and_enters_in_order),
        cmocka_unit_test(pour__blocked__looks_elsewhere_in_each_call),
        cmocka_unit_test(pour__large_backlog__tries_as_many_as_enter),
        cmocka_unit_test(pour__all_due_at_once__a_call_brings_10000),
        cmocka_unit_test(pour__bad_material__says_what_the_world_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
