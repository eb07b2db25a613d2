/* moreau-adaptive on worlds (engine/adaptive): its order between switching points, what
 * switching points cost, and that a run goes on with the same bits. */
#include "engine/adaptive/snapshot.h"
#include "engine/base/parallel.h"
#include "engine/steppers/extrapolation.h"
#include "engine/world/state.h"
#include "tests/in_memory.h"
#include "tests/order/slides.h"

static const scree_vec3 zero = {0, 0, 0};

/* ---- order: bodies that slide ------------------------------------------------------ */

/* The errors of what the solver leaves must be below those of the order. */
static void check_sliding(slide_body s, int order) {
    s.stepper = "moreau-adaptive";
    s.method = "newton";
    s.tolerance = 1e-13;
    s.order = order;
    s.mu = 0.3;
    const errors e = find_errors(&s, SLIDE_PLANE, 5e-3);
    assert_true(e.order_u > order - 0.2 && e.order_u < order + 0.5);
    assert_true(e.order_q > order - 0.3 && e.order_q < order + 0.5);
}

static void adaptive__bodies_slide__their_order(void **state) {
    (void)state;
    for (int order = 2; order <= 3; ++order) {
        check_sliding(slide_square(), order);
        check_sliding(slide_box(), order);
        check_sliding(slide_capsule(), order);
        check_sliding(slide_rock(), order);
    }
}

/* ---- order: a body that tumbles ---------------------------------------------------- */

static scree_world *make_tumbler(double dt, int order) {
    scree_world_def def = firm_def(dt);
    def.stepper = "moreau-adaptive";
    def.order = order;
    def.dt_min = ldexp(dt, -10);
    def.threads = 1;
    scree_world *world = make_world(&def, (scree_contact_law){0});
    put_body(world, (put){.shape = add_box_shape(world, 0.2, 0.1, 0.05),
                          .v = vec(1, 2, 3),
                          .w = vec(8, 1, 5)});
    return world;
}

static void adaptive__box_tumbles__its_order(void **state) {
    (void)state;
    const double T = 0.4;
    double exact[13], y[13], dt[DTS], error[DTS];
    scree_world *world = make_tumbler(1e-3, 1);
    const body begin = read_body(world, 0);
    write_state(&begin, exact);
    rk4(tumble_rates, world, 13, T, 1e-4, exact);
    scree_world_destroy(world);
    for (int order = 1; order <= 4; ++order) {
        for (int k = 0; k < DTS; ++k) {
            dt[k] = 0.02 / (1 << k);
            world = make_tumbler(dt[k], order);
            while (scree_world_time(world) < T - 1e-9) run(world, 1);
            const body b = read_body(world, 0);
            write_state(&b, y);
            error[k] = distance_of(y, exact, 13);
            scree_world_destroy(world);
        }
        const double found = order_of(dt, error, DTS);
        print_message("order %d: %.2e %.2e %.2e %.2e, %.2f\n", order, error[0],
                      error[1], error[2], error[3], found);
        assert_true(found > order - 0.2);
    }
}

/* ---- a ball that bounces ------------------------------------------------------------ */

static scree_world_def ball_def(double dt, double dt_min, bool control) {
    scree_world_def def = firm_def(dt);
    def.stepper = "moreau-adaptive";
    def.dt_min = dt_min;
    def.threads = 1;
    def.gap_control = control;
    if (!control) def.restitution_speed = 0;
    return def;
}

static const double E = 0.5, HEIGHT = 0.9, RADIUS = 0.1;

static scree_world *make_ball_world(const scree_world_def *def) {
    scree_world *world = make_world(def, (scree_contact_law){.e_n = E});
    add_floor(world);
    add_sphere(world, RADIUS, vec(0, 0, HEIGHT + RADIUS), zero, zero);
    return world;
}

