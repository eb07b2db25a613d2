/* Steps that choose themselves (engine/step/choose.c): nothing moves by more than its
 * share, times are met, and what comes out is what small steps give. */
#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/world/state.h"
#include "engine/world/world.h"
#include "tests/analytic/shapes_fixture.h"
#include "tests/in_memory.h"

static const scree_vec3 zero = {0, 0, 0};

static int threads = 1;

static scree_world *empty_world(double dt, double motion, double e) {
    scree_world_def def = scree_world_def_default();
    def.dt = dt;
    def.motion = motion;
    def.threads = threads;
    return make_world(&def, (scree_contact_law){.friction = 0.5, .e_n = e});
}

static bool is_power_of_two(double x) {
    int exponent;
    return frexp(x, &exponent) == 0.5;
}

/* ---- one body: closed forms ---------------------------------------------------- */

/* The midpoint rule is exact for a body that falls, whatever the steps. */
static void auto_step__free_fall__within_its_share_and_exact(void **state) {
    (void)state;
    const double r = 0.05, motion = 0.1, base = 0.25;
    scree_world *world = empty_world(base, motion, 0);
    add_sphere(world, r, vec(0, 0, 10), zero, zero);
    double t = 0, z = 10, longest = 0, shortest = INFINITY;
    while (t < 1.25) {
        run(world, 1);
        const double dt = scree_world_step_size(world),
                     now = read_body(world, 0).x.z;
        assert_near(scree_world_time(world) - t, dt, 1e-15);
        assert_true(is_power_of_two(dt / base));
        assert_true(z - now <= motion * 2 * r * (1 + 1e-12));
        /* Not shorter than half of what it may be, but for the room to grow. */
        assert_true(z - now > 0.2 * motion * 2 * r);
        t = scree_world_time(world), z = now;
        longest = fmax(longest, dt), shortest = fmin(shortest, dt);
        assert_near(z, 10 - G * t * t / 2, 1e-12);
    }
    assert_near(t, 1.25, 0); /* a multiple of the base, met to the bit */
    assert_true(longest >= 16 * shortest);
    scree_world_destroy(world);
}

/* A body that slows down gets longer steps again, at times that are multiples of them. */
static void auto_step__thrown_up__grows_where_it_may(void **state) {
    (void)state;
    scree_world *world = empty_world(0.1, 0.1, 0);
    add_sphere(world, 0.1, zero, vec(0, 0, 4), zero);
    double last = INFINITY;
    int grown = 0;
    while (scree_world_time(world) < 4 / G) {
        const double begin = scree_world_time(world);
        run(world, 1);
        const double dt = scree_world_step_size(world);
        assert_near(begin / dt, nearbyint(begin / dt), 1e-9);
        grown += dt > last;
        last = dt;
    }
    assert_int_equal(grown, 3); /* from 3.1 to 25 ms */
    scree_world_destroy(world);
}

static double first_step(scree_world *world) {
    run(world, 1);
    const double dt = scree_world_step_size(world);
    scree_world_destroy(world);
    return dt;
}

/* Spheres turn in place, others do not; walls count too. */
static void auto_step__spin_and_walls__shorten_it(void **state) {
    (void)state;
    scree_world *world = empty_world(0.1, 0.1, 0);
    add_sphere(world, 0.1, zero, zero, vec(0, 0, 100));
    assert_near(first_step(world), 0.05, 0); /* it may fall, no more */

    world = empty_world(0.1, 0.1, 0);
    const int box = add_box_shape(world, 0.1, 0.1, 0.1);
    put_body(world, (put){.shape = box, .w = vec(0, 0, 100)});
    assert_near(first_step(world), 0.1 / 64, 0); /* 0.2 / 100 s, and less */

    world = empty_world(0.1, 0.1, 0);
    scree_plane_def wall = scree_plane_def_default();
    wall.point[2] = -5;
    wall.motion.velocity[2] = 3;
    assert_ok(scree_world_add_plane(world, &wall, NULL));
    add_sphere(world, 0.1, zero, zero, zero);
    assert_near(first_step(world), 0.1 / 16, 0); /* 0.02 / 3 s, and less */
}

/* ---- many bodies ------------------------------------------------------------------ */

static scree_world *empty_box(double dt, double motion) {
    scree_world *world = empty_world(dt, motion, 0.3);
    add_floor(world);
    add_plane(world, vec(-0.5, 0, 0), vec(1, 0, 0));
    add_plane(world, vec(0.5, 0, 0), vec(-1, 0, 0));
    add_plane(world, vec(0, -0.5, 0), vec(0, 1, 0));
    add_plane(world, vec(0, 0.5, 0), vec(0, -1, 0));
    return world;
}

