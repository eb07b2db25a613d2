/* Every solver of the table in whole worlds: a block on a slope in the plane, what
 * is refused in space, stacks at the defaults, beds in which sweeps alone do not get to
 * the tolerance. */
#include <string.h>

#include "engine/world/world.h"
#include "solvers/problem/method.h"
#include "tests/setting_of.h"
#include "tests/support.h"

static const double G = 9.81;

/* Steps of falling spheres. Fewer do not come to the crowd that sweeps stall in. */
enum { FALL = 300 };

/* Tenths of a second that stacks stand. The address sanitizer looks for other faults
 * than missed tolerances. */
#ifdef __SANITIZE_ADDRESS__
enum { TENTHS = 2 };
#else
enum { TENTHS = 10 };
#endif

/* ---- the plane -------------------------------------------------------------- */

/* Gravity is tilted, not the floor. */
static scree_world *slope(const char *method, double angle, double mu) {
    scree_world_def def = scree_world_def_default();
    def.planar = true;
    def.gravity[0] = G * sin(angle);
    def.gravity[1] = -G * cos(angle);
    def.gravity[2] = 0;
    def.solver.method = method;
    def.solver.iterations = 20000;
    def.solver.tolerance = 1e-12;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = mu});
    add_plane(world, vec(0, 0, 0), vec(0, 1, 0));
    return world;
}

static void add_square(scree_world *world, double half, scree_vec3 x) {
    const double points[] = {-half, -half, 0, half,  -half, 0,
                             half,  half,  0, -half, half,  0};
    scree_shape_def shape = scree_shape_def_default();
    shape.kind = SCREE_SHAPE_POLYGON;
    shape.points = points;
    shape.n_point = 4;
    scree_body_def square = scree_body_def_default();
    assert_ok(scree_world_add_shape(world, &shape, &square.shape));
    vec_to(x, square.position);
    assert_ok(scree_world_add_body(world, &square, NULL));
}

/* A square and on it another one stick, or slide as one with g (sin - mu cos). */
static void check_slope(const char *method, double angle, double mu) {
    const double half = 0.1, slide = G * (sin(angle) - mu * cos(angle));
    scree_world *world = slope(method, angle, mu);
    add_square(world, half, vec(0, half, 0));
    add_square(world, half, vec(0, 3 * half, 0));
    run(world, 100);
    for (int i = 0; i < 2; ++i) {
        const body b = read_body(world, i);
        assert_near(b.v.x, fmax(0, 0.1 * slide), 1e-6);
        assert_near(b.v.y, 0, 1e-6);
        assert_near(b.w.z, 0, 1e-5);
    }
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    assert_int_equal(cost.unconverged, 0);
    scree_world_destroy(world);
}

static void plane__blocks_on_a_slope__every_method(void **state) {
    (void)state;
    const char *method;
    for (int s = 0; (method = scree_solver_name(s, NULL)); ++s) {
        check_slope(method, 0.28, 0.3);
        check_slope(method, 0.35, 0.3);
    }
}

/* What cannot be solved is said by its reason. */
static void space__friction_or_moments__refused_by_name(void **state) {
    (void)state;
    const scree_method *ops;
    for (int s = 0; (ops = scree_method_on(SCREE_LAYOUT_LANES, s)); ++s)
        for (int k = 0; k < 2; ++k) {
            scree_world_def def = scree_world_def_default();
            def.solver.method = ops->name;
            scree_world *world =
                make_world(&def, (scree_contact_law){.friction = 0.3,
                                                     .rolling = k ? 0.01 : 0});
            add_floor(world);
            add_sphere(world, 0.1, vec(0, 0, 0.1), vec(0, 0, 0), vec(0, 0, 0));
            const scree_status status = scree_world_step(world);
            const char *text = scree_world_error(world);
            if (k && ops->lacks & SCREE_NEED_MOMENTS) {
                assert_int_equal(status, SCREE_UNSUPPORTED);
                assert_non_null(strstr(text, "with rolling or drilling"));
            } else if (ops->lacks & SCREE_NEED_SPACE) {
                assert_int_equal(status, SCREE_UNSUPPORTED);
                assert_string_equal(
                    text, "lemke does not run on worlds with friction in "
                          "space, which pgs, jacobi, apgd, newton, auto and "
                          "dense do");
            } else {
                assert_ok(status);
            }
            scree_world_destroy(world);
        }
}

