/* output_faults.c: a write that fails is an error with file and reason, and
 * what was complete before stays complete. */
#include "tests/io/files/fixture.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "io/hdf5/hdf5_file.h"

/* Stands for a full disk, which needs no second file system to try. */
static void limit_file_size(rlim_t bytes) {
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static int lift_limit_and_close(void **state) {
    limit_file_size(RLIM_INFINITY);
    return fixture_close(state);
}

static void expect_refusal(fixture *f, const scree_output_ops *ops, void *self,
                           const char *file, const char *reason) {
    scree_error error = {0};
    assert_int_equal(ops->write(self, &f->context, &error), SCREE_IO_ERROR);
    assert_int_equal(error.status, SCREE_IO_ERROR);
    if (!strstr(error.text, fixture_path(f, file)) ||
        !strstr(error.text, reason))
        fail_msg("'%s' names neither %s nor %s", error.text, file, reason);
}

static void series__disk_full__earlier_frames_stay(void **state) {
    fixture *f = *state;
    const scree_output_ops *ops = scree_output_find("frames");
    void *self = fixture_sink(f, ops);
    assert_int_equal(ops->write(self, &f->context, NULL), SCREE_OK);
    const char *before = fixture_text(f, "bodies.hdf.series");
    limit_file_size(4096);
    expect_refusal(f, ops, self, "bodies_000001.hdf", "File too large");
    limit_file_size(RLIM_INFINITY);
    assert_string_equal(fixture_text(f, "bodies.hdf.series"), before);
    assert_int_equal(fixture_file_count(f), 2);

    /* Once there is room again, the same sink goes on. */
    assert_int_equal(ops->write(self, &f->context, NULL), SCREE_OK);
    assert_non_null(strstr(fixture_text(f, "bodies.hdf.series"), "000001"));
    assert_int_equal(ops->close(self, NULL), SCREE_OK);
}

static void add_triangle(scree_world *world) {
    static const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const int32_t corners[] = {0, 1, 2};
    scree_mesh_def def = scree_mesh_def_default();
    def.vertices = vertices, def.n_vertex = 3;
    def.corners = corners, def.n_triangle = 1;
    def.motion.velocity[2] = 1;
    assert_int_equal(scree_world_add_mesh(world, &def, NULL), SCREE_OK);
}

/* Two series in one sink: both stay whole, and both go on. */
static void surfaces__disk_full__earlier_frames_stay(void **state) {
    fixture *f = *state;
    const scree_output_ops *ops = scree_output_find("surfaces");
    const scree_case_output spheres = {.sink = "surfaces", .spheres = true};
    f->context.output = &spheres;
    add_triangle(f->world);
    void *self = fixture_sink(f, ops);
    assert_int_equal(ops->write(self, &f->context, NULL), SCREE_OK);
    assert_int_equal(fixture_file_count(f), 4);
    limit_file_size(4096);
    expect_refusal(f, ops, self, "walls_000001.hdf", "File too large");
    limit_file_size(RLIM_INFINITY);
    assert_int_equal(fixture_file_count(f), 4);
    assert_int_equal(ops->write(self, &f->context, NULL), SCREE_OK);
    assert_non_null(strstr(fixture_text(f, "walls.hdf.series"), "000001"));
    assert_non_null(strstr(fixture_text(f, "surfaces.hdf.series"), "000001"));
    assert_int_equal(ops->close(self, NULL), SCREE_OK);
}

static void scalars__disk_full__only_whole_lines_stay(void **state) {
    fixture *f = *state;
    const scree_output_ops *ops = scree_output_find("scalars");
    void *self = fixture_sink(f, ops);
    assert_int_equal(ops->write(self, &f->context, NULL), SCREE_OK);
    const char *before = fixture_text(f, "scalars.csv");
    limit_file_size(strlen(before) + 10);
    expect_refusal(f, ops, self, "scalars.csv", "File too large");
    limit_file_size(RLIM_INFINITY);
    assert_string_equal(fixture_text(f, "scalars.csv"), before);
    assert_int_equal(ops->close(self, NULL), SCREE_OK);
}

static void sinks__folder_gone__refused_with_reason(void **state) {
    fixture *f = *state;
    const scree_output_ops *ops = scree_output_find("contacts");
    void *self = fixture_sink(f, ops);
    assert_int_equal(rmdir(f->folder), 0);
    expect_refusal(f, ops, self, "contacts_000000.hdf",
                   "No such file or directory");
    assert_int_equal(ops->close(self, NULL), SCREE_OK);
    scree_error error = {0};
    assert_int_equal(
        scree_output_find("scalars")->open(&f->context, &self, &error),
        SCREE_IO_ERROR);
    assert_non_null(strstr(error.text, "No such file or directory"));
}

static void hdf5__name_taken__first_error_is_kept(void **state) {
    fixture *f = *state;
    const double one = 1.0;
    const scree_hdf5_rows rows = {H5T_NATIVE_DOUBLE, 1, 1, 0, &one};
    scree_hdf5_file *file = scree_hdf5_create();
    scree_hdf5_write(file, "group/x", &rows);
    scree_hdf5_write(file, "group/x", &rows);
    scree_hdf5_write(file, "group/y", &rows);
    scree_error error = {0};
    const char *path = fixture_path(f, "x.hdf");
    assert_int_equal(scree_hdf5_close(file, path, &error), SCREE_IO_ERROR);
    assert_non_null(strstr(error.text, path));
    assert_non_null(strstr(error.text, "HDF5: "));
    assert_non_null(strstr(error.text, "exists"));
    assert_int_equal(fixture_file_count(f), 0);
}

#define WITH_FIXTURE(test)                                                     \
    cmocka_unit_test_setup_teardown(test, fixture_open, lift_limit_and_close)

int main(void) {
    signal(SIGXFSZ, SIG_IGN);
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(series__disk_full__earlier_frames_stay),
        WITH_FIXTURE(surfaces__disk_full__earlier_frames_stay),
        WITH_FIXTURE(scalars__disk_full__only_whole_lines_stay),
        WITH_FIXTURE(sinks__folder_gone__refused_with_reason),
        WITH_FIXTURE(hdf5__name_taken__first_error_is_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
