/* Corrections between sweeps (solvers/coarse/coarse.h): they change how fast a solve comes to
 * its solution, not the solution. */
#include <string.h>

#include "engine/world/world.h"
#include "tests/setting_of.h"
#include "tests/support.h"

static const double G = 9.81, RADIUS = 0.05, EDGE = 0.2;

/* ---- scenes -------------------------------------------------------------------------- */

static scree_world_def def_of(const char *method, scree_coarse_mode coarse) {
    scree_world_def def = scree_world_def_default();
    def.threads = 1;
    def.solver.method = method;
    def.solver.coarse = coarse;
    return def;
}

/* Layers of touching spheres, each in the hollow of four, between walls: at rest, in
 * balance, and every percussion unknown. */
static scree_world *lattice(const scree_world_def *def, double mu, int across,
                            int layers) {
    const double d = 2 * RADIUS, half = across * RADIUS;
    scree_world *world = make_world(def, (scree_contact_law){.friction = mu});
    add_floor(world);
    for (int k = 0; k < 2; ++k)
        for (int s = -1; s < 2; s += 2) {
            const scree_vec3 n = k ? vec(0, s, 0) : vec(s, 0, 0);
            add_plane(world, scale(-half, n), n);
        }
    for (int k = 0; k < layers; ++k) {
        const int n = across - k % 2;
        for (int i = 0; i < n * n; ++i)
            add_sphere(world, RADIUS,
                       vec(d * (i % n - 0.5 * (n - 1)),
                           d * (i / n - 0.5 * (n - 1)),
                           RADIUS + k * d * sqrt(0.5)),
                       vec(0, 0, 0), vec(0, 0, 0));
    }
    return world;
}

static scree_world *stack(const scree_world_def *def, int n) {
    scree_world *world = make_world(def, (scree_contact_law){.friction = 0.5});
    scree_shape_def box = scree_shape_def_default();
    scree_body_def cube = scree_body_def_default();
    box.kind = SCREE_SHAPE_BOX;
    for (int k = 0; k < 3; ++k) box.size[k] = EDGE;
    add_floor(world);
    assert_ok(scree_world_add_shape(world, &box, &cube.shape));
    for (int i = 0; i < n; ++i) {
        cube.position[2] = (i + 0.5) * EDGE;
        assert_ok(scree_world_add_body(world, &cube, NULL));
    }
    return world;
}

/* Root of the mean square of velocities, over g dt: 1 for a free fall. */
static double fall_of(const scree_world *world) {
    double sum = 0, mass = 0;
    for (int32_t i = 0; i < world->state.bodies.n; ++i) {
        const scree_twist *u = &world->state.bodies.u[i];
        sum += dot(u->v, u->v) / u->inv_m;
        mass += 1 / u->inv_m;
    }
    return sqrt(sum / mass) / (G * world->def.dt);
}

/* ---- loads --------------------------------------------------------------------------- */

/* What so many sweeps leave of a fall. */
static double fall_left(const char *method, scree_coarse_mode coarse,
                        int sweeps, int across, int layers) {
    scree_world_def def = def_of(method, coarse);
    def.solver.iterations = sweeps;
    def.solver.tolerance = 0;
    scree_world *world = lattice(&def, 0.5, across, layers);
    run(world, 1);
    const double fall = fall_of(world);
    scree_world_destroy(world);
    return fall;
}

/* Sweeps that leave 2 % of it, to the next two. */
static int sweeps_to_rest(const char *method, scree_coarse_mode coarse,
                          int layers) {
    int sweeps = 4;
    while (sweeps < 400 && fall_left(method, coarse, sweeps, 8, layers) > 0.02)
        sweeps += sweeps < 40 ? 2 : 10;
    return sweeps;
}

/* Three times as deep: sweeps alone take nearly three times as many. */
static void pgs__bed_three_times_as_deep__as_many_sweeps(void **state) {
    (void)state;
    const int shallow = sweeps_to_rest("pgs", SCREE_COARSE_AUTO, 24);
    const int deep = sweeps_to_rest("pgs", SCREE_COARSE_AUTO, 72);
    const int plain = sweeps_to_rest("pgs", SCREE_COARSE_OFF, 72);
    print_message("%d and %d sweeps, without %d\n", shallow, deep, plain);
    assert_true(deep <= 1.2 * shallow);
    assert_true(plain >= 4 * deep);
}

