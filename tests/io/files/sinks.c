/* sinks.c: what the sinks write is what the world says, read back with HDF5. */
#include "tests/io/files/fixture.h"

#include <hdf5.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/version.h"

enum { SPHERES = 7 };

extern const scree_output_ops scree_output_frames, scree_output_contacts,
    scree_output_scalars;

static void write_once(fixture *f, const scree_output_ops *ops, void *self) {
    scree_error error = {0};
    if (ops->write(self, &f->context, &error) != SCREE_OK)
        fail_msg("%s", error.text);
}

static void close_sink(const scree_output_ops *ops, void *self) {
    assert_int_equal(ops->close(self, NULL), SCREE_OK);
}

/* ---- reading back -------------------------------------------------------- */

static hid_t open_file(const fixture *f, const char *name) {
    const hid_t file =
        H5Fopen(fixture_path(f, name), H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

/* A dataset of the expected class, shape and element size. The caller frees. */
static void *read_rows(hid_t file, const char *name, hid_t type, int64_t n,
                       int columns) {
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) fail_msg("there is no %s", name);
    const hid_t space = H5Dget_space(set), stored = H5Dget_type(set);
    hsize_t size[2] = {0, 1};
    assert_int_equal(H5Sget_simple_extent_ndims(space), columns > 1 ? 2 : 1);
    H5Sget_simple_extent_dims(space, size, NULL);
    assert_int_equal(size[0], n);
    assert_int_equal(size[1], columns);
    assert_true(H5Tequal(stored, type) > 0);
    void *rows = calloc((size_t)(n * columns) + 1, H5Tget_size(type));
    assert_non_null(rows);
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0);
    H5Tclose(stored);
    H5Sclose(space);
    H5Dclose(set);
    return rows;
}

static void expect_rows(hid_t file, const char *name, hid_t type, int64_t n,
                        int columns, const void *expected) {
    void *rows = read_rows(file, name, type, n, columns);
    assert_memory_equal(rows, expected,
                        (size_t)(n * columns) * H5Tget_size(type));
    free(rows);
}

static void expect_doubles(hid_t file, const char *name, int64_t n, int columns,
                           const double *expected) {
    expect_rows(file, name, H5T_NATIVE_DOUBLE, n, columns, expected);
}

static void expect_count(hid_t file, const char *name, int64_t expected) {
    expect_rows(file, name, H5T_NATIVE_INT64, 1, 1, &expected);
}

static void expect_text(hid_t file, const char *name, bool attribute,
                        const char *expected) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    char *text = NULL;
    const hid_t from = attribute ? H5Aopen_by_name(file, "scree", name,
                                                   H5P_DEFAULT, H5P_DEFAULT)
                                 : H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(from >= 0);
    if (attribute)
        assert_true(H5Aread(from, type, &text) >= 0);
    else
        assert_true(H5Dread(from, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) >=
                    0);
    assert_string_equal(text, expected);
    H5free_memory(text);
    if (attribute)
        H5Aclose(from);
    else
        H5Dclose(from);
    H5Tclose(type);
}

static void expect_attribute(hid_t file, const char *object, const char *name,
                             hid_t type, const void *expected, size_t size) {
    char value[64] = {0};
    const hid_t attribute =
        H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(attribute >= 0);
    assert_true(H5Aread(attribute, type, value) >= 0);
    assert_memory_equal(value, expected, size);
    H5Aclose(attribute);
}

/* The type must be stored as the 16 bytes that VTK compares with. */
static void expect_grid_type(hid_t file) {
    const hid_t attribute =
        H5Aopen_by_name(file, "VTKHDF", "Type", H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute);
    assert_int_equal(H5Tget_class(type), H5T_STRING);
    assert_int_equal(H5Tget_size(type), 16);
    assert_int_equal(H5Tget_cset(type), H5T_CSET_ASCII);
    expect_attribute(file, "VTKHDF", "Type", type, "UnstructuredGrid", 16);
    H5Tclose(type);
    H5Aclose(attribute);
}

