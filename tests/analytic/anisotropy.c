/* Anisotropic friction, -xi_T in the normal cone of an ellipse, against closed
 * forms and an ordinary differential equation solved on its own. */
#include <string.h>

#include "tests/analytic/shapes_fixture.h"

static const double MU_1 = 0.5, MU_2 = 0.2;

/* Friction MU_1 along d, MU_2 across it. */
static scree_contact_law grained(scree_vec3 d) {
    scree_contact_law law = {.friction = MU_1,
                             .anisotropy = {.ratio = MU_2 / MU_1}};
    vec_to(d, law.anisotropy.direction);
    return law;
}

static scree_world_def settings(double dt) {
    scree_world_def def = scree_world_def_default();
    def.dt = dt;
    def.solver.iterations = 2000;
    def.solver.tolerance = 1e-11;
    return def;
}

/* A flat box on a floor with its grain along d. */
static scree_world *block_on_floor(const scree_world_def *def, scree_vec3 d,
                                   scree_vec3 v) {
    scree_world *world = make_world(def, grained(d));
    add_floor(world);
    put_body(world, (put){add_box_shape(world, 0.3, 0.3, 0.04),
                          .x = vec(0, 0, 0.02), .v = v});
    return world;
}

/* ---- along the axes ----------------------------------------------------------- */

/* It is braked by mu_1 g along the grain and by mu_2 g across it. */
static void sliding__along_an_axis__its_own_friction(void **state) {
    (void)state;
    const char *const steppers[] = {"moreau", "rattle", "semi-implicit-2",
                                    "semi-implicit-3"};
    for (int k = 0; k < 8; ++k) {
        scree_world_def def = settings(1e-3);
        def.stepper = steppers[k / 2];
        const scree_vec3 d = vec(0.6, -0.8, 0.5); /* seen from above: unit */
        const scree_vec3 along = k % 2 ? vec(0.8, 0.6, 0) : vec(0.6, -0.8, 0);
        scree_world *world = block_on_floor(&def, d, scale(2, along));
        run(world, 200);
        const double v = 2 - 0.2 * G * (k % 2 ? MU_2 : MU_1);
        assert_near(norm(sub(read_body(world, 0).v, scale(v, along))), 0, 1e-6);
        assert_near(norm(read_body(world, 0).w), 0, 1e-5);
        scree_world_destroy(world);
    }
}

/* A direction normal to the floor says nothing, a ratio of 1 neither: the bits
 * are those of isotropic friction. */
static void isotropic__direction_upright_or_ratio_one__disc(void **state) {
    (void)state;
    double v[3][3];
    for (int k = 0; k < 3; ++k) {
        const scree_world_def def = settings(1e-3);
        scree_contact_law law = {.friction = MU_1};
        if (k == 1) law.anisotropy = (scree_anisotropy){1, {1, 0, 0}};
        if (k == 2) law.anisotropy = (scree_anisotropy){0.3, {0, 0, 2}};
        scree_world *world = make_world(&def, law);
        add_floor(world);
        put_body(world, (put){add_box_shape(world, 0.3, 0.3, 0.04),
                              .x = vec(0, 0, 0.02), .v = vec(1, 0.5, 0)});
        run(world, 100);
        vec_to(read_body(world, 0).v, v[k]);
        scree_world_destroy(world);
    }
    assert_memory_equal(v[0], v[1], sizeof v[0]);
    assert_memory_equal(v[0], v[2], sizeof v[0]);
}

/* ---- the slope at which it slides -------------------------------------------- */

/* Downhill at the angle phi to the grain it sticks up to
 * tan(a) = (cos^2 phi / mu_1^2 + sin^2 phi / mu_2^2)^(-1/2). Above it starts along
 * the normal of the ellipse at the force F that friction gives: (F_1/mu_1^2,
 * F_2/mu_2^2). */
static void slope__every_direction__sticks_below_the_angle(void **state) {
    (void)state;
    for (int k = 0; k < 14; ++k) {
        const double phi = 0.1 + k / 2 * 0.45, over = k % 2 ? 1.01 : 0.99;
        const double limit = 1 / hypot(cos(phi) / MU_1, sin(phi) / MU_2);
        const double a = atan(over * limit);
        scree_world_def def = settings(1e-3);
        def.gravity[0] = G * sin(a) * cos(phi);
        def.gravity[1] = G * sin(a) * sin(phi);
        def.gravity[2] = -G * cos(a);
        scree_world *world = block_on_floor(&def, vec(1, 0, 0), vec(0, 0, 0));
        run(world, 20);
        const body b = read_body(world, 0);
        if (k % 2) {
            const double x = cos(phi) / (MU_1 * MU_1);
            const double y = sin(phi) / (MU_2 * MU_2);
            assert_true(norm(b.v) > 1e-5);
            /* the force that friction gives is that of gravity up to 1 percent */
            assert_near(atan2(b.v.y, b.v.x), atan2(y, x), 0.05);
        } else {
            assert_near(norm(b.v), 0, 1e-9);
        }
        scree_world_destroy(world);
    }
}

