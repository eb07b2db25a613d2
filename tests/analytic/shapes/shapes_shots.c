/* Fast bodies against walls: none passes, however far it would go in a step. */
#include <stdlib.h>

#include "contact/surface/heightfield.h"
#include "tests/analytic/shapes_fixture.h"

enum { SIDE = 13, CELLS = SIDE - 1 };
static const double SIZE = 0.1, DT = 1e-2, CELL = 0.5;

typedef enum target { PLANE, MESH, THIN_MESH, TERRAIN, HILLS, TARGETS } target;
static const char *const target_name[] = {"plane", "mesh", "two-sided mesh",
                                          "terrain", "hills"};

/* Slowest and fastest shots, in sizes per step. */
static const double SLOW = 0.5, FAST = 20;

typedef struct series {
    const char *stepper;
    int shots;   /* per target and e */
    double gain; /* energy that hits without friction may make, of the first */
} series;

/* ---- targets: about the plane z = 0, which the origin is on --------------- */

static double height_at(target kind, int i, int j) {
    return kind == HILLS ? 0.4 * sin(1.3 * i) * cos(1.7 * j) : 0;
}

static void add_mesh_wall(scree_world *world, bool two_sided) {
    static double p[SIDE * SIDE][3];
    for (int k = 0; k < SIDE * SIDE; ++k) {
        p[k][0] = (k % SIDE - CELLS / 2) * CELL;
        p[k][1] = (k / SIDE - CELLS / 2) * CELL;
    }
    add_mesh_grid(world, p[0], SIDE, two_sided, NULL);
}

static void add_terrain(scree_world *world, target kind) {
    double z[SIDE * SIDE];
    for (int k = 0; k < SIDE * SIDE; ++k)
        z[k] = height_at(kind, k % SIDE, k / SIDE);
    scree_terrain_def def = scree_terrain_def_default();
    def.nx = def.ny = SIDE;
    def.x0 = def.y0 = -CELLS / 2 * CELL;
    def.cell = CELL;
    def.heights = z;
    assert_ok(scree_world_add_terrain(world, &def, NULL));
}

static void add_target(scree_world *world, target kind) {
    switch (kind) {
    case PLANE:
        add_floor(world);
        break;
    case MESH:
        add_mesh_wall(world, false);
        break;
    case THIN_MESH:
        add_mesh_wall(world, true);
        break;
    default:
        add_terrain(world, kind);
    }
}

/* ---- shots --------------------------------------------------------------------- */

/* Height of the centre over the target. */
static double over(target kind, scree_vec3 x) {
    if (kind != HILLS) return x.z;
    double z[SIDE * SIDE];
    for (int k = 0; k < SIDE * SIDE; ++k)
        z[k] = height_at(kind, k % SIDE, k / SIDE);
    const scree_heights heights = {
        SIDE, SIDE, -CELLS / 2 * CELL, -CELLS / 2 * CELL, CELL, z};
    scree_heightfield field;
    assert_ok(scree_heightfield_make(&field, &heights, NULL));
    const double h = scree_heightfield_height(&field, x.x, x.y);
    scree_heightfield_free(&field);
    return x.z - h;
}

static int add_rock(scree_world *world, scree_random *rng) {
    double p[20][3];
    for (int k = 0; k < 20; ++k) {
        const scree_vec3 d = random_vec(rng);
        vec_to(scale(SIZE / 2 / norm(d), d), p[k]);
    }
    return add_points_shape(world, SCREE_SHAPE_POLYHEDRON, p[0], 20, 0);
}

/* One of every kind, or a rock, that starts in front and flies at a point of the
 * target, spinning. */
static void shoot(scree_world *world, target kind, scree_random *rng,
                  int what) {
    const scree_vec3 aim =
        vec(scree_random_range(rng, -1, 1), scree_random_range(rng, -1, 1), 0);
    scree_vec3 d = random_vec(rng);
    d.z = fabs(d.z) + 0.2;
    if (kind == HILLS) d.z += 0.8; /* starts over the hills */
    d = scale(1 / norm(d), d);
    const scree_vec3 away = {0, 0, kind == HILLS ? 0.5 : 0};
    const scree_vec3 x =
        add(away, add_scaled(aim, scree_random_range(rng, 1, 3), d));
    const double speed =
        SLOW * pow(FAST / SLOW, scree_random_unit(rng)) * SIZE / DT;
    put p = {.x = x,
             .turn = random_vec(rng),
             .v = scale(-speed, d),
             .w = scale(20, random_vec(rng))};
    int shape[KINDS];
    add_kinds(world, shape);
    p.shape = what < KINDS ? shape[what] : add_rock(world, rng);
    put_kind(world, SIZE / 2, p);
}