/* Every point is one vertex cell, in one part. */
static void expect_grid(hid_t file, int64_t n) {
    const int64_t version[2] = {1, 0};
    expect_grid_type(file);
    expect_attribute(file, "VTKHDF", "Version", H5T_NATIVE_INT64, version,
                     sizeof version);
    expect_count(file, "VTKHDF/NumberOfPoints", n);
    expect_count(file, "VTKHDF/NumberOfCells", n);
    expect_count(file, "VTKHDF/NumberOfConnectivityIds", n);
    int64_t *counting = calloc((size_t)n + 1, sizeof *counting);
    uint8_t *types = calloc((size_t)n + 1, sizeof *types);
    for (int64_t i = 0; i <= n; i++) counting[i] = i, types[i] = 1;
    expect_rows(file, "VTKHDF/Connectivity", H5T_NATIVE_INT64, n, 1, counting);
    expect_rows(file, "VTKHDF/Offsets", H5T_NATIVE_INT64, n + 1, 1, counting);
    expect_rows(file, "VTKHDF/Types", H5T_NATIVE_UINT8, n, 1, types);
    free(counting);
    free(types);
}

static void expect_origin(hid_t file, const fixture *f) {
    const double time = scree_world_time(f->world);
    const int64_t step = scree_world_steps(f->world);
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, scree_world_hash(f->world));
    expect_text(file, "version", true, scree_build_version);
    expect_text(file, "commit", true, scree_build_commit);
    expect_text(file, "name", true, "fixture");
    expect_text(file, "state_hash", true, hash);
    expect_text(file, "scree/case", false, f->source.text);
    expect_text(file, "scree/overrides", false, f->source.overrides);
    expect_attribute(file, "scree", "seed", H5T_NATIVE_UINT64, &f->source.seed,
                     8);
    expect_attribute(file, "scree", "time", H5T_NATIVE_DOUBLE, &time, 8);
    expect_attribute(file, "scree", "step", H5T_NATIVE_INT64, &step, 8);
    expect_doubles(file, "VTKHDF/FieldData/TimeValue", 1, 1, &time);
}

/* ---- frames -------------------------------------------------------------- */

static void frames__settled_world__file_equals_state(void **state) {
    fixture *f = *state;
    fixture_settle(f, SPHERES);
    void *self = fixture_sink(f, &scree_output_frames);
    write_once(f, &scree_output_frames, self);
    close_sink(&scree_output_frames, self);

    double x[3 * SPHERES], q[4 * SPHERES], v[3 * SPHERES], w[3 * SPHERES],
        radius[SPHERES];
    int32_t material[SPHERES], shape[SPHERES];
    int64_t id[SPHERES];
    scree_world_read_state(f->world, &(scree_state_view){.position = x,
                                                         .orientation = q,
                                                         .velocity = v,
                                                         .angular_velocity = w,
                                                         .radius = radius,
                                                         .material = material,
                                                         .shape = shape});
    for (int i = 0; i < SPHERES; i++) id[i] = i;
    const hid_t file = open_file(f, "bodies_000000.hdf");
    expect_grid(file, SPHERES);
    expect_origin(file, f);
    expect_doubles(file, "VTKHDF/Points", SPHERES, 3, x);
    expect_doubles(file, "VTKHDF/PointData/orientation", SPHERES, 4, q);
    expect_doubles(file, "VTKHDF/PointData/velocity", SPHERES, 3, v);
    expect_doubles(file, "VTKHDF/PointData/angular_velocity", SPHERES, 3, w);
    expect_doubles(file, "VTKHDF/PointData/radius", SPHERES, 1, radius);
    expect_rows(file, "VTKHDF/PointData/material", H5T_NATIVE_INT32, SPHERES, 1,
                material);
    expect_rows(file, "VTKHDF/PointData/shape", H5T_NATIVE_INT32, SPHERES, 1,
                shape);
    expect_rows(file, "VTKHDF/PointData/id", H5T_NATIVE_INT64, SPHERES, 1, id);
    free(read_rows(file, "VTKHDF/PointData/speed", H5T_NATIVE_DOUBLE, SPHERES,
                   1));
    H5Fclose(file);
}

