/* Rolling and sliding: on a plane, and on flat meshes and terrain, which must
 * feel like one. */
#include <stdlib.h>

#include "tests/analytic/shapes_fixture.h"

static const double SLOPE = 0.3, R = 0.1;

/* ---- on a plane --------------------------------------------------------------- */

/* Rolls down for one second; k = I / (m r^2). */
static void check_rolling(scree_world *world, double k, const char *name) {
    const double a = G * sin(SLOPE) / (1 + k);
    run(world, 500);
    const body b = read_body(world, 0);
    print_message("%s: v / (a t) - 1 = %.2g, w r / v - 1 = %.2g\n", name,
                  b.v.x / a - 1, b.w.y * R / b.v.x - 1);
    assert_near(b.v.x / a, 1, 1e-6);
    assert_near(b.x.x / (0.5 * a), 1, 1e-6);
    assert_near(b.w.y * R, b.v.x, 1e-6 * b.v.x);
    assert_near(b.x.y, 0, 1e-6);
    assert_near(b.x.z, R, 1e-6);
    scree_world_destroy(world);
}

static scree_world *incline(double mu) {
    scree_world_def def = firm_def(2e-3);
    tilt(&def, SLOPE, 2);
    def.solver.tolerance = 1e-11;
    return make_world(&def, (scree_contact_law){.friction = mu});
}

/* Radius of gyration over r, squared, of a capsule about its axis. */
static double capsule_gyration2(double r, double length) {
    const double tube = length, balls = 4.0 / 3 * r;
    return (tube / 2 + balls * 2 / 5) / (tube + balls);
}

static void rolling__sphere_cylinder_capsule__accelerate(void **state) {
    (void)state;
    scree_world *world = incline(0.5);
    add_floor(world);
    add_sphere(world, R, vec(0, 0, R), vec(0, 0, 0), vec(0, 0, 0));
    check_rolling(world, 2.0 / 5, "sphere");

    const scree_vec3 across = vec(SCREE_PI / 2, 0, 0); /* z to -y */
    const scree_shape_kind kinds[] = {SCREE_SHAPE_CYLINDER,
                                      SCREE_SHAPE_CAPSULE};
    for (int i = 0; i < 2; ++i) {
        world = incline(0.5);
        add_floor(world);
        const int shape = add_round_shape(world, kinds[i], R, 0.3);
        put_body(world, (put){shape, .x = vec(0, 0, R), .turn = across});
        check_rolling(world, i ? capsule_gyration2(R, 0.3) : 0.5,
                      i ? "capsule" : "cylinder");
    }
}

/* A hexagon of circumradius r that tips from side to side: I_C = 5/12 m r^2, and
 * each hit leaves 11/17 of the spin (angular momentum about the new corner). In
 * the steady gait the spin w before a hit follows from
 *     w^2 (1 - (11/17)^2) = 2 g sin(a) (12/17) / r. */
static void rolling__hexagon__reaches_the_steady_gait(void **state) {
    (void)state;
    scree_world_def def = plane_def(2e-4);
    tilt(&def, SLOPE, 1);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 2});
    add_plane(world, vec(0, 0, 0), vec(0, 1, 0));
    double p[18] = {0};
    for (int i = 0; i < 6; ++i) {
        p[3 * i] = R * cos(SCREE_PI * i / 3);
        p[3 * i + 1] = R * sin(SCREE_PI * i / 3);
    }
    const int hexagon = add_points_shape(world, SCREE_SHAPE_POLYGON, p, 6, 0);
    put_body(world, (put){hexagon, .x = vec(0, R * sqrt(0.75), 0),
                          .w = vec(0, 0, -8)});
    run(world, 10000);
    double most = 0;
    for (int k = 0; k < 5000; ++k) {
        run(world, 1);
        most = fmax(most, -read_body(world, 0).w.z);
    }
    const double w =
        sqrt(2 * G * sin(SLOPE) * 12.0 / 17 / R / (1 - 121.0 / 289));
    print_message("hexagon: spin before the hit %.5f, theory %.5f\n", most, w);
    assert_near(most / w, 1, 5e-3);
    scree_world_destroy(world);
}

/* ---- on flat surfaces ----------------------------------------------------------- */

enum { CELLS = 71, SIDE = CELLS + 1 }; /* 10 082 triangles */
static const double CELL = 0.05;

typedef enum ground { PLANE, MESH, RANDOM_MESH, TERRAIN, GROUNDS } ground;
static const char *const ground_name[] = {"plane", "mesh", "random mesh",
                                          "terrain"};

/* Points of a grid about the origin; inner ones are moved by up to a third. */
static void place_points(double *p, bool random) {
    scree_random rng = scree_random_stream(5, 0);
    for (int j = 0; j < SIDE; ++j)
        for (int i = 0; i < SIDE; ++i) {
            const bool inner = i > 0 && j > 0 && i < CELLS && j < CELLS;
            const double d = random && inner ? CELL / 3 : 0;
            double *x = &p[3 * (j * SIDE + i)];
            x[0] = (i - 0.5 * CELLS) * CELL + scree_random_range(&rng, -d, d);
            x[1] = (j - 0.5 * CELLS) * CELL + scree_random_range(&rng, -d, d);
            x[2] = 0;
        }
}

