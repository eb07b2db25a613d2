/* generate.c: the generators: what they promise of counts, places and streams.
 */
#include "tests/unit/snapshot.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
// clang-format off
#include <cmocka.h>
// clang-format on

#define PI 3.14159265358979323846

/* ---- definitions --------------------------------------------------------- */

static double solid_volume(const snapshot *s) {
    double volume = 0;
    for (int64_t k = 0; k < s->n; k++)
        volume += 4.0 / 3.0 * PI * pow(s->r[k], 3);
    return volume;
}

static scree_region unit_box(void) {
    return (scree_region){.kind = SCREE_REGION_BOX, .max = {1, 1, 1}};
}

static scree_fill fill_of(scree_region region, int64_t count,
                          scree_radius_law radius) {
    return (scree_fill){
        .region = region, .count = count, .grain = {.radius = radius}};
}

static void make_fill(const scree_fill *fill, uint64_t seed, uint64_t index,
                      scree_world *world) {
    scree_error error = {0};
    if (scree_fill_make(fill, scree_random_stream(seed, index), world, &error))
        fail_msg("%s", error.text);
}

/* ---- radius laws --------------------------------------------------------- */

enum { DRAWS = 100000 };

/* Mean and deviation of many draws, all of which must lie in [min, max]. */
static void measure(const scree_radius_law *law, double min, double max,
                    double *mean, double *deviation) {
    scree_random rng = scree_random_stream(7, 1);
    double sum = 0, squares = 0;
    for (int i = 0; i < DRAWS; i++) {
        const double r = scree_radius_draw(law, &rng);
        assert_true(r >= min && r <= max);
        sum += r;
        squares += r * r;
    }
    *mean = sum / DRAWS;
    *deviation = sqrt(squares / DRAWS - *mean * *mean);
}

/* Within five standard errors; the deviation of a bounded law converges at
 * least as fast as that of a normal one, here taken with a factor of two. */
static void assert_moments(const scree_radius_law *law, double min, double max,
                           double mean, double deviation) {
    double m, d;
    measure(law, min, max, &m, &d);
    const double standard_error = deviation / sqrt(DRAWS);
    assert_true(fabs(m - mean) < 5 * standard_error + 1e-12);
    assert_true(fabs(d - deviation) < 10 * standard_error + 1e-9);
}

static void radius__constant__is_the_value(void **state) {
    (void)state;
    const scree_radius_law law = constant(0.25);
    assert_moments(&law, 0.25, 0.25, 0.25, 0);
    assert_true(scree_radius_largest(&law) == 0.25);
}

static void radius__uniform__has_its_moments(void **state) {
    (void)state;
    const scree_radius_law law = uniform(0.1, 0.4);
    assert_moments(&law, 0.1, 0.4, 0.25, 0.3 / sqrt(12));
    assert_true(scree_radius_largest(&law) == 0.4);
}

static void radius__normal__has_its_moments_and_bounds(void **state) {
    (void)state;
    /* Bounds at +-6 deviations do not show in the moments. */
    scree_radius_law law = {.kind = SCREE_RADIUS_NORMAL,
                            .mean = 0.2,
                            .deviation = 0.02,
                            .min = 0.08,
                            .max = 0.32};
    assert_moments(&law, 0.08, 0.32, 0.2, 0.02);
    assert_true(scree_radius_largest(&law) == 0.32);
    /* At +-1 deviation: variance 1 - 2 phi(1) / (2 Phi(1) - 1) = 0.2911. */
    law.min = 0.18, law.max = 0.22;
    assert_moments(&law, 0.18, 0.22, 0.2, 0.02 * sqrt(0.29112));
}

