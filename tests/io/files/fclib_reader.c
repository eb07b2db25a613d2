/* fclib_reader.c: the process that reads FCLIB files may die at any moment. */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/fclib/fclib_child.h"
#include "io/fclib/fclib_file.h"
#include "tests/support.h"

#define SAMPLE                                                                 \
    SCREE_SOURCE_DIR                                                           \
    "/tests/data/fclib/LMGC_GlobalFrictionContactProblem00046.hdf5"

static void reader__whole_file__asked_and_taken(void **unused) {
    (void)unused;
    scree_fclib_reader reader;
    int64_t n, dim;
    assert_int_equal(scree_fclib_reader_start(&reader, SAMPLE),
                     SCREE_FCLIB_FOUND);
    assert_true(scree_fclib_reader_has(&reader, "fclib_global/M"));
    assert_false(scree_fclib_reader_has(&reader, "fclib_local"));
    assert_int_equal(scree_fclib_reader_ask(&reader, SCREE_FCLIB_WHOLE,
                                            "fclib_global/spacedim", &n),
                     SCREE_FCLIB_FOUND);
    assert_int_equal(n, 1);
    assert_int_equal(scree_fclib_reader_take(&reader, &dim, sizeof dim),
                     SCREE_FCLIB_FOUND);
    assert_int_equal(dim, 3);
    assert_int_equal(scree_fclib_reader_ask(&reader, SCREE_FCLIB_REAL,
                                            "fclib_global/none", &n),
                     SCREE_FCLIB_MISSING);
    scree_fclib_reader_end(&reader);
    assert_false(reader.crashed);
}

static void reader__child_dies__is_an_error_that_names_the_file(void **unused) {
    (void)unused;
    scree_fclib_file file;
    scree_arena arena = {0};
    scree_error error = {0};
    double *values;
    int64_t n;
    assert_ok(scree_fclib_open(&file, SAMPLE, &arena, &error));
    assert_true(scree_fclib_has(&file, "fclib_global"));
    kill(file.reader.child, SIGSEGV);
    assert_int_equal(scree_fclib_read_numbers(&file, "fclib_global/vectors/f",
                                              -1, &values, &n),
                     SCREE_BAD_INPUT);
    assert_false(scree_fclib_has(&file, "fclib_global"));
    assert_int_equal(scree_fclib_close(&file, SCREE_OK), SCREE_BAD_INPUT);
    assert_non_null(strstr(error.text, SAMPLE));
    assert_non_null(strstr(error.text, "HDF5 crashes on it"));
    scree_arena_free(&arena);
}

static bool has_room(size_t bytes) {
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room != MAP_FAILED) munmap(room, bytes);
    return room != MAP_FAILED;
}

/* HDF5 makes room for what a damaged heap says that it holds. */
static void child__limit_of_memory__counts_from_there_on(void **unused) {
    (void)unused;
    int how;
    assert_true(has_room((size_t)1 << 30));
    const pid_t child = fork();
    if (child == 0) {
        scree_fclib_child_limit((uint64_t)1 << 28);
        _exit(has_room((size_t)1 << 27) && !has_room((size_t)1 << 30) ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reader__whole_file__asked_and_taken),
        cmocka_unit_test(reader__child_dies__is_an_error_that_names_the_file),
        cmocka_unit_test(child__limit_of_memory__counts_from_there_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
