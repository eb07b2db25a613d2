/* Friction without bounds, fast bodies, heavy ones on light ones: nothing sinks, no
 * energy is made, and steps converge, by all methods. */
#include <string.h>

#include "tests/analytic/shapes_fixture.h"

/* What holds after every step: energy does not grow, dissipation is not negative. */
typedef struct balance {
    double energy; /* now [J] */
    double gain;   /* largest of a step [J] */
    double least;  /* of what was dissipated so far [J] */
} balance;

static double energy_of(const scree_scalars *s) {
    return s->kinetic + s->potential - s->recovery_work;
}

static balance run_watched(scree_world *world, int steps) {
    scree_scalars s = read_scalars(world);
    balance b = {.energy = energy_of(&s)};
    for (int k = 0; k < steps; ++k) {
        run(world, 1);
        s = read_scalars(world);
        b.gain = fmax(b.gain, energy_of(&s) - b.energy);
        b.least = fmin(b.least, s.dissipated);
        b.energy = energy_of(&s);
    }
    return b;
}

static int64_t unconverged(const scree_world *world) {
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    return cost.unconverged;
}

/* ---- a sphere that slides ------------------------------------------------------- */

typedef struct slide {
    const char *stepper, *method;
    scree_local local;
    double speed, friction;
} slide;

/* It slips for 2 v / (7 mu g) and then rolls with 5/7 v. */
static void check_slide(slide s) {
    const double r = 0.1, v = s.speed;
    const double slips = s.friction > 0 ? 2 * v / (7 * s.friction * G) : 0;
    scree_world_def def = scree_world_def_default();
    def.stepper = s.stepper;
    def.solver.method = s.method;
    def.solver.local = s.local;
    def.dt = slips > 1 ? 1e-2 : 1e-3;
    scree_world *world =
        make_world(&def, (scree_contact_law){.friction = s.friction});
    add_floor(world);
    add_sphere(world, r, vec(0, 0, r), vec(v, 0, 0), vec(0, 0, 0));
    const double start = read_scalars(world).kinetic;
    const balance b = run_watched(world, (int)(1.1 * slips / def.dt) + 100);
    const body end = read_body(world, 0);
    const double rolls = s.friction > 0 ? 5.0 / 7 * v : v;
    assert_near(end.x.z, r, 2e-4 * r);
    assert_near(end.v.x, rolls, 1e-4 * v);
    if (s.friction > 0) assert_near(end.w.y * r, rolls, 1e-4 * v);
    assert_near(fmax(b.gain, 0), 0, 2e-5 * start);
    assert_near(fmin(b.least, 0), 0, 2e-5 * start);
    assert_int_equal(unconverged(world), 0);
    scree_world_destroy(world);
}

static const double frictions[] = {0, 0.5, 2000, 1e5, 1e6};
static const double speeds[] = {1, 100};

static void check_slides(const char *stepper, const char *method,
                         scree_local local) {
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 2; ++k)
            check_slide(
                (slide){stepper, method, local, speeds[k], frictions[i]});
}

static void sphere__any_friction_and_speed__ends_rolling(void **state) {
    (void)state;
    static const char *const methods[] = {"pgs",    "jacobi", "apgd",
                                          "newton", "auto",   "dense"};
    for (int m = 0; m < 6; ++m)
        check_slides("moreau", methods[m], SCREE_LOCAL_PROX);
    check_slides("moreau", "pgs", SCREE_LOCAL_EXACT);
    check_slides("rattle", "pgs", SCREE_LOCAL_PROX);
    check_slides("rattle", "jacobi", SCREE_LOCAL_PROX);
}

/* ---- heavy on light --------------------------------------------------------------- */

typedef struct stack {
    const char *stepper, *method;
    double ratio; /* of the mass of the uppermost body to that of the others */
    int bodies;
    bool boxes;
    double gain; /* allowed, of the weight times the height */
} stack;

