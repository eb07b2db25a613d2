/* ESRI ASCII grids: what is read, what is refused, and how it is said. */
#include "io/file/terrain_file.h"

#include "tests/io/files/scratch_file.h"

#define HEAD "ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 2\n"

static void terrain__volcano__is_read(void **state) {
    (void)state;
    scree_heights h;
    scree_error error = {0};
    assert_ok(scree_terrain_read(
        SCREE_SOURCE_DIR "/tests/data/terrain/volcano.asc", &h, &error));
    assert_int_equal(h.nx, 87);
    assert_int_equal(h.ny, 61);
    assert_near(h.cell, 10, 0);
    assert_near(h.x0, 5, 0);
    assert_near(h.z[60 * 87], 103, 0); /* the file's first number */
    double lo = INFINITY, hi = -INFINITY;
    for (int i = 0; i < h.nx * h.ny; i++) {
        lo = fmin(lo, h.z[i]);
        hi = fmax(hi, h.z[i]);
    }
    assert_near(lo, 94, 0);
    assert_near(hi, 195, 0);
    scree_heights_free(&h);
}

static scree_heights read_good(const char *text) {
    const char *path = scratch_path(".asc");
    scree_heights h;
    scree_error error = {0};
    write_file(path, text, strlen(text));
    if (scree_terrain_read(path, &h, &error)) fail_msg("%s", error.text);
    unlink(path);
    return h;
}

static void terrain__rows__are_turned_so_that_y_grows(void **state) {
    (void)state;
    scree_heights h = read_good(HEAD "1 2 3\n4 5 6\n");
    const double expected[] = {4, 5, 6, 1, 2, 3};
    assert_memory_equal(h.z, expected, sizeof expected);
    assert_near(h.x0, 11, 0);
    assert_near(h.y0, 21, 0);
    scree_heights_free(&h);
    h = read_good("NCOLS 2\r\nNRows 2\r\nxllcenter 10\r\nyllcenter -20\r\n"
                  "CELLSIZE 0.5\r\nnodata_value -1\r\n\r\n1e2 2\r\n-9999 4");
    assert_near(h.x0, 10, 0);
    assert_near(h.y0, -20, 0);
    assert_near(h.z[0], -9999, 0);
    assert_near(h.z[2], 100, 0);
    scree_heights_free(&h);
}

static void refuse(const char *text, const char *sentence) {
    const char *path = scratch_path(".asc");
    scree_heights h;
    scree_error error = {0};
    write_file(path, text, strlen(text));
    assert_int_equal(scree_terrain_read(path, &h, &error), SCREE_BAD_INPUT);
    assert_int_equal(strncmp(error.text, path, strlen(path)), 0);
    if (!strstr(error.text, sentence))
        fail_msg("expected '%s' in '%s'", sentence, error.text);
    assert_null(h.z);
    unlink(path);
}

static void terrain__bad_files__name_the_line(void **state) {
    (void)state;
    refuse("", "the key ncols is missing");
    refuse("1 2 3\n", ":1: the key ncols is missing");
    refuse("ncols 3\nnrow 2\n", ":2: 'nrow' is no key");
    refuse("ncols 3\nnrow 2\n", "did you mean 'nrows'?");
    refuse("ncols 3\nncols 2\n", ":2: ncols: already given in line 1");
    refuse("ncols x\n", ":1: ncols: expected a number, found 'x'");
    refuse("ncols\n", ":1: ncols: expected a number, found ''");
    refuse("ncols 3 4\n", ":1: '4' after the value");
    refuse("ncols 3\nnrows 2.5\nxllcorner 0\nyllcorner 0\ncellsize 1\n1",
           ":2: nrows: must be a whole number");
    refuse("ncols 3\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1",
           ":2: nrows: must be a whole number");
    refuse("ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 0\n1",
           ":5: cellsize: must be positive");
    refuse("ncols 3\nnrows 2\nxllcorner 0\nxllcenter 0\nyllcorner 0\n"
           "cellsize 1\n1",
           ":4: both xllcorner and xllcenter are given");
    refuse("ncols 1000000\nnrows 1000000\nxllcorner 0\nyllcorner 0\n"
           "cellsize 1\n1",
           "do not fit into the file");
    refuse(HEAD "1 2 3\n4 5\n", ":7: 2 heights, expected 3");
    refuse(HEAD "1 2 3 4\n4 5 6\n", ":6: more than 3 heights");
    refuse(HEAD "1 2 3\n", "the file ends after 1 of 2 rows");
    refuse(HEAD "1 2 3\n4 5 6\n7 8 9\n", ":8: '7' after the last of 2 rows");
    refuse(HEAD "1 2 3\n4 5 -9999\n", ":7: column 3: no height here");
    refuse(HEAD "1 2 3\n4 nan 6\n", ":7: column 2: expected a height");
    refuse(HEAD "1 2 3\n4 0x10 6\n", ":7: column 2: expected a height");
    refuse(HEAD "1 2 3\n4 1e999 6\n", ":7: column 2: expected a height");
}

static void terrain__no_file__is_said(void **state) {
    (void)state;
    scree_heights h;
    scree_error error = {0};
    assert_int_equal(scree_terrain_read("no-such.asc", &h, &error),
                     SCREE_IO_ERROR);
    assert_string_equal(error.text, "no-such.asc: No such file or directory");
}

static void try_read(const char *path) {
    scree_heights h;
    scree_error error = {0};
    if (scree_terrain_read(path, &h, &error) == SCREE_OK)
        scree_heights_free(&h);
    else
        assert_true(error.text[0]);
}

static void terrain__mutants__never_crash(void **state) {
    (void)state;
    mutate(HEAD "1 2 3\n4 5 6\n", strlen(HEAD "1 2 3\n4 5 6\n"), ".asc", 400,
           try_read);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terrain__volcano__is_read),
        cmocka_unit_test(terrain__rows__are_turned_so_that_y_grows),
        cmocka_unit_test(terrain__bad_files__name_the_line),
        cmocka_unit_test(terrain__no_file__is_said),
        cmocka_unit_test(terrain__mutants__never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