/* tests/laws/scarring.c keeps the way that a body has slipped on walls. */
static void frames__law_that_keeps_of_bodies__its_number(void **state) {
    fixture *f = *state;
    const scree_contact_law scar = {.friction = 0.8, .own = {0.2, 0, 20, 1}};
    for (int k = 0; k < 4; ++k)
        assert_int_equal(scree_world_set_pair(f->world, k / 2, k % 2, &scar),
                         SCREE_OK);
    fixture_settle(f, SPHERES);
    void *self = fixture_sink(f, &scree_output_frames);
    write_once(f, &scree_output_frames, self);
    close_sink(&scree_output_frames, self);
    const hid_t file = open_file(f, "bodies_000000.hdf");
    double *way = read_rows(file, "VTKHDF/PointData/ploughed",
                            H5T_NATIVE_DOUBLE, SPHERES, 1);
    double kept[2 * SPHERES];
    scree_world_read_state(f->world, &(scree_state_view){.kept = kept});
    for (int i = 0; i < SPHERES; ++i) assert_true(way[i] == kept[2 * i]);
    assert_true(way[0] > 0 && way[1] > 0);
    free(way);
    H5Fclose(file);
}

static void frames__no_bodies__file_is_whole(void **state) {
    fixture *f = *state;
    void *self = fixture_sink(f, &scree_output_frames);
    write_once(f, &scree_output_frames, self);
    close_sink(&scree_output_frames, self);
    const hid_t file = open_file(f, "bodies_000000.hdf");
    expect_grid(file, 0);
    expect_origin(file, f);
    expect_doubles(file, "VTKHDF/Points", 0, 3, NULL);
    expect_doubles(file, "VTKHDF/PointData/radius", 0, 1, NULL);
    H5Fclose(file);
}

static void frames__growing_world__series_lists_each_frame(void **state) {
    fixture *f = *state;
    void *self = fixture_sink(f, &scree_output_frames);
    write_once(f, &scree_output_frames, self);
    assert_string_equal(fixture_text(f, "bodies.hdf.series"),
                        "{\"file-series-version\":\"1.0\",\"files\":[\n"
                        "  {\"name\":\"bodies_000000.hdf\",\"time\":0}\n"
                        "]}\n");
    fixture_settle(f, SPHERES);
    write_once(f, &scree_output_frames, self);
    char expected[300];
    snprintf(expected, sizeof expected,
             "{\"file-series-version\":\"1.0\",\"files\":[\n"
             "  {\"name\":\"bodies_000000.hdf\",\"time\":0},\n"
             "  {\"name\":\"bodies_000001.hdf\",\"time\":%.17g}\n"
             "]}\n",
             scree_world_time(f->world));
    assert_string_equal(fixture_text(f, "bodies.hdf.series"), expected);
    close_sink(&scree_output_frames, self);
    assert_int_equal(fixture_file_count(f), 3); /* nothing temporary is left */
}

static void frames__second_run__replaces_the_first(void **state) {
    fixture *f = *state;
    void *self = fixture_sink(f, &scree_output_frames);
    for (int i = 0; i < 3; i++) write_once(f, &scree_output_frames, self);
    close_sink(&scree_output_frames, self);
    self = fixture_sink(f, &scree_output_frames);
    assert_int_equal(fixture_file_count(f), 0);
    write_once(f, &scree_output_frames, self);
    close_sink(&scree_output_frames, self);
    assert_int_equal(fixture_file_count(f), 2);
}

/* ---- contacts ------------------------------------------------------------ */