/* Above the floor at t: falls for sqrt(2 h / g), each bounce takes E of the last. */
static double ball_height(double t) {
    double v = sqrt(2 * G * HEIGHT), hit = v / G, next = hit;
    if (t < hit) return HEIGHT - 0.5 * G * t * t;
    while (t >= next && v > 1e-9) hit = next, v *= E, next = hit + 2 * v / G;
    return t >= next ? 0 : v * (t - hit) - 0.5 * G * (t - hit) * (t - hit);
}

typedef struct bounce {
    double worst; /* error of the height at multiples of 20 ms [m] */
    int64_t steps, substeps;
    double at_rest; /* the largest step after the last bounce [s] */
    double defect;  /* of energy, as a share */
} bounce;

static bounce run_ball(const scree_world_def *def) {
    scree_world *world = make_ball_world(def);
    bounce b = {0};
    for (int k = 1; k <= 80; ++k) {
        while (scree_world_time(world) < 0.02 * k - 1e-9) {
            run(world, 1);
            if (scree_world_time(world) > 1.35)
                b.at_rest = fmax(b.at_rest, scree_world_step_size(world));
        }
        const double z = read_body(world, 0).x.z - RADIUS,
                     exact = ball_height(0.02 * k);
        assert_near(scree_world_time(world), 0.02 * k, 1e-12);
        b.worst = fmax(b.worst, fabs(z - exact));
    }
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    b.steps = scree_world_steps(world), b.substeps = cost.substeps;
    assert_true(cost.step_least <= def->dt_min * (1 + 1e-9));
    b.defect = fabs(energy_defect(world)) / read_scalars(world).inserted;
    scree_world_destroy(world);
    return b;
}

/* Flight is exact with order 2; what is left are steps of dt_min at hits. Fixed steps
 * of dt_min would be 1.6 / dt_min. */
static void check_ball(bool control, double share) {
    for (int k = 0; k < 3; ++k) {
        const double dt_min = 0.02 / (1 << (6 + 3 * k));
        const scree_world_def def = ball_def(0.02, dt_min, control);
        const bounce b = run_ball(&def);
        print_message("dt_min %.1e: error %.1e m, %lld steps, %lld substeps\n",
                      dt_min, b.worst, (long long)b.steps,
                      (long long)b.substeps);
        assert_true(b.defect < 1e-7);
        assert_true(b.worst < share * sqrt(2 * G * HEIGHT) * dt_min);
        assert_true(b.worst > 0.001 * dt_min); /* it is not exact */
        assert_near(b.at_rest, 0.02, 1e-12);
        assert_true(b.substeps < 4000);
        if (k == 2) assert_true(50 * b.substeps < 1.6 / dt_min);
    }
}

static void adaptive__ball__closed_form_to_dt_min(void **state) {
    (void)state;
    check_ball(true, 1.5);
    check_ball(false, 1.5);
}

/* 002 section 8: without gap control a ball at rest keeps Newton's law, and all numbers of
 * substeps make it hop; either remedy lets it rest in large steps. */
static void adaptive__ball_at_rest__either_remedy(void **state) {
    (void)state;
    bounce of[3];
    for (int rule = 0; rule < 3; ++rule) {
        scree_world_def def = ball_def(0.02, 0.02 / 4096, false);
        def.substeps = (scree_substeps_rule)rule;
        def.order = 4;
        def.restitution_speed = 0;
        of[rule] = run_ball(&def);
        print_message("rule %d: error %.1e m, %lld steps, largest step at rest "
                      "%.1e s\n",
                      rule, of[rule].worst, (long long)of[rule].steps,
                      of[rule].at_rest);
    }
    for (int rule = 0; rule < SCREE_SUBSTEPS_ALL; ++rule) {
        assert_near(of[rule].at_rest, 0.02, 1e-12);
        assert_true(of[rule].defect < 1e-7);
        assert_true(of[rule].worst < 1.5 * sqrt(2 * G * HEIGHT) * 0.02 / 4096);
    }
    assert_true(of[SCREE_SUBSTEPS_ALL].at_rest < 0.02 / 4);
    assert_true(of[SCREE_SUBSTEPS_ALL].steps > 10 * of[0].steps);
    assert_true(of[SCREE_SUBSTEPS_ALL].defect > 1e-5);
}