static int add_density(scree_world *world, double density) {
    scree_material_def def = scree_material_def_default();
    int material;
    def.density = density;
    def.law.friction = 0.5;
    assert_ok(scree_world_add_material(world, &def, &material));
    return material;
}

static void add_to_stack(scree_world *world, int shape, int material, double r,
                         scree_vec3 x, double rise) {
    scree_sphere_def ball = scree_sphere_def_default();
    scree_body_def box = scree_body_def_default();
    ball.velocity[2] = box.velocity[2] = rise;
    ball.radius = r, ball.material = material;
    box.shape = shape, box.material = material;
    vec_to(x, ball.position), vec_to(x, box.position);
    assert_ok(shape < 0 ? scree_world_add_sphere(world, &ball, NULL)
                        : scree_world_add_body(world, &box, NULL));
}

static void add_rising_floor(scree_world *world, double rise) {
    scree_plane_def floor = scree_plane_def_default();
    floor.motion.velocity[2] = rise;
    assert_ok(scree_world_add_plane(world, &floor, NULL));
}

/* `lean`: of bodies, to either side in turn [m]; dt 0: the default. All of it goes up with
 * the velocity `rise`. */
static scree_world *make_rising(const stack *s, double dt, double lean,
                                double rise) {
    const double r = 0.1;
    scree_world_def def = scree_world_def_default();
    def.stepper = s->stepper;
    def.solver.method = s->method;
    if (dt > 0) def.dt = dt;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    const int light = add_density(world, 1000);
    const int heavy = add_density(world, 1000 * s->ratio);
    const int shape = s->boxes ? add_box_shape(world, 2 * r, 2 * r, 2 * r) : -1;
    add_rising_floor(world, rise);
    for (int i = 0; i < s->bodies; ++i)
        add_to_stack(world, shape, i == s->bodies - 1 ? heavy : light, r,
                     (scree_vec3){i % 2 ? lean : -lean, 0, r + 2 * r * i},
                     rise);
    return world;
}

static scree_world *make_stack(const stack *s, double dt, double lean) {
    return make_rising(s, dt, lean, 0);
}

static void check_stack(stack s) {
    const double r = 0.1;
    scree_world *world = make_stack(&s, 0, 0);
    const balance b = run_watched(world, 200);
    const double weight = read_body(world, s.bodies - 1).m * G;
    const double most = s.gain * weight * 2 * r * s.bodies;
    assert_near(fmax(b.gain, 0), 0, most);
    assert_near(fmin(b.least, 0), 0, most);
    for (int i = 0; i < s.bodies; ++i)
        assert_near(read_body(world, i).x.z, r + 2 * r * i, 1e-4 * r);
    assert_true(unconverged(world) <= 2);
    scree_world_destroy(world);
}

static const double ratios[] = {1e4, 1e6, 1e8};

static void stack__heavy_on_light__stands_without_energy(void **state) {
    (void)state;
    for (int k = 0; k < 3; ++k) {
        check_stack((stack){"moreau", "pgs", ratios[k], 2, false, 1e-6});
        check_stack((stack){"moreau", "pgs", ratios[k], 5, false, 1e-6});
        check_stack((stack){"moreau", "pgs", ratios[k], 2, true, 1e-5});
        check_stack((stack){"moreau", "pgs", ratios[k], 5, true, 1e-5});
        check_stack((stack){"moreau", "jacobi", ratios[k], 2, false, 1e-6});
        check_stack((stack){"moreau", "apgd", ratios[k], 2, false, 1e-6});
        check_stack((stack){"rattle", "pgs", ratios[k], 2, false, 1e-6});
        check_stack((stack){"rattle", "pgs", ratios[k], 2, true, 1e-5});
    }
    check_stack((stack){"rattle", "pgs", 1e4, 5, false, 1e-6});
    check_stack((stack){"rattle", "pgs", 1e4, 5, true, 1e-6});
    check_stack((stack){"rattle", "pgs", 1e6, 5, false, 1e-6});
    check_stack((stack){"rattle", "pgs", 1e6, 5, true, 1e-6});
    check_stack((stack){"rattle", "pgs", 1e8, 5, true, 1e-5});
}