static void contacts__settled_world__file_equals_contacts(void **state) {
    fixture *f = *state;
    fixture_settle(f, SPHERES);
    const scree_case_output all = {.idle = true};
    f->context.output = &all;
    void *self = fixture_sink(f, &scree_output_contacts);
    write_once(f, &scree_output_contacts, self);
    close_sink(&scree_output_contacts, self);

    const int64_t n = scree_world_contact_count(f->world);
    assert_true(n >= SPHERES);
    scree_contact_view *c = calloc((size_t)n, sizeof *c);
    scree_world_read_contacts(f->world, c);
    const hid_t file = open_file(f, "contacts_000000.hdf"),
                real = H5T_NATIVE_DOUBLE;
    expect_grid(file, n);
    expect_origin(file, f);
    double *point = read_rows(file, "VTKHDF/Points", real, n, 3),
           *normal = read_rows(file, "VTKHDF/PointData/normal", real, n, 3),
           *p = read_rows(file, "VTKHDF/PointData/percussion", real, n, 3),
           *gap = read_rows(file, "VTKHDF/PointData/gap", real, n, 1);
    int64_t *a = read_rows(file, "VTKHDF/PointData/a", H5T_NATIVE_INT64, n, 1),
            *b = read_rows(file, "VTKHDF/PointData/b", H5T_NATIVE_INT64, n, 1);
    for (int64_t i = 0; i < n; i++) {
        assert_memory_equal(point + 3 * i, c[i].point, sizeof c->point);
        assert_memory_equal(normal + 3 * i, c[i].normal, sizeof c->normal);
        assert_memory_equal(p + 3 * i, c[i].percussion, sizeof c->percussion);
        assert_memory_equal(gap + i, &c[i].gap, sizeof c->gap);
        assert_int_equal(a[i], c[i].a);
        assert_int_equal(b[i], c[i].b);
    }
    void *rows[] = {c, point, normal, p, gap, a, b};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) free(rows[i]);
    H5Fclose(file);
}

/* A box on the floor touches it at four corners: four rows of one pair. */
static void contacts__box_on_floor__one_row_per_point(void **state) {
    fixture *f = *state;
    scree_shape_def shape = scree_shape_def_default();
    scree_body_def body = scree_body_def_default();
    shape.kind = SCREE_SHAPE_BOX;
    for (int k = 0; k < 3; k++) shape.size[k] = 0.2;
    body.position[0] = 1;
    body.position[2] = 0.1;
    assert_int_equal(scree_world_add_shape(f->world, &shape, &body.shape),
                     SCREE_OK);
    assert_int_equal(scree_world_add_body(f->world, &body, NULL), SCREE_OK);
    fixture_step(f, 3);
    void *self = fixture_sink(f, &scree_output_contacts);
    write_once(f, &scree_output_contacts, self);
    close_sink(&scree_output_contacts, self);
    const int64_t zeros[4] = {0}, floor[4] = {-1, -1, -1, -1};
    const hid_t file = open_file(f, "contacts_000000.hdf");
    expect_grid(file, 4);
    expect_rows(file, "VTKHDF/PointData/a", H5T_NATIVE_INT64, 4, 1, zeros);
    expect_rows(file, "VTKHDF/PointData/b", H5T_NATIVE_INT64, 4, 1, floor);
    H5Fclose(file);
}

/* ---- scalars ------------------------------------------------------------- */

static const char csv_head[] =
    "step,time,bodies,contacts,kinetic,potential,dissipated,dissipated_normal,"
    "dissipated_friction,dissipated_turning,wall_work,"
    "recovery_work,inserted,scheme_error,momentum_x,momentum_y,momentum_z,"
    "angular_momentum_x,angular_momentum_y,angular_momentum_z,iterations,"
    "residual,balance,normal,cone,stop,by,step_size,penetration_mean,"
    "penetration_max,"
    "force_floor_x,force_floor_y,force_floor_z,"
    "force_side_ left_x,force_side_ left_y,force_side_ left_z\n";

enum { COLUMNS = 34, STOP = 25 };