/* Percussions of a step before, which three times the weight makes too small. */
static double fall_of_weight(scree_coarse_mode coarse) {
    scree_world_def def = def_of("pgs", coarse);
    def.solver.iterations = 400;
    scree_world *world = lattice(&def, 0.5, 6, 48);
    run(world, 2);
    world->state.gravity = scale(3, world->state.gravity);
    setting_of(world)->solver.iterations = 60;
    setting_of(world)->solver.tolerance = 0;
    run(world, 1);
    const double fall = fall_of(world);
    scree_world_destroy(world);
    return fall;
}

static void pgs__weight_grows__loads_are_scaled(void **state) {
    (void)state;
    const double on = fall_of_weight(SCREE_COARSE_AUTO);
    const double off = fall_of_weight(SCREE_COARSE_OFF);
    print_message("left of g dt: %.2e, without %.2e\n", on, off);
    assert_true(on < 0.2 * off);
}

static void jacobi__deep_bed__error_falls(void **state) {
    (void)state;
    const double on = fall_left("jacobi", SCREE_COARSE_AUTO, 150, 8, 48);
    const double off = fall_left("jacobi", SCREE_COARSE_OFF, 150, 8, 48);
    print_message("left of g dt: %.2e, without %.2e\n", on, off);
    assert_true(on < 0.3 * off);
}

static double residual_after(const char *method, int across, int layers,
                             int sweeps) {
    scree_world_def def = def_of(method, SCREE_COARSE_AUTO);
    def.solver.iterations = sweeps;
    def.solver.tolerance = 0;
    scree_world *world = lattice(&def, 0.5, across, layers);
    run(world, 1);
    const double residual = read_scalars(world).solve.residual;
    scree_world_destroy(world);
    return residual;
}

static int sweeps_to_residual(const char *method, int across, int layers) {
    int low = 4, high = 256;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (residual_after(method, across, layers, middle) > 3.5e-4)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* On the bed of 10 000 spheres of bench_cold jacobi takes 2.1 times the sweeps of pgs. In
 * a lattice the first guess is all but the solution, and each sphere has twelve contacts;
 * with the steps of mass splitting it took 4.5 times. */
static void jacobi__lattices__three_times_the_sweeps_of_pgs(void **state) {
    (void)state;
    static const int sizes[][2] = {{8, 48}, {6, 24}, {10, 20}, {5, 60}};
    for (int k = 0; k < 4; ++k) {
        const int across = sizes[k][0], layers = sizes[k][1];
        const int pgs = sweeps_to_residual("pgs", across, layers);
        const int jacobi = sweeps_to_residual("jacobi", across, layers);
        print_message("%d layers: %d sweeps of pgs, %d of jacobi\n", layers,
                      pgs, jacobi);
        assert_true(pgs <= 20 && jacobi <= 3 * pgs);
    }
}

/* ---- stacks -------------------------------------------------------------------------- */

static int sweeps_of_stack(const char *method, int n) {
    scree_world_def def = def_of(method, SCREE_COARSE_AUTO);
    def.solver.iterations = 1000;
    def.solver.tolerance = 1e-5;
    scree_world *world = stack(&def, n);
    run(world, 1);
    const scree_report report = read_scalars(world).solve;
    assert_true(report.converged);
    assert_true(fall_of(world) < 1e-3);
    scree_world_destroy(world);
    return report.iterations;
}

static void stack__cold__within_60_sweeps(void **state) {
    (void)state;
    const int pgs = sweeps_of_stack("pgs", 20);
    const int jacobi = sweeps_of_stack("jacobi", 20);
    print_message("%d sweeps of pgs, %d of jacobi\n", pgs, jacobi);
    assert_true(pgs <= 60);
    assert_true(jacobi <= 3 * 60);
}

/* At the options that a world has unless told otherwise. */
static void stack__jacobi_at_defaults__stands(void **state) {
    (void)state;
    for (int n = 10; n <= 20; n += 10) {
        const scree_world_def def = def_of("jacobi", SCREE_COARSE_AUTO);
        scree_world *world = stack(&def, n);
        run(world, 1000);
        const body top = read_body(world, n - 1);
        const scree_vec3 start = vec(0, 0, (n - 0.5) * EDGE);
        assert_true(norm(sub(top.x, start)) < 1e-3 * EDGE);
        scree_world_destroy(world);
    }
}

/* ---- the same solution --------------------------------------------------------------- */

/* Without friction velocities are the only ones. */
static void solution__with_and_without__the_same(void **state) {
    (void)state;
    static const char *const methods[] = {"pgs", "jacobi"};
    for (int m = 0; m < 2; ++m) {
        scree_world *world[2];
        for (int k = 0; k < 2; ++k) {
            scree_world_def def =
                def_of(methods[m], k ? SCREE_COARSE_AUTO : SCREE_COARSE_OFF);
            def.gravity[0] = 3; /* loads on the walls, too */
            def.solver.iterations = 20000;
            def.solver.tolerance = 1e-9;
            world[k] = lattice(&def, 0, 5, 14);
            run(world[k], 1);
            assert_true(read_scalars(world[k]).solve.converged);
        }
        for (int32_t i = 0; i < world[0]->state.bodies.n; ++i) {
            const scree_vec3 d = sub(world[1]->state.bodies.u[i].v,
                                     world[0]->state.bodies.u[i].v);
            assert_true(norm(d) < 1e-5 * G * world[0]->def.dt);
        }
        scree_world_destroy(world[0]);
        scree_world_destroy(world[1]);
    }
}

/* ---- flow ---------------------------------------------------------------------------- */

/* Gravity along a smooth floor, no load to find: corrections do not cost accuracy. */
static double flow_residual(scree_coarse_mode coarse) {
    scree_world_def def = def_of("pgs", coarse);
    def.gravity[0] = 8;
    def.solver.iterations = 100;
    def.solver.tolerance = 0;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.1});
    const double d = 2 * RADIUS;
    add_floor(world);
    for (int k = 0; k < 12; ++k)
        for (int i = 0; i < 64; ++i) {
            const double shift = (k % 2) * RADIUS;
            add_sphere(world, RADIUS,
                       vec(d * (i % 8) + shift, d * (i / 8) + shift,
                           RADIUS + k * d * sqrt(0.5)),
                       vec(0.1 * k, 0, 0), vec(0, 0, 0));
        }
    double sum = 0;
    for (int k = 0; k < 20; ++k) {
        run(world, 1);
        sum += log(read_scalars(world).solve.residual);
    }
    scree_world_destroy(world);
    return exp(sum / 20);
}