static void grain__of_any_law__knows_its_bounds(void **state) {
    (void)state;
    const double values[] = {0.5, 0.2, 0.1}, weights[] = {0, 1, 3};
    scree_grain grain = {.radius = uniform(0.1, 0.4)};
    assert_true(scree_grain_smallest(&grain) == 0.1);
    assert_true(scree_grain_largest(&grain) == 0.4);
    grain.radius = (scree_radius_law){.kind = SCREE_RADIUS_LIST,
                                      .n = 3,
                                      .values = values,
                                      .weights = weights};
    assert_true(scree_grain_smallest(&grain) == 0.1);
    assert_true(scree_grain_largest(&grain) == 0.2);
    double bounds[] = {0.3, 0.2, 0.7};
    grain.shapes.n = 3, grain.shapes.bounds = bounds;
    assert_true(scree_grain_smallest(&grain) == 0.2);
    assert_true(scree_grain_largest(&grain) == 0.7);
}

static void radius__normal_with_far_bounds__still_returns(void **state) {
    (void)state;
    const scree_radius_law law = {.kind = SCREE_RADIUS_NORMAL,
                                  .mean = 0.2,
                                  .deviation = 1e-6,
                                  .min = 0.5,
                                  .max = 0.6};
    scree_random rng = scree_random_stream(1, 1);
    assert_true(scree_radius_draw(&law, &rng) == 0.5);
}

static void radius__list__draws_by_weight(void **state) {
    (void)state;
    const double values[] = {0.1, 0.2, 0.5}, weights[] = {3, 1, 0};
    scree_radius_law law = {.kind = SCREE_RADIUS_LIST,
                            .n = 3,
                            .values = values,
                            .weights = weights};
    assert_moments(&law, 0.1, 0.2, 0.125, 0.1 * sqrt(0.75 * 0.25));
    assert_true(scree_radius_largest(&law) == 0.2);
    law.weights = NULL;
    assert_moments(&law, 0.1, 0.5, 0.8 / 3, sqrt(0.1 - 0.64 / 9));
    assert_true(scree_radius_largest(&law) == 0.5);
}

/* ---- fills --------------------------------------------------------------- */

static void region__box_and_cylinder__volumes(void **state) {
    (void)state;
    const scree_region box = {.max = {2, 3, 4}};
    const scree_region cylinder = slanted_cylinder();
    assert_true(scree_region_volume(&box) == 24);
    assert_true(fabs(scree_region_volume(&cylinder) - PI * 0.16 * 1.1) < 1e-12);
}

static void fill__box__spheres_inside_and_apart(void **state) {
    (void)state;
    scree_world *world = world_with_material();
    const scree_fill fill = fill_of(unit_box(), 2000, uniform(0.02, 0.04));
    make_fill(&fill, 1, 0, world);
    snapshot s = take(world);
    assert_int_equal(s.n, 2000);
    assert_no_overlap(&s, 0);
    for (int64_t k = 0; k < s.n; k++)
        for (int i = 0; i < 3; i++)
            assert_true(s.x[3 * k + i] >= s.r[k] &&
                        s.x[3 * k + i] <= 1 - s.r[k]);
    for (int64_t k = 1; k < s.n; k++) assert_true(s.r[k - 1] >= s.r[k]);
    drop(&s);
    scree_world_destroy(world);
}

static void fill__box__places_are_uniform(void **state) {
    (void)state;
    scree_world *world = world_with_material();
    const scree_fill fill = fill_of(unit_box(), 20000, constant(1e-3));
    make_fill(&fill, 4, 0, world);
    snapshot s = take(world);
    for (int i = 0; i < 3; i++) {
        double sum = 0, squares = 0;
        for (int64_t k = 0; k < s.n; k++) {
            sum += s.x[3 * k + i] - 0.5;
            squares += pow(s.x[3 * k + i] - 0.5, 2);
        }
        assert_true(fabs(sum / 20000) < 5 / sqrt(12 * 20000.0));
        assert_true(fabs(squares / 20000 - 0.998 * 0.998 / 12) < 3e-3);
    }
    drop(&s);
    scree_world_destroy(world);
}

static void fill__slanted_cylinder__spheres_inside_and_apart(void **state) {
    (void)state;
    scree_world *world = world_with_material();
    const scree_fill fill =
        fill_of(slanted_cylinder(), 600, uniform(0.02, 0.04));
    make_fill(&fill, 1, 0, world);
    snapshot s = take(world);
    assert_int_equal(s.n, 600);
    assert_no_overlap(&s, 0);
    double mean = 0;
    for (int64_t k = 0; k < s.n; k++)
        mean += assert_in_slanted_cylinder(&s, k) / 600;
    assert_true(fabs(mean - 0.55) < 5 * 1.1 / sqrt(12 * 600.0));
    drop(&s);
    scree_world_destroy(world);
}

