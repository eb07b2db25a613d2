/* case_shapes.c: cases with shapes, meshes, terrain and plane worlds: what is
 * read, that it reads back when printed, and what is built from it. */
#include "tests/unit/case/case_text.h"

#include <math.h>

#define DATA SCREE_SOURCE_DIR "/tests/data/"
#define PI 3.14159265358979323846
#define HEAD                                                                   \
    "seed: 3\n"                                                                \
    "time: {end: 1, step: 1e-3}\n"                                             \
    "materials: [{name: a, density: 2}, {name: b, density: 3}]\n"

/* Every kind of shape, and a body of each. */
static const char shapes[] = HEAD
    "shapes:\n"
    "  - {name: brick, box: {size: [1, 2, 3]}}\n"
    "  - {name: cube, box: {size: 0.5}, rounding: 0.1}\n"
    "  - {name: rod, capsule: {radius: 0.5, length: 2}}\n"
    "  - {name: can, cylinder: {radius: 0.5, length: 2}, rounding: 0}\n"
    "  - name: tetrahedron\n"
    "    polyhedron: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}\n"
    "  - {name: block, polyhedron: {file: " DATA "shapes/cube.obj, scale: 2}}\n"
    "  - {name: pair, clump: {balls: [[-1, 0, 0, 0.5], [1, 0, 0, 0.5]]}}\n"
    "  - {name: rock, rock: {diameter: 2, points: 12, variants: 5}}\n"
    "bodies:\n"
    "  - {body: {position: [0, 0, 0]}, shape: brick, material: b}\n"
    "  - {body: {position: [10, 0, 0]}, shape: cube}\n"
    "  - {body: {position: [20, 0, 0]}, shape: rod, velocity: [1, 2, 3]}\n"
    "  - {body: {position: [30, 0, 0]}, shape: can}\n"
    "  - {body: {position: [40, 0, 0]}, shape: tetrahedron}\n"
    "  - {body: {position: [50, 0, 0]}, shape: block}\n"
    "  - {body: {position: [60, 0, 0]}, shape: pair}\n"
    "  - body:\n"
    "      position: [70, 0, 0]\n"
    "      orientation: {axis: [0, 0, 2], angle: 1.0471975511965976}\n"
    "    shape: rock\n";

static const char crowd[] = HEAD
    "shapes:\n"
    "  - {name: brick, box: {size: [0.2, 0.1, 0.1]}}\n"
    "  - {name: rock, rock: {diameter: 0.2, variants: 8}}\n"
    "  - {name: gravel, rock: {diameter: {normal: {mean: 0.1, deviation: "
    "0.03,\n"
    "     min: 0.05, max: 0.2}}, variants: 3}}\n"
    "  - {name: grit, rock: {diameter: {normal: {mean: 0.1, deviation: 0.03,\n"
    "     min: 0.05, max: 0.2}}, variants: 3}}\n"
    "walls:\n"
    "  - {name: ground, terrain: {file: " DATA "terrain/volcano.asc}}\n"
    "  - name: lid\n"
    "    mesh: {file: " DATA "shapes/open.obj, scale: 0.5, two_sided: on}\n"
    "    material: b\n"
    "    motion: {velocity: [0, 0, -1]}\n"
    "    until: 5\n"
    "bodies:\n"
    "  - fill: {box: {min: [300, 200, 200], max: [302, 202, 202]}, count: 40}\n"
    "    shape: rock\n"
    "  - lattice: {origin: [400, 200, 210], counts: [3, 2, 2], spacing: 0.3}\n"
    "    shape: brick\n"
    "  - fill: {box: {min: [310, 200, 200], max: [312, 202, 202]},\n"
    "      solid_fraction: 0.05}\n"
    "    shape: rock\n"
    "    orientation: aligned\n"
    "  - pour: {box: {min: [300, 200, 210], max: [302, 202, 212]}, rate: "
    "1000}\n"
    "    shape: rock\n"
    "  - pyramid: {base: 5, origin: [500, 0, 300], spacing: 1.2}\n"
    "    shape: brick\n";