/* Where the ball is on its own way, steps are of order 2, and flags say where it hits. */
static void adaptive__ball__flags_say_what_happened(void **state) {
    (void)state;
    const scree_world_def def = ball_def(0.02, 0.02 / 1024, true);
    scree_world *world = make_ball_world(&def);
    int hits = 0;
    while (scree_world_time(world) < 0.5) {
        run(world, 1);
        const scree_scalars now = read_scalars(world);
        const double first_hit = 0.4283529;
        if (now.exit_flag == SCREE_SWITCH_RESOLVED) {
            assert_near(now.step_size, 0.02 / 1024, 1e-15);
            assert_int_equal(now.order, 1);
            hits += now.time > 0.01;
            if (now.time > 0.01) assert_near(now.time, first_hit, 1e-4);
        } else {
            assert_int_equal(now.exit_flag, SCREE_SMOOTH);
            assert_int_equal(now.order, now.step_size > 0.05 / 1024 ? 2 : 1);
        }
    }
    assert_int_equal(hits, 2); /* closed, and open again */
    scree_world_destroy(world);
}

/* ---- error control ------------------------------------------------------------------- */

/* The order grows to what the accuracy asks for; a step that cannot have it is shorter. */
static void adaptive__accuracy__order_and_step_follow(void **state) {
    (void)state;
    int most[2] = {0};
    double shortest[2] = {1, 1};
    for (int k = 0; k < 2; ++k) {
        scree_world_def def = firm_def(0.02);
        def.stepper = "moreau-adaptive";
        def.order = k == 0 ? 8 : 3;
        def.atol = 1e-9;
        def.dt_min = ldexp(def.dt, -12);
        scree_world *world = make_world(&def, (scree_contact_law){0});
        put_body(world, (put){.shape = add_box_shape(world, 0.2, 0.1, 0.05),
                              .w = vec(8, 1, 5)});
        for (int i = 0; i < 60; ++i) {
            run(world, 1);
            const scree_scalars now = read_scalars(world);
            most[k] = now.order > most[k] ? now.order : most[k];
            if (i > 40) shortest[k] = fmin(shortest[k], now.step_size);
        }
        scree_world_destroy(world);
    }
    print_message("orders %d and %d, steps %g and %g s\n", most[0], most[1],
                  shortest[0], shortest[1]);
    assert_true(most[0] > 4 && most[1] == 3);
    assert_true(2 * shortest[1] <= shortest[0]);
}

/* ---- the same bits -------------------------------------------------------------------- */

static int threads = 1;

/* Rocks of all kinds on a floor, some sliding, some in the air. */
static scree_world *make_rocks(const char *stepper, bool bodies) {
    scree_world_def def = firm_def(4e-3);
    def.stepper = stepper;
    def.dt_min = def.dt / 16;
    def.threads = threads;
    def.solver.iterations = 50;
    scree_world *world =
        make_world(&def, (scree_contact_law){.friction = 0.4, .e_n = 0.3});
    int shape[KINDS];
    add_box(world, 0.5);
    add_kinds(world, shape);
    for (int k = 0; k < (bodies ? 2 * KINDS : 0); ++k)
        put_kind(world, 0.1,
                 (put){.shape = shape[k % KINDS],
                       .x = vec(0.3 * (k % 3) - 0.3, 0.3 * (k / 3 % 2) - 0.1,
                                0.15 + 0.25 * (k / 6)),
                       .turn = vec(0.3 * k, 0.1, 0.2),
                       .v = vec(0.4, -0.2 * (k % 2), -0.5),
                       .w = vec(1, 2, k)});
    return world;
}

