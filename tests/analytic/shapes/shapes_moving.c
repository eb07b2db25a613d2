/* Meshes that move: what lies on them keeps pace, what they meet is not passed, and
 * a drum of triangles is the drum of its planes. */
#include <stdlib.h>

#include "tests/analytic/shapes_fixture.h"

static const char *const steppers[] = {"moreau", "rattle"};
static const double SIZE = 0.1;

/* ---- a flat mesh ---------------------------------------------------------------- */

enum { SIDE = 13, CELLS = SIDE - 1 };
static const double CELL = 0.5;

/* Square about the origin, its inner points moved at random, solid below. */
static void add_flat_mesh(scree_world *world, scree_motion motion,
                          bool two_sided) {
    static double p[SIDE * SIDE][3];
    scree_random rng = scree_random_stream(31, 0);
    for (int k = 0; k < SIDE * SIDE; ++k) {
        const int i = k % SIDE, j = k / SIDE;
        const bool inner = i > 0 && j > 0 && i < CELLS && j < CELLS;
        const scree_vec3 d = scale(inner ? CELL / 4 : 0, random_vec(&rng));
        p[k][0] = (i - CELLS / 2) * CELL + d.x;
        p[k][1] = (j - CELLS / 2) * CELL + d.y;
    }
    add_mesh_grid(world, p[0], SIDE, two_sided, &motion);
}

static scree_motion with_velocity(scree_vec3 v) {
    scree_motion motion = {.axis = {0, 0, 1}};
    vec_to(v, motion.velocity);
    return motion;
}

/* ---- carried along ---------------------------------------------------------------- */

static const double MU = 0.2;

/* A box, or a cylinder on its end, that lies on the mesh. */
static scree_world *load(const char *stepper, double dt, scree_motion motion,
                         int what) {
    scree_world_def def = firm_def(dt);
    def.stepper = stepper;
    def.solver.tolerance = 1e-10;
    def.solver.iterations = 2000;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = MU});
    add_flat_mesh(world, motion, false);
    const int shape =
        what ? add_round_shape(world, SCREE_SHAPE_CYLINDER, 0.15, 0.1)
             : add_box_shape(world, 0.3, 0.2, 0.1);
    put_body(world,
             (put){shape, .x = vec(-0.6, -0.7, 0.05), .turn = vec(0, 0, 0.3)});
    return world;
}

/* The mesh starts at once with V: the body slides back by V^2 / (2 mu g) until
 * V / (mu g), then it stays on the spot. The last step of sliding is cut short,
 * which may cost mu g dt^2. */
static void check_start(const char *stepper, int what) {
    const double V = 0.8, dt = 2e-3;
    const scree_vec3 way = {0.6, 0.8, 0};
    scree_world *world = load(stepper, dt, with_velocity(scale(V, way)), what);
    const scree_vec3 begin = read_body(world, 0).x;
    double off = 0;
    for (int k = 1; k <= 600; ++k) {
        run(world, 1);
        const double t = k * dt, t1 = V / (MU * G);
        const double s = t < t1 ? MU * G * t * t / 2 : V * (t - t1 / 2);
        off = fmax(off,
                   norm(sub(read_body(world, 0).x, add_scaled(begin, s, way))));
    }
    const body b = read_body(world, 0);
    print_message("%s, %s: off by %.2g, speed by %.2g, spin %.2g\n", stepper,
                  what ? "cylinder" : "box", off, norm(sub(b.v, scale(V, way))),
                  norm(b.w));
    assert_true(off < MU * G * dt * dt);
    assert_true(norm(sub(b.v, scale(V, way))) < 1e-6);
    assert_true(norm(b.w) < 1e-5);
    scree_world_destroy(world);
}

static void load__on_a_mesh_that_starts__slides_and_keeps_pace(void **state) {
    (void)state;
    for (int s = 0; s < 2; ++s)
        for (int what = 0; what < 2; ++what) check_start(steppers[s], what);
}

static const double SHAKES = 2; /* [Hz] */

