/* Friction with slippage (solvers/law/slippage.c) and drag of ground (engine/laws/drag.c):
 * closed forms, the two runs of Leine and others 2014, section 5, energy, restarts. */
#include <stdio.h>

#include "engine/world/state.h"
#include "engine/world/view.h"
#include "engine/world/world.h"
#include "tests/analytic/shapes_fixture.h"
#include "tests/in_memory.h"

enum { SLIPPAGE = 1 }; /* of what laws keep of a body */

static double slippage_of(const scree_world *world) {
    return world->state.bodies.kept[0].x[SLIPPAGE];
}

static scree_world_def tight_def(const char *stepper, double dt) {
    scree_world_def def = scree_world_def_default();
    def.stepper = stepper;
    def.dt = dt;
    def.solver.iterations = 5000;
    def.solver.tolerance = 1e-11;
    return def;
}

static const scree_slippage soft = {
    .least = 0.2, .growth = 20, .decay = 6.931471805599453};

/* A rock's material and the ground's: the ground alone has the law. */
static scree_world *ground_world(const scree_world_def *def,
                                 const scree_contact_law *ground) {
    scree_world *world = make_world(def, (scree_contact_law){.friction = 0.9});
    scree_material_def material = scree_material_def_default();
    scree_plane_def floor = scree_plane_def_default();
    material.law = *ground;
    assert_ok(scree_world_add_material(world, &material, &floor.material));
    floor.normal[2] = 1;
    assert_ok(scree_world_add_plane(world, &floor, NULL));
    return world;
}

static scree_world *sliding_block(const scree_world_def *def,
                                  const scree_slippage *slippage) {
    const scree_contact_law law = {.friction = 0.8, .slippage = *slippage};
    scree_world *world = ground_world(def, &law);
    const int shape = add_box_shape(world, 0.3, 0.3, 0.02);
    put_body(world, (put){shape, .x = vec(0, 0, 0.01), .v = vec(1.5, 0, 0)});
    return world;
}

/* ---- closed forms -------------------------------------------------------------- */

/* v^2 = v_0^2 - 2 g (mu_0 s + (mu - mu_0) 2 / pi
 * (s atan(kappa s) - ln(1 + kappa^2 s^2) / (2 kappa))). */
static double closed_speed(double s) {
    const double k = soft.growth * s;
    const double grown = s * atan(k) - log1p(k * k) / (2 * soft.growth);
    const double work =
        soft.least * s + (0.8 - soft.least) * 2 / acos(-1) * grown;
    return sqrt(1.5 * 1.5 - 2 * G * work);
}

static double speed_error(const char *stepper, double dt) {
    const scree_world_def def = tight_def(stepper, dt);
    scree_world *world = sliding_block(&def, &soft);
    run(world, (int)lround(0.1 / dt));
    const body b = read_body(world, 0);
    const double error = fabs(b.v.x - closed_speed(b.x.x));
    print_message("%s, dt %g: v %.6f after %.4f m, error %.2e m/s\n", stepper,
                  dt, b.v.x, b.x.x, error);
    assert_near(slippage_of(world), b.x.x, 2 * 1.5 * dt);
    scree_world_destroy(world);
    return error;
}

/* First order in the step, for s is that of its beginning. */
static void slippage__block_slides__speed_of_its_way(void **state) {
    (void)state;
    const char *const steppers[] = {"moreau", "rattle"};
    for (int k = 0; k < 2; ++k) {
        const double coarse = speed_error(steppers[k], 2e-3);
        const double fine = speed_error(steppers[k], 5e-4);
        assert_true(coarse < 1e-2 && fine < 0.35 * coarse);
    }
}

static void slippage__block_flies__way_is_forgotten(void **state) {
    (void)state;
    const scree_world_def def = tight_def("moreau", 1e-3);
    scree_world *world = sliding_block(&def, &soft);
    run(world, 50);
    world->state.bodies.u[0].v = vec(0, 0, 2);
    run(world, 2);
    const double s = slippage_of(world);
    run(world, 100);
    assert_true(s > 0.05);
    assert_near(slippage_of(world), s / 2, 1e-12 * s);
    scree_world_destroy(world);
}