/* A column of three balls or more under a heavy one is not stable: they leave its line
 * like exp(lambda t), lambda = sqrt(F / m r), whoever computes it. With steps that resolve
 * that, energy is kept on the way. */
static void column__heavy_on_light__buckles_with_its_energy(void **state) {
    (void)state;
    for (int n = 3; n <= 5; n += 2) {
        scree_world *world =
            make_stack(&(stack){"rattle", "pgs", 1e8, n, false, 0}, 2e-6, 1e-9);
        const double weight = read_body(world, n - 1).m * G;
        const balance b = run_watched(world, 400);
        assert_true(fabs(read_body(world, 0).x.x) > 1e-4); /* it does */
        assert_near(b.gain, 0, 1e-9 * weight * 0.1);
        scree_world_destroy(world);
    }
}

/* What else there is in the world of a column. */
typedef enum company { NOTHING, FLIGHT, WALL } company;

/* A ball on its way that has a thousand times the energy of the load, or a wall that
 * moves, both far away. */
static void add_company(scree_world *world, company beside) {
    scree_plane_def wall = scree_plane_def_default();
    const scree_vec3 normal = {0, 0, -1};
    if (beside == FLIGHT) {
        add_sphere(world, 1, vec(0, 50, 50), vec(0, 3e4, 3e4), vec(0, 0, 0));
    } else if (beside == WALL) {
        wall.point[2] = 100;
        wall.motion.velocity[2] = 1;
        vec_to(normal, wall.normal);
        assert_ok(scree_world_add_plane(world, &wall, NULL));
    }
}

/* In steps of a millisecond it is over within one. Either no energy is made then, or the
 * run says what happened and what to do. Were bodies squeezed out? */
static bool is_squeezed_out(int balls, double ratio, double lean,
                            company beside) {
    const stack s = {"rattle", "pgs", ratio, balls, false, 0};
    scree_world *world = make_stack(&s, 1e-3, lean);
    add_company(world, beside);
    const double load = read_body(world, balls - 1).m * G * 0.1;
    scree_scalars now = read_scalars(world);
    scree_status status = SCREE_OK;
    for (int k = 0; k < 200 && !status; ++k) {
        const double before = energy_of(&now);
        status = scree_world_step(world);
        now = read_scalars(world);
        if (!status) assert_true(energy_of(&now) - before < 1e-3 * load);
    }
    if (status) {
        assert_int_equal(status, SCREE_NOT_FINITE);
        assert_non_null(strstr(scree_world_error(world), "is squeezed out in"));
        assert_non_null(strstr(scree_world_error(world), "below"));
    }
    scree_world_destroy(world);
    return status != SCREE_OK;
}

static void squeeze_columns(company beside) {
    const double leans[] = {0, 1e-12, 1e-10, 1e-8};
    int ended = 0;
    for (int n = 3; n <= 5; ++n)
        for (int k = 0; k < 4; ++k) {
            ended += is_squeezed_out(n, 1e7, leans[k], beside);
            ended += is_squeezed_out(n, 1e8, leans[k], beside);
        }
    print_message("%d of 24 columns end the run\n", ended);
    assert_in_range(ended, 1, 23);
}

static void
column__buckles_within_a_step__makes_no_energy_or_ends(void **state) {
    (void)state;
    squeeze_columns(NOTHING);
}

/* However much energy there is elsewhere, */
static void
column__buckles_beside_a_fast_ball__makes_no_energy_or_ends(void **state) {
    (void)state;
    squeeze_columns(FLIGHT);
}

/* and whatever walls may give. */
static void
column__buckles_beside_a_moving_wall__makes_no_energy_or_ends(void **state) {
    (void)state;
    squeeze_columns(WALL);
}