/* What a shot does until some steps after the hit. */
typedef struct flight {
    double lowest; /* of the centre over the target */
    double gained; /* most energy made by contacts, in parts of the first */
} flight;

/* Newton's law with friction can make energy of its own (Kane's pendulum), so
 * that energy is looked at without. */
static flight fly(const char *stepper, target kind, int shot, double e) {
    const bool rubs = shot / (KINDS + 1) % 2;
    scree_random rng = scree_random_stream(17, (uint64_t)shot);
    scree_world_def def = firm_def(DT);
    def.stepper = stepper;
    scree_world *world = make_world(
        &def, (scree_contact_law){.friction = rubs ? 0.4 : 0, .e_n = e});
    add_target(world, kind);
    shoot(world, kind, &rng, shot % (KINDS + 1));
    flight f = {INFINITY, 0};
    const double edge = CELLS / 2 * CELL - SIZE;
    const double first = read_scalars(world).kinetic;
    for (int k = 0; k < 200; ++k) {
        run(world, 1);
        const scree_vec3 x = read_body(world, 0).x;
        if (fabs(x.x) > edge || fabs(x.y) > edge) break;
        f.lowest = fmin(f.lowest, over(kind, x));
        const scree_scalars now = read_scalars(world);
        const bool moreau = !strcmp(stepper, "moreau");
        /* Free rotation by a radian in a step is moreau's own matter. */
        const double own = moreau ? 0 : now.scheme_error;
        if (!rubs) f.gained = fmax(f.gained, (own - now.dissipated) / first);
        if (shot % (KINDS + 1) == 0 && moreau) /* spheres: to rounding */
            assert_near(now.scheme_error / first, 0, 1e-12);
    }
    scree_world_destroy(world);
    return f;
}

static int shots_that_pass(const series *of, target kind, double e) {
    flight worst = {INFINITY, 0};
    int through = 0;
    for (int shot = 0; shot < of->shots; ++shot) {
        const flight f = fly(of->stepper, kind, shot, e);
        through += f.lowest <= 0;
        worst.lowest = fmin(worst.lowest, f.lowest);
        worst.gained = fmax(worst.gained, f.gained);
    }
    print_message("%s, %s, e = %g: %d of %d pass, least height %.3f sizes, "
                  "energy gained %.2g\n",
                  of->stepper, target_name[kind], e, through, of->shots,
                  worst.lowest / SIZE, worst.gained);
    assert_true(worst.gained < of->gain);
    return through;
}

static void shots__many_sizes_per_step__none_passes(void **state) {
    const series *of = *state;
    int passed = 0;
    for (target kind = PLANE; kind < TARGETS; ++kind)
        for (int e = 0; e <= 2; ++e)
            passed += shots_that_pass(of, kind, 0.5 * e);
    assert_int_equal(passed, 0);
}

/* ---- restitution ------------------------------------------------------------------ */

static void add_one_segment(scree_world *world) {
    static const double p[] = {-3, 0, 0, 3, 0, 0};
    scree_segments_def def = scree_segments_def_default();
    def.points = p, def.n_point = 2;
    assert_ok(scree_world_add_segments(world, &def, NULL));
}

/* Speed at which a ball comes back, over that with which it came straight down at
 * the target (TARGETS: at a segment, in the plane). */
static double comes_back(const char *stepper, target kind, double sizes,
                         double e) {
    const bool planar = kind == TARGETS;
    scree_world_def def = planar ? plane_def(DT) : firm_def(DT);
    def.stepper = stepper;
    def.gravity[1] = def.gravity[2] = 0;
    def.solver.tolerance = 1e-12;
    scree_world *world = make_world(&def, (scree_contact_law){.e_n = e});
    const double v = sizes * SIZE / DT;
    const scree_vec3 up = planar ? vec(0, 1, 0) : vec(0, 0, 1);
    if (planar)
        add_one_segment(world);
    else
        add_target(world, kind);
    add_sphere(world, SIZE / 2, add_scaled(vec(0.13, 0, 0), 1.234, up),
               scale(-v, up), vec(0, 0, 0));
    run(world, (int)(1.5 / (sizes * SIZE)) + 4);
    const scree_vec3 after = read_body(world, 0).v;
    scree_world_destroy(world);
    assert_near(norm(cross(after, up)), 0, 1e-9 * v);
    return dot(after, up) / v;
}