/* A disc that rolls without slip pushes ground up: v_S counts, not the slip. */
static void slippage__ball_rolls__counts_its_way(void **state) {
    (void)state;
    const scree_world_def def = tight_def("moreau", 1e-3);
    const scree_contact_law law = {.friction = 0.8, .slippage = soft};
    scree_world *world = ground_world(&def, &law);
    scree_sphere_def ball = scree_sphere_def_default();
    ball.radius = 0.1, ball.position[2] = 0.1;
    ball.velocity[0] = 1, ball.angular_velocity[1] = 10;
    assert_ok(scree_world_add_sphere(world, &ball, NULL));
    run(world, 500);
    assert_near(read_body(world, 0).v.x, 1, 1e-9);
    assert_near(slippage_of(world), 0.5, 1e-9);
    scree_world_destroy(world);
}

/* On ground without friction v falls as exp(-nu t), and the books have what it lost. */
static void drag__block_slides__speed_falls_exponentially(void **state) {
    (void)state;
    const scree_world_def def = tight_def("moreau", 1e-3);
    const scree_contact_law law = {.slippage = {.growth = 1, .drag = 0.9}};
    scree_world *world = ground_world(&def, &law);
    const int shape = add_box_shape(world, 0.3, 0.3, 0.02);
    put_body(world, (put){shape, .x = vec(0, 0, 0.01), .v = vec(1.5, 0, 0)});
    run(world, 500);
    /* the first step knows of no ground yet */
    assert_near(read_body(world, 0).v.x, 1.5 * exp(-0.9 * 0.499), 1e-9);
    scree_scalars s;
    scree_world_read_scalars(world, &s);
    assert_true(s.dissipated_friction > 0.1 * s.kinetic);
    assert_near(s.scheme_error, 0, 1e-12 * s.inserted);
    world->state.bodies.u[0].v.z = 3;
    run(world, 2);
    const double v = read_body(world, 0).v.x;
    run(world, 100); /* in flight nothing holds it */
    assert_near(read_body(world, 0).v.x, v, 1e-15);
    scree_world_destroy(world);
}

/* ---- Leine and others 2014, section 5.1 ----------------------------------------- */

/* Two pyramids on a square of 2 m, 10 m high each, on a slope of 45 degrees. */
static scree_world *octahedron_world(const char *stepper, double dt) {
    const scree_contact_law law = {
        .friction = 1.3,
        .slippage = {.least = 0.2, .growth = 0.7, .decay = 20}};
    static const double corners[] = {-1, 0, -1, 1, 0,   -1, 1, 0,  1,
                                     -1, 0, 1,  0, -10, 0,  0, 10, 0};
    scree_world_def def = tight_def(stepper, dt);
    tilt(&def, acos(-1) / 4, 2);
    scree_world *world = ground_world(&def, &law);
    world->scene.materials[0].density = 3000;
    const int shape =
        add_points_shape(world, SCREE_SHAPE_POLYHEDRON, corners, 6, 0);
    put_body(world, (put){shape, .x = vec(0, 0, 1 + 1e-9)});
    return world;
}

/* Normal forces of the contacts at the rear (x less than the centre's) and in front. */
static void corner_forces(const scree_world *world, double force[2]) {
    const double dt = world->state.dt, x = world->state.bodies.x[0].x.x;
    scree_contact_view c[8];
    const int64_t n = scree_world_contact_count(world);
    assert_true(n <= 8);
    scree_world_read_contacts(world, c);
    force[0] = force[1] = 0;
    for (int64_t k = 0; k < n; ++k)
        force[c[k].point[0] > x] += c[k].percussion[2] / dt;
}

static const double WEIGHT = 80000 * 9.81 * 0.70710678118654752;

static double friction_at(double s) {
    return 0.2 + 2 / acos(-1) * 1.1 * atan(0.7 * s);
}