static void fill__solid_fraction__reached_within_one_sphere(void **state) {
    (void)state;
    scree_world *world = world_with_material();
    scree_fill fill = fill_of(unit_box(), 0, uniform(0.02, 0.05));
    fill.solid_fraction = 0.3;
    make_fill(&fill, 2, 5, world);
    snapshot s = take(world);
    const double over = solid_volume(&s) - 0.3;
    assert_true(over >= -1e-12 && over <= 4.0 / 3.0 * PI * pow(0.05, 3));
    assert_no_overlap(&s, 0);
    drop(&s);
    scree_world_destroy(world);
}

static void fill__equal_spheres__reach_a_fraction_of_035(void **state) {
    (void)state;
    scree_world *world = world_with_material();
    scree_fill fill = fill_of(unit_box(), 0, constant(0.02));
    fill.solid_fraction = 0.31; /* of the box; 0.35 of where centres lie */
    make_fill(&fill, 3, 0, world);
    snapshot s = take(world);
    assert_no_overlap(&s, 0);
    drop(&s);
    scree_world_destroy(world);
}

static void fill__radius_ratio_100__places_all(void **state) {
    (void)state;
    scree_world *world = world_with_material();
    const double values[] = {0.2, 0.02, 0.002}, weights[] = {1, 200, 8000};
    const scree_radius_law law = {.kind = SCREE_RADIUS_LIST,
                                  .n = 3,
                                  .values = values,
                                  .weights = weights};
    const scree_fill fill = fill_of(unit_box(), 8000, law);
    make_fill(&fill, 1, 2, world);
    snapshot s = take(world);
    assert_int_equal(s.n, 8000);
    assert_true(s.r[0] == 0.2 && s.r[s.n - 1] == 0.002);
    assert_no_overlap(&s, 0);
    drop(&s);
    scree_world_destroy(world);
}

/* A boulder that looks for room among a cloud of existing pebbles. */
static void fill__boulder_among_pebbles__finds_the_gap(void **state) {
    (void)state;
    scree_world *world = world_with_material();
    const scree_fill pebbles = fill_of(unit_box(), 20000, constant(2e-3));
    make_fill(&pebbles, 1, 0, world);
    const scree_region wide = {.max = {1, 1, 2}};
    const scree_fill boulder = fill_of(wide, 1, constant(0.2));
    make_fill(&boulder, 1, 1, world);
    snapshot s = take(world);
    assert_int_equal(s.n, 20001);
    assert_no_overlap(&s, 20000);
    assert_true(s.x[3 * 20000 + 2] > 1);
    drop(&s);
    scree_world_destroy(world);
}

static void fill__existing_bodies_and_walls__are_respected(void **state) {
    (void)state;
    scree_world *world = world_with_material();
    const double point[3] = {0.5, 0.5, 0.5}, normal[3] = {1, 0, 2};
    const double later[3] = {0, 0, 100}, up[3] = {0, 0, 1};
    add_plane(world, point, normal, 0);
    add_plane(world, later, up, 5.0); /* does not exist yet: no obstacle */
    add_ball(world, 0.9, 0.5, 0.9, 0.3);
    add_ball(world, 1.15, 0.5, 0.5, 0.3); /* centre outside, reaches inside */
    const scree_fill fill = fill_of(unit_box(), 400, constant(0.02));
    make_fill(&fill, 1, 0, world);
    snapshot s = take(world);
    assert_int_equal(s.n, 402);
    assert_no_overlap(&s, 2);
    for (int64_t k = 2; k < s.n; k++) {
        const double d = (s.x[3 * k] - 0.5) + 2 * (s.x[3 * k + 2] - 0.5);
        assert_true(d / sqrt(5) >= s.r[k] * (1 - TOUCH));
    }
    drop(&s);
    scree_world_destroy(world);
}

