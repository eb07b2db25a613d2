/* Bonds (solvers/law/bond.h): limits by closed forms, beams, what is carried from step to
 * step. */
#include "engine/laws/cohesion.h"
#include "engine/world/state.h"
#include "tests/analytic/shapes_fixture.h"
#include "tests/in_memory.h"

static const double R = 0.05;

/* Of a sphere of the default density. */
static double weight(void) {
    return 2500 * 4 / 3.0 * SCREE_PI * R * R * R * G;
}

static scree_world *bonded(const scree_world_def *def, scree_bond bond) {
    return make_world(def, (scree_contact_law){.friction = 0.5, .bond = bond});
}

typedef struct bonds {
    int intact, broken;
} bonds;

static bonds count_bonds(const scree_world *world) {
    scree_contact_view c[100];
    bonds n = {0, 0};
    assert_true(scree_world_contact_count(world) <= 100);
    scree_world_read_contacts(world, c);
    for (int64_t i = 0; i < scree_world_contact_count(world); ++i) {
        n.intact += c[i].state[SCREE_BOND_SHARE] > 0;
        n.broken += c[i].state[SCREE_BOND_SHARE] < 0;
    }
    return n;
}

/* n spheres in a row along `way`, the first on a wall that it leads away from. */
static scree_world *row_of(const scree_world_def *def, scree_bond bond, int n,
                           scree_vec3 way) {
    scree_world *world = bonded(def, bond);
    add_plane(world, vec(0, 0, 0), way);
    for (int i = 0; i < n; ++i)
        add_sphere(world, R, scale((2 * i + 1) * R, way), vec(0, 0, 0),
                   vec(0, 0, 0));
    return world;
}

/* ---- limits ------------------------------------------------------------------------ */

static void expect_breaking(scree_bond bond, int n, scree_vec3 way,
                            int intact) {
    const scree_world_def def = firm_def(1e-3);
    scree_world *world = row_of(&def, bond, n, way);
    run(world, 2);
    assert_int_equal(count_bonds(world).intact, intact);
    run(world, 1000);
    assert_true((-read_body(world, n - 1).x.z > (2 * n + 1) * R) ==
                (intact < n));
    scree_world_destroy(world);
}

/* The top of a hanging chain bears all of it. */
static void tension__of_a_chain__breaks_at_its_limit(void **state) {
    (void)state;
    const double N = 5 * weight();
    expect_breaking((scree_bond){1.0001 * N, N, 0}, 5, vec(0, 0, -1), 5);
    expect_breaking((scree_bond){0.9999 * N, N, 0}, 5, vec(0, 0, -1), 4);
}

/* On a vertical wall a sphere shears its bond by its weight, and bends it by R times that. */
static void shear__of_a_sphere__breaks_at_its_limit(void **state) {
    (void)state;
    const double T = weight(), M = 10 * R * T;
    expect_breaking((scree_bond){100 * T, 1.0001 * T, M}, 1, vec(1, 0, 0), 1);
    expect_breaking((scree_bond){100 * T, 0.9999 * T, M}, 1, vec(1, 0, 0), 0);
}

static void moment__of_a_sphere__breaks_at_its_limit(void **state) {
    (void)state;
    const double T = weight(), M = R * T;
    expect_breaking((scree_bond){10 * T, 10 * T, 1.0001 * M}, 1, vec(1, 0, 0),
                    1);
    expect_breaking((scree_bond){10 * T, 10 * T, 0.9999 * M}, 1, vec(1, 0, 0),
                    0);
}

/* A sphere whose wall turns about the normal faster and faster: M_N = theta domega/dt. Here
 * a wall that turns at once: the percussion is theta omega. */
static void torsion__of_a_sphere__breaks_at_its_limit(void **state) {
    (void)state;
    const double m = weight() / G, omega = 2, dt = 1e-3;
    const double M = 0.4 * m * R * R * omega / dt;
    for (int k = 0; k < 2; ++k) {
        const scree_world_def def = firm_def(dt);
        const scree_bond bond = {1e3, 1e3, (k ? 0.9999 : 1.0001) * M};
        scree_world *world = bonded(&def, bond);
        scree_plane_def wall = scree_plane_def_default();
        wall.normal[2] = 1;
        wall.motion.axis[2] = 1, wall.motion.rate = omega;
        assert_ok(scree_world_add_plane(world, &wall, NULL));
        add_sphere(world, R, vec(0, 0, R), vec(0, 0, 0), vec(0, 0, 0));
        run(world, 1);
        assert_int_equal(count_bonds(world).intact, k == 0);
        assert_near(read_body(world, 0).w.z, omega, 1e-6 * omega);
        run(world, 500);
        assert_near(read_body(world, 0).w.z, omega, 1e-3 * omega);
        scree_world_destroy(world);
    }
}

