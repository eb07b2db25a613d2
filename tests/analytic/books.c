/* Energy: each account against its closed form, and what schemes make of the rest. */
#include "tests/analytic/shapes_fixture.h"

static const scree_vec3 zero = {0, 0, 0};
static const char *const steppers[] = {"moreau", "rattle", "semi-implicit-2",
                                       "semi-implicit-3"};
enum { STEPPERS = sizeof steppers / sizeof *steppers };

static scree_world_def books_def(const char *stepper, double dt) {
    scree_world_def def = firm_def(dt);
    def.stepper = stepper;
    def.threads = 1;
    def.solver.iterations = 5000;
    def.solver.tolerance = 1e-12;
    return def;
}

/* mu m g s, and no more at rest. */
static void books__sliding_block__friction_is_mu_m_g_s(void **state) {
    (void)state;
    const double mu = 0.3;
    for (int k = 0; k < 2; ++k) {
        const scree_world_def def = books_def(steppers[k], 1e-3);
        scree_world *world =
            make_world(&def, (scree_contact_law){.friction = mu});
        add_floor(world);
        const put p = {.shape = add_box_shape(world, 0.3, 0.2, 0.02),
                       .x = {0, 0, 0.01},
                       .v = {0.6, 0.2, 0}};
        put_body(world, p);
        run(world, 400);
        const body b = read_body(world, 0);
        const scree_scalars s = read_scalars(world);
        const double way = norm(vec(b.x.x, b.x.y, 0));
        assert_near(norm(b.v), 0, 1e-9);
        assert_near(way, 0.4 / (2 * mu * G), 1e-4);
        assert_near(s.dissipated_friction / (mu * b.m * G * way), 1, 1e-3);
        assert_near(s.dissipated_normal / s.inserted, 0, 1e-6);
        assert_true(s.dissipated_turning == 0);
        assert_near(s.scheme_error / s.inserted, 0, 1e-6);
        scree_world_destroy(world);
    }
}

/* (1 - e^2) m v^2 / 2, at an angle: what is tangential stays. */
static void books__hit__normal_is_one_minus_e_squared(void **state) {
    (void)state;
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i <= 4; ++i) {
            const double e = 0.25 * i;
            scree_world_def def = books_def(steppers[k], 1e-3);
            def.gravity[2] = 0;
            def.gap_control = false;
            scree_world *world =
                make_world(&def, (scree_contact_law){.e_n = e});
            add_floor(world);
            add_sphere(world, 0.1, vec(0, 0, 0.2), vec(1, 0, -2), zero);
            run(world, 100);
            const scree_scalars s = read_scalars(world);
            const double m = read_body(world, 0).m;
            assert_near(s.dissipated_normal, (1 - e * e) * m * 4 / 2, 1e-10);
            assert_near(s.dissipated_friction, 0, 1e-12);
            assert_near(s.scheme_error, 0, 1e-12);
            scree_world_destroy(world);
        }
}

/* A moment `arm` m g over the angle that the sphere rolls. */
static void books__rolling_sphere__turning_is_its_moment(void **state) {
    (void)state;
    const double arm = 2e-3, r = 0.1;
    for (int k = 0; k < 2; ++k) {
        const scree_world_def def = books_def(steppers[k], 1e-3);
        scree_world *world = make_world(
            &def, (scree_contact_law){.friction = 0.8, .rolling = arm});
        add_floor(world);
        add_sphere(world, r, vec(0, 0, r), vec(0.5, 0, 0), vec(0, 5, 0));
        run(world, 500);
        const body b = read_body(world, 0);
        const scree_scalars s = read_scalars(world);
        const double work = arm * b.m * G * b.x.x / r;
        assert_true(b.v.x > 0.1);
        assert_near(s.dissipated_turning / work, 1, 1e-6);
        assert_near(s.dissipated_friction / work, 0, 1e-6);
        assert_near(s.dissipated_normal / work, 0, 1e-6);
        assert_near(s.scheme_error / s.inserted, 0, 1e-9);
        scree_world_destroy(world);
    }
}

/* A sphere on a plate that spins below it: the plate gives, drilling takes what the
 * sphere does not keep. */