static void fill__too_many__no_room_and_world_unchanged(void **state) {
    (void)state;
    scree_world *world = world_with_material();
    scree_fill fill = fill_of(unit_box(), 0, constant(0.1));
    fill.solid_fraction = 0.6;
    scree_error error = {0};
    assert_int_equal(
        scree_fill_make(&fill, scree_random_stream(1, 0), world, &error),
        SCREE_NO_ROOM);
    assert_non_null(strstr(error.text, "of 144 bodies"));
    assert_non_null(strstr(error.text, "larger region"));
    assert_int_equal(scree_world_body_count(world), 0);
    scree_world_destroy(world);
}

static void assert_refused(const scree_fill *fill, scree_status status,
                           const char *words) {
    scree_world *world = world_with_material();
    scree_error error = {0};
    assert_int_equal(
        scree_fill_make(fill, scree_random_stream(1, 0), world, &error),
        status);
    assert_non_null(strstr(error.text, words));
    assert_int_equal(scree_world_body_count(world), 0);
    scree_world_destroy(world);
}

static void fill__senseless_arguments__are_refused(void **state) {
    (void)state;
    scree_fill fill = fill_of(unit_box(), 10, constant(0.6));
    assert_refused(&fill, SCREE_NO_ROOM, "does not fit");
    fill = fill_of(unit_box(), 0, constant(0.1));
    assert_refused(&fill, SCREE_BAD_ARGUMENT, "solid fraction");
    fill = fill_of((scree_region){.max = {1, 1, -1}}, 10, constant(0.1));
    assert_refused(&fill, SCREE_BAD_ARGUMENT, "volume");
    fill = fill_of(unit_box(), 0, constant(1e-6));
    fill.solid_fraction = 0.3;
    assert_refused(&fill, SCREE_OUT_OF_MEMORY, "bodies");
}

/* ---- streams ------------------------------------------------------------- */

static snapshot filled(uint64_t seed, uint64_t index, int64_t other_count) {
    scree_world *world = world_with_material();
    const scree_region far_away = {.min = {5, 5, 5}, .max = {6, 6, 6}};
    const scree_fill mine = fill_of(unit_box(), 200, uniform(0.02, 0.04));
    make_fill(&mine, seed, index, world);
    if (other_count > 0) {
        const scree_fill other = fill_of(far_away, other_count, constant(0.02));
        make_fill(&other, seed, index + 1, world);
    }
    snapshot s = take(world);
    s.n = 200;
    scree_world_destroy(world);
    return s;
}

static void assert_same(uint64_t seed, uint64_t index, int64_t others,
                        bool expected) {
    snapshot a = filled(1, 3, 0), b = filled(seed, index, others);
    assert_true(same_bodies(&a, &b) == expected);
    drop(&a);
    drop(&b);
}

static void stream__seed_and_index__decide_the_bodies(void **state) {
    (void)state;
    assert_same(1, 3, 0, true);
    assert_same(2, 3, 0, false);
    assert_same(1, 4, 0, false);
}

static snapshot second_of_two(int64_t first_count) {
    scree_world *world = world_with_material();
    const scree_region far_away = {.min = {5, 5, 5}, .max = {6, 6, 6}};
    const scree_fill first = fill_of(far_away, first_count, constant(0.02));
    const scree_fill mine = fill_of(unit_box(), 200, uniform(0.02, 0.04));
    make_fill(&first, 1, 0, world);
    make_fill(&mine, 1, 1, world);
    snapshot s = take(world);
    s.n = 200;
    memmove(s.x, s.x + 3 * first_count, 600 * sizeof *s.x);
    memmove(s.r, s.r + first_count, 200 * sizeof *s.r);
    scree_world_destroy(world);
    return s;
}

static void stream__more_bodies_in_another__changes_nothing(void **state) {
    (void)state;
    assert_same(1, 3, 77, true);
    snapshot a = second_of_two(10), b = second_of_two(300);
    assert_true(same_bodies(&a, &b));
    drop(&a);
    drop(&b);
}

/* ---- lattice ------------------------------------------------------------- */