/* Two triangles per cell, cut along either diagonal. */
static void place_corners(int32_t (*c)[3], bool random) {
    scree_random rng = scree_random_stream(6, 0);
    for (int j = 0; j < CELLS; ++j)
        for (int i = 0; i < CELLS; ++i, c += 2) {
            const int32_t a = j * SIDE + i, b = a + 1, d = a + SIDE, e = d + 1;
            const bool other = random && scree_random_range(&rng, 0, 1) < 0.5;
            const int32_t one[2][3] = {{a, b, e}, {a, e, d}};
            const int32_t two[2][3] = {{a, b, d}, {b, e, d}};
            memcpy(c, other ? two : one, sizeof one);
        }
}

static void add_flat_mesh(scree_world *world, bool random) {
    enum { POINTS = SIDE * SIDE, TRIANGLES = 2 * CELLS * CELLS };
    static double p[3 * POINTS];
    static int32_t c[TRIANGLES][3];
    place_points(p, random);
    place_corners(c, random);
    scree_mesh_def def = scree_mesh_def_default();
    def.vertices = p, def.n_vertex = POINTS;
    def.corners = c[0], def.n_triangle = TRIANGLES;
    assert_ok(scree_world_add_mesh(world, &def, NULL));
}

static void add_flat_terrain(scree_world *world) {
    static double heights[SIDE * SIDE];
    scree_terrain_def def = scree_terrain_def_default();
    def.nx = def.ny = SIDE;
    def.x0 = def.y0 = -0.5 * CELLS * CELL;
    def.cell = CELL;
    def.heights = heights;
    assert_ok(scree_world_add_terrain(world, &def, NULL));
}

static void add_ground(scree_world *world, ground kind) {
    switch (kind) {
    case PLANE:
        add_floor(world);
        break;
    case TERRAIN:
        add_flat_terrain(world);
        break;
    default:
        add_flat_mesh(world, kind == RANDOM_MESH);
    }
}

/* Steps for 1.2 s; the body goes like x0 + a t^2 / 2 and never up or down. */
static void check_flat(scree_world *world, double a, const char *name,
                       ground kind) {
    const body begin = read_body(world, 0);
    double bump = 0;
    for (int k = 0; k < 600; ++k) {
        run(world, 1);
        bump = fmax(bump, fabs(read_body(world, 0).v.z));
    }
    const body b = read_body(world, 0);
    const double t = scree_world_time(world), path = 0.5 * a * t * t;
    print_message("%s on %s: path %.3f, off by %.2g, bump %.2g\n", name,
                  ground_name[kind], path, (b.x.x - begin.x.x) / path - 1,
                  bump);
    assert_near((b.x.x - begin.x.x) / path, 1, 1e-6);
    assert_near(b.v.x / (a * t), 1, 1e-6);
    assert_near(b.x.y, begin.x.y, 1e-6);
    assert_true(bump < 1e-9);
    scree_world_destroy(world);
}

static void
flat_surfaces__sphere_rolls_and_bodies_slide__no_bump(void **state) {
    (void)state;
    const double slide = G * (sin(SLOPE) - 0.1 * cos(SLOPE));
    for (ground k = PLANE; k < GROUNDS; ++k) {
        scree_world *world = incline(0.5);
        add_ground(world, k);
        add_sphere(world, R, vec(-1.5, 0.013, R), vec(0, 0, 0), vec(0, 0, 0));
        check_flat(world, G * sin(SLOPE) / 1.4, "sphere", k);

        world = incline(0.1);
        add_ground(world, k);
        put_body(world, (put){add_box_shape(world, 0.3, 0.2, 0.1),
                              .x = vec(-1.5, 0.013, 0.05)});
        check_flat(world, slide, "box", k);

        world = incline(0.1);
        add_ground(world, k);
        put_body(world,
                 (put){add_round_shape(world, SCREE_SHAPE_CYLINDER, R, 0.08),
                       .x = vec(-1.5, 0.013, 0.04)});
        check_flat(world, slide, "cylinder", k);

        world = incline(0.5);
        add_ground(world, k);
        put_body(world,
                 (put){add_round_shape(world, SCREE_SHAPE_CAPSULE, R, 0.3),
                       .x = vec(-1.5, 0.013, R),
                       .turn = vec(SCREE_PI / 2, 0, 0)});
        check_flat(world, G * sin(SLOPE) / (1 + capsule_gyration2(R, 0.3)),
                   "capsule", k);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rolling__sphere_cylinder_capsule__accelerate),
        cmocka_unit_test(rolling__hexagon__reaches_the_steady_gait),
        cmocka_unit_test(flat_surfaces__sphere_rolls_and_bodies_slide__no_bump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
