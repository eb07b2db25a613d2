/* The same bits with any number of threads: one hash over 200 steps of spheres
 * that fall into a box and are stirred by a wall, for every solver of the
 * table. The Verlet list is rebuilt often, and contacts come and go in every
 * step. */
#include <string.h>

#include "engine/base/parallel.h"
#include "solvers/problem/method.h"
#include "tests/support.h"

enum { SPHERES = 350, FEW_SPHERES = 30 };

/* Beside one thread. The address sanitizer looks for other faults than other bits: a
 * team that does not fit the processors and half of the way will do. */
#ifdef __SANITIZE_ADDRESS__
enum { STEPS = 100, STEPS_ALL_LAWS = 100 };
static const int TEAMS[] = {3};
#else
enum { STEPS = 200, STEPS_ALL_LAWS = 150 };
static const int TEAMS[] = {2, 3, 8};
#endif
enum { N_TEAM = sizeof TEAMS / sizeof *TEAMS };

/* Solvers that write the Delassus matrix out, or go through the contacts many times
 * in an iteration: the threads that find and fill the contacts are the same, and a
 * small scene will do. */
static bool is_slow(const char *method) {
    const char *const slow[] = {"apgd", "newton", "lemke", "dense"};
    for (int k = 0; k < 4; ++k)
        if (!strcmp(method, slow[k])) return true;
    return false;
}

static double friction_for(const char *method) {
    return scree_method_find(method)->lacks & SCREE_NEED_SPACE ? 0 : 0.4;
}

/* A wall across the box that swings by half its width. */
static void add_stirrer(scree_world *world, double half) {
    scree_plane_def def = scree_plane_def_default();
    def.point[0] = -half;
    def.normal[0] = 1;
    def.motion.amplitude[0] = -half / 2;
    def.motion.frequency = 1.5;
    assert_ok(scree_world_add_plane(world, &def, NULL));
}

/* All that friction can be, for the methods that know it. */
static scree_contact_law all_laws(void) {
    return (scree_contact_law){.friction = 0.4,
                               .e_n = 0.2,
                               .rolling = 0.004,
                               .drilling = 0.003,
                               .anisotropy = {0.3, {1, 2, 3}}};
}

static scree_world *stirred_box(const char *method, bool all, int threads) {
    scree_world_def def = scree_world_def_default();
    def.threads = threads;
    def.dt = 2e-3;
    def.solver.method = method;
    def.solver.iterations = 4;
    def.solver.clusters = 0; /* sweeps alone */
    def.solver.tolerance = 0;
    def.recovery_velocity = 0;
    const scree_contact_law plain = {.friction = friction_for(method),
                                     .e_n = 0.2};
    const scree_contact_law law = all ? all_laws() : plain;
    scree_world *world = make_world(&def, law);
    const double half = is_slow(method) ? 0.15 : 0.4;
    add_box(world, half);
    add_stirrer(world, half);
    add_cloud(world, is_slow(method) ? FEW_SPHERES : SPHERES, half, 0.03, 0.05,
              6);
    return world;
}

static uint64_t hash_over_run(const char *method, bool all, int steps,
                              int threads) {
    scree_world *world = stirred_box(method, all, threads);
    uint64_t hash = 0;
    for (int step = 0; step < steps; ++step) {
        run(world, 1);
        hash = hash * 0x9E3779B97F4A7C15u ^ scree_world_hash(world);
    }
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    assert_true(cost.rebuilds > steps / 20);
    if (threads == 1)
        print_message("%s: %d rebuilds, %.0f contacts per step\n", method,
                      (int)cost.rebuilds, (double)cost.contacts / steps);
    scree_world_destroy(world);
    return hash;
}

static void check_bits(const char *method, bool all, int steps) {
    const int64_t worth = scree_worth_threads(1); /* teams for the least work */
    const uint64_t hash = hash_over_run(method, all, steps, 1);
    for (int k = 0; k < N_TEAM; ++k)
        assert_true(hash_over_run(method, all, steps, TEAMS[k]) == hash);
    scree_worth_threads(worth);
}