/* ---- the law in every step ---------------------------------------------------- */

/* Sum of the percussions on the body over the step. */
static scree_vec3 percussion(const scree_world *world) {
    scree_contact_view c[8];
    assert_true(scree_world_contact_count(world) <= 8);
    scree_world_read_contacts(world, c);
    scree_vec3 P = vec(0, 0, 0);
    for (int64_t i = 0; i < scree_world_contact_count(world); ++i)
        P = add(P, vec_from(c[i].percussion));
    return P;
}

/* Every contact slides alike: friction lies on the rim of the ellipse, and the
 * velocity is -(P_1/mu_1^2, P_2/mu_2^2) in direction; it takes energy. */
static void sliding__askew__in_the_normal_cone(void **state) {
    (void)state;
    const char *method;
    for (int s = 0; (method = scree_solver_name(s, NULL)); ++s) {
        if (!strcmp(method, "lemke")) continue; /* no friction in space */
        scree_world_def def = settings(1e-3);
        def.solver.method = method;
        scree_world *world = block_on_floor(&def, vec(1, 0, 0), vec(1, 1.5, 0));
        double taken = 0;
        for (int k = 0; k < 100; ++k) {
            run(world, 1);
            const scree_vec3 P = percussion(world), v = read_body(world, 0).v;
            const double x = P.x / (MU_1 * MU_1), y = P.y / (MU_2 * MU_2);
            assert_near(hypot(P.x / MU_1, P.y / MU_2) / P.z, 1, 1e-7);
            assert_near((v.x * y - v.y * x) / (norm(v) * hypot(x, y)), 0, 1e-6);
            assert_true(v.x * x + v.y * y < 0);
            const scree_scalars now = read_scalars(world);
            assert_true(now.dissipated > taken);
            taken = now.dissipated;
        }
        assert_near(energy_defect(world), 0, 1e-10);
        scree_world_destroy(world);
    }
}

/* ---- a sphere that slides and begins to roll ----------------------------------- */

/* State: x, v of the centre, w; the floor turns about z at the rate `spin`, and
 * its grain with it. */
typedef struct ball {
    scree_vec3 x, v, w;
} ball;
static const double R = 0.1;

static ball rate(const ball *b, double t, double spin) {
    const scree_vec3 arm = vec(0, 0, -R);
    const scree_vec3 slip =
        sub(add(b->v, cross(b->w, arm)), cross(vec(0, 0, spin), b->x));
    const scree_vec3 e = vec(cos(spin * t), sin(spin * t), 0);
    const scree_vec3 f = vec(-e.y, e.x, 0);
    const double s_1 = MU_1 * dot(e, slip), s_2 = MU_2 * dot(f, slip);
    const double size =
        hypot(s_1, s_2); /* of all forces in the ellipse, the one
                                            that takes most power */
    const scree_vec3 a =
        scale(-G / size, add(scale(MU_1 * s_1, e), scale(MU_2 * s_2, f)));
    return (ball){b->v, a, scale(1 / (0.4 * R * R), cross(arm, a))};
}

static ball moved(const ball *b, double h, const ball *r) {
    return (ball){add_scaled(b->x, h, r->x), add_scaled(b->v, h, r->v),
                  add_scaled(b->w, h, r->w)};
}

/* Runge and Kutta's fourth order, far finer than the steps under test. */
static ball integrate(ball b, double end, double spin) {
    enum { N = 20000 };
    const double h = end / N;
    for (int k = 0; k < N; ++k) {
        const double t = k * h;
        const ball k1 = rate(&b, t, spin), b2 = moved(&b, h / 2, &k1);
        const ball k2 = rate(&b2, t + h / 2, spin), b3 = moved(&b, h / 2, &k2);
        const ball k3 = rate(&b3, t + h / 2, spin), b4 = moved(&b, h, &k3);
        const ball k4 = rate(&b4, t + h, spin);
        b = moved(&b, h / 6, &k1), b = moved(&b, h / 3, &k2);
        b = moved(&b, h / 3, &k3), b = moved(&b, h / 6, &k4);
    }
    return b;
}