/* Line `index` of a text, as numbers; before column STOP stand two words. */
static void read_row(const char *text, int index, const char *words,
                     double row[COLUMNS]) {
    for (int i = 0; i < index; i++) text = strchr(text, '\n') + 1;
    for (int i = 0; i < COLUMNS; i++) {
        char *end;
        if (i == STOP) {
            assert_memory_equal(text, words, strlen(words));
            text += strlen(words);
        }
        row[i] = strtod(text, &end);
        assert_int_equal(*end, i < COLUMNS - 1 ? ',' : '\n');
        text = end + 1;
    }
}

static void expect_row(const scree_world *world, const double row[COLUMNS]) {
    scree_scalars s;
    double force[2][3];
    scree_world_read_scalars(world, &s);
    for (int i = 0; i < 2; i++) scree_world_read_wall_force(world, i, force[i]);
    const double expected[COLUMNS] = {(double)scree_world_steps(world),
                                      s.time,
                                      (double)s.bodies,
                                      (double)s.contacts,
                                      s.kinetic,
                                      s.potential,
                                      s.dissipated,
                                      s.dissipated_normal,
                                      s.dissipated_friction,
                                      s.dissipated_turning,
                                      s.wall_work,
                                      s.recovery_work,
                                      s.inserted,
                                      s.scheme_error,
                                      s.momentum[0],
                                      s.momentum[1],
                                      s.momentum[2],
                                      s.angular_momentum[0],
                                      s.angular_momentum[1],
                                      s.angular_momentum[2],
                                      (double)s.solve.iterations,
                                      s.solve.residual,
                                      s.solve.balance,
                                      s.solve.normal,
                                      s.solve.cone,
                                      s.step_size,
                                      s.penetration_mean,
                                      s.penetration_max,
                                      force[0][0],
                                      force[0][1],
                                      force[0][2],
                                      force[1][0],
                                      force[1][1],
                                      force[1][2]};
    for (int i = 0; i < COLUMNS; i++) assert_true(row[i] == expected[i]);
}

static void scalars__two_rows__are_read_back_exactly(void **state) {
    fixture *f = *state;
    enum { FIRST_ROW = 1 };
    double row[COLUMNS];
    void *self = fixture_sink(f, &scree_output_scalars);
    assert_int_equal(
        strncmp(fixture_text(f, "scalars.csv"), csv_head, strlen(csv_head)), 0);
    write_once(f, &scree_output_scalars, self);
    read_row(fixture_text(f, "scalars.csv"), FIRST_ROW, ",,", row);
    expect_row(f->world, row);
    fixture_settle(f, SPHERES);
    write_once(f, &scree_output_scalars, self);
    read_row(fixture_text(f, "scalars.csv"), FIRST_ROW + 1, "tolerance,pgs,",
             row);
    expect_row(f->world, row);
    close_sink(&scree_output_scalars, self);
}

/* ---- the table ----------------------------------------------------------- */

static void outputs__every_entry__is_found_by_name(void **state) {
    (void)state;
    int n = 0;
    for (const scree_output_ops *ops; (ops = scree_output_get(n)); n++) {
        assert_ptr_equal(scree_output_find(ops->name), ops);
        assert_true(*ops->about);
        assert_true(ops->open && ops->write && ops->close);
    }
    assert_true(n >= 3);
    assert_null(scree_output_get(-1));
    assert_null(scree_output_find("film"));
}

#define WITH_FIXTURE(test)                                                     \
    cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(frames__settled_world__file_equals_state),
        WITH_FIXTURE(frames__law_that_keeps_of_bodies__its_number),
        WITH_FIXTURE(frames__no_bodies__file_is_whole),
        WITH_FIXTURE(frames__growing_world__series_lists_each_frame),
        WITH_FIXTURE(frames__second_run__replaces_the_first),
        WITH_FIXTURE(contacts__settled_world__file_equals_contacts),
        WITH_FIXTURE(contacts__box_on_floor__one_row_per_point),
        WITH_FIXTURE(scalars__two_rows__are_read_back_exactly),
        cmocka_unit_test(outputs__every_entry__is_found_by_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