/* ---- stacks ----------------------------------------------------------------- */

static int32_t add_cube_shape(scree_world *world, double edge) {
    scree_shape_def box = scree_shape_def_default();
    int32_t shape;
    box.kind = SCREE_SHAPE_BOX;
    for (int k = 0; k < 3; ++k) box.size[k] = edge;
    assert_ok(scree_world_add_shape(world, &box, &shape));
    return shape;
}

static scree_world *stack_of(const char *method, bool planar, int n,
                             double edge) {
    if (planar) {
        scree_world *world = slope(method, 0, 0.5);
        const scree_solver_options plain = scree_world_def_default().solver;
        setting_of(world)->solver.iterations = plain.iterations;
        setting_of(world)->solver.tolerance = plain.tolerance;
        for (int i = 0; i < n; ++i)
            add_square(world, 0.5 * edge, vec(0, (i + 0.5) * edge, 0));
        return world;
    }
    scree_world_def def = scree_world_def_default();
    def.threads = 1;
    def.solver.method = method;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_floor(world);
    scree_body_def cube = scree_body_def_default();
    cube.shape = add_cube_shape(world, edge);
    for (int i = 0; i < n; ++i) {
        cube.position[2] = (i + 0.5) * edge;
        assert_ok(scree_world_add_body(world, &cube, NULL));
    }
    return world;
}

/* Furthest way of a box from its place within TENTHS, over its edge. */
static double drift_of(const char *method, bool planar, int n) {
    const double edge = 0.2;
    scree_world *world = stack_of(method, planar, n, edge);
    double most = 0;
    for (int k = 0; k < TENTHS; ++k) {
        run(world, 100);
        for (int i = 0; i < n; ++i) {
            const double h = (i + 0.5) * edge;
            const scree_vec3 place = planar ? vec(0, h, 0) : vec(0, 0, h);
            most = fmax(most, norm(sub(read_body(world, i).x, place)) / edge);
        }
    }
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    assert_int_equal(cost.unconverged, 0);
    scree_world_destroy(world);
    return most;
}

/* At the options that a world has unless told otherwise. */
static void stack__every_method_at_defaults__stands(void **state) {
    (void)state;
    const scree_method *ops;
    for (int s = 0; (ops = scree_method_on(SCREE_LAYOUT_LANES, s)); ++s)
        for (int planar = !!(ops->lacks & SCREE_NEED_SPACE); planar < 2;
             ++planar) {
            const double drift = drift_of(ops->name, planar, 20);
            print_message("%s, in the %s: a box moves by %.1e of its edge\n",
                          ops->name, planar ? "plane" : "space", drift);
            assert_true(drift < 2e-5);
        }
}

/* ---- auto ------------------------------------------------------------------- */

typedef struct effort {
    int64_t unconverged;
    int by_others; /* steps that pgs did not end */
} effort;

/* Spheres fall into a box and come to rest there, with the iterations that a world
 * has unless it is told otherwise. */
static effort settle(const char *method, double tolerance, int steps) {
    scree_world_def def = scree_world_def_default();
    def.dt = 2e-3;
    def.threads = 1;
    def.solver.method = method;
    def.solver.tolerance = tolerance;
    def.solver.clusters = 0; /* the method alone */
    def.solver.coarse = SCREE_COARSE_OFF;
    def.solver.iterations = 50;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_box(world, 0.25);
    add_cloud(world, 60, 0.25, 0.04, 0.06, 3);
    effort e = {0};
    for (int i = 0; i < steps; ++i) {
        scree_report report;
        run(world, 1);
        scree_world_read_report(world, &report);
        e.by_others += strcmp(report.by, "pgs") != 0;
        assert_int_equal(report.converged, report.stop == SCREE_STOP_TOLERANCE);
    }
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    e.unconverged = cost.unconverged;
    print_message(
        "%s: %d of %d steps unconverged, %d ended by others than pgs, "
        "%.1f iterations a step\n",
        method, (int)e.unconverged, steps, e.by_others,
        (double)cost.iterations / steps);
    scree_world_destroy(world);
    return e;
}