static const char plane[] = HEAD
    "planar: on\n"
    "shapes:\n"
    "  - {name: square, polygon: {sides: 4, radius: 0.1}}\n"
    "  - {name: kite, polygon: {points: [[-1, 0], [0, -2], [1, 0], [0, 1]]}}\n"
    "  - name: tile # clockwise, with a point on a side and one given twice\n"
    "    polygon: {points: [[0, 0], [0, 1], [0.5, 1], [1, 1], [1, 1], [1, "
    "0]]}\n"
    "walls:\n"
    "  - box: {min: [-9, 0], max: [9, 20], open: [top]}\n"
    "    motion: {rotation: {axis: 1, origin: [0, 1], rate: 0.5}}\n"
    "  - {name: roof, segments: {points: [[-3, 19], [0, 19.5], [3, 19]],\n"
    "     closed: on, thickness: 0.01}, material: b, until: 0.5,\n"
    "     motion: {velocity: [0, 1]}}\n"
    "bodies:\n"
    "  - {body: {position: [0, 10], orientation: {axis: 1, angle: 0.5}},\n"
    "     shape: kite, angular_velocity: 2}\n"
    "  - {sphere: {position: [5, 5]}, radius: 0.5, velocity: [1, 0]}\n"
    "  - {pyramid: {base: 20, origin: [0, 0], spacing: 1.1}, shape: square}\n"
    "  - fill: {box: {min: [-8, 12], max: [8, 16]}, solid_fraction: 0.0999}\n"
    "    shape: square\n"
    "  - lattice: {origin: [-4, 18], counts: [5, 2], spacing: [0.5, 0.4],\n"
    "      jitter: 0.01}\n"
    "    radius: 0.1\n";

/* ---- helpers ------------------------------------------------------------- */

typedef struct built {
    scree_case *c;
    scree_world *world;
    scree_pour_state pours[16];
    int64_t n;
    double *x, *q, *r, *m; /* (n x 3), (n x 4), (n), (n) */
    int32_t *shape;
} built;

static built build(const char *text, const char *const *sets) {
    built b = {.c = read_ok(text, sets)};
    scree_error error = {0};
    if (scree_case_build(b.c, &b.world, b.pours, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    b.n = scree_world_body_count(b.world);
    const size_t n = (size_t)b.n;
    b.x = malloc(3 * n * sizeof *b.x);
    b.q = malloc(4 * n * sizeof *b.q);
    b.r = malloc(n * sizeof *b.r);
    b.m = malloc(n * sizeof *b.m);
    b.shape = malloc(n * sizeof *b.shape);
    assert_true(b.x && b.q && b.r && b.m && b.shape);
    scree_world_read_state(b.world, &(scree_state_view){.position = b.x,
                                                        .orientation = b.q,
                                                        .radius = b.r,
                                                        .mass = b.m,
                                                        .shape = b.shape});
    return b;
}

static void drop(built *b) {
    free(b->x);
    free(b->q);
    free(b->r);
    free(b->m);
    free(b->shape);
    scree_world_destroy(b->world);
    scree_case_free(b->c);
}

static void assert_close(double x, double expected) {
    if (!(fabs(x - expected) <= 1e-9 * (1 + fabs(expected))))
        fail_msg("%.17g is not %.17g", x, expected);
}

static uint64_t hash_of(const char *text, const char *const *sets) {
    built b = build(text, sets);
    const uint64_t hash = scree_world_hash(b.world);
    drop(&b);
    return hash;
}

/* Balls around bodies [first, last) are apart. */
static void assert_apart(const built *b, int64_t first, int64_t last) {
    for (int64_t i = first; i < last; i++)
        for (int64_t k = first; k < i; k++) {
            const double *p = b->x + 3 * i, *q = b->x + 3 * k;
            const double d =
                hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]);
            if (d < (b->r[i] + b->r[k]) * (1 - 2e-9))
                fail_msg("%d and %d overlap", (int)i, (int)k);
        }
}

/* ---- reading and printing ------------------------------------------------ */