static void same_bits__every_solver__any_thread_count(void **state) {
    (void)state;
    const char *method;
    for (int s = 0; (method = scree_solver_name(s, NULL)); ++s)
        check_bits(method, false, STEPS);
}

/* Rolling, drilling and anisotropic friction, with their warm starts. */
static void same_bits__all_laws__any_thread_count(void **state) {
    (void)state;
    check_bits("pgs", true, STEPS_ALL_LAWS);
    check_bits("jacobi", true, STEPS_ALL_LAWS);
    check_bits("apgd", true, STEPS_ALL_LAWS);
}

/* ---- one method each, where more of it is at work -------------------------- */

/* Spheres on top of each other from the first step on. */
static scree_world *pressed_bed(const char *method, int n, double half,
                                int iterations, double tolerance, int threads) {
    scree_world_def def = scree_world_def_default();
    def.threads = threads;
    def.dt = 2e-3;
    def.solver.method = method;
    def.solver.iterations = iterations;
    def.solver.tolerance = tolerance;
    def.solver.clusters = 0; /* the method alone */
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_box(world, half);
    add_cloud(world, n, half, 0.03, 0.05, 6);
    return world;
}

/* One hash over the steps; *others: how many of them another method than `method` or
 * pgs ended. */
static uint64_t hash_pressed(scree_world *world, const char *method, int steps,
                             int *others) {
    uint64_t hash = 0;
    for (int step = 0; step < steps; ++step) {
        scree_report report;
        run(world, 1);
        hash = hash * 0x9E3779B97F4A7C15u ^ scree_world_hash(world);
        scree_world_read_report(world, &report);
        *others += strcmp(report.by, method) && strcmp(report.by, "pgs");
    }
    return hash;
}

/* Sums over more than one chunk of contacts, and enough iterations for the step size,
 * the momentum and the feedback of slip to change. */
static void apgd__sums_of_many_chunks__any_thread_count(void **state) {
    (void)state;
    const int64_t worth = scree_worth_threads(1);
    uint64_t first = 0;
    for (int k = 0; k <= N_TEAM; ++k) {
        int others = 0;
        scree_world *world =
            pressed_bed("apgd", 2000, 0.9, 12, 0, k ? TEAMS[k - 1] : 1);
        run(world, 150);
        const uint64_t hash = hash_pressed(world, "apgd", 10, &others);
        if (k == 0)
            print_message("apgd: %d contacts\n",
                          (int)scree_world_contact_count(world));
        assert_true(scree_world_contact_count(world) > 4 * 256);
        assert_int_equal(others, 0);
        if (k == 0) first = hash;
        assert_true(hash == first);
        scree_world_destroy(world);
    }
    scree_worth_threads(worth);
}

/* Sweeps in threads, then methods with the matrix. */
static void auto__changes_over__any_thread_count(void **state) {
    (void)state;
    const int64_t worth = scree_worth_threads(1);
    uint64_t first = 0;
    for (int k = 0; k <= N_TEAM; ++k) {
        int others = 0;
        scree_world *world =
            pressed_bed("auto", 60, 0.15, 50, 1e-7, k ? TEAMS[k - 1] : 1);
        run(world, 100);
        const uint64_t hash = hash_pressed(world, "auto", 50, &others);
        if (k == 0)
            print_message("auto: %d of 50 steps changed over\n", others);
        assert_true(others > 10);
        if (k == 0) first = hash;
        assert_true(hash == first);
        scree_world_destroy(world);
    }
    scree_worth_threads(worth);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits__every_solver__any_thread_count),
        cmocka_unit_test(same_bits__all_laws__any_thread_count),
        cmocka_unit_test(apgd__sums_of_many_chunks__any_thread_count),
        cmocka_unit_test(auto__changes_over__any_thread_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
