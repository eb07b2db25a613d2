/* Many spheres: what must hold whatever they do. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/random.h"
#include "engine/laws/laws.h"
#include "tests/support.h"

static const scree_vec3 zero = {0, 0, 0};

/* ---- conservation -------------------------------------------------------- */

/* A cloud that falls in on itself: all velocities point to the centre. */
static scree_world *collapsing_cluster(bool gap_control, const char *method) {
    scree_world_def def = scree_world_def_default();
    def.gravity[2] = 0;
    def.gap_control = gap_control;
    def.recovery_velocity = 0.05;
    def.solver.method = method;
    const scree_contact_law law = {.friction = 0.4, .e_n = 0.3, .e_t = 0.2};
    scree_world *world = make_world(&def, law);
    scree_random rng = {5};
    for (int i = 0; i < 125; ++i) {
        const scree_vec3 x = vec(0.11 * (i % 5 - 2), 0.11 * (i / 5 % 5 - 2),
                                 0.11 * (i / 25 - 2));
        const scree_vec3 w =
            vec(scree_random_normal(&rng), scree_random_normal(&rng),
                scree_random_normal(&rng));
        const scree_vec3 push = vec(0.3, 0.1 - x.x, 0.2);
        add_sphere(world, scree_random_range(&rng, 0.03, 0.05), x,
                   add(scale(-3, x), push), scale(5, w));
    }
    return world;
}

static void check_momentum(bool gap_control, const char *method) {
    scree_world *world = collapsing_cluster(gap_control, method);
    const scree_scalars before = read_scalars(world);
    int64_t contacts = 0;
    for (int k = 0; k < 500; ++k) {
        run(world, 1);
        contacts += scree_world_contact_count(world);
    }
    const scree_scalars after = read_scalars(world);
    assert_true(contacts > 1000);
    assert_true(after.dissipated > 0.1 * before.kinetic);
    for (int k = 0; k < 3; ++k)
        assert_near(after.momentum[k], before.momentum[k], 1e-12);
    /* Recovery moves centres, and angular momentum with them, by a thousandth
     * of it; Moreau's scheme to the letter conserves it to rounding. */
    const double size = norm(vec_from(before.angular_momentum));
    for (int k = 0; k < 3; ++k)
        assert_near(after.angular_momentum[k], before.angular_momentum[k],
                    gap_control ? 1e-3 * size : 1e-12);
    scree_world_destroy(world);
}

static void cluster__isolated__momentum_to_rounding(void **state) {
    (void)state;
    check_momentum(false, "pgs");
    check_momentum(true, "pgs");
    check_momentum(false, "jacobi");
}

/* Elastic frictionless gas in a box: kinetic energy to rounding. */
static void gas__elastic__energy_conserved(void **state) {
    (void)state;
    for (int on = 0; on < 2; ++on) {
        scree_world_def def = scree_world_def_default();
        def.gravity[2] = 0;
        def.gap_control = on;
        def.recovery_velocity = 0;
        def.solver.tolerance = 1e-14;
        def.solver.iterations = 1000;
        scree_world *world = make_world(&def, (scree_contact_law){.e_n = 1});
        add_box(world, 0.5);
        add_plane(world, vec(0, 0, 1), vec(0, 0, -1));
        scree_random rng = {8};
        for (int i = 0; i < 64; ++i)
            add_sphere(world, 0.05,
                       vec(0.24 * (i % 4) - 0.36, 0.24 * (i / 4 % 4) - 0.36,
                           0.24 * (i / 16) + 0.14),
                       vec(2 * scree_random_normal(&rng),
                           2 * scree_random_normal(&rng),
                           2 * scree_random_normal(&rng)),
                       zero);
        const double before = read_scalars(world).kinetic;
        run(world, 2000);
        assert_near(read_scalars(world).kinetic / before, 1, 1e-10);
        scree_world_destroy(world);
    }
}

/* ---- energy -------------------------------------------------------------- */

/* A cloud falls into a box and settles. In every step contacts may only take
 * energy: a gain is bounded by what the unconverged rest of the solve allows. */
static void check_settling(bool gap_control, double e, double tolerance) {
    scree_world_def def = scree_world_def_default();
    def.gap_control = gap_control;
    def.solver.tolerance = tolerance;
    def.solver.iterations = 2000;
    const scree_contact_law law = {.friction = 0.5, .e_n = e};
    scree_world *world = make_world(&def, law);
    add_box(world, 0.3);
    add_cloud(world, 200, 0.3, 0.03, 0.05, 2);
    const double initial = read_scalars(world).inserted;
    double last = 0;
    for (int k = 0; k < 600; ++k) {
        run(world, 1);
        const scree_scalars s = read_scalars(world);
        assert_true(s.dissipated - last >= -1e-5 * initial * tolerance / 1e-6);
        assert_true(s.kinetic >= 0);
        assert_near(energy_defect(world) / initial, 0, 1e-12);
        last = s.dissipated;
    }
    scree_world_destroy(world);
}