static void flow__slope__not_worse(void **state) {
    (void)state;
    const double on = flow_residual(SCREE_COARSE_AUTO);
    const double off = flow_residual(SCREE_COARSE_OFF);
    print_message("residual %.2e, without %.2e\n", on, off);
    assert_true(on < 1.25 * off);
}

/* ---- bits ---------------------------------------------------------------------------- */

static uint64_t hash_after(const char *method, scree_coarse_mode coarse,
                           int threads) {
    scree_world_def def = def_of(method, coarse);
    def.threads = threads;
    def.solver.iterations = 100;
    def.solver.warm_start = false;
    scree_world *world = lattice(&def, 0.5, 6, 16);
    run(world, 3);
    const uint64_t hash = scree_world_hash(world);
    scree_world_destroy(world);
    return hash;
}

static void threads__corrections__same_bits(void **state) {
    (void)state;
    static const char *const methods[] = {"pgs", "jacobi"};
    const int64_t worth = scree_worth_threads(1);
    for (int m = 0; m < 2; ++m) {
        const uint64_t one = hash_after(methods[m], SCREE_COARSE_AUTO, 1);
        assert_true(one != hash_after(methods[m], SCREE_COARSE_OFF, 1));
        assert_true(one == hash_after(methods[m], SCREE_COARSE_AUTO, 2));
        assert_true(one == hash_after(methods[m], SCREE_COARSE_AUTO, 4));
    }
    scree_worth_threads(worth);
}

/* A bed that stays at rest takes no correction: the same bits as without. */
static void rest__warm_start__nothing_corrected(void **state) {
    (void)state;
    uint64_t hash[2];
    for (int k = 0; k < 2; ++k) {
        const scree_world_def def =
            def_of("pgs", k ? SCREE_COARSE_AUTO : SCREE_COARSE_OFF);
        scree_world *world = lattice(&def, 0.5, 6, 10);
        setting_of(world)->solver.coarse = SCREE_COARSE_AUTO;
        run(world, 20); /* both come to rest in the same way */
        setting_of(world)->solver.coarse = def.solver.coarse;
        run(world, 20);
        hash[k] = scree_world_hash(world);
        scree_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pgs__bed_three_times_as_deep__as_many_sweeps),
        cmocka_unit_test(pgs__weight_grows__loads_are_scaled),
        cmocka_unit_test(jacobi__deep_bed__error_falls),
        cmocka_unit_test(jacobi__lattices__three_times_the_sweeps_of_pgs),
        cmocka_unit_test(stack__cold__within_60_sweeps),
        cmocka_unit_test(stack__jacobi_at_defaults__stands),
        cmocka_unit_test(solution__with_and_without__the_same),
        cmocka_unit_test(flow__slope__not_worse),
        cmocka_unit_test(threads__corrections__same_bits),
        cmocka_unit_test(rest__warm_start__nothing_corrected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