/* The floor of a column rises: what it gives in a step is 1e-2 of the work of the load on
 * the way of a radius, ten times what may come from nothing. */
static void column__on_a_rising_floor__is_no_matter(void **state) {
    (void)state;
    const double v = 1;
    for (int boxes = 0; boxes < 2; ++boxes) {
        const stack s = {"rattle", "pgs", 1e8, 2, boxes, 0};
        scree_world *world = make_rising(&s, 0, 0, v);
        const double start = read_scalars(world).potential;
        run(world, 100);
        const double lifted = read_scalars(world).potential - start;
        assert_near(read_body(world, 1).x.z, 0.3 + 0.1 * v, 1e-5);
        assert_near(read_scalars(world).wall_work / lifted, 1, 1e-3);
        scree_world_destroy(world);
    }
}

/* ---- what a balance tells ------------------------------------------------------- */

enum { N = 30 };

static scree_world *make_column(const scree_world_def *def) {
    scree_world *world = make_world(def, (scree_contact_law){0});
    add_floor(world);
    for (int i = 0; i < N; ++i)
        add_sphere(world, 0.05, vec(0, 0, 0.05 + 0.1 * i), vec(0, 0, 0),
                   vec(0, 0, 0));
    return world;
}

/* Spheres on top of each other rest: whatever moves is an error. From a cold start
 * the column sinks as a whole, and the residual hides it. */
static void balance__cold_column__tells_the_error(void **state) {
    (void)state;
    for (int sweeps = 60; sweeps <= 400; sweeps *= 2) {
        scree_world_def def = scree_world_def_default();
        def.solver.iterations = sweeps;
        def.solver.tolerance = def.solver.clusters = 0;
        def.solver.coarse = SCREE_COARSE_OFF;
        scree_world *world = make_column(&def);
        run(world, 1);
        double sum = 0;
        for (int i = 0; i < N; ++i) sum += pow(read_body(world, i).v.z, 2);
        const double error = sqrt(sum / N) / (G * def.dt);
        scree_report report;
        scree_world_read_report(world, &report);
        print_message("%d sweeps: residual %.1e, balance %.2e, error %.2e\n",
                      sweeps, report.residual, report.balance, error);
        assert_true(report.residual < 3e-3);
        assert_true(report.balance > error / 5 && report.balance < 3 * error);
        scree_world_destroy(world);
    }
}

/* A step in which a contact approaches by more than is left to it, or whose bodies
 * sink, is not done, however small the residual. */
static void step__residual_small__judged_by_balance_and_approach(void **state) {
    (void)state;
    for (int k = 0; k < 3; ++k) {
        scree_world_def def = scree_world_def_default();
        def.solver.iterations = 60;
        def.solver.tolerance = 0.1;
        def.solver.clusters = 0;
        def.solver.coarse = SCREE_COARSE_OFF;
        def.solver.balance = k == 1 ? 1e-3 : 0;
        def.solver.approach = k == 2 ? 1e-3 : 0;
        scree_world *world = make_column(&def);
        run(world, 1);
        assert_int_equal(unconverged(world), k > 0);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere__any_friction_and_speed__ends_rolling),
        cmocka_unit_test(stack__heavy_on_light__stands_without_energy),
        cmocka_unit_test(column__heavy_on_light__buckles_with_its_energy),
        cmocka_unit_test(
            column__buckles_within_a_step__makes_no_energy_or_ends),
        cmocka_unit_test(
            column__buckles_beside_a_fast_ball__makes_no_energy_or_ends),
        cmocka_unit_test(
            column__buckles_beside_a_moving_wall__makes_no_energy_or_ends),
        cmocka_unit_test(column__on_a_rising_floor__is_no_matter),
        cmocka_unit_test(balance__cold_column__tells_the_error),
        cmocka_unit_test(step__residual_small__judged_by_balance_and_approach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