/* (72): while both corners slide. Returns s where the rear one opens. */
static double slide_until_opening(scree_world *world) {
    double force[2], s;
    int steps = 0;
    for (;; ++steps) {
        s = slippage_of(world);
        assert_ok(scree_world_step(world));
        corner_forces(world, force);
        if (steps > 2 && force[0] == 0) return s;
        assert_true(steps < 20000);
        const double mu = friction_at(s);
        if (steps <= 2) continue;
        assert_near(force[0], (1 - mu) * WEIGHT / 2, 2e-3 * WEIGHT);
        assert_near(force[1], (1 + mu) * WEIGHT / 2, 2e-3 * WEIGHT);
    }
}

static void
octahedron__slides__rear_corner_opens_at_published_slippage(void **state) {
    (void)state;
    const char *const steppers[] = {"moreau", "rattle"};
    const double published = tan(acos(-1) / 2 * 0.8 / 1.1) / 0.7;
    for (int k = 0; k < 2; ++k) {
        scree_world *world = octahedron_world(steppers[k], 1e-3);
        const double mass = 1 / world->state.bodies.u[0].inv_m;
        assert_near(mass, 80000, 1e-6);
        const double s = slide_until_opening(world);
        print_message("%s: opens at s = %.4f m (published %.4f)\n", steppers[k],
                      s, published);
        assert_near(s, published, 0.01 * published);
        /* It turns about its front corner, leaves the ground and forgets. */
        int steps = 0;
        while (world->state.bodies.kept[0].borne && ++steps < 5000)
            assert_ok(scree_world_step(world));
        assert_true(fabs(world->state.bodies.u[0].w.y) > 0.1);
        const double begin = slippage_of(world), t = world->state.t;
        assert_true(begin > published);
        for (steps = 0; steps < 5000; ++steps) {
            assert_ok(scree_world_step(world));
            if (world->state.bodies.kept[0].borne) break;
            assert_near(slippage_of(world),
                        begin * exp(-20 * (world->state.t - t)), 1e-10 * begin);
        }
        assert_true(steps > 20 && steps < 5000);
        scree_world_destroy(world);
    }
}

/* ---- section 5.2 ------------------------------------------------------------------ */

static double energy_of(const scree_world *world) {
    scree_scalars s;
    scree_world_read_scalars(world, &s);
    return s.kinetic + s.potential;
}

static scree_vec3 in_body_frame(scree_quat q, scree_vec3 a) {
    return quat_rotate((scree_quat){q.w, -q.x, -q.y, -q.z}, a);
}

typedef struct rolling {
    double about_y, about_z; /* share of the spin: first 2 s, last 5 s */
    double speed, gain;      /* at the end [m/s]; of energy, at most [J] */
} rolling;

/* Stands on an edge as a wheel that rolls without slip about its axis y, or z. */
static scree_world *rolling_box(double above, bool about_z) {
    scree_world_def def = scree_world_def_default();
    def.dt = 4e-3;
    def.keep_spin_energy = true;
    tilt(&def, 27 * acos(-1) / 180, 2);
    const scree_contact_law rough = {.friction = 10};
    scree_world *world = ground_world(&def, &rough);
    world->scene.materials[0].density = 3000;
    assert_ok(scree_world_set_pair(world, 0, 1, &rough));
    const int shape = add_box_shape(world, 2.5, 3, 1);
    const double radius = about_z ? hypot(1.25, 1.5) : hypot(1.25, 0.5);
    const scree_vec3 turn =
        about_z ? vec(acos(-1) / 2, 0, 0) : vec(0, atan(2.5), 0);
    put_body(world, (put){shape, .x = vec(0, 0, radius + above), .turn = turn,
                          .v = vec(28, 0, 0), .w = vec(0, 28 / radius, 0)});
    return world;
}

