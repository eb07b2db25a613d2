/* peers.c: tests of the ruler that codes are measured with, and of how
 * LIGGGHTS' answers are read. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/bench/bench.h"

/* ---- the ruler ----------------------------------------------------------- */

static void overlap__three_spheres__exact(void **state) {
    (void)state;
    /* 0 in the floor and a wall, 1 in 0, 2 alone and far away. */
    bench_body bodies[] = {
        {.x = {-0.46, 0, 0.049}, .r = 0.05},
        {.x = {-0.46, 0, 0.146}, .r = 0.05},
        {.x = {0, 0, 1000}, .r = 0.04},
    };
    const bench_bed bed = {.n = 3, .side = 1, .bodies = bodies};
    const bench_overlap o = bench_overlap_of(&bed);
    const double walls = 0.01 + 0.01; /* of 0 and of 1 */
    assert_int_equal(o.count, 4);
    assert_true(fabs(o.mean - (0.001 + 0.003 + walls) / 4) < 1e-12);
    assert_true(fabs(o.max - 0.01) < 1e-12);
}

/* Every pair, one by one. */
static int64_t count_pairs(const bench_bed *bed) {
    int64_t count = 0;
    for (int64_t i = 0; i < bed->n; ++i)
        for (int64_t j = 0; j < i; ++j) {
            const bench_body *a = &bed->bodies[i], *b = &bed->bodies[j];
            const double d = hypot(hypot(a->x[0] - b->x[0], a->x[1] - b->x[1]),
                                   a->x[2] - b->x[2]);
            count += d < a->r + b->r;
        }
    return count;
}

static void overlap__squeezed_lattice__as_pair_by_pair(void **state) {
    (void)state;
    bench_bed bed = bench_scene(1000);
    for (int64_t i = 0; i < bed.n; ++i)
        for (int k = 0; k < 3; ++k)
            bed.bodies[i].x[k] = 0.75 * bed.bodies[i].x[k] + (k == 2 ? 1 : 0);
    const int64_t pairs = count_pairs(&bed);
    assert_true(pairs > 1000);
    assert_int_equal(bench_overlap_of(&bed).count, pairs);
    bench_bed_free(&bed);
}

static void kinetic__moving_and_turning__by_formula(void **state) {
    (void)state;
    bench_body body = {.r = 0.05, .v = {3, 0, 4}, .w = {0, 10, 0}};
    const bench_bed bed = {.n = 1, .side = 1, .bodies = &body};
    const double mass = 2500 * 4.0 / 3.0 * acos(-1) * 0.05 * 0.05 * 0.05;
    const double energy = 0.5 * mass * 25 + 0.2 * mass * 0.05 * 0.05 * 100;
    assert_true(fabs(bench_kinetic_of(&bed) - energy) < 1e-12 * energy);
}

/* ---- LIGGGHTS' answers --------------------------------------------------- */

static double loop_of(const char *text, int ranks, int steps) {
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(file);
    const double seconds = bench_liggghts_loop(file, ranks, steps);
    fclose(file);
    return seconds;
}

static void loop__two_runs__the_last(void **state) {
    (void)state;
    static const char output[] =
        "Setting up run\n"
        "Loop time of 9.5 on 2 procs for 100 steps with 7 atoms, finish time\n"
        "Pair  time (%) = 0.1 (80)\n"
        "Loop time of 0.25 on 2 procs for 200 steps with 7 atoms, finish "
        "time\n";
    assert_true(loop_of(output, 2, 200) == 0.25);
    assert_true(loop_of(output, 1, 200) < 0); /* mpirun started one alone */
    assert_true(loop_of(output, 2, 100) < 0); /* the second run is missing */
    assert_true(loop_of("ERROR: lost atoms\n", 2, 200) < 0);
}

static bool read_dump(const char *text, bench_bed *bed) {
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(file);
    const bool is_dump = bench_liggghts_dump(file, bed);
    fclose(file);
    return is_dump;
}

#define DUMP_HEAD(n)                                                           \
    "ITEM: TIMESTEP\n800\nITEM: NUMBER OF ATOMS\n" n                           \
    "\nITEM: BOX BOUNDS ff ff ff\n-1 1\n-1 1\n0 2\n"                           \
    "ITEM: ATOMS id x y z radius vx vy vz omegax omegay omegaz \n"

static void dump__any_order__by_id(void **state) {
    (void)state;
    bench_body bodies[2] = {0};
    bench_bed bed = {.n = 2, .side = 1, .bodies = bodies};
    assert_true(read_dump(DUMP_HEAD("2") "2 1 2 3 0.5 4 5 6 7 8 9 \n"
                                         "1 0 0 0 0.25 0 0 0 0 0 -1 \n",
                          &bed));
    assert_true(bodies[0].r == 0.25 && bodies[0].w[2] == -1);
    assert_true(bodies[1].x[2] == 3 && bodies[1].r == 0.5);
    assert_true(bodies[1].v[0] == 4 && bodies[1].w[0] == 7);
}

static void dump__short_or_other__refused(void **state) {
    (void)state;
    bench_body bodies[2] = {0};
    bench_bed bed = {.n = 2, .side = 1, .bodies = bodies};
    assert_false(read_dump("nothing\n", &bed));
    assert_false(read_dump(DUMP_HEAD("1") "1 0 0 0 1 0 0 0 0 0 0\n", &bed));
    assert_false(read_dump(DUMP_HEAD("2") "1 0 0 0 1 0 0 0 0 0 0\n", &bed));
    assert_false(read_dump(DUMP_HEAD("2") "1 0 0 0 1 0 0 0 0 0 0\n"
                                          "3 0 0 0 1 0 0 0 0 0 0\n",
                           &bed));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlap__three_spheres__exact),
        cmocka_unit_test(overlap__squeezed_lattice__as_pair_by_pair),
        cmocka_unit_test(kinetic__moving_and_turning__by_formula),
        cmocka_unit_test(loop__two_runs__the_last),
        cmocka_unit_test(dump__any_order__by_id),
        cmocka_unit_test(dump__short_or_other__refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