static void settling__every_step__no_energy_gain(void **state) {
    (void)state;
    check_settling(false, 0, 1e-6);
    check_settling(false, 0.5, 1e-6);
    check_settling(true, 0, 1e-6);
    check_settling(true, 0.5, 1e-6);
}

/* ---- gap control --------------------------------------------------------- */

/* Spheres fall on the floor at a coarse step. The paper's scheme keeps the
 * penetration it closes with, up to |gamma| dt; gap control leaves none. */
static void check_closing(bool gap_control, double *deepest) {
    scree_world_def def = scree_world_def_default();
    def.dt = 5e-3;
    def.gap_control = gap_control;
    def.recovery_velocity = 0;
    scree_world *world = make_world(&def, (scree_contact_law){0});
    add_floor(world);
    enum { N = 20 };
    for (int i = 0; i < N; ++i)
        add_sphere(world, 0.1, vec(0.3 * i, 0, 0.1 + 0.02 * (i + 1)), zero,
                   zero);
    run(world, 200);
    *deepest = 0;
    for (int i = 0; i < N; ++i)
        *deepest = fmax(*deepest, 0.1 - read_body(world, i).x.z);
    assert_near(read_scalars(world).kinetic, 0, 1e-12);
    scree_world_destroy(world);
}

static void gap_control__closing__off_keeps_overlap_on_has_none(void **state) {
    (void)state;
    double off, on;
    check_closing(false, &off);
    check_closing(true, &on);
    /* The fastest falls 0.4 m: 2.8 m/s, 14 mm per step. */
    assert_in_range((int)(off * 1e4), 50, 140);
    assert_near(on, 0, 1e-13);
}

/* Two overlapping spheres in free space, and one in the floor: worked off at
 * the bounded velocity, but for the dead zone, with not a bit of velocity left. */
static void recovery__overlap__worked_off_without_velocity(void **state) {
    (void)state;
    scree_world_def def = scree_world_def_default();
    def.gravity[2] = 0;
    def.recovery_velocity = 0.1;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_floor(world);
    add_sphere(world, 0.1, vec(0, 0, 1), zero, zero);
    add_sphere(world, 0.1, vec(0.15, 0, 1), zero, zero);
    add_sphere(world, 0.1, vec(5, 0, 0.06), zero, zero);
    run(world, 100);
    /* bounded: at most 0.1 m/s for 0.1 s */
    assert_near(read_body(world, 1).x.x - read_body(world, 0).x.x, 0.16, 1e-9);
    assert_near(read_body(world, 2).x.z, 0.07, 1e-9);
    run(world, 1000);
    const double zone = 1.2 * SCREE_DEAD_ZONE * 0.1;
    assert_near(read_body(world, 1).x.x - read_body(world, 0).x.x, 0.2, zone);
    assert_near(read_body(world, 2).x.z, 0.1, zone);
    assert_true(read_scalars(world).kinetic == 0);
    assert_near(read_body(world, 1).x.x + read_body(world, 0).x.x, 0.15, 1e-12);
    scree_world_destroy(world);
}

/* Lifting out of the floor under gravity is booked, not hidden. */
static void recovery__under_gravity__energy_balance_closes(void **state) {
    (void)state;
    const scree_world_def def = scree_world_def_default();
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_floor(world);
    add_sphere(world, 0.1, vec(0, 0, 0.09), zero, zero);
    run(world, 500);
    const scree_scalars s = read_scalars(world);
    const double weight = read_body(world, 0).m * 9.81;
    assert_near(s.recovery_work, weight * 0.01,
                1.2 * weight * SCREE_DEAD_ZONE * 0.1);
    assert_near(s.kinetic, 0, 1e-20);
    assert_near(energy_defect(world), 0, 1e-12);
    scree_world_destroy(world);
}

/* ---- packing -------------------------------------------------------------- */

/* Volume fraction of a settled bed away from walls and surface: points of a
 * fine lattice that lie inside a sphere. */
static double solid_fraction(const scree_world *world, double half,
                             double top) {
    const size_t n = (size_t)scree_world_body_count(world);
    double *x = malloc(3 * n * sizeof *x), *r = malloc(n * sizeof *r);
    const scree_state_view view = {.position = x, .radius = r};
    scree_world_read_state(world, &view);
    double inside = 0;
    enum { M = 60 };
    for (int k = 0; k < M * M * M; ++k) {
        const scree_vec3 p = vec(half * (2 * (k % M + 0.5) / M - 1) * 0.7,
                                 half * (2 * (k / M % M + 0.5) / M - 1) * 0.7,
                                 top * (0.2 + 0.6 * (k / (M * M) + 0.5) / M));
        for (size_t i = 0; i < n; ++i) {
            const scree_vec3 d = sub(p, vec_from(&x[3 * i]));
            if (fabs(d.z) < r[i] && dot(d, d) < r[i] * r[i]) {
                ++inside;
                break;
            }
        }
    }
    free(x);
    free(r);
    return inside / (M * M * M);
}