static void books__spinning_plate__gives_by_its_moment(void **state) {
    (void)state;
    for (int k = 0; k < 2; ++k) {
        const scree_world_def def = books_def(steppers[k], 1e-3);
        scree_world *world = make_world(
            &def, (scree_contact_law){.friction = 0.5, .drilling = 0.01});
        scree_plane_def plate = scree_plane_def_default();
        plate.motion.rate = 3;
        assert_ok(scree_world_add_plane(world, &plate, NULL));
        add_sphere(world, 0.1, vec(0, 0, 0.1), zero, zero);
        run(world, 1000);
        const body b = read_body(world, 0);
        const scree_scalars s = read_scalars(world);
        /* A constant moment: as much is lost as the sphere gets. */
        const double own = 0.5 * 0.4 * b.m * b.r * b.r * 9;
        assert_near(b.w.z, 3, 1e-9);
        assert_near(s.wall_work / own, 2, 1e-2);
        assert_near(s.dissipated / own, 1, 2e-2);
        assert_near(s.scheme_error / own, 0, 1e-9);
        scree_world_destroy(world);
    }
}

/* ---- what schemes make ------------------------------------------------------------- */

/* Spheres meet without gravity: what contacts take is all that there is. */
static void books__cluster_without_gravity__no_scheme_error(void **state) {
    (void)state;
    const scree_contact_law law = {.friction = 0.4, .e_n = 0.5};
    for (int k = 0; k < 2; ++k) {
        scree_world_def def = books_def(steppers[k], 1e-3);
        def.gravity[2] = 0;
        def.gap_control = false;
        scree_world *world = make_world(&def, law);
        for (int i = 0; i < 27; ++i) {
            const scree_vec3 x = vec(0.11 * (i % 3 - 1), 0.11 * (i / 3 % 3 - 1),
                                     0.11 * (i / 9 - 1));
            add_sphere(world, 0.05, x, add(scale(-3, x), vec(x.y, 0, x.x)),
                       vec(3, 0, 20 * x.x));
        }
        run(world, 200);
        const scree_scalars s = read_scalars(world);
        print_message("%s: normal %.3f, friction %.3f of the energy, scheme "
                      "error %.1e\n",
                      steppers[k], s.dissipated_normal / s.inserted,
                      s.dissipated_friction / s.inserted,
                      s.scheme_error / s.inserted);
        assert_true(s.dissipated_normal > 0.1 * s.inserted);
        assert_true(s.dissipated_friction > 0.01 * s.inserted);
        assert_near(s.scheme_error / s.inserted, 0, 1e-12);
        scree_world_destroy(world);
    }
}

/* What the published hits of rattle make is no negative dissipation. */
static void books__published_hit__gain_is_scheme_error(void **state) {
    (void)state;
    scree_world_def def = books_def("rattle", 1e-3);
    def.gravity[2] = 0;
    def.hits = SCREE_HITS_PUBLISHED;
    scree_world *world = make_world(&def, (scree_contact_law){.e_n = 1});
    add_sphere(world, 0.005, zero, zero, zero);
    add_sphere(world, 0.005, vec(-0.009, 0.006, 0), vec(1, 0, 0), zero);
    run(world, 10);
    const scree_scalars s = read_scalars(world);
    assert_true(s.kinetic > 1.001 * s.inserted);
    assert_near(s.dissipated / s.inserted, 0, 1e-12);
    assert_near(s.scheme_error, s.kinetic - s.inserted, 1e-12 * s.inserted);
    scree_world_destroy(world);
}

/* Free fall over t: semi-implicit positions move by the velocity at one end of the
 * step, so that gravity does m g^2 t dt / 2 too little or too much on them. */
static void books__free_fall__scheme_error_in_closed_form(void **state) {
    (void)state;
    const double dt = 1e-3, t = 0.2, sides[STEPPERS] = {0, 0, 1, -1};
    for (int k = 0; k < STEPPERS; ++k) {
        const scree_world_def def = books_def(steppers[k], dt);
        scree_world *world = make_world(&def, (scree_contact_law){0});
        add_sphere(world, 0.1, vec(0, 0, 1), zero, zero);
        run(world, (int)(t / dt + 0.5));
        const scree_scalars s = read_scalars(world);
        const double m = read_body(world, 0).m;
        assert_near(s.scheme_error / s.inserted,
                    sides[k] * m * G * G * t * dt / 2 / s.inserted, 1e-12);
        assert_true(s.dissipated == 0);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(books__sliding_block__friction_is_mu_m_g_s),
        cmocka_unit_test(books__hit__normal_is_one_minus_e_squared),
        cmocka_unit_test(books__rolling_sphere__turning_is_its_moment),
        cmocka_unit_test(books__spinning_plate__gives_by_its_moment),
        cmocka_unit_test(books__cluster_without_gravity__no_scheme_error),
        cmocka_unit_test(books__published_hit__gain_is_scheme_error),
        cmocka_unit_test(books__free_fall__scheme_error_in_closed_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
