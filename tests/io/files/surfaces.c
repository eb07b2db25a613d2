/* surfaces.c: what the sink draws is where and what the bodies and walls are.
 */
#include "tests/io/files/fixture.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/vec.h"

/* ---- a file, read back --------------------------------------------------- */

typedef struct drawn {
    int64_t n_point, n_cell, n_corner;
    double *point;   /* (n_point x 3) */
    int64_t *offset; /* (n_cell + 1) */
    int64_t *corner; /* (n_corner) */
    int64_t *id;     /* (n_cell) of the body or wall */
    int32_t *material, *shape;
    double *speed;
    uint8_t *type;
} drawn;

/* All of a dataset; the caller frees. Writes the number of rows. */
static void *read_all(hid_t file, const char *name, hid_t type, int64_t *n) {
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) fail_msg("there is no %s", name);
    const hid_t space = H5Dget_space(set);
    hsize_t size[2] = {0, 1};
    H5Sget_simple_extent_dims(space, size, NULL);
    void *rows = calloc(size[0] * size[1] + 1, H5Tget_size(type));
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    *n = (int64_t)size[0];
    return rows;
}

static void *read_cells(hid_t file, const char *name, hid_t type, int64_t n) {
    int64_t found;
    void *rows = read_all(file, name, type, &found);
    assert_int_equal(found, n);
    return rows;
}

static void expect_count(hid_t file, const char *name, int64_t expected) {
    int64_t *count = read_cells(file, name, H5T_NATIVE_INT64, 1);
    assert_int_equal(*count, expected);
    free(count);
}

static drawn read_drawn(const fixture *f, const char *name, bool walls) {
    const hid_t file =
        H5Fopen(fixture_path(f, name), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) fail_msg("there is no %s", name);
    const hid_t i32 = H5T_NATIVE_INT32, i64 = H5T_NATIVE_INT64;
    drawn d = {0};
    d.point = read_all(file, "VTKHDF/Points", H5T_NATIVE_DOUBLE, &d.n_point);
    d.type = read_all(file, "VTKHDF/Types", H5T_NATIVE_UINT8, &d.n_cell);
    d.offset = read_cells(file, "VTKHDF/Offsets", i64, d.n_cell + 1);
    d.corner = read_all(file, "VTKHDF/Connectivity", i64, &d.n_corner);
    d.id =
        read_cells(file, walls ? "VTKHDF/CellData/wall" : "VTKHDF/CellData/id",
                   i64, d.n_cell);
    d.material = read_cells(file, "VTKHDF/CellData/material", i32, d.n_cell);
    if (!walls) {
        d.shape = read_cells(file, "VTKHDF/CellData/shape", i32, d.n_cell);
        d.speed = read_cells(file, "VTKHDF/CellData/speed", H5T_NATIVE_DOUBLE,
                             d.n_cell);
    }
    expect_count(file, "VTKHDF/NumberOfPoints", d.n_point);
    expect_count(file, "VTKHDF/NumberOfCells", d.n_cell);
    expect_count(file, "VTKHDF/NumberOfConnectivityIds", d.n_corner);
    assert_int_equal(d.offset[0], 0);
    assert_int_equal(d.offset[d.n_cell], d.n_corner);
    for (int64_t c = 0; c < d.n_cell; c++)
        assert_int_equal(d.type[c], d.offset[c + 1] - d.offset[c] == 2 ? 3 : 7);
    H5Fclose(file);
    return d;
}