static void adaptive__threads__same_bits(void **state) {
    (void)state;
    uint64_t hash[2];
    const int64_t worth = scree_worth_threads(1);
    for (int k = 0; k < 2; ++k) {
        threads = k + 1;
        scree_world *world = make_rocks("moreau-adaptive", true);
        run(world, 300);
        hash[k] = scree_world_hash(world);
        scree_world_destroy(world);
    }
    threads = 1;
    scree_worth_threads(worth);
    assert_true(hash[0] == hash[1]);
}

static void load_copy(scree_world *from, scree_world *to, in_memory *m) {
    scree_error error = {0};
    scree_archive a = {.ops = &in_memory_ops, .self = m, .error = &error};
    assert_ok(scree_world_archive(from, &a));
    a.loads = true;
    assert_ok(scree_world_archive(to, &a));
}

/* After any step: with one that waits, behind a switching point, before one. */
static void adaptive__checkpoint__same_bits(void **state) {
    (void)state;
    scree_world *world = make_rocks("moreau-adaptive", true);
    for (int k = 0; k < 60; ++k) {
        in_memory m = {.n = 0};
        scree_world *again = make_rocks("moreau-adaptive", false);
        run(world, 1 + k % 7);
        load_copy(world, again, &m);
        assert_near(scree_world_step_size(world), scree_world_step_size(again),
                    0);
        for (int i = 0; i < 3; ++i) {
            run(world, 1);
            run(again, 1);
            assert_true(scree_world_hash(world) == scree_world_hash(again));
            assert_near(scree_world_time(world), scree_world_time(again), 0);
            assert_int_equal(read_scalars(world).exit_flag,
                             read_scalars(again).exit_flag);
        }
        scree_world_destroy(again);
        in_memory_clear(&m);
    }
    assert_true(scree_world_time(world) > 0.05);
    scree_world_destroy(world);
}

/* What was taken back leaves no trace: also where the list was built anew meanwhile, which
 * sorts the bodies. */
static void snapshot__restored__goes_on_with_the_same_bits(void **state) {
    (void)state;
    scree_world *world = make_rocks("moreau", true);
    scree_snapshot s = {0};
    scree_listing listing = {0};
    int rebuilt = 0;
    for (int k = 0; k < 40; ++k) {
        run(world, 3);
        assert_ok(scree_snapshot_save(&s, &listing, world));
        const int64_t before = world->accounts.cost.rebuilds;
        run(world, 5);
        const uint64_t there = scree_world_hash(world);
        const scree_scalars then = read_scalars(world);
        run(world, 10);
        rebuilt += world->accounts.cost.rebuilds > before;
        assert_false(scree_snapshot_is_of(&s, world));
        scree_snapshot_restore(&s, &listing, world);
        assert_true(scree_snapshot_is_of(&s, world));
        run(world, 5);
        const scree_scalars now = read_scalars(world);
        assert_true(scree_world_hash(world) == there);
        assert_near(now.time, then.time, 0);
        assert_near(now.dissipated, then.dissipated, 0);
        assert_int_equal(now.contacts, then.contacts);
    }
    assert_true(rebuilt > 5);
    scree_snapshot_free(&s);
    scree_world_destroy(world);
}

/* ---- what is not its own doing --------------------------------------------------------- */

/* A body that comes in between two steps, or is thrown, is a new start. */
static void adaptive__world_is_changed__starts_anew(void **state) {
    (void)state;
    const scree_world_def def = ball_def(0.02, 0.02 / 256, true);
    scree_world *world = make_ball_world(&def);
    while (scree_world_time(world) < 0.1) run(world, 1);
    assert_true(scree_world_step_size(world) > 0.01);
    add_sphere(world, RADIUS, vec(1, 0, 0.3), vec(0, 0, -1), zero);
    run(world, 1);
    assert_near(scree_world_step_size(world), def.dt_min, 1e-15);
    while (scree_world_time(world) < 0.2 - 1e-9) run(world, 1);
    assert_near(scree_world_time(world), 0.2, 1e-12);
    const double exact = HEIGHT - 0.5 * G * 0.04;
    assert_near(read_body(world, 0).x.z - RADIUS, exact, 1e-12);
    scree_world_destroy(world);
}