static void case_print__shapes_and_surfaces__read_back(void **state) {
    (void)state;
    const char *texts[] = {shapes, crowd, plane};
    for (int i = 0; i < 3; i++) {
        scree_case *c = read_ok(texts[i], NULL);
        char *once = print_text(c);
        scree_case *again = read_ok(once, NULL);
        char *twice = print_text(again);
        assert_string_equal(once, twice);
        assert_true(hash_of(texts[i], NULL) == hash_of(once, NULL));
        free(once);
        free(twice);
        scree_case_free(c);
        scree_case_free(again);
    }
}

static void case_read__planar__gravity_points_down_y(void **state) {
    (void)state;
    scree_case *c = read_ok(plane, NULL);
    assert_true(c->world.planar);
    assert_values(c->world.gravity, 0, -9.81, 0);
    scree_case_free(c);
    const char *sets[] = {"gravity=[1, -2]", NULL};
    c = read_ok(plane, sets);
    assert_values(c->world.gravity, 1, -2, 0);
    scree_case_free(c);
}

static void case_read__planar__box_has_three_sides(void **state) {
    (void)state;
    scree_case *c = read_ok(plane, NULL);
    assert_int_equal(c->n_wall, 4);
    assert_string_equal(c->walls[2].name, "wall-0.bottom");
    assert_values(c->walls[0].def.point, -9, 10, 0);
    assert_values(c->walls[0].def.normal, 1, 0, 0);
    assert_values(c->walls[2].def.point, 0, 0, 0);
    assert_values(c->walls[2].def.normal, 0, 1, 0);
    assert_values(c->walls[2].def.motion.axis, 0, 0, 1);
    assert_values(c->walls[2].def.motion.origin, 0, 1, 0);
    scree_case_free(c);
}

static void case_read__segments__have_points_motion_and_times(void **state) {
    (void)state;
    scree_case *c = read_ok(plane, NULL);
    const scree_case_wall *wall = &c->walls[3];
    assert_string_equal(wall->name, "roof");
    assert_int_equal(wall->kind, SCREE_CASE_SEGMENTS);
    assert_int_equal(wall->surface.n_point, 3);
    assert_values(wall->surface.points, -3, 19, 0, 0, 19.5, 0, 3, 19, 0);
    assert_true(wall->surface.closed);
    assert_values(&wall->surface.thickness, 0.01);
    assert_values(wall->def.motion.velocity, 0, 1, 0);
    assert_values(&wall->def.until, 0.5);
    assert_int_equal(wall->def.material, 1);
    scree_case_free(c);
}