/* Compression breaks none. */
static void compression__far_beyond_the_limit__holds(void **state) {
    (void)state;
    const scree_world_def def = firm_def(1e-3);
    const double N = weight();
    scree_world *world = row_of(
        &def, (scree_bond){0.1 * N, 0.1 * N, 0.1 * R * N}, 5, vec(0, 0, 1));
    run(world, 300);
    assert_int_equal(count_bonds(world).intact, 5);
    assert_near(read_body(world, 4).x.z, 9 * R, 1e-6);
    scree_world_destroy(world);
}

/* ---- the largest overhang ------------------------------------------------------------- */

/* A beam of n spheres of diameter D = 2 R bends its root by m g D n^2 / 2: no beam has more
 * than sqrt(M / (m g R)) spheres. */
static void beam__stands_out_from_a_wall__largest_overhang(void **state) {
    (void)state;
    const double mgR = weight() * R;
    for (int n = 1; n <= 10; n += 3) {
        const scree_bond bond = {1e4, 1e4, 1.001 * n * n * mgR};
        const scree_world_def def = firm_def(1e-3);
        for (int more = 0; more < 2; ++more) {
            scree_world *world = row_of(&def, bond, n + more, vec(1, 0, 0));
            run(world, 200);
            const double sag = -read_body(world, n + more - 1).x.z;
            const bonds b = count_bonds(world);
            print_message("%d spheres: sag %.1e m, %d bonds hold\n", n + more,
                          sag, b.intact);
            assert_true(more ? sag > 0.01 : sag < 1e-5);
            /* the root alone gives way */
            assert_int_equal(b.intact, n);
            scree_world_destroy(world);
        }
    }
}

/* With the solver's defaults, what the user gets: nothing set but limits far above. */
static void beam__at_the_defaults__stands_and_turns_as_one(void **state) {
    (void)state;
    scree_world_def def = scree_world_def_default();
    def.dt = 1e-3;
    scree_world *world =
        row_of(&def, (scree_bond){1e4, 1e4, 1e3}, 20, vec(1, 0, 0));
    double force[3];
    run(world, 500);
    scree_world_read_wall_force(world, 0, force);
    assert_near(force[2], -20 * weight(), 1e-3 * weight());
    assert_near(read_body(world, 19).x.z, 0, 1e-3 * R);
    assert_int_equal(count_bonds(world).intact, 20);
    scree_world_destroy(world);
}

/* ---- motion --------------------------------------------------------------------------- */

/* A dumbbell flies and spins for ten turns: momenta to rounding, the gap it was made at. */
static void dumbbell__spins__keeps_its_length_and_momenta(void **state) {
    (void)state;
    scree_world_def def = firm_def(1e-3);
    def.gravity[2] = 0;
    def.solver.tolerance = 1e-10;
    const double gap = 2e-4, w = 6, l = R + gap / 2;
    scree_world *world = bonded(&def, (scree_bond){1e4, 1e4, 1e3});
    add_sphere(world, R, vec(-l, 0, 0), vec(1, -w * l, 0), vec(0, 0, w));
    add_sphere(world, R, vec(l, 0, 0), vec(1, w * l, 0), vec(0, 0, w));
    const scree_scalars first = read_scalars(world);
    run(world, 10500);
    const scree_scalars last = read_scalars(world);
    const body a = read_body(world, 0), b = read_body(world, 1);
    print_message("gap %.3e after %.3e m, energy lost %.1e\n",
                  norm(sub(b.x, a.x)) - 2 * R, gap,
                  1 - last.kinetic / first.kinetic);
    /* midpoints keep the gap; ends of steps are w^2 dt^2 l / 4 farther out */
    assert_near(norm(sub(b.x, a.x)), 2 * l, w * w * 1e-6 * l);
    assert_near(last.angular_momentum[2], first.angular_momentum[2], 1e-12);
    assert_near(last.momentum[0], first.momentum[0], 1e-12);
    assert_near(last.kinetic, first.kinetic, 1e-4 * first.kinetic);
    assert_near(last.scheme_error, 0, 1e-12 * first.kinetic);
    assert_near(a.w.z, w, 1e-4 * w);
    assert_int_equal(count_bonds(world).intact, 1);
    scree_world_destroy(world);
}