/* Shaken along x by A sin(2 pi f t + phi), from its turning point: as long as
 * A (2 pi f)^2 < mu g the body goes with it. Returns how far it is ever off, in
 * amplitudes. */
static double shaken_off(const char *stepper, double dt, double share) {
    const double w = 2 * SCREE_PI * SHAKES, A = share * MU * G / (w * w);
    scree_motion motion = with_velocity(vec(0, 0, 0));
    motion.amplitude[0] = A;
    motion.frequency = SHAKES;
    motion.phase = SCREE_PI / 2;
    scree_world *world = load(stepper, dt, motion, 0);
    const double begin = read_body(world, 0).x.x;
    double off = 0;
    for (int k = 1; k <= (int)lround(1 / dt); ++k) {
        run(world, 1);
        const double s = A * (cos(w * k * dt) - 1);
        off = fmax(off, fabs(read_body(world, 0).x.x - begin - s) / A);
    }
    scree_world_destroy(world);
    return off;
}

/* The body has the velocity that the wall had half a step before: it is late by as
 * much of the amplitude. */
static void load__on_a_shaken_mesh__goes_along_up_to_mu_g(void **state) {
    (void)state;
    const double dt = 2e-3, late = SHAKES * 2 * SCREE_PI * dt / 2;
    for (int s = 0; s < 2; ++s) {
        const double held = shaken_off(steppers[s], dt, 0.95);
        const double slid = shaken_off(steppers[s], dt, 1.3);
        print_message(
            "%s: off by %.2g of the amplitude below mu g, %.2g above\n",
            steppers[s], held, slid);
        assert_true(held < 1.1 * late);
        assert_true(slid > 0.1);
    }
}

/* ---- a drum ------------------------------------------------------------------------ */

static const double DRUM = 0.45, HIGH = 0.2;

typedef struct drum {
    int sides;
    double rate; /* about y [rad/s] */
    bool of_triangles;
} drum;

static scree_vec3 around(double angle) {
    return vec(sin(angle), 0, -cos(angle));
}

static scree_motion turning(double rate) {
    return (scree_motion){.axis = {0, 1, 0}, .rate = rate};
}

static void add_turning_plane(scree_world *world, scree_vec3 point,
                              scree_vec3 normal, double rate) {
    scree_plane_def def = scree_plane_def_default();
    vec_to(point, def.point);
    vec_to(normal, def.normal);
    def.motion = turning(rate);
    assert_ok(scree_world_add_plane(world, &def, NULL));
}

/* The sides as triangles, which look inward, in ROWS rows along the axis. */
static void add_drum_mesh(scree_world *world, const drum *d) {
    enum { ROWS = 3, MOST = 400 };
    static double p[(ROWS + 1) * MOST][3];
    static int32_t c[2 * ROWS * MOST][3];
    const int n = d->sides;
    for (int k = 0; k < (ROWS + 1) * n; ++k) {
        scree_vec3 x = scale(DRUM / cos(SCREE_PI / n),
                             around((2 * (k % n) + 1) * SCREE_PI / n));
        x.y = HIGH * (2.0 * (k / n) / ROWS - 1);
        vec_to(x, p[k]);
    }
    for (int k = 0; k < ROWS * n; ++k) {
        const int32_t a = k, b = k / n * n + (k + 1) % n;
        const int32_t two[2][3] = {{a, b, b + n}, {a, b + n, a + n}};
        memcpy(c[2 * k], two, sizeof two);
    }
    scree_mesh_def def = scree_mesh_def_default();
    def.vertices = p[0], def.n_vertex = (ROWS + 1) * n;
    def.corners = c[0], def.n_triangle = 2 * ROWS * n;
    def.motion = turning(d->rate);
    assert_ok(scree_world_add_mesh(world, &def, NULL));
}

static void add_drum(scree_world *world, const drum *d) {
    add_turning_plane(world, vec(0, -HIGH, 0), vec(0, 1, 0), d->rate);
    add_turning_plane(world, vec(0, HIGH, 0), vec(0, -1, 0), d->rate);
    if (d->of_triangles) {
        add_drum_mesh(world, d);
        return;
    }
    for (int k = 0; k < d->sides; ++k) {
        const scree_vec3 u = around(2 * SCREE_PI * k / d->sides);
        add_turning_plane(world, scale(DRUM, u), scale(-1, u), d->rate);
    }
}