static double highest(const scree_world *world) {
    double top = 0;
    for (int64_t i = 0; i < scree_world_body_count(world); i += 7)
        top = fmax(top, read_body(world, i).x.z);
    return top;
}

static void packing__1500_equal_spheres__random_packing_fraction(void **state) {
    (void)state;
    enum { N = 1500 };
    const double half = 0.5, r = 0.05;
    scree_world_def def = scree_world_def_default();
    def.dt = 2e-3;
    def.capacity = N;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_box(world, half);
    add_cloud(world, N, half, r, r, 4);
    run(world, 800);
    const scree_scalars s = read_scalars(world);
    const double fraction = solid_fraction(world, half, highest(world));
    print_message("solid fraction %.4f, penetration mean %.2e max %.2e of r, "
                  "kinetic energy per body %.2e J\n",
                  fraction, s.penetration_mean / r, s.penetration_max / r,
                  s.kinetic / N);
    assert_true(fraction > 0.55 && fraction < 0.64);
    assert_true(s.penetration_mean < 1e-3 * r);
    assert_true(s.penetration_max < 2e-2 * r);
    /* At rest: less than what a fall of 1e-4 r gives. */
    assert_true(s.kinetic / N < 2500 * 4.19 * r * r * r * 9.81 * 1e-3 * r);
    /* The floor carries most of the weight, the walls the rest (Janssen). */
    double force[3], weight = N * read_body(world, 0).m * 9.81, up = 0;
    for (int w = 0; w < scree_world_wall_count(world); ++w) {
        scree_world_read_wall_force(world, w, force);
        up -= force[2];
    }
    assert_near(up / weight, 1, 0.05);
    scree_world_destroy(world);
}

/* ---- the same bits -------------------------------------------------------- */

static uint64_t hash_of_run(int n, int steps, int threads, const char *method) {
    scree_world_def def = scree_world_def_default();
    def.threads = threads;
    def.solver.method = method;
    const scree_contact_law law = {.friction = 0.5, .e_n = 0.3};
    scree_world *world = make_world(&def, law);
    add_box(world, 0.8);
    add_cloud(world, n, 0.8, 0.03, 0.05, 6);
    run(world, steps);
    const uint64_t hash = scree_world_hash(world);
    scree_world_destroy(world);
    return hash;
}

static void same_bits__two_runs__equal_hash(void **state) {
    (void)state;
    const uint64_t hash = hash_of_run(2000, 100, 1, "pgs");
    assert_true(hash_of_run(2000, 100, 1, "pgs") == hash);
    assert_true(hash_of_run(2000, 100, 1, "jacobi") != hash);
}

/* More bodies than in other tests of threads (conform/threads: all methods;
 * threads/bed: shared contacts and sweeps). */
static void same_bits__thread_counts__equal_hash(void **state) {
    (void)state;
    const uint64_t hash = hash_of_run(40000, 6, 1, "pgs");
    assert_true(hash_of_run(40000, 6, 2, "pgs") == hash);
    assert_true(hash_of_run(40000, 6, 8, "pgs") == hash);
}

/* A last bit in one coordinate, and the hash is another one. */
static void hash__one_bit__differs(void **state) {
    (void)state;
    const scree_world_def def = scree_world_def_default();
    uint64_t hash[2];
    for (int k = 0; k < 2; ++k) {
        scree_world *world = make_world(&def, (scree_contact_law){0});
        add_sphere(world, 0.1, vec(k ? nextafter(1, 2) : 1, 0, 0), zero, zero);
        hash[k] = scree_world_hash(world);
        scree_world_destroy(world);
    }
    assert_true(hash[0] != hash[1]);
}

static void runaway__not_finite__names_the_body(void **state) {
    (void)state;
    const scree_world_def def = scree_world_def_default();
    scree_world *world = make_world(&def, (scree_contact_law){0});
    add_sphere(world, 0.1, vec(0, 0, 0), zero, zero);
    add_sphere(world, 0.1, vec(5, 0, 0), vec(1e308, 0, 0), vec(1e308, 0, 0));
    scree_status status = SCREE_OK;
    for (int k = 0; k < 10 && status == SCREE_OK; ++k)
        status = scree_world_step(world);
    assert_int_equal(status, SCREE_NOT_FINITE);
    assert_non_null(strstr(scree_world_error(world), "body 1"));
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cluster__isolated__momentum_to_rounding),
        cmocka_unit_test(gas__elastic__energy_conserved),
        cmocka_unit_test(settling__every_step__no_energy_gain),
        cmocka_unit_test(gap_control__closing__off_keeps_overlap_on_has_none),
        cmocka_unit_test(recovery__overlap__worked_off_without_velocity),
        cmocka_unit_test(recovery__under_gravity__energy_balance_closes),
        cmocka_unit_test(packing__1500_equal_spheres__random_packing_fraction),
        cmocka_unit_test(same_bits__two_runs__equal_hash),
        cmocka_unit_test(same_bits__thread_counts__equal_hash),
        cmocka_unit_test(hash__one_bit__differs),
        cmocka_unit_test(runaway__not_finite__names_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