/* Without a moment a bond is a hinge: the chain swings down, and hangs together. */
static void hinges__of_a_chain__swing_down(void **state) {
    (void)state;
    const scree_world_def def = firm_def(1e-3);
    scree_world *world =
        row_of(&def, (scree_bond){1e4, 1e4, 0}, 4, vec(1, 0, 0));
    run(world, 300);
    assert_int_equal(count_bonds(world).intact, 4);
    assert_true(-read_body(world, 3).x.z > 4 * R);
    for (int i = 0; i < 3; ++i)
        assert_near(norm(sub(read_body(world, i + 1).x, read_body(world, i).x)),
                    2 * R, 1e-3 * R);
    scree_world_destroy(world);
}

/* ---- when, and for good ------------------------------------------------------------------ */

/* A sphere that comes back to where its bond broke is not glued again, unless bonds are
 * made always, and it had left. */
static int intact_after(scree_bond bond, double landing) {
    scree_world_def def = firm_def(1e-3);
    scree_world *world = bonded(&def, bond);
    add_floor(world);
    add_sphere(world, R, vec(0, 0, R + landing), vec(0, 0, 0), vec(0, 0, 0));
    run(world, 200);
    const int intact = count_bonds(world).intact;
    scree_world_destroy(world);
    return intact;
}

static void bonds__are_made__when_the_law_says(void **state) {
    (void)state;
    assert_int_equal(intact_after((scree_bond){1, 1}, 0), 1);
    assert_int_equal(intact_after((scree_bond){1, 1}, 0.01), 0); /* later */
    assert_int_equal(intact_after((scree_bond){1e4, 1, .always = true}, 0.01),
                     1);
    assert_int_equal(intact_after((scree_bond){1, 1, .from = 0.15}, 0.01), 1);
    assert_int_equal(intact_after((scree_bond){1, 1, .from = 0.25}, 0), 0);
    /* up to a gap: a sphere that is glued above the floor stays there */
    assert_int_equal(intact_after((scree_bond){1e2, 1, .range = 0.02}, 0.01),
                     1);
}

static void broken_bond__pressed_again__stays_broken(void **state) {
    (void)state;
    scree_world_def def = firm_def(1e-3);
    scree_world *world = bonded(&def, (scree_bond){1e3, 0.1, .always = true});
    add_floor(world);
    add_sphere(world, R, vec(0, 0, R), vec(1, 0, 0), vec(0, 0, 0));
    run(world, 100); /* it is torn off by its slip, and rolls on */
    const bonds b = count_bonds(world);
    assert_int_equal(b.intact, 0);
    assert_int_equal(b.broken, 1);
    assert_near(read_body(world, 0).v.x, 5.0 / 7, 1e-2);
    scree_world_destroy(world);
}

/* Four corners share the limits of one bond. How much each of them bears rigid bodies leave
 * open: four times the weight is enough for any, the weight is not enough for all. */
static void box__glued_to_a_ceiling__its_points_share_the_limit(void **state) {
    (void)state;
    const double W = 2500 * 0.1 * 0.1 * 0.1 * G;
    for (int k = 0; k < 2; ++k) {
        const scree_world_def def = firm_def(1e-3);
        scree_world *world =
            bonded(&def, (scree_bond){(k ? 0.999 : 4.001) * W, W, 0});
        add_plane(world, vec(0, 0, 0), vec(0, 0, -1));
        const int shape = add_box_shape(world, 0.1, 0.1, 0.1);
        put_body(world, (put){shape, .x = vec(0, 0, -0.05)});
        run(world, 1);
        run(world, 300);
        assert_int_equal(count_bonds(world).intact, k ? 0 : 4);
        assert_true((read_body(world, 0).x.z < -0.1) == (k == 1));
        scree_world_destroy(world);
    }
}

/* ---- bits --------------------------------------------------------------------------------- */