static rolling roll_down(double above, bool about_z) {
    enum { STEPS = 15000, FIRST = 500, LAST = 1250 };
    scree_world *world = rolling_box(above, about_z);
    rolling r = {0};
    double before = energy_of(world);
    for (int k = 0; k < STEPS; ++k) {
        assert_ok(scree_world_step(world));
        const scree_twist *u = &world->state.bodies.u[0];
        const scree_vec3 w = in_body_frame(world->state.bodies.q[0], u->w);
        const double now = energy_of(world);
        if (k < FIRST) r.about_y += fabs(w.y) / norm(w) / FIRST;
        if (k >= STEPS - LAST) r.about_z += fabs(w.z) / norm(w) / LAST;
        r.gain = fmax(r.gain, (now - before) / fabs(now));
        before = now;
    }
    r.speed = norm(world->state.bodies.u[0].v);
    scree_world_destroy(world);
    return r;
}

/* How many of some releases end as wheels about the axis of largest inertia, roll
 * about another one, or lie still. */
typedef struct endings {
    int wheels, others, still;
} endings;

static endings roll_many(bool about_z) {
    enum { RELEASES = 24 };
    endings e = {0};
    for (int k = 0; k < RELEASES; ++k) {
        const rolling r = roll_down(1e-4 * (1 + k), about_z);
        assert_true(r.gain < 1e-6); /* in rolling: laws.h */
        assert_true(about_z || r.about_y > 0.95);
        if (r.speed < 1e-3)
            ++e.still;
        else if (r.about_z > 0.9)
            ++e.wheels;
        else
            ++e.others;
    }
    print_message("about %c at first: %d end as wheels about z, %d roll "
                  "otherwise, %d lie\n",
                  about_z ? 'z' : 'y', e.wheels, e.others, e.still);
    return e;
}

/* A box that rolls about its axis of least inertia leaves it, for reasons of rounding: it
 * ends as a wheel about the axis of largest inertia, as published, or it lies still. */
static void
box__rolls_about_least_inertia__ends_about_the_largest(void **state) {
    (void)state;
    const endings e = roll_many(false);
    assert_true(e.wheels >= 2 && e.wheels > e.others);
}

/* Which most that have it from the beginning keep. */
static void box__rolls_about_largest_inertia__stays(void **state) {
    (void)state;
    const endings e = roll_many(true);
    assert_true(e.wheels >= 16 && e.wheels > 5 * e.others);
}

/* Tumbling in flight: energy and angular momentum, to rounding. */
static void flight__tumbling_box__energy_of_spin_is_constant(void **state) {
    (void)state;
    scree_world_def def = tight_def("moreau", 2e-3);
    def.keep_spin_energy = true;
    def.gravity[2] = 0;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 1});
    const int shape = add_box_shape(world, 1.2, 0.8, 0.5);
    put_body(world, (put){shape, .v = vec(3, 0, 5), .w = vec(0.3, 14, 0.2)});
    scree_scalars first, last;
    scree_world_read_scalars(world, &first);
    double most = 0;
    for (int k = 0; k < 5000; ++k) {
        run(world, 1);
        scree_world_read_scalars(world, &last);
        most = fmax(most, fabs(last.kinetic / first.kinetic - 1));
    }
    print_message("largest change of energy %.2e\n", most);
    assert_true(most < 1e-12);
    for (int k = 0; k < 3; ++k)
        assert_near(last.angular_momentum[k], first.angular_momentum[k],
                    1e-11 * fabs(first.angular_momentum[1]));
    /* About its middle axis it turns over, and over again. */
    const scree_vec3 w =
        in_body_frame(world->state.bodies.q[0], world->state.bodies.u[0].w);
    assert_true(fabs(w.y) < 14);
    scree_world_destroy(world);
}

/* The same motion as that of small steps without it, to second order. */
static void flight__tumbling_box__second_order(void **state) {
    (void)state;
    scree_vec3 w[3];
    for (int k = 0; k < 3; ++k) {
        scree_world_def def =
            tight_def("moreau", k == 2 ? 2e-5 : 4e-3 / (1 + k));
        def.keep_spin_energy = k < 2;
        scree_world *world =
            make_world(&def, (scree_contact_law){.friction = 1});
        const int shape = add_box_shape(world, 1.2, 0.8, 0.5);
        put_body(world, (put){shape, .w = vec(3, 4, 2)});
        run(world, (int)lround(1 / def.dt));
        w[k] = world->state.bodies.u[0].w;
        scree_world_destroy(world);
    }
    const double coarse = norm(sub(w[0], w[2])), fine = norm(sub(w[1], w[2]));
    print_message("errors %.2e, %.2e\n", coarse, fine);
    assert_true(fine < 1e-3 && fine > 1e-7 && coarse / fine > 3.8 &&
                coarse / fine < 4.2);
}