static void shots__straight_and_frictionless__come_back_with_e(void **state) {
    const series *of = *state;
    static const double sizes[] = {0.1, 0.4, 0.7, 1.5, 6, 20};
    for (target kind = PLANE; kind <= TARGETS; ++kind)
        for (int i = 0; i < 6; ++i)
            for (int e = 0; e <= 2 && kind != HILLS; ++e)
                assert_near(comes_back(of->stepper, kind, sizes[i], 0.5 * e),
                            0.5 * e, 1e-9);
}

/* ---- in the plane ------------------------------------------------------------------- */

enum { STARS = 11 };

/* A closed chain with corners in and out. */
static void star(double p[STARS][3]) {
    for (int k = 0; k < STARS; ++k) {
        const double a = 2 * SCREE_PI * k / STARS, r = k % 2 ? 1 : 1.8;
        p[k][0] = r * cos(a), p[k][1] = r * sin(a), p[k][2] = 0;
    }
}

static bool is_inside(double p[STARS][3], scree_vec3 x) {
    bool inside = false;
    for (int k = 0; k < STARS; ++k) {
        const double *a = p[k], *b = p[(k + 1) % STARS];
        if ((a[1] > x.y) != (b[1] > x.y) &&
            x.x < a[0] + (b[0] - a[0]) * (x.y - a[1]) / (b[1] - a[1]))
            inside = !inside;
    }
    return inside;
}

/* A disc, or a polygon of 3 to 6 corners. */
static void shoot_in_plane(scree_world *world, scree_random *rng, int what) {
    const double a = scree_random_range(rng, 0, 7);
    const double speed =
        SLOW * pow(FAST / SLOW, scree_random_unit(rng)) * SIZE / DT;
    put p = {.x = vec(scree_random_range(rng, -0.5, 0.5),
                      scree_random_range(rng, -0.5, 0.5), 0),
             .v = vec(speed * cos(a), speed * sin(a), 0),
             .w = vec(0, 0, scree_random_range(rng, -20, 20))};
    double points[18] = {0};
    for (int k = 0; k < what; ++k) {
        points[3 * k] = SIZE / 2 * cos(2 * SCREE_PI * k / what);
        points[3 * k + 1] = SIZE / 2 * sin(2 * SCREE_PI * k / what);
    }
    if (what < 3) {
        add_sphere(world, SIZE / 2, p.x, p.v, p.w);
        return;
    }
    p.shape = add_points_shape(world, SCREE_SHAPE_POLYGON, points, what, 0);
    put_body(world, p);
}

static bool escapes(const char *stepper, double p[STARS][3], int shot) {
    scree_random rng = scree_random_stream(18, (uint64_t)shot);
    scree_world_def def = plane_def(DT);
    def.stepper = stepper;
    const scree_contact_law law = {.friction = shot % 2 ? 0.4 : 0,
                                   .e_n = 0.5 * (shot % 3)};
    scree_world *world = make_world(&def, law);
    scree_segments_def wall = scree_segments_def_default();
    wall.points = p[0], wall.n_point = STARS;
    wall.closed = true;
    wall.thickness = shot % 5 ? 0 : 0.02;
    assert_ok(scree_world_add_segments(world, &wall, NULL));
    shoot_in_plane(world, &rng, 2 + shot % 5);
    bool inside = true;
    for (int k = 0; k < 200 && inside; ++k) {
        run(world, 1);
        inside = is_inside(p, read_body(world, 0).x);
    }
    scree_world_destroy(world);
    return !inside;
}

static void shots__closed_chain__none_escapes(void **state) {
    const series *of = *state;
    double p[STARS][3];
    star(p);
    int escaped = 0;
    for (int shot = 0; shot < 3 * of->shots; ++shot)
        escaped += escapes(of->stepper, p, shot);
    print_message("%s: %d of %d escape\n", of->stepper, escaped, 3 * of->shots);
    assert_int_equal(escaped, 0);
}

/* Both steppers, rattle with fewer shots: it looks several times in a step. Its hits that
 * the step does not resolve act where bodies touch, and make no energy; at planes those that
 * end by less than half of their inner radius inside do, a little. */
static series moreau = {"moreau", 200, 1e-3}, rattle = {"rattle", 60, 2e-3};

int main(void) {
    const struct CMUnitTest tests[] = {
#define BOTH(test)                                                             \
    cmocka_unit_test_prestate(test, &moreau),                                  \
        cmocka_unit_test_prestate(test, &rattle)
        BOTH(shots__many_sizes_per_step__none_passes),
        BOTH(shots__straight_and_frictionless__come_back_with_e),
        BOTH(shots__closed_chain__none_escapes),
#undef BOTH
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