/* A wall of spheres, bonded, that a heavy ball hits. */
static scree_world *struck_wall(int threads) {
    scree_world_def def = firm_def(1e-3);
    def.threads = threads;
    scree_world *world = bonded(&def, (scree_bond){5e3, 4e3, 100});
    add_floor(world);
    for (int i = 0; i < 48; ++i)
        add_sphere(world, R, vec(0, (i % 8) * 2 * R, R + i / 8 * 2 * R),
                   vec(0, 0, 0), vec(0, 0, 0));
    add_sphere(world, 2 * R, vec(-0.3, 0.35, 0.3), vec(5, 0, 0), vec(0, 0, 0));
    return world;
}

static uint64_t hash_after(scree_world *world, int steps) {
    run(world, steps);
    const uint64_t hash = scree_world_hash(world);
    scree_world_destroy(world);
    return hash;
}

static uint64_t hash_of_restart(in_memory *m, const char *lost) {
    scree_world *world = struck_wall(1);
    scree_error error = {0};
    scree_archive a = {
        .ops = &in_memory_ops, .self = m, .loads = true, .error = &error};
    m->lost = lost;
    assert_ok(scree_world_archive(world, &a));
    return hash_after(world, 40);
}

static void wall__struck__same_bits_with_threads_and_restart(void **state) {
    (void)state;
    scree_world *world = struck_wall(1);
    scree_error error = {0};
    in_memory m = {.n = 0};
    run(world, 60);
    const bonds b = count_bonds(world);
    print_message("%d bonds hold, %d are broken\n", b.intact, b.broken);
    assert_true(b.intact > 20 && b.broken > 0);
    scree_archive a = {.ops = &in_memory_ops, .self = &m, .error = &error};
    assert_ok(scree_world_archive(world, &a));
    const uint64_t hash = hash_after(world, 40);
    assert_true(hash == hash_after(struck_wall(3), 100));
    assert_true(hash == hash_of_restart(&m, NULL));
    assert_true(hash != hash_of_restart(&m, "contacts/bond"));
    in_memory_clear(&m);
}

/* ---- refused ------------------------------------------------------------------------------- */

static void expect_refused(const char *stepper, scree_contact_law law,
                           const char *sentence) {
    scree_world_def def = firm_def(1e-3);
    def.stepper = stepper;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 1});
    assert_int_equal(scree_world_set_pair(world, 0, 0, &law),
                     SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(scree_world_error(world), sentence));
    scree_world_destroy(world);
}

static void bond__cannot_be__says_why(void **state) {
    (void)state;
    expect_refused("moreau", (scree_contact_law){.bond = {1, 0}},
                   "a normal and a tangential limit");
    expect_refused("moreau", (scree_contact_law){.bond = {0, 0, 1}},
                   "a bond with a moment");
    expect_refused("moreau", (scree_contact_law){.bond = {1, -1}},
                   "not finite and >= 0");
    expect_refused(
        "moreau",
        (scree_contact_law){.bond = {1, 1}, .impact = SCREE_IMPACT_POISSON},
        "Poisson's impact law");
    expect_refused("rattle", (scree_contact_law){.bond = {1, 1}},
                   "moreau with gap control");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tension__of_a_chain__breaks_at_its_limit),
        cmocka_unit_test(shear__of_a_sphere__breaks_at_its_limit),
        cmocka_unit_test(moment__of_a_sphere__breaks_at_its_limit),
        cmocka_unit_test(torsion__of_a_sphere__breaks_at_its_limit),
        cmocka_unit_test(compression__far_beyond_the_limit__holds),
        cmocka_unit_test(beam__stands_out_from_a_wall__largest_overhang),
        cmocka_unit_test(beam__at_the_defaults__stands_and_turns_as_one),
        cmocka_unit_test(dumbbell__spins__keeps_its_length_and_momenta),
        cmocka_unit_test(hinges__of_a_chain__swing_down),
        cmocka_unit_test(bonds__are_made__when_the_law_says),
        cmocka_unit_test(broken_bond__pressed_again__stays_broken),
        cmocka_unit_test(box__glued_to_a_ceiling__its_points_share_the_limit),
        cmocka_unit_test(wall__struck__same_bits_with_threads_and_restart),
        cmocka_unit_test(bond__cannot_be__says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