static void free_drawn(drawn *d) {
    void *all[] = {d->point,    d->offset, d->corner, d->id,
                   d->material, d->shape,  d->speed,  d->type};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

static scree_vec3 corner(const drawn *d, int64_t c, int64_t k) {
    const int64_t n = d->offset[c + 1] - d->offset[c];
    return vec_from(&d->point[3 * d->corner[d->offset[c] + k % n]]);
}

static int64_t corners_of(const drawn *d, int64_t c) {
    return d->offset[c + 1] - d->offset[c];
}

/* Area of a polygon times its normal. */
static scree_vec3 area(const drawn *d, int64_t c) {
    scree_vec3 sum = {0};
    for (int64_t k = 1; k + 1 < corners_of(d, c); k++) {
        const scree_vec3 o = corner(d, c, 0);
        sum = add_scaled(
            sum, 0.5,
            cross(sub(corner(d, c, k), o), sub(corner(d, c, k + 1), o)));
    }
    return sum;
}

/* By Gauss: positive if the normals look outward. */
static double volume(const drawn *d, int64_t id) {
    double sum = 0;
    for (int64_t c = 0; c < d->n_cell; c++)
        if (d->id[c] == id) sum += dot(area(d, c), corner(d, c, 0)) / 3;
    return sum;
}

static int times_edge(const drawn *d, int64_t from, int64_t to) {
    int times = 0;
    for (int64_t c = 0; c < d->n_cell; c++) {
        const int64_t *loop = d->corner + d->offset[c], n = corners_of(d, c);
        for (int64_t k = 0; k < n; k++)
            times += loop[k] == from && loop[(k + 1) % n] == to;
    }
    return times;
}

/* Each edge belongs to two polygons, once in each direction. */
static void expect_closed(const drawn *d) {
    for (int64_t c = 0; c < d->n_cell; c++) {
        const int64_t *loop = d->corner + d->offset[c], n = corners_of(d, c);
        for (int64_t k = 0; k < n; k++) {
            const int64_t a = loop[k], b = loop[(k + 1) % n];
            assert_int_equal(times_edge(d, a, b), 1);
            assert_int_equal(times_edge(d, b, a), 1);
        }
    }
}

static void expect_near(double x, double expected) {
    if (!(fabs(x - expected) <= 1e-12 * (1 + fabs(expected))))
        fail_msg("%.17g is not %.17g", x, expected);
}

/* ---- worlds -------------------------------------------------------------- */

static int add_shape(fixture *f, const scree_shape_def *def) {
    int shape = -1;
    if (scree_world_add_shape(f->world, def, &shape) != SCREE_OK)
        fail_msg("%s", scree_world_error(f->world));
    return shape;
}

/* Far above the floor, turning, and turned by more than the axes show. */
static void add_body(fixture *f, int shape, double x) {
    const bool planar = scree_world_wall_count(f->world) == 0;
    scree_body_def def = scree_body_def_default();
    def.shape = shape;
    def.position[0] = x;
    def.position[2] = planar ? 0 : 5;
    def.velocity[1] = 0.75;
    def.angular_velocity[2] = 2;
    def.material = planar ? 0 : 1;
    def.orientation[0] = 0.8, def.orientation[3] = 0.6;
    if (!planar) def.orientation[1] = 0.48, def.orientation[3] = 0.36;
    if (scree_world_add_body(f->world, &def, NULL) != SCREE_OK)
        fail_msg("%s", scree_world_error(f->world));
}

static scree_shape_def box(double x, double y, double z, double rounding) {
    scree_shape_def def = scree_shape_def_default();
    def.kind = SCREE_SHAPE_BOX;
    def.size[0] = x, def.size[1] = y, def.size[2] = z;
    def.rounding = rounding;
    return def;
}

static scree_shape_def lengthy(scree_shape_kind kind) {
    scree_shape_def def = scree_shape_def_default();
    def.kind = kind;
    def.radius = 0.2;
    def.length = 0.7;
    return def;
}

static void go_planar(fixture *f) {
    scree_world_destroy(f->world);
    scree_world_def def = scree_world_def_default();
    def.planar = true;
    def.gravity[1] = -9.81, def.gravity[2] = 0;
    def.dt = 0.001;
    assert_int_equal(scree_world_create(&def, &f->world), SCREE_OK);
    scree_material_def material = scree_material_def_default();
    assert_int_equal(scree_world_add_material(f->world, &material, NULL),
                     SCREE_OK);
    f->context.world = f->world;
}

/* Adds a triangle that moves with `motion`. */
static void add_triangle(fixture *f, const scree_motion *motion, double until) {
    static const double vertices[] = {1, 0, 0, 2, 0, 0, 1, 1, 0};
    static const int32_t corners[] = {0, 1, 2};
    scree_mesh_def def = scree_mesh_def_default();
    def.vertices = vertices, def.n_vertex = 3;
    def.corners = corners, def.n_triangle = 1;
    def.two_sided = true;
    def.material = 1;
    def.motion = *motion;
    def.until = until;
    if (scree_world_add_mesh(f->world, &def, NULL) != SCREE_OK)
        fail_msg("%s", scree_world_error(f->world));
}

static void write_times(fixture *f, int times, int steps) {
    const scree_output_ops *ops = scree_output_find("surfaces");
    scree_error error = {0};
    void *self = fixture_sink(f, ops);
    for (int i = 0; i < times; i++) {
        if (i > 0) fixture_step(f, steps);
        if (ops->write(self, &f->context, &error) != SCREE_OK)
            fail_msg("%s", error.text);
    }
    assert_int_equal(ops->close(self, NULL), SCREE_OK);
}

/* ---- bodies -------------------------------------------------------------- */

/* The corners, brought back into the body's frame, are those of the box. */
static void surfaces__moving_box__is_drawn_at_its_pose(void **state) {
    fixture *f = *state;
    const scree_shape_def def = box(0.2, 0.4, 0.6, 0);
    add_body(f, add_shape(f, &def), 1);
    write_times(f, 2, 25);
    double x[3], q[4], v[3];
    scree_world_read_state(
        f->world,
        &(scree_state_view){.position = x, .orientation = q, .velocity = v});
    const scree_mat3 R = quat_matrix((scree_quat){q[0], q[1], q[2], q[3]});
    drawn d = read_drawn(f, "surfaces_000001.hdf", false);
    assert_int_equal(d.n_point, 8);
    assert_int_equal(d.n_cell, 6);
    for (int i = 0; i < 8; i++) {
        const scree_vec3 own =
            mat3_mul_back(&R, sub(vec_from(&d.point[3 * i]), vec_from(x)));
        expect_near(fabs(own.x), 0.1);
        expect_near(fabs(own.y), 0.2);
        expect_near(fabs(own.z), 0.3);
    }
    expect_near(d.speed[5], norm(vec_from(v)));
    expect_near(volume(&d, 0), 0.2 * 0.4 * 0.6);
    expect_closed(&d);
    free_drawn(&d);
}

static void add_one_of_each(fixture *f) {
    static const double balls[] = {0, 0, 0, 0.3, 0.4, 0, 0, 0.2};
    static const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    scree_shape_def defs[] = {
        box(0.3, 0.4, 0.5, 0),        box(0.3, 0.4, 0.5, 0.05),
        lengthy(SCREE_SHAPE_CAPSULE), lengthy(SCREE_SHAPE_CYLINDER),
        scree_shape_def_default(),    scree_shape_def_default()};
    defs[4].kind = SCREE_SHAPE_POLYHEDRON;
    defs[4].points = points, defs[4].n_point = 4;
    defs[5].kind = SCREE_SHAPE_CLUMP;
    defs[5].balls = balls, defs[5].n_ball = 2;
    for (int i = 0; i < 6; i++) add_body(f, add_shape(f, &defs[i]), 1 + 2 * i);
}

/* Flat shapes have their volume; chords cost round ones some of theirs, and
 * those of a clump a tenth of each whole ball. */
static void surfaces__all_shapes__are_closed_and_labelled(void **state) {
    fixture *f = *state;
    fixture_settle(f, 1); /* a sphere, which the frames show */
    add_one_of_each(f);
    write_times(f, 1, 0);
    drawn d = read_drawn(f, "surfaces_000000.hdf", false);
    const double full[] = {0.06,
                           0.06 + 0.047 + 0.0094248 + 0.0005236,
                           0.0879646 + 0.0335103,
                           0.0879646,
                           1.0 / 6,
                           0.1130973 + 0.0335103};
    const double least[] = {1, 0.97, 0.9, 0.97, 1, 0.85};
    for (int shape = 0; shape < 6; shape++) {
        const double V = volume(&d, shape + 1);
        if (V > full[shape] * (1 + 1e-5) ||
            V < full[shape] * least[shape] - 1e-12)
            fail_msg("volume of shape %d: %g, not %g", shape, V, full[shape]);
    }
    for (int64_t c = 0; c < d.n_cell; c++) {
        assert_int_equal(d.shape[c], d.id[c] - 1);
        assert_int_equal(d.material[c], 1);
        expect_near(d.speed[c], 0.75);
    }
    expect_closed(&d);
    free_drawn(&d);
}

/* One after the other, 42 vertices each, all at the ball's radius. */
static void surfaces__clump__balls_turn_with_the_body(void **state) {
    fixture *f = *state;
    enum { PER_BALL = 42 };
    static const double balls[] = {0, 0, 0, 0.3, 0.5, 0, 0, 0.2};
    const scree_quat q = {0.8, 0.48, 0, 0.36}; /* of add_body */
    scree_shape_def def = scree_shape_def_default();
    def.kind = SCREE_SHAPE_CLUMP;
    def.balls = balls, def.n_ball = 2;
    add_body(f, add_shape(f, &def), 1);
    write_times(f, 1, 0);
    drawn d = read_drawn(f, "surfaces_000000.hdf", false);
    assert_int_equal(d.n_point, 2 * PER_BALL);
    scree_vec3 centre[2] = {{0}};
    for (int i = 0; i < 2 * PER_BALL; i++)
        centre[i / PER_BALL] = add_scaled(centre[i / PER_BALL], 1.0 / PER_BALL,
                                          vec_from(&d.point[3 * i]));
    for (int i = 0; i < 2 * PER_BALL; i++)
        expect_near(norm(sub(vec_from(&d.point[3 * i]), centre[i / PER_BALL])),
                    balls[4 * (i / PER_BALL) + 3]);
    const scree_vec3 apart = quat_rotate(q, vec(0.5, 0, 0));
    expect_near(norm(sub(sub(centre[1], centre[0]), apart)), 0);
    free_drawn(&d);
}

static void surfaces__plane_world__discs_and_polygons(void **state) {
    fixture *f = *state;
    static const double points[] = {0, 0, 0, 2, 0, 0, 2, 1, 0, 0, 1, 0};
    go_planar(f);
    scree_shape_def polygon = scree_shape_def_default();
    polygon.kind = SCREE_SHAPE_POLYGON;
    polygon.points = points, polygon.n_point = 4;
    add_body(f, add_shape(f, &polygon), 10);
    scree_sphere_def disc = scree_sphere_def_default();
    disc.radius = 0.5;
    assert_int_equal(scree_world_add_sphere(f->world, &disc, NULL), SCREE_OK);
    write_times(f, 2, 10);
    drawn d = read_drawn(f, "surfaces_000001.hdf", false);
    assert_int_equal(d.n_cell, 2);
    assert_int_equal(d.shape[0], 0);
    assert_int_equal(d.shape[1], -1);
    assert_int_equal(corners_of(&d, 0), 4);
    assert_int_equal(corners_of(&d, 1), 32);
    expect_near(area(&d, 0).z, 2);
    expect_near(area(&d, 1).z, 0.5 * 32 * 0.25 * sin(2 * SCREE_PI / 32));
    for (int64_t i = 0; i < d.n_point; i++) expect_near(d.point[3 * i + 2], 0);
    free_drawn(&d);
}

/* Neither are planes drawn. */
static void surfaces__spheres_alone__no_file(void **state) {
    fixture *f = *state;
    fixture_settle(f, 2);
    write_times(f, 3, 1);
    assert_int_equal(fixture_file_count(f), 0);
}

/* ---- walls --------------------------------------------------------------- */

static void expect_point(const drawn *d, int i, scree_vec3 x) {
    expect_near(norm(sub(vec_from(&d->point[3 * i]), x)), 0);
}

/* x(t) = R(t) x0 + v t */
static void walls__moving_mesh__is_drawn_at_its_pose(void **state) {
    fixture *f = *state;
    const scree_motion motion = {
        .velocity = {0, 0, 3}, .axis = {0, 0, 2}, .rate = 4};
    add_triangle(f, &motion, INFINITY);
    write_times(f, 3, 50);
    const double t = scree_world_time(f->world), phi = 4 * t;
    drawn d = read_drawn(f, "walls_000002.hdf", true);
    assert_int_equal(d.n_cell, 1);
    assert_int_equal(d.id[0], 2); /* after the two planes of the fixture */
    assert_int_equal(d.material[0], 1);
    expect_point(&d, 0, vec(cos(phi), sin(phi), 3 * t));
    expect_point(&d, 1, vec(2 * cos(phi), 2 * sin(phi), 3 * t));
    expect_point(&d, 2, vec(cos(phi) - sin(phi), sin(phi) + cos(phi), 3 * t));
    free_drawn(&d);
}

static void walls__none_moves__are_written_once(void **state) {
    fixture *f = *state;
    static const double heights[] = {0, 1, 2, 0, 3, 0};
    const scree_motion rest = {0};
    scree_terrain_def terrain = scree_terrain_def_default();
    terrain.nx = 3, terrain.ny = 2;
    terrain.x0 = -7, terrain.y0 = -8, terrain.cell = 2;
    terrain.heights = heights;
    add_triangle(f, &rest, INFINITY);
    assert_int_equal(scree_world_add_terrain(f->world, &terrain, NULL),
                     SCREE_OK);
    write_times(f, 3, 1);
    assert_int_equal(fixture_file_count(f), 1 + 1);
    drawn d = read_drawn(f, "walls_000000.hdf", true);
    assert_int_equal(d.n_cell, 1 + 4);
    assert_int_equal(d.n_point, 3 + 6);
    expect_point(&d, 3 + 4, vec(-5, -6, 3));
    for (int c = 1; c < 5; c++) {
        assert_int_equal(d.id[c], 3);
        expect_near(area(&d, c).z, 2); /* seen from above */
    }
    expect_near(area(&d, 1).x, -1); /* rises by 1/2 along x */
    free_drawn(&d);
}

static void walls__mesh_that_ends__is_gone_then(void **state) {
    fixture *f = *state;
    const scree_motion rest = {0};
    add_triangle(f, &rest, 0.015);
    write_times(f, 3, 10);
    for (int i = 0; i < 3; i++) {
        char name[40];
        snprintf(name, sizeof name, "walls_%06d.hdf", i);
        drawn d = read_drawn(f, name, true);
        assert_int_equal(d.n_cell, i < 2);
        free_drawn(&d);
    }
}

/* Thin segments are lines, thick ones outlines that are round at both ends. */
static void walls__segments__lines_or_outlines(void **state) {
    fixture *f = *state;
    static const double points[] = {0, 0, 0, 3, 0, 0, 3, 4, 0};
    go_planar(f);
    for (int thick = 0; thick < 2; thick++) {
        scree_segments_def def = scree_segments_def_default();
        def.points = points, def.n_point = 3;
        def.closed = thick;
        def.thickness = 0.2 * thick;
        assert_int_equal(scree_world_add_segments(f->world, &def, NULL),
                         SCREE_OK);
    }
    write_times(f, 2, 1);
    drawn d = read_drawn(f, "walls_000000.hdf", true);
    assert_int_equal(d.n_cell, 2 + 3);
    for (int c = 0; c < 5; c++)
        assert_int_equal(corners_of(&d, c), c < 2 ? 2 : 18);
    expect_point(&d, 0, vec(0, 0, 0));
    expect_point(&d, 1, vec(3, 0, 0));
    expect_point(&d, 3, vec(3, 4, 0));
    const double ends = 0.5 * 16 * 0.01 * sin(2 * SCREE_PI / 16);
    const double lengths[] = {3, 4, 5};
    for (int c = 0; c < 3; c++)
        expect_near(area(&d, 2 + c).z, 0.2 * lengths[c] + ends);
    free_drawn(&d);
}

#define WITH_FIXTURE(test)                                                     \
    cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(surfaces__moving_box__is_drawn_at_its_pose),
        WITH_FIXTURE(surfaces__all_shapes__are_closed_and_labelled),
        WITH_FIXTURE(surfaces__clump__balls_turn_with_the_body),
        WITH_FIXTURE(surfaces__plane_world__discs_and_polygons),
        WITH_FIXTURE(surfaces__spheres_alone__no_file),
        WITH_FIXTURE(walls__moving_mesh__is_drawn_at_its_pose),
        WITH_FIXTURE(walls__none_moves__are_written_once),
        WITH_FIXTURE(walls__mesh_that_ends__is_gone_then),
        WITH_FIXTURE(walls__segments__lines_or_outlines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