static scree_world *turning_drum(const char *stepper, double dt, const drum *d,
                                 scree_contact_law law) {
    scree_world_def def = firm_def(dt);
    def.stepper = stepper;
    def.solver.tolerance = 1e-12;
    def.solver.iterations = 2000;
    scree_world *world = make_world(&def, law);
    add_drum(world, d);
    return world;
}

/* How far a ball that falls into a drum of triangles and one of planes part. */
static double parted(const char *stepper, double dt) {
    const scree_contact_law law = {.friction = 0.5, .e_n = 0.3};
    scree_world *world[2];
    for (int i = 0; i < 2; ++i) {
        world[i] = turning_drum(stepper, dt, &(drum){24, 2, i}, law);
        add_sphere(world[i], SIZE / 2, vec(0.05, 0.02, -0.35), vec(0, 0, 0),
                   vec(0, 0, 0));
    }
    double apart = 0;
    for (int k = 0; k < (int)lround(1 / dt); ++k) {
        run(world[0], 1);
        run(world[1], 1);
        apart =
            fmax(apart,
                 norm(sub(read_body(world[0], 0).x, read_body(world[1], 0).x)));
    }
    scree_world_destroy(world[0]);
    scree_world_destroy(world[1]);
    print_message("%s, dt %g: %.2g apart\n", stepper, dt, apart);
    return apart;
}

/* Valleys are touched by nothing that is round: a mesh of a convex drum and its
 * planes are the same to a ball, but for the point at which an overlap or a gap is
 * said to act, which is of the first order in the step. */
static void drum__of_triangles_and_of_planes__carry_a_ball_alike(void **state) {
    (void)state;
    for (int s = 0; s < 2; ++s) {
        assert_true(parted(steppers[s], 1e-3) < 0.015 * SIZE);
        assert_true(parted(steppers[s], 5e-4) < 0.0075 * SIZE);
    }
}

/* Rolling resistance of the arm rho holds a ball of radius r on the side of a
 * turning drum where T r = rho N, with T = m g sin(a), N = m g cos(a):
 * tan(a) = rho / r. It starts there and stays, since nothing damps it. */
static void drum__ball_with_rolling_resistance__at_its_angle(void **state) {
    (void)state;
    const double r = SIZE / 2, rho = 0.2 * r, rate = 1, angle = -atan(rho / r);
    const scree_contact_law law = {.friction = 0.8, .rolling = rho};
    scree_world *world =
        turning_drum("moreau", 1e-3, &(drum){360, rate, true}, law);
    add_sphere(world, r, scale(DRUM - r, around(angle)), vec(0, 0, 0),
               vec(0, rate * DRUM / r, 0));
    double off = 0;
    for (int k = 0; k < 2000; ++k) {
        run(world, 1);
        const scree_vec3 x = read_body(world, 0).x;
        off = fmax(off, fabs(atan2(x.x, -x.z) - angle));
    }
    print_message("drum: off by %.2g from the angle %.4f\n", off, angle);
    assert_true(off < 0.02 * fabs(angle));
    scree_world_destroy(world);
}

/* ---- met by a mesh -------------------------------------------------------------------- */

static const double DT = 1e-2, SLOW = 0.5, FAST = 20; /* sizes per step */

static double some_speed(scree_random *rng) {
    return SLOW * pow(FAST / SLOW, scree_random_unit(rng)) * SIZE / DT;
}

/* The mesh comes up, and along, at a body that spins and may come as well. Returns
 * the least height of the body's centre over it. */