static scree_lattice touching_lattice(void) {
    return (scree_lattice){.origin = {0.1, 0.2, 0.05},
                           .counts = {4, 3, 5},
                           .spacing = {0.1, 0.1, 0.1},
                           .grain = {.radius = constant(0.05)}};
}

static void lattice__touching__x_runs_first(void **state) {
    (void)state;
    scree_world *world = world_with_material();
    const double ground[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    add_plane(world, ground, up, 0); /* the lowest layer touches it */
    const scree_lattice lattice = touching_lattice();
    assert_int_equal(
        scree_lattice_make(&lattice, scree_random_stream(1, 0), world, NULL),
        SCREE_OK);
    snapshot s = take(world);
    assert_int_equal(s.n, 60);
    for (int k = 0; k < 60; k++) {
        const double x[3] = {0.1 + 0.1 * (k % 4), 0.2 + 0.1 * (k / 4 % 3),
                             0.05 + 0.1 * (k / 12)};
        assert_true(distance(s.x + 3 * k, x) < 1e-12);
    }
    drop(&s);
    scree_world_destroy(world);
}

static void lattice__jitter__is_bounded_and_apart(void **state) {
    (void)state;
    scree_world *world = world_with_material();
    scree_lattice lattice = touching_lattice();
    lattice.grain.radius = uniform(0.03, 0.049);
    lattice.jitter = 0.005;
    assert_int_equal(
        scree_lattice_make(&lattice, scree_random_stream(1, 0), world, NULL),
        SCREE_OK);
    snapshot s = take(world);
    assert_no_overlap(&s, 0);
    double largest = 0;
    for (int k = 0; k < 60; k++) {
        const double x = s.x[3 * k] - (0.1 + 0.1 * (k % 4));
        largest = fmax(largest, fabs(x));
    }
    assert_true(largest <= 0.005 + 1e-12 && largest > 0.004);
    drop(&s);
    scree_world_destroy(world);
}

static void lattice__too_tight__no_room_and_world_unchanged(void **state) {
    (void)state;
    scree_world *world = world_with_material();
    scree_lattice lattice = touching_lattice();
    lattice.spacing[1] = 0.09;
    scree_error error = {0};
    assert_int_equal(
        scree_lattice_make(&lattice, scree_random_stream(1, 0), world, &error),
        SCREE_NO_ROOM);
    assert_non_null(strstr(error.text, "body 5 of 60"));
    assert_int_equal(scree_world_body_count(world), 0);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(radius__constant__is_the_value),
        cmocka_unit_test(radius__uniform__has_its_moments),
        cmocka_unit_test(radius__normal__has_its_moments_and_bounds),
        cmocka_unit_test(grain__of_any_law__knows_its_bounds),
        cmocka_unit_test(radius__normal_with_far_bounds__still_returns),
        cmocka_unit_test(radius__list__draws_by_weight),
        cmocka_unit_test(region__box_and_cylinder__volumes),
        cmocka_unit_test(fill__box__spheres_inside_and_apart),
        cmocka_unit_test(fill__box__places_are_uniform),
        cmocka_unit_test(fill__slanted_cylinder__spheres_inside_and_apart),
        cmocka_unit_test(fill__solid_fraction__reached_within_one_sphere),
        cmocka_unit_test(fill__equal_spheres__reach_a_fraction_of_035),
        cmocka_unit_test(fill__radius_ratio_100__places_all),
        cmocka_unit_test(fill__boulder_among_pebbles__finds_the_gap),
        cmocka_unit_test(fill__existing_bodies_and_walls__are_respected),
        cmocka_unit_test(fill__too_many__no_room_and_world_unchanged),
        cmocka_unit_test(fill__senseless_arguments__are_refused),
        cmocka_unit_test(stream__seed_and_index__decide_the_bodies),
        cmocka_unit_test(stream__more_bodies_in_another__changes_nothing),
        cmocka_unit_test(lattice__touching__x_runs_first),
        cmocka_unit_test(lattice__jitter__is_bounded_and_apart),
        cmocka_unit_test(lattice__too_tight__no_room_and_world_unchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