static void auto__settling_bed__reaches_what_pgs_does_not(void **state) {
    (void)state;
    const effort sweeps = settle("pgs", 1e-6, 400);
    const effort both = settle("auto", 1e-6, 400);
    assert_int_equal(sweeps.by_others, 0);
    assert_true(sweeps.unconverged > 100);
    assert_true(both.by_others > 100);
    assert_true(both.unconverged < sweeps.unconverged / 2);
}

/* ---- spots ------------------------------------------------------------------ */

/* Spheres with mu = 1 fall into a box; direct solves of spots and clusters, or none.
 * Without restitution every step has a solution. */
static scree_cost cost_of_fall(const char *method, int clusters) {
    scree_world_def def = scree_world_def_default();
    def.threads = 1;
    def.solver.method = method;
    def.solver.clusters = clusters;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 1});
    add_box(world, 0.12);
    add_cloud(world, 400, 0.12, 0.012, 0.018, 3);
    run(world, FALL);
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    print_message("%s: %d of %d steps unconverged, %.0f iterations a step\n",
                  method, (int)cost.unconverged, FALL,
                  (double)cost.iterations / FALL);
    scree_world_destroy(world);
    return cost;
}

/* Jacobi does not cool (solvers/problem/lanes.c): sweeps that stall are ended by spots,
 * with three quarters of the iterations. */
static void jacobi__large_friction__spots_are_solved(void **state) {
    (void)state;
    const int most = scree_world_def_default().solver.clusters;
    const scree_cost with = cost_of_fall("jacobi", most);
    const scree_cost without = cost_of_fall("jacobi", 0);
    assert_true(with.unconverged <= without.unconverged);
    assert_true((double)with.iterations < 0.9 * (double)without.iterations);
}

/* Sweeps that stall go on in turns with cooling, without any direct solve: without
 * either ten steps are missed. */
static void pgs__large_friction__cooling_ends_stalls(void **state) {
    (void)state;
    assert_true(cost_of_fall("pgs", 0).unconverged <= 7);
}

/* A sphere with large friction that is to bounce from floor and wall at once is locked
 * between them: there is no solution, and what is left says so. */
static void cluster__no_solution__percussions_stay_bounded(void **state) {
    (void)state;
    scree_world_def def = scree_world_def_default();
    def.solver.coarse = SCREE_COARSE_OFF; /* sweeps and clusters alone */
    scree_world *world =
        make_world(&def, (scree_contact_law){.friction = 1.5, .e_n = 0.5});
    const double r = 0.1;
    add_floor(world);
    add_plane(world, vec(0, 0, 0), vec(1, 0, 0));
    add_sphere(world, r, vec(r, 0, r), vec(-1, 0, -1), vec(0, 0, 0));
    assert_ok(scree_world_step(world));
    scree_report report;
    scree_world_read_report(world, &report);
    print_message("percussions over masses %.1e m/s, %d iterations, by %s\n",
                  report.scale, report.iterations, report.by);
    assert_true(report.scale < 1e4);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plane__blocks_on_a_slope__every_method),
        cmocka_unit_test(space__friction_or_moments__refused_by_name),
        cmocka_unit_test(stack__every_method_at_defaults__stands),
        cmocka_unit_test(jacobi__large_friction__spots_are_solved),
        cmocka_unit_test(pgs__large_friction__cooling_ends_stalls),
        cmocka_unit_test(cluster__no_solution__percussions_stay_bounded),
        cmocka_unit_test(auto__settling_bed__reaches_what_pgs_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
