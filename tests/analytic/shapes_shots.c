/* Fast bodies against walls: none passes, however far it would go in a step. */
#include <stdlib.h>

#include "contact/heightfield.h"
#include "tests/analytic/shapes_fixture.h"

enum { SHOTS = 200, SIDE = 13, CELLS = SIDE - 1 };
static const double SIZE = 0.1, DT = 1e-2, CELL = 0.5;

typedef enum target { PLANE, MESH, THIN_MESH, TERRAIN, HILLS, TARGETS } target;
static const char *const target_name[] = {"plane", "mesh", "two-sided mesh",
                                          "terrain", "hills"};

/* Sizes per step. Hills are as wide as ten sizes: a step that goes further is
 * bent more often than the step can see. */
static const double fastest[] = {20, 20, 20, 20, 5};

/* ---- targets: about the plane z = 0, which the origin is on --------------- */

static double height_at(target kind, int i, int j) {
    return kind == HILLS ? 0.4 * sin(1.3 * i) * cos(1.7 * j) : 0;
}

static void add_mesh_wall(scree_world *world, bool two_sided) {
    static double p[SIDE * SIDE][3];
    static int32_t c[2 * CELLS * CELLS][3];
    for (int k = 0; k < SIDE * SIDE; ++k) {
        p[k][0] = (k % SIDE - CELLS / 2) * CELL;
        p[k][1] = (k / SIDE - CELLS / 2) * CELL;
    }
    for (int k = 0; k < CELLS * CELLS; ++k) {
        const int32_t a = k / CELLS * SIDE + k % CELLS;
        const int32_t two[2][3] = {{a, a + 1, a + SIDE + 1},
                                   {a, a + SIDE + 1, a + SIDE}};
        memcpy(c[2 * k], two, sizeof two);
    }
    scree_mesh_def def = scree_mesh_def_default();
    def.vertices = p[0], def.n_vertex = SIDE * SIDE;
    def.corners = c[0], def.n_triangle = 2 * CELLS * CELLS;
    def.two_sided = two_sided;
    assert_ok(scree_world_add_mesh(world, &def, NULL));
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
    case PLANE: add_floor(world); break;
    case MESH: add_mesh_wall(world, false); break;
    case THIN_MESH: add_mesh_wall(world, true); break;
    default: add_terrain(world, kind);
    }
}

/* ---- shots --------------------------------------------------------------------- */

/* Height of the centre over the target. */
static double over(target kind, scree_vec3 x) {
    if (kind != HILLS) return x.z;
    double z[SIDE * SIDE];
    for (int k = 0; k < SIDE * SIDE; ++k)
        z[k] = height_at(kind, k % SIDE, k / SIDE);
    const scree_heights heights = {SIDE, SIDE, -CELLS / 2 * CELL,
                                   -CELLS / 2 * CELL, CELL, z};
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

/* A sphere or a rock that starts in front and flies at a point of the target,
 * spinning. */
static void shoot(scree_world *world, target kind, scree_random *rng,
                  bool rock) {
    const scree_vec3 aim = vec(scree_random_range(rng, -1, 1),
                               scree_random_range(rng, -1, 1), 0);
    scree_vec3 d = random_vec(rng);
    d.z = fabs(d.z) + 0.2;
    if (kind == HILLS) d.z += 0.8; /* starts over the hills */
    d = scale(1 / norm(d), d);
    const scree_vec3 x =
        add_scaled(aim, scree_random_range(rng, 1, 3), d);
    const double speed = scree_random_range(rng, 0.1, fastest[kind]) * SIZE / DT;
    const scree_vec3 v = scale(-speed, d);
    const scree_vec3 w = scale(20, random_vec(rng));
    const scree_vec3 away = {0, 0, kind == HILLS ? 0.5 : 0};
    if (rock)
        put_body(world, (put){add_rock(world, rng), .x = add(x, away),
                              .turn = random_vec(rng), .v = v, .w = w});
    else
        add_sphere(world, SIZE / 2, add(x, away), v, w);
}

/* Least height of the centre, from the start to some steps after the hit. */
static double lowest(target kind, int shot) {
    scree_random rng = scree_random_stream(17, (uint64_t)shot);
    scree_world_def def = firm_def(DT);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.4});
    add_target(world, kind);
    shoot(world, kind, &rng, shot % 2);
    double least = INFINITY;
    const double edge = CELLS / 2 * CELL - SIZE;
    for (int k = 0; k < 200; ++k) {
        run(world, 1);
        const scree_vec3 x = read_body(world, 0).x;
        if (fabs(x.x) > edge || fabs(x.y) > edge) break;
        least = fmin(least, over(kind, x));
    }
    scree_world_destroy(world);
    return least;
}

static void shots__many_sizes_per_step__none_passes(void **state) {
    (void)state;
    int passed = 0;
    for (target kind = PLANE; kind < TARGETS; ++kind) {
        double least = INFINITY;
        int through = 0;
        for (int shot = 0; shot < SHOTS; ++shot) {
            const double z = lowest(kind, shot);
            /* The flattest rock is 0.2 sizes thick to either side. */
            through += z < (shot % 2 ? 0.1 : 0.499) * SIZE;
            least = fmin(least, z);
        }
        print_message("%s: %d of %d pass, least height %.3f sizes\n",
                      target_name[kind], through, SHOTS, least / SIZE);
        passed += through;
    }
    assert_int_equal(passed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shots__many_sizes_per_step__none_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