static double ball_error(const char *stepper, int steps, double end,
                         const ball *start, double spin) {
    scree_world_def def = settings(end / steps);
    def.stepper = stepper;
    scree_world *world = make_world(&def, grained(vec(1, 0, 0)));
    scree_plane_def floor = scree_plane_def_default();
    floor.motion.rate = spin;
    assert_ok(scree_world_add_plane(world, &floor, NULL));
    add_sphere(world, R, vec(start->x.x, start->x.y, R), start->v, start->w);
    run(world, steps);
    const ball exact = integrate(*start, end, spin);
    const body b = read_body(world, 0);
    const double error = fmax(norm(sub(b.v, exact.v)),
                              fmax(hypot(b.x.x - exact.x.x, b.x.y - exact.x.y),
                                   R * norm(sub(b.w, exact.w))));
    scree_world_destroy(world);
    return error;
}

static void sphere__slides_askew__order_of_the_scheme(void **state) {
    (void)state;
    const ball start = {vec(0.3, 0.1, 0), vec(1.5, 2, 0), vec(3, -5, 0)};
    const char *const steppers[] = {"moreau", "rattle"};
    for (int k = 0; k < 4; ++k) {
        const double spin = k / 2 ? 4 : 0, end = 0.2;
        const int order = k % 2 ? 2 : 1;
        const double coarse =
            ball_error(steppers[k % 2], 40, end, &start, spin);
        const double fine = ball_error(steppers[k % 2], 80, end, &start, spin);
        print_message("%s, floor at %g rad/s: %.2e, %.2e, order %.2f\n",
                      steppers[k % 2], spin, coarse, fine, log2(coarse / fine));
        assert_true(fine < (order == 2 ? 2e-4 : 5e-3));
        assert_near(log2(coarse / fine), order, 0.25);
    }
}

/* ---- whose direction it is ----------------------------------------------------- */

/* Rotating all of it, floor, grain, gravity and block, rotates the motion. */
static void sliding__all_turned__same_motion_turned(void **state) {
    (void)state;
    const scree_vec3 axis = vec(0.3, -1.1, 0.7);
    scree_vec3 v[2], x[2];
    for (int k = 0; k < 2; ++k) {
        const scree_quat q = quat_from_vector(scale(k, axis));
        scree_world_def def = settings(1e-3);
        vec_to(quat_rotate(q, vec(2, 3, -8)), def.gravity);
        scree_world *world =
            make_world(&def, grained(quat_rotate(q, vec(0.8, 0.6, 0))));
        add_plane(world, vec(0, 0, 0), quat_rotate(q, vec(0, 0, 1)));
        put_body(world, (put){add_box_shape(world, 0.3, 0.3, 0.04),
                              .x = quat_rotate(q, vec(0, 0, 0.02)),
                              .turn = scale(k, axis),
                              .v = quat_rotate(q, vec(1, 0, 0))});
        run(world, 300);
        const scree_quat back = {q.w, -q.x, -q.y, -q.z};
        v[k] = quat_rotate(back, read_body(world, 0).v);
        x[k] = quat_rotate(back, read_body(world, 0).x);
        scree_world_destroy(world);
    }
    assert_near(norm(sub(v[0], v[1])), 0, 1e-8);
    assert_near(norm(sub(x[0], x[1])), 0, 1e-8);
    assert_true(fabs(v[0].y) > 0.1);
}

/* A block with runners on a plain floor: the direction turns with the block. */
static void runners__block_turned__friction_turns_with_it(void **state) {
    (void)state;
    for (int order = 0; order < 2; ++order)
        for (int k = 0; k < 2; ++k) {
            const scree_world_def def = settings(1e-3);
            scree_world *world =
                make_world(&def, (scree_contact_law){.friction = 0.9});
            int wood;
            const scree_material_def plain = scree_material_def_default();
            assert_ok(scree_world_add_material(world, &plain, &wood));
            scree_contact_law law = grained(vec(1, 0, 0));
            assert_ok(order ? scree_world_set_pair(world, wood, 0, &law)
                            : scree_world_set_pair(world, 0, wood, &law));
            scree_plane_def floor = scree_plane_def_default();
            floor.material = order ? 0 : wood;
            assert_ok(scree_world_add_plane(world, &floor, NULL));
            scree_body_def block = scree_body_def_default();
            block.shape = add_box_shape(world, 0.3, 0.3, 0.04);
            block.material = order ? wood : 0;
            block.position[2] = 0.02;
            block.orientation[0] = k ? sqrt(0.5) : 1;
            block.orientation[3] = k ? sqrt(0.5) : 0;
            block.velocity[0] = 2;
            assert_ok(scree_world_add_body(world, &block, NULL));
            run(world, 100);
            assert_near(read_body(world, 0).v.x,
                        2 - 0.1 * G * (k ? MU_2 : MU_1), 1e-6);
            scree_world_destroy(world);
        }
}