/* ---- restarts --------------------------------------------------------------------- */

static uint64_t hash_of_restart(in_memory *m, const char *lost) {
    const scree_world_def def = tight_def("moreau", 1e-3);
    static const scree_slippage held = {
        .least = 0.2, .growth = 20, .decay = 6, .drag = 0.9};
    scree_error error = {0};
    const scree_contact_law law = {.friction = 0.8, .slippage = held};
    scree_world *world = ground_world(&def, &law);
    add_box_shape(world, 0.3, 0.3, 0.02);
    scree_archive a = {
        .ops = &in_memory_ops, .self = m, .loads = true, .error = &error};
    m->lost = lost;
    assert_ok(scree_world_archive(world, &a));
    run(world, 40);
    const uint64_t hash = scree_world_hash(world);
    scree_world_destroy(world);
    return hash;
}

static void slippage__checkpoint__goes_on_with_the_same_bits(void **state) {
    (void)state;
    const scree_world_def def = tight_def("moreau", 1e-3);
    static const scree_slippage held = {
        .least = 0.2, .growth = 20, .decay = 6, .drag = 0.9};
    scree_world *world = sliding_block(&def, &held);
    scree_error error = {0};
    in_memory m = {.n = 0};
    run(world, 60);
    scree_archive a = {.ops = &in_memory_ops, .self = &m, .error = &error};
    assert_ok(scree_world_archive(world, &a));
    run(world, 40);
    const uint64_t hash = scree_world_hash(world);
    assert_true(hash == hash_of_restart(&m, NULL));
    assert_true(hash != hash_of_restart(&m, "bodies/slippage"));
    assert_true(hash != hash_of_restart(&m, "bodies/borne"));
    scree_world_destroy(world);
    in_memory_clear(&m);
}

/* ---- refused ---------------------------------------------------------------------- */

static void expect_refused(const char *stepper, scree_contact_law law,
                           const char *sentence) {
    const scree_world_def def = tight_def(stepper, 1e-3);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 1});
    assert_int_equal(scree_world_set_pair(world, 0, 0, &law),
                     SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(scree_world_error(world), sentence));
    scree_world_destroy(world);
}

static void slippage__cannot_be__says_why(void **state) {
    (void)state;
    expect_refused("moreau",
                   (scree_contact_law){.friction = 0.1,
                                       .slippage = {.least = 0.2, .growth = 1}},
                   "is more than the friction 0.1");
    expect_refused("moreau",
                   (scree_contact_law){.friction = 1, .slippage = {.decay = 1}},
                   "growth 0");
    expect_refused(
        "moreau",
        (scree_contact_law){.friction = 1, .slippage = {.growth = -1}},
        "not >= 0");
    expect_refused("rattle",
                   (scree_contact_law){.friction = 1,
                                       .slippage = {.growth = 1, .drag = 1}},
                   "rattle does not know drag of the ground");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slippage__block_slides__speed_of_its_way),
        cmocka_unit_test(slippage__block_flies__way_is_forgotten),
        cmocka_unit_test(slippage__ball_rolls__counts_its_way),
        cmocka_unit_test(drag__block_slides__speed_falls_exponentially),
        cmocka_unit_test(
            octahedron__slides__rear_corner_opens_at_published_slippage),
        cmocka_unit_test(
            box__rolls_about_least_inertia__ends_about_the_largest),
        cmocka_unit_test(box__rolls_about_largest_inertia__stays),
        cmocka_unit_test(flight__tumbling_box__energy_of_spin_is_constant),
        cmocka_unit_test(flight__tumbling_box__second_order),
        cmocka_unit_test(slippage__checkpoint__goes_on_with_the_same_bits),
        cmocka_unit_test(slippage__cannot_be__says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
