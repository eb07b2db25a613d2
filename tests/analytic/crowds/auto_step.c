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

/* Bodies that touch no other go four times as far. */
static const double ALONE = 4;

/* The midpoint rule is exact for a body that falls, whatever the steps. */
static void auto_step__free_fall__within_its_share_and_exact(void **state) {
    (void)state;
    const double r = 0.05, motion = 0.1, base = 0.25;
    const double share = ALONE * motion * 2 * r;
    scree_world *world = empty_world(base, motion, 0);
    add_sphere(world, r, vec(0, 0, 10), zero, zero);
    double t = 0, z = 10, longest = 0, shortest = INFINITY;
    while (t < 1.25) {
        run(world, 1);
        const double dt = scree_world_step_size(world),
                     now = read_body(world, 0).x.z;
        assert_near(scree_world_time(world) - t, dt, 1e-15);
        assert_true(is_power_of_two(dt / base));
        assert_true(z - now <= share * (1 + 1e-12));
        /* Not shorter than half of what it may be, but for the room to grow. */
        assert_true(z - now > 0.2 * share);
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
    assert_int_equal(grown, 2); /* from 12.5 to 50 ms */
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
    assert_near(first_step(world), 0.1, 0); /* it may fall, no more */

    world = empty_world(0.1, 0.1, 0);
    const int box = add_box_shape(world, 0.1, 0.1, 0.1);
    put_body(world, (put){.shape = box, .w = vec(0, 0, 100)});
    assert_near(first_step(world), 0.1 / 16, 0); /* 0.8 / 100 s, and less */

    world = empty_world(0.1, 0.1, 0);
    scree_plane_def wall = scree_plane_def_default();
    wall.point[2] = -5;
    wall.motion.velocity[2] = 3;
    assert_ok(scree_world_add_plane(world, &wall, NULL));
    add_sphere(world, 0.1, zero, zero, zero);
    assert_near(first_step(world), 0.1 / 16, 0); /* 0.02 / 3 s, and less */
}

/* ---- two bodies, and a floor ----------------------------------------------------- */

/* Two spheres fly side by side, and one of them by `slip` slower. */
static double step_of_flight(double apart, double slip) {
    scree_world *world = empty_world(0.1, 0.1, 0);
    add_sphere(world, 0.1, zero, vec(0, 3, 0), zero);
    add_sphere(world, 0.1, vec(0.2 + apart, 0, 0), vec(0, 3 - slip, 0), zero);
    return first_step(world);
}

/* 0.08 m at 3 m/s, and 0.02 m as they see each other: at 1 m/s, not at 0.2. All
 * bodies may go 0.02 m, as it were, would allow 6.25 ms. */
static void
auto_step__who_touches__counts_as_seen_from_each_other(void **state) {
    (void)state;
    assert_near(step_of_flight(0, 0), 0.025, 0);
    assert_near(step_of_flight(0, 0.2), 0.025, 0);
    assert_near(step_of_flight(0, 1), 0.0125, 0);
    assert_near(step_of_flight(1e-3, 1), 0.025, 0);
}

/* Before a body hits the floor its steps are as short as they are to be. */
static void auto_step__hit__is_seen_before(void **state) {
    (void)state;
    int alone = 0;
    scree_world *world = empty_world(0.1, 0.1, 0);
    add_floor(world);
    add_sphere(world, 0.1, vec(0, 0, 1), vec(0, 0, -3), zero);
    for (double z = 1, v = 3; z > 0.11;) {
        run(world, 1);
        const double dt = scree_world_step_size(world);
        assert_true(v * dt <= 0.02 || z - 0.1 > 1.5 * v * dt);
        alone += v * dt > 0.04;
        z = read_body(world, 0).x.z, v = -read_body(world, 0).v.z;
    }
    assert_true(alone > 5);
    scree_world_destroy(world);
}

/* Towards the floor, and after a step of 25 ms. */
static double rebound_of(double speed) {
    scree_world *world = empty_world(0.1, 0.1, 0.5);
    add_floor(world);
    add_sphere(world, 0.1, vec(0, 0, 0.1 + 1e-4), vec(0, 0, -speed), zero);
    run(world, 1);
    assert_near(scree_world_step_size(world), 0.025, 0);
    const double v = read_body(world, 0).v.z;
    scree_world_destroy(world);
    return v;
}

/* Which hits have restitution does not follow the step: 2 |g| dt is 0.49 m/s there,
 * a tenth of that after a fall by 0.1 of a diameter 0.063. */
static void auto_step__slow_hits__have_restitution(void **state) {
    (void)state;
    assert_near(rebound_of(0.3), 0.15, 1e-9);
    assert_near(rebound_of(0.2), 0.1, 1e-9);
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
static scree_world *heap_of(uint64_t seed, double dt, double motion) {
    scree_world *world = empty_box(dt, motion);
    scree_random rng = {seed};
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

static scree_world *falling_heap(double dt, double motion) {
    return heap_of(5, dt, motion);
}

static void run_until(scree_world *world, double t) {
    while (scree_world_time(world) < t - 1e-9) run(world, 1);
}

/* Beds scatter by 0.9 %: of 36 of them, from 1 on, this is the mean by steps of 0.5 ms,
 * +- 0.15 % [J]. */
static const double SMALL_STEPS = 1670.3;
enum { BEDS = 24 };

static double height_of_bed(uint64_t seed) {
    scree_world *world = heap_of(seed, 0.1, 0.1);
    run_until(world, 1.5);
    const scree_scalars s = read_scalars(world);
    assert_near(energy_defect(world) / s.inserted, 0, 1e-9);
    assert_true(s.penetration_max < 3e-3 * 0.1);
    assert_true(s.kinetic < 2e-4 * s.inserted);
    assert_true(scree_world_steps(world) < 3000 / 10);
    scree_world_destroy(world);
    return s.potential;
}

/* The bed has the height that small steps give, and costs fewer of them. Of 104 beds the
 * mean is by 0.48 +- 0.18 % higher; that of 24 scatters by 0.2 %. */
static void auto_step__heap__rests_as_by_small_steps(void **state) {
    (void)state;
    double mean = 0;
    for (int k = 1; k <= BEDS; ++k) mean += height_of_bed((uint64_t)k) / BEDS;
    print_message("height %.2f and %.2f J\n", mean, SMALL_STEPS);
    assert_near(mean / SMALL_STEPS, 1, 0.01);
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
        cmocka_unit_test(
            auto_step__who_touches__counts_as_seen_from_each_other),
        cmocka_unit_test(auto_step__hit__is_seen_before),
        cmocka_unit_test(auto_step__slow_hits__have_restitution),
        cmocka_unit_test(auto_step__heap__rests_as_by_small_steps),
        cmocka_unit_test(auto_step__threads__same_bits),
        cmocka_unit_test(auto_step__checkpoint__same_bits),
        cmocka_unit_test(auto_step__other_base__its_multiples_are_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