/* 500 spheres fall into a box. */
static scree_world *falling_heap(double dt, double motion) {
    scree_world *world = empty_box(dt, motion);
    scree_random rng = {5};
    for (int i = 0; i < 500; ++i) {
        const scree_vec3 at =
            vec(0.12 * (i % 8) - 0.42, 0.12 * (i / 8 % 8) - 0.42,
                0.3 + 0.12 * (i / 64));
        const scree_vec3 off = vec(scree_random_range(&rng, -0.005, 0.005),
                                   scree_random_range(&rng, -0.005, 0.005), 0);
        add_sphere(world, 0.05, add(at, off), zero, zero);
    }
    return world;
}

static void run_until(scree_world *world, double t) {
    while (scree_world_time(world) < t - 1e-9) run(world, 1);
}

/* The bed has the height that small steps give, and costs fewer of them. Six such beds
 * lie by 1.1 % higher in the mean, and scatter by 0.6 %. */
static void auto_step__heap__rests_as_by_small_steps(void **state) {
    (void)state;
    scree_world *chosen = falling_heap(0.1, 0.1),
                *small = falling_heap(5e-4, 0);
    run_until(chosen, 1.5);
    run_until(small, 1.5);
    const scree_scalars a = read_scalars(chosen), b = read_scalars(small);
    print_message("height %.5f and %.5f, steps %lld and %lld, at last %g s\n",
                  a.potential, b.potential,
                  (long long)scree_world_steps(chosen),
                  (long long)scree_world_steps(small), a.step_size);
    assert_near(a.potential / b.potential, 1, 0.025);
    assert_near(energy_defect(chosen) / a.inserted, 0, 1e-9);
    assert_true(a.penetration_max < 3e-3 * 0.1);
    assert_true(a.kinetic < 1e-4 * a.inserted);
    assert_true(5 * scree_world_steps(chosen) < scree_world_steps(small));
    scree_world_destroy(chosen);
    scree_world_destroy(small);
}

static void auto_step__threads__same_bits(void **state) {
    (void)state;
    uint64_t hash[2];
    const int64_t worth = scree_worth_threads(1);
    for (int k = 0; k < 2; ++k) {
        threads = k + 1;
        scree_world *world = falling_heap(0.1, 0.1);
        run_until(world, 0.4);
        hash[k] = scree_world_hash(world);
        scree_world_destroy(world);
    }
    threads = 1;
    scree_worth_threads(worth);
    assert_true(hash[0] == hash[1]);
}

/* At any step: its level and its ticks go on as well. */
static void auto_step__checkpoint__same_bits(void **state) {
    (void)state;
    for (int k = 10; k < 120; k += 20) {
        scree_error error = {0};
        in_memory m = {.n = 0};
        scree_archive a = {.ops = &in_memory_ops, .self = &m, .error = &error};
        scree_world *world = falling_heap(0.1, 0.1),
                    *again = empty_box(0.1, 0.1);
        run(world, k);
        assert_ok(scree_world_archive(world, &a));
        a.loads = true;
        assert_ok(scree_world_archive(again, &a));
        run(world, 15);
        run(again, 15);
        assert_true(scree_world_hash(world) == scree_world_hash(again));
        assert_near(scree_world_time(world), scree_world_time(again), 0);
        scree_world_destroy(world);
        scree_world_destroy(again);
        in_memory_clear(&m);
    }
}

/* A run that goes on with another base, as with another end: from wherever it stopped, the
 * multiples of the new one are met. */
static void auto_step__other_base__its_multiples_are_met(void **state) {
    (void)state;
    scree_error error = {0};
    in_memory m = {.n = 0};
    scree_archive a = {.ops = &in_memory_ops, .self = &m, .error = &error};
    scree_world *world = empty_world(0.1, 0.1, 0),
                *again = empty_world(0.05, 0.1, 0);
    add_sphere(world, 0.1, zero, vec(0, 0, 4), zero);
    run(world, 3); /* of 3.1 ms; later ones are longer */
    assert_ok(scree_world_archive(world, &a));
    a.loads = true;
    assert_ok(scree_world_archive(again, &a));
    for (int k = 1; k <= 8; ++k) {
        while (scree_world_time(again) < 0.05 * k - 1e-12) run(again, 1);
        assert_near(scree_world_time(again), 0.05 * k, 1e-12);
    }
    scree_world_destroy(world);
    scree_world_destroy(again);
    in_memory_clear(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_step__free_fall__within_its_share_and_exact),
        cmocka_unit_test(auto_step__thrown_up__grows_where_it_may),
        cmocka_unit_test(auto_step__spin_and_walls__shorten_it),
        cmocka_unit_test(auto_step__heap__rests_as_by_small_steps),
        cmocka_unit_test(auto_step__threads__same_bits),
        cmocka_unit_test(auto_step__checkpoint__same_bits),
        cmocka_unit_test(auto_step__other_base__its_multiples_are_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