/* Smooth steps leave overlap alone, which must not stay for ever. */
static void adaptive__overlap_at_rest__is_worked_off(void **state) {
    (void)state;
    const scree_world_def def = ball_def(0.01, 0.01 / 64, true);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_floor(world);
    add_sphere(world, RADIUS, vec(0, 0, RADIUS - 1e-2 * RADIUS), zero, zero);
    while (scree_world_time(world) < 0.5) run(world, 1);
    assert_true(read_body(world, 0).x.z > RADIUS * (1 - 2e-4));
    assert_true(scree_world_steps(world) < 100);
    scree_world_destroy(world);
}

/* ---- many bodies ------------------------------------------------------------------------ */

/* Discs fall into a box: as moreau has them, and at no more than a few times the cost of
 * steps of dt_min. */
static scree_world *fall_discs(const char *stepper, int n, double dt,
                               double end) {
    scree_world_def def = plane_def(dt);
    def.stepper = stepper;
    def.dt_min = dt / 8;
    def.threads = 1;
    def.solver.tolerance = 3e-4;
    def.order = 2;
    scree_world *world =
        make_world(&def, (scree_contact_law){.friction = 0.3, .e_n = 0.3});
    const double r = 0.02, half = 10 * 2.2 * r;
    scree_random rng = {7};
    add_plane(world, zero, vec(0, 1, 0));
    add_plane(world, vec(-half, 0, 0), vec(1, 0, 0));
    add_plane(world, vec(half, 0, 0), vec(-1, 0, 0));
    for (int i = 0; i < n; ++i)
        add_sphere(world, r,
                   vec(2.2 * r * (i % 20 - 9.5),
                       r * (1.5 + 2.2 * (double)(i / 20)), 0),
                   vec(scree_random_range(&rng, -0.1, 0.1), 0, 0), zero);
    while (scree_world_time(world) < end - 1e-9) run(world, 1);
    return world;
}

static void adaptive__many_discs__as_moreau_has_them(void **state) {
    (void)state;
    scree_world *a = fall_discs("moreau-adaptive", 1000, 4e-3, 0.08),
                *b = fall_discs("moreau", 1000, 5e-4, 0.08);
    const scree_scalars x = read_scalars(a), y = read_scalars(b);
    scree_cost cost;
    scree_world_read_cost(a, &cost);
    print_message("potential %.6g and %.6g J, kinetic %.4g and %.4g J, %lld "
                  "substeps for %lld steps\n",
                  x.potential, y.potential, x.kinetic, y.kinetic,
                  (long long)cost.substeps, (long long)scree_world_steps(b));
    assert_near(x.potential / y.potential, 1, 1e-3);
    assert_near(x.kinetic / y.kinetic, 1, 0.05);
    assert_true(x.penetration_max < 2e-2 * 0.02);
    assert_near(energy_defect(a) / x.inserted, 0, 1e-6);
    assert_true(cost.substeps < 2 * scree_world_steps(b));
    scree_world_destroy(a);
    scree_world_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adaptive__bodies_slide__their_order),
        cmocka_unit_test(adaptive__box_tumbles__its_order),
        cmocka_unit_test(adaptive__ball__closed_form_to_dt_min),
        cmocka_unit_test(adaptive__ball_at_rest__either_remedy),
        cmocka_unit_test(adaptive__ball__flags_say_what_happened),
        cmocka_unit_test(adaptive__accuracy__order_and_step_follow),
        cmocka_unit_test(adaptive__threads__same_bits),
        cmocka_unit_test(adaptive__checkpoint__same_bits),
        cmocka_unit_test(snapshot__restored__goes_on_with_the_same_bits),
        cmocka_unit_test(adaptive__world_is_changed__starts_anew),
        cmocka_unit_test(adaptive__overlap_at_rest__is_worked_off),
        cmocka_unit_test(adaptive__many_discs__as_moreau_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