/* The case lies in a folder of its own, the mesh beside it. */
static void case_read__relative_file__is_beside_the_case(void **state) {
    (void)state;
    char folder[] = "/tmp/scree-beside-XXXXXX", path[64], mesh[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.yaml", folder);
    snprintf(mesh, sizeof mesh, "%s/m.obj", folder);
    FILE *file = fopen(mesh, "w");
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", file);
    fclose(file);
    file = fopen(path, "w");
    fputs(HEAD "walls: [{mesh: {file: m.obj, scale: 3}}]\n"
               "bodies: [{sphere: {position: [0, 0, 1]}, radius: 0.1}]\n",
          file);
    fclose(file);
    scree_case *c;
    scree_error error = {0};
    assert_int_equal(scree_case_read(path, 0, NULL, &c, &error), SCREE_OK);
    assert_string_equal(c->walls[0].surface.file, mesh);
    assert_int_equal(c->walls[0].surface.n_triangle, 1);
    assert_values(c->walls[0].surface.vertices, 0, 0, 0, 3, 0, 0, 0, 3, 0);
    scree_case_free(c);
    unlink(path);
    unlink(mesh);
    rmdir(folder);
}

static void case_read__surfaces__are_loaded(void **state) {
    (void)state;
    scree_case *c = read_ok(crowd, NULL);
    assert_int_equal(c->walls[0].kind, SCREE_CASE_TERRAIN);
    assert_int_equal(c->walls[0].surface.heights.nx, 87);
    assert_int_equal(c->walls[0].surface.heights.ny, 61);
    assert_int_equal(c->walls[1].kind, SCREE_CASE_MESH);
    assert_int_equal(c->walls[1].surface.n_triangle, 10);
    assert_true(c->walls[1].surface.two_sided);
    assert_int_equal(c->walls[1].def.material, 1);
    assert_values(&c->walls[1].def.until, 5);
    scree_case_free(c);
}

/* ---- sizes of rocks ------------------------------------------------------ */

enum { ROCKS = 1000 };

static scree_case *read_rocks(const char *diameter) {
    char text[600];
    snprintf(text, sizeof text,
             HEAD "shapes: [{name: r, rock: {diameter: %s, points: 8, "
                  "variants: %d}}]\n"
                  "bodies: [{body: {position: [0, 0, 0]}, shape: r}]\n",
             diameter, ROCKS);
    return read_ok(text, NULL);
}

/* Diameters of the balls of the same volume. */
static void read_diameters(const char *law, double *d) {
    scree_case *c = read_rocks(law);
    assert_int_equal(c->shapes[0].set.n, ROCKS);
    for (int i = 0; i < ROCKS; i++)
        d[i] = cbrt(6 / PI * c->shapes[0].set.volumes[i]);
    scree_case_free(c);
}

/* The mean and the deviation of the law, the former within 5 standard errors,
 * and nothing beyond its ends. */
static void check_sizes(const char *law, double mean, double deviation,
                        double least, double most) {
    double d[ROCKS], again[ROCKS], sum = 0, squares = 0;
    read_diameters(law, d);
    read_diameters(law, again);
    assert_memory_equal(d, again, sizeof d);
    for (int i = 0; i < ROCKS; i++) {
        assert_true(d[i] > least * (1 - 1e-9) && d[i] < most * (1 + 1e-9));
        sum += d[i] / ROCKS;
        squares += (d[i] - mean) * (d[i] - mean) / ROCKS;
    }
    const double error = 5 * deviation / sqrt(ROCKS) + 1e-9 * mean;
    if (!(fabs(sum - mean) < error)) fail_msg("%s: the mean is %g", law, sum);
    if (!(fabs(sqrt(squares) - deviation) < 0.1 * deviation + 1e-9))
        fail_msg("%s: the deviation is %g", law, sqrt(squares));
}

/* The deviation of a normal law cut off at 2 of its own is 0.8796 of it. */
static void case_read__rock_sizes__follow_their_law(void **state) {
    (void)state;
    check_sizes("2", 2, 0, 2, 2);
    check_sizes("{constant: 0.5}", 0.5, 0, 0.5, 0.5);
    check_sizes("{uniform: {min: 1, max: 3}}", 2, 2 / sqrt(12), 1, 3);
    check_sizes("{normal: {mean: 2, deviation: 0.5, min: 1, max: 3}}", 2,
                0.8796 * 0.5, 1, 3);
    check_sizes("{list: {values: [1, 2, 4], weights: [2, 1, 1]}}", 2, sqrt(1.5),
                1, 4);
}

static void case_read__rock_sizes__leave_the_forms(void **state) {
    (void)state;
    scree_case *one = read_rocks("1");
    scree_case *many = read_rocks("{uniform: {min: 1, max: 3}}");
    for (int i = 0; i < ROCKS; i++) {
        const scree_shape_def *a = &one->shapes[0].defs[i];
        const scree_shape_def *b = &many->shapes[0].defs[i];
        const double s = cbrt(many->shapes[0].set.volumes[i] /
                              one->shapes[0].set.volumes[i]);
        assert_int_equal(a->n_point, b->n_point);
        for (int k = 0; k < 3 * a->n_point; k++)
            assert_close(b->points[k], s * a->points[k]);
    }
    scree_case_free(one);
    scree_case_free(many);
}

static void case_read__rock_sizes__differ_from_shape_to_shape(void **state) {
    (void)state;
    scree_case *c = read_ok(crowd, NULL);
    const double *v = c->shapes[2].set.volumes, *w = c->shapes[3].set.volumes;
    for (int i = 0; i < 3; i++) assert_true(fabs(v[i] - w[i]) > 1e-6 * v[i]);
    scree_case_free(c);
}

/* ---- building ------------------------------------------------------------ */

/* Volumes by formula; the cube's edges, faces and corners are rounded off. */
static void case_build__every_shape__has_its_mass(void **state) {
    (void)state;
    const double a = 0.5, r = 0.1, ball = 4 * PI / 3;
    const double volumes[] = {6,
                              a * a * a + 6 * a * a * r + 3 * PI * r * r * a +
                                  ball * r * r * r,
                              PI * 0.25 * 2 + ball * 0.125,
                              PI * 0.25 * 2,
                              1.0 / 6,
                              8,
                              2 * ball * 0.125,
                              ball};
    built b = build(shapes, NULL);
    assert_int_equal(b.n, 8);
    for (int i = 0; i < 8; i++)
        assert_close(b.m[i], (i == 0 ? 3 : 2) * volumes[i]);
    assert_close(b.r[0], 0.5 * sqrt(14));
    assert_close(b.r[2], 1.5);
    assert_close(b.r[6], 1.5);
    assert_true(b.shape[7] >= 7 && b.shape[7] < 12);
    assert_close(b.q[4 * 7], cos(PI / 6));
    assert_close(b.q[4 * 7 + 3], sin(PI / 6));
    drop(&b);
}

static void case_build__fill_and_lattice__balls_are_apart(void **state) {
    (void)state;
    built b = build(crowd, NULL);
    const int64_t last = b.n - 55; /* the pyramid touches itself */
    assert_true(last > 52);
    assert_apart(&b, 0, last);
    int variants = 0;
    for (int64_t i = 0; i < 40; i++) {
        assert_true(b.shape[i] >= 1 && b.shape[i] < 9);
        variants |= 1 << b.shape[i];
        assert_true(fabs(b.q[4 * i]) < 1);
    }
    assert_true(variants == 0x1fe);
    for (int64_t i = 40; i < last; i++) assert_close(b.q[4 * i], 1);
    for (int64_t i = 40; i < 52; i++) assert_int_equal(b.shape[i], 0);
    drop(&b);
}

/* Rocks of 0.2 m have the volume of their ball: 0.05 of 8 m^3 are 96 rocks. */
static void case_build__solid_fraction__is_of_the_shapes(void **state) {
    (void)state;
    built b = build(crowd, NULL);
    assert_int_equal(b.n, 40 + 12 + 96 + 55);
    drop(&b);
}

static void case_build__pyramid__layers_touch(void **state) {
    (void)state;
    built b = build(crowd, NULL);
    const double *first = b.x + 3 * (b.n - 55), *top = b.x + 3 * (b.n - 1);
    assert_close(first[0], 500 - 2 * 1.2 * 0.2);
    assert_close(first[1], -2 * 1.2 * 0.1);
    assert_close(first[2], 300.05);
    assert_close(first[3] - first[0], 0.24);
    assert_close(top[0], 500);
    assert_close(top[1], 0);
    assert_close(top[2], 300.45);
    drop(&b);
}

static void case_build__planar__all_in_the_plane(void **state) {
    (void)state;
    built b = build(plane, NULL);
    const int64_t fill = b.n - 210 - 12;
    assert_int_equal(fill, 320); /* 0.0999 of 64 m^2 in squares of 0.02 m^2 */
    for (int64_t i = 0; i < b.n; i++) {
        assert_true(b.x[3 * i + 2] == 0);
        assert_true(b.q[4 * i + 1] == 0 && b.q[4 * i + 2] == 0);
    }
    assert_apart(&b, 212, b.n);
    assert_close(b.m[0], 2 * 3);
    assert_close(b.m[1], 2 * PI * 0.25);
    assert_close(b.m[2], 2 * 0.02);
    assert_close(b.q[3], sin(0.25));
    assert_close(b.x[3 * 211], 0);
    assert_close(b.x[3 * 211 + 1], 19.5 * 0.1 * sqrt(2));
    drop(&b);
}

static void case_build__shapes__follow_the_seed(void **state) {
    (void)state;
    const char *other[] = {"seed=4", NULL};
    assert_true(hash_of(crowd, NULL) == hash_of(crowd, NULL));
    assert_true(hash_of(crowd, NULL) != hash_of(crowd, other));
    assert_true(hash_of(plane, NULL) != hash_of(plane, other));
}

/* Uniform on SO(3): every axis of the body has every direction alike, so each
 * entry of R has the mean 0 and the mean square 1/3. The bounds are 5 standard
 * deviations wide. */
static void case_build__random_orientation__is_uniform(void **state) {
    (void)state;
    const char *sets[] = {"bodies[0].fill.count=3000",
                          "bodies[0].fill.box.max=[309, 240, 230]", NULL};
    built b = build(crowd, sets);
    double mean[3] = {0}, square[3] = {0};
    for (int64_t i = 0; i < 3000; i++) {
        const double *q = b.q + 4 * i;
        const double z[] = {2 * (q[1] * q[3] + q[0] * q[2]),
                            2 * (q[2] * q[3] - q[0] * q[1]),
                            1 - 2 * (q[1] * q[1] + q[2] * q[2])};
        for (int k = 0; k < 3; k++) mean[k] += z[k] / 3000;
        for (int k = 0; k < 3; k++) square[k] += z[k] * z[k] / 3000;
    }
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(mean[k]) < 5 * sqrt(1.0 / 3 / 3000));
        assert_true(fabs(square[k] - 1.0 / 3) < 5 * sqrt(4.0 / 45 / 3000));
    }
    drop(&b);
}