static double met(const char *stepper, int shot, double e, bool two_sided) {
    scree_random rng = scree_random_stream(32, (uint64_t)shot);
    scree_world_def def = firm_def(DT);
    def.stepper = stepper;
    scree_world *world = make_world(
        &def, (scree_contact_law){.friction = shot % 2 ? 0.4 : 0, .e_n = e});
    const double V = some_speed(&rng);
    const scree_vec3 along = scale(0.5 * V, random_vec(&rng));
    const scree_vec3 wall = {along.x, along.y, V};
    int shape[KINDS];
    add_flat_mesh(world, with_velocity(wall), two_sided);
    add_kinds(world, shape);
    put_kind(world, SIZE / 2,
             (put){shape[shot % KINDS],
                   .x = vec(scree_random_range(&rng, -1, 1),
                            scree_random_range(&rng, -1, 1),
                            scree_random_range(&rng, 0.3, 2)),
                   .turn = random_vec(&rng),
                   .v = vec(along.x, along.y, shot % 3 ? 0 : -some_speed(&rng)),
                   .w = scale(20, random_vec(&rng))});
    const double edge = CELLS / 2 * CELL - SIZE;
    double lowest = INFINITY;
    for (int k = 1; k <= 60; ++k) {
        run(world, 1);
        const scree_vec3 x = sub(read_body(world, 0).x, scale(k * DT, wall));
        if (fabs(x.x) > edge || fabs(x.y) > edge) break;
        lowest = fmin(lowest, x.z);
    }
    scree_world_destroy(world);
    return lowest;
}

static void shots__mesh_that_comes__passes_none(void **state) {
    (void)state;
    for (int s = 0; s < 2; ++s)
        for (int two_sided = 0; two_sided < 2; ++two_sided)
            for (int e = 0; e <= 2; ++e) {
                const int shots = s ? 24 : 60;
                int passed = 0;
                double lowest = INFINITY;
                for (int shot = 0; shot < shots; ++shot) {
                    const double h = met(steppers[s], shot, 0.5 * e, two_sided);
                    passed += h <= 0;
                    lowest = fmin(lowest, h);
                }
                print_message("%s, %s-sided mesh that comes, e = %g: %d of %d "
                              "pass, least height %.3f sizes\n",
                              steppers[s], two_sided ? "two" : "one", 0.5 * e,
                              passed, shots, lowest / SIZE);
                assert_int_equal(passed, 0);
            }
}

/* Newton's law seen from the mesh: v' = V + e (V + v). */
static double thrown(const char *stepper, double V, double v, double e) {
    scree_world_def def = firm_def(DT);
    def.stepper = stepper;
    def.gravity[2] = 0;
    def.solver.tolerance = 1e-12;
    scree_world *world = make_world(&def, (scree_contact_law){.e_n = e});
    add_flat_mesh(world, with_velocity(vec(0, 0, V)), false);
    add_sphere(world, SIZE / 2, vec(0.13, 0.2, 1.234), vec(0, 0, -v),
               vec(0, 0, 0));
    run(world, (int)(1.5 / ((V + v) * DT)) + 4);
    const scree_vec3 after = read_body(world, 0).v;
    scree_world_destroy(world);
    assert_near(hypot(after.x, after.y), 0, 1e-9 * V);
    return after.z;
}

static void shots__straight_at_a_mesh_that_comes__newton(void **state) {
    (void)state;
    static const double sizes[] = {0.1, 0.7, 1.5, 6, 20};
    for (int s = 0; s < 2; ++s)
        for (int i = 0; i < 5; ++i)
            for (int e = 0; e <= 2; ++e)
                for (int own = 0; own < 2; ++own) {
                    const double V = sizes[i] * SIZE / DT, v = own ? 3 : 0;
                    const double expected = V + 0.5 * e * (V + v);
                    assert_near(thrown(steppers[s], V, v, 0.5 * e) / expected,
                                1, 1e-9);
                }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load__on_a_mesh_that_starts__slides_and_keeps_pace),
        cmocka_unit_test(load__on_a_shaken_mesh__goes_along_up_to_mu_g),
        cmocka_unit_test(drum__of_triangles_and_of_planes__carry_a_ball_alike),
        cmocka_unit_test(drum__ball_with_rolling_resistance__at_its_angle),
        cmocka_unit_test(shots__mesh_that_comes__passes_none),
        cmocka_unit_test(shots__straight_at_a_mesh_that_comes__newton),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
