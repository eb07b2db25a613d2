/* fclib_reader.c: the process that reads FCLIB files may die at any moment. */
#include <signal.h>
#include <string.h>

#include "io/fclib/fclib_file.h"
#include "tests/support.h"

#define SAMPLE                                                                 \
    SCREE_SOURCE_DIR                                                           \
    "/tests/data/fclib/LMGC_GlobalFrictionContactProblem00046.hdf5"

static void reader__whole_file__asked_and_taken(void **unused) {
    (void)unused;
    fclib_reader reader;
    int64_t n, dim;
    assert_int_equal(fclib_reader_start(&reader, SAMPLE), FCLIB_FOUND);
    assert_true(fclib_reader_has(&reader, "fclib_global/M"));
    assert_false(fclib_reader_has(&reader, "fclib_local"));
    assert_int_equal(
        fclib_reader_ask(&reader, FCLIB_WHOLE, "fclib_global/spacedim", &n),
        FCLIB_FOUND);
    assert_int_equal(n, 1);
    assert_int_equal(fclib_reader_take(&reader, &dim, sizeof dim), FCLIB_FOUND);
    assert_int_equal(dim, 3);
    assert_int_equal(
        fclib_reader_ask(&reader, FCLIB_REAL, "fclib_global/none", &n),
        FCLIB_MISSING);
    fclib_reader_end(&reader);
    assert_false(reader.crashed);
}

static void reader__child_dies__is_an_error_that_names_the_file(void **unused) {
    (void)unused;
    fclib_file file;
    scree_arena arena = {0};
    scree_error error = {0};
    double *values;
    int64_t n;
    assert_ok(fclib_open(&file, SAMPLE, &arena, &error));
    assert_true(fclib_has(&file, "fclib_global"));
    kill(file.reader.child, SIGSEGV);
    assert_int_equal(
        fclib_read_numbers(&file, "fclib_global/vectors/f", -1, &values, &n),
        SCREE_BAD_INPUT);
    assert_false(fclib_has(&file, "fclib_global"));
    assert_int_equal(fclib_close(&file, SCREE_OK), SCREE_BAD_INPUT);
    assert_non_null(strstr(error.text, SAMPLE));
    assert_non_null(strstr(error.text, "HDF5 crashes on it"));
    scree_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reader__whole_file__asked_and_taken),
        cmocka_unit_test(reader__child_dies__is_an_error_that_names_the_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