/* Bodies that cannot be placed above the terrain are not placed inside it. */
static void case_build__fill_inside_terrain__no_room(void **state) {
    (void)state;
    const char *sets[] = {"bodies[0].fill.box.min=[300, 200, 90]",
                          "bodies[0].fill.box.max=[302, 202, 92]", NULL};
    scree_case *c = read_ok(crowd, sets);
    scree_world *world;
    scree_pour_state pours[16];
    scree_error error = {0};
    assert_int_equal(scree_case_build(c, &world, pours, &error), SCREE_NO_ROOM);
    assert_non_null(strstr(error.text, "bodies[0].fill: the fill found room "
                                       "for 0 of 40 bodies"));
    scree_case_free(c);
}

static void case_build__pour__brings_shapes_apart(void **state) {
    (void)state;
    built b = build(crowd, NULL);
    const int64_t before = b.n;
    scree_error error = {0};
    for (int i = 0; i < 20; i++) {
        assert_int_equal(scree_pour_advance(&b.c->bodies[3].as.pour,
                                            &b.pours[3], b.world, &error),
                         SCREE_OK);
        assert_int_equal(scree_world_step(b.world), SCREE_OK);
    }
    assert_int_equal(b.pours[3].inserted, 20);
    assert_int_equal(scree_world_body_count(b.world), before + 20);
    drop(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_print__shapes_and_surfaces__read_back),
        cmocka_unit_test(case_read__planar__gravity_points_down_y),
        cmocka_unit_test(case_read__planar__box_has_three_sides),
        cmocka_unit_test(case_read__relative_file__is_beside_the_case),
        cmocka_unit_test(case_read__surfaces__are_loaded),
        cmocka_unit_test(case_read__segments__have_points_motion_and_times),
        cmocka_unit_test(case_read__rock_sizes__follow_their_law),
        cmocka_unit_test(case_read__rock_sizes__leave_the_forms),
        cmocka_unit_test(case_read__rock_sizes__differ_from_shape_to_shape),
        cmocka_unit_test(case_build__every_shape__has_its_mass),
        cmocka_unit_test(case_build__fill_and_lattice__balls_are_apart),
        cmocka_unit_test(case_build__solid_fraction__is_of_the_shapes),
        cmocka_unit_test(case_build__pyramid__layers_touch),
        cmocka_unit_test(case_build__planar__all_in_the_plane),
        cmocka_unit_test(case_build__shapes__follow_the_seed),
        cmocka_unit_test(case_build__random_orientation__is_uniform),
        cmocka_unit_test(case_build__fill_inside_terrain__no_room),
        cmocka_unit_test(case_build__pour__brings_shapes_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