/* Without a pair of their own two materials meet with the mean of each axis. */
static void
mixed__one_plain_material__geometric_mean_of_each_axis(void **state) {
    (void)state;
    for (int k = 0; k < 2; ++k) {
        const scree_world_def def = settings(1e-3);
        const double mu = 0.3;
        scree_world *world =
            make_world(&def, (scree_contact_law){.friction = mu});
        scree_material_def wood = scree_material_def_default();
        wood.law = grained(vec(0, 3, 0));
        scree_plane_def floor = scree_plane_def_default();
        assert_ok(scree_world_add_material(world, &wood, &floor.material));
        assert_ok(scree_world_add_plane(world, &floor, NULL));
        put_body(world, (put){add_box_shape(world, 0.3, 0.3, 0.04),
                              .x = vec(0, 0, 0.02),
                              .v = k ? vec(2, 0, 0) : vec(0, 2, 0)});
        run(world, 100);
        assert_near(norm(read_body(world, 0).v),
                    2 - 0.1 * G * sqrt(mu * (k ? MU_2 : MU_1)), 1e-6);
        scree_world_destroy(world);
    }
}

/* ---- many bodies ---------------------------------------------------------------- */

/* Grains of all shapes in a box, grained themselves: contacts only take energy,
 * up to what the solver leaves, and the balance closes. */
static void pile__grained_shapes__no_energy_gain(void **state) {
    (void)state;
    scree_world_def def = settings(1e-3);
    def.solver.tolerance = 1e-8;
    def.recovery_velocity = 0;
    scree_contact_law law = grained(vec(1, 2, 0.5));
    law.drilling = 0.01;
    scree_world *world = make_world(&def, law);
    add_box(world, 0.4);
    int shape[KINDS];
    add_kinds(world, shape);
    scree_random rng = {3};
    for (int i = 0; i < 36; ++i)
        put_kind(world, 0.1,
                 (put){shape[i % KINDS],
                       .x = vec(0.25 * (i % 3 - 1), 0.25 * (i / 3 % 3 - 1),
                                0.15 + 0.3 * (i / 9)),
                       .turn = random_vec(&rng), .v = random_vec(&rng),
                       .w = random_vec(&rng)});
    const double start =
        read_scalars(world).kinetic + read_scalars(world).potential;
    double taken = 0, gain = 0;
    for (int k = 0; k < 600; ++k) {
        run(world, 1);
        const double now = read_scalars(world).dissipated;
        gain = fmax(gain, taken - now);
        taken = now;
    }
    print_message("taken %.3g of %.3g J, worst gain in a step %.1e J\n", taken,
                  start, gain);
    assert_true(taken > 0.3 * start);
    assert_true(gain < 1e-7 * start);
    scree_world_destroy(world);
}

/* ---- what is refused ------------------------------------------------------------ */

static void refused__bad_ratio_or_direction__said(void **state) {
    (void)state;
    const struct {
        scree_anisotropy a;
        bool planar;
        const char *why;
    } bad[] = {{{-1, {1, 0, 0}}, false, "ratio"},
               {{NAN, {1, 0, 0}}, false, "ratio"},
               {{INFINITY, {1, 0, 0}}, false, "ratio"},
               {{0.5, {0, 0, 0}}, false, "direction"},
               {{0.5, {1, NAN, 0}}, false, "direction"},
               {{0.5, {1, 0, 0}}, true, "plane world"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        scree_world_def def = settings(1e-3);
        def.planar = bad[k].planar;
        if (def.planar) def.gravity[2] = 0;
        scree_world *world = make_world(&def, (scree_contact_law){0});
        const scree_contact_law law = {.friction = 1, .anisotropy = bad[k].a};
        assert_int_equal(scree_world_set_pair(world, 0, 0, &law),
                         SCREE_BAD_ARGUMENT);
        assert_non_null(strstr(scree_world_error(world), bad[k].why));
        scree_material_def material = scree_material_def_default();
        material.law = law;
        assert_int_equal(scree_world_add_material(world, &material, NULL),
                         SCREE_BAD_ARGUMENT);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding__along_an_axis__its_own_friction),
        cmocka_unit_test(isotropic__direction_upright_or_ratio_one__disc),
        cmocka_unit_test(slope__every_direction__sticks_below_the_angle),
        cmocka_unit_test(sliding__askew__in_the_normal_cone),
        cmocka_unit_test(sphere__slides_askew__order_of_the_scheme),
        cmocka_unit_test(sliding__all_turned__same_motion_turned),
        cmocka_unit_test(runners__block_turned__friction_turns_with_it),
        cmocka_unit_test(
            mixed__one_plain_material__geometric_mean_of_each_axis),
        cmocka_unit_test(pile__grained_shapes__no_energy_gain),
        cmocka_unit_test(refused__bad_ratio_or_direction__said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
