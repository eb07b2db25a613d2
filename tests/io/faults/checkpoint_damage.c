/* checkpoint_damage.c: what is not a whole checkpoint is refused in words,
 * never accepted, and never read by HDF5. */
#include "tests/io/files/fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/random.h"
#include "io/file/seal.h"
#include "io/hdf5/checkpoint.h"
#include "io/hdf5/checkpoint_file.h"
#include "io/run/run_resume.h"
#include "io/version.h"

static const char text[] =
    "time: {end: 0.02, step: 1e-3}\n"
    "materials: [{name: rock, density: 2600, friction: 0.5}]\n"
    "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}]\n"
    "bodies: [{lattice: {origin: [0, 0, 0.05], counts: [2, 2, 2], spacing: "
    "0.1}, radius: 0.05, material: rock}]\n"
    "outputs: [{scalars: {}}, {frames: {every: 0.005}}]\n"
    "threads: 1\n"
    "checkpoint: {every: 0.01}\n";

typedef struct bytes {
    unsigned char *data;
    size_t n;
} bytes;

static bytes read_all(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    bytes b = {.n = (size_t)ftell(file)};
    rewind(file);
    b.data = malloc(b.n);
    assert_int_equal(fread(b.data, 1, b.n, file), b.n);
    fclose(file);
    return b;
}

static void write_all(const char *path, const unsigned char *data, size_t n) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, n, file), n);
    fclose(file);
}

/* Checkpoints of steps 10 and 20. */
static void run_case(const fixture *f) {
    scree_case *c;
    scree_error error = {0};
    if (scree_case_read_text(text, "case.yaml", 0, NULL, &c, &error) !=
        SCREE_OK)
        fail_msg("%s", error.text);
    const scree_run_options options = {.out = f->folder};
    if (scree_run(c, &options, &error) != SCREE_OK) fail_msg("%s", error.text);
    scree_case_free(c);
}

static void expect_refused(const char *path, const char *what) {
    scree_checkpoint *c;
    scree_error error = {0};
    const scree_status status = scree_checkpoint_open(path, &c, &error);
    if (status != SCREE_BAD_INPUT) fail_msg("%s: status %d", what, (int)status);
    assert_null(c);
    if (!strstr(error.text, path)) fail_msg("%s: '%s'", what, error.text);
}

/* One bit anywhere: header, arrays, attributes, seal. */
static void mutate_bit(scree_random *rng, const bytes *whole,
                       const char *path) {
    const uint64_t bit = scree_random_next(rng) % (8 * whole->n);
    whole->data[bit / 8] ^= (unsigned char)(1u << bit % 8);
    write_all(path, whole->data, whole->n);
    whole->data[bit / 8] ^= (unsigned char)(1u << bit % 8);
    char what[60];
    snprintf(what, sizeof what, "bit %llu", (unsigned long long)bit);
    expect_refused(path, what);
}

static void mutate_length(scree_random *rng, const bytes *whole,
                          const char *path) {
    const size_t n = scree_random_next(rng) % whole->n;
    write_all(path, whole->data, n);
    expect_refused(path, "truncated");
}

static void mutate_block(scree_random *rng, const bytes *whole,
                         const char *path) {
    unsigned char *copy = malloc(whole->n);
    memcpy(copy, whole->data, whole->n);
    const size_t n = 1 + scree_random_next(rng) % 4096;
    const size_t at = scree_random_next(rng) % (whole->n - n);
    for (size_t i = at; i < at + n; i++)
        copy[i] = (unsigned char)scree_random_next(rng);
    write_all(path, copy, whole->n);
    if (memcmp(copy, whole->data, whole->n) != 0)
        expect_refused(path, "overwritten");
    free(copy);
}

static void checkpoint__mutated_600_times__always_refused(void **state) {
    fixture *f = *state;
    scree_random rng = scree_random_stream(7, 0);
    run_case(f);
    char *path = scree_checkpoint_path(f->folder, 20);
    bytes whole = read_all(path);
    for (int i = 0; i < 200; i++) {
        mutate_bit(&rng, &whole, path);
        mutate_length(&rng, &whole, path);
        mutate_block(&rng, &whole, path);
    }
    for (size_t bit = 8 * (whole.n - sizeof(scree_seal)); bit < 8 * whole.n;
         bit++) {
        whole.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        write_all(path, whole.data, whole.n);
        expect_refused(path, "seal");
        whole.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    scree_checkpoint *c;
    write_all(path, whole.data, whole.n);
    assert_int_equal(scree_checkpoint_open(path, &c, NULL), SCREE_OK);
    assert_int_equal(c->step, 20);
    assert_string_equal(c->text, text);
    scree_checkpoint_close(c);
    free(whole.data);
    free(path);
}

static void checkpoint__no_checkpoint__refused(void **state) {
    fixture *f = *state;
    expect_refused(fixture_path(f, "nothing.hdf5"), "not there");
    expect_refused(f->folder, "a folder");
    run_case(f);
    expect_refused(fixture_path(f, "bodies_000000.hdf"), "a frame");
    write_all(fixture_path(f, "empty"), (const unsigned char *)"", 0);
    expect_refused(fixture_path(f, "empty"), "empty");
}

/* The checksum that seal.h promises, written down once more: kind and format,
 * the words, their number of bytes. */
static uint64_t mix(uint64_t h, uint64_t word) {
    h = (h ^ word) * 0xD6E8FEB86659FD93u;
    return h ^ h >> 32;
}

static uint64_t sum_of(const unsigned char *data, size_t n, uint64_t format) {
    uint64_t h = mix(0x9E3779B97F4A7C15u, format << 32 | 2);
    for (size_t i = 0; i < n; i += 8) {
        uint64_t word = 0;
        for (size_t k = i; k < n && k < i + 8; k++)
            word |= (uint64_t)data[k] << 8 * (k - i);
        h = mix(h, word);
    }
    return mix(h, n);
}

/* Makes it say that it is of this format, with a sum that is right. */
static void write_format(const char *path, bytes b, unsigned char format) {
    const size_t n = b.n - 32;
    b.data[n + 12] = format;
    const uint64_t sum = sum_of(b.data, n, format);
    memcpy(b.data + n + 24, &sum, 8);
    write_all(path, b.data, b.n);
}

/* A whole file that says it is of a later format. */
static void checkpoint__newer_format__refused_with_remedy(void **state) {
    fixture *f = *state;
    run_case(f);
    char *path = scree_checkpoint_path(f->folder, 20);
    bytes b = read_all(path);
    const size_t n = b.n - 32;
    const uint64_t sum = sum_of(b.data, n, 5);
    assert_memory_equal(b.data + n, "SCREEend\2\0\0\0\5\0\0\0", 16);
    assert_memory_equal(b.data + n + 24, &sum, 8);
    write_format(path, b, 6);

    scree_error error = {0};
    const scree_run_options options = {0};
    assert_int_equal(scree_resume(f->folder, 0, NULL, &options, &error),
                     SCREE_UNSUPPORTED);
    assert_non_null(strstr(error.text, "newer Scree"));
    assert_non_null(strstr(error.text, "format 6"));
    assert_non_null(strstr(error.text, "go on with that version"));
    free(b.data);
    free(path);
}

/* Opens the file of a checkpoint for other changes, and seals it again. */
static hid_t unseal(const char *path) {
    bytes b = read_all(path);
    write_all(path, b.data, b.n - sizeof(scree_seal));
    free(b.data);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

static void seal(const char *path, hid_t file) {
    H5Fclose(file);
    assert_int_equal(scree_seal_file(path, SCREE_CHECKPOINT_FILE, NULL),
                     SCREE_OK);
}

/* As another version may leave it: whole and sealed, but without this array. */
static void take_out(const char *path, const char *array) {
    const hid_t file = unseal(path);
    assert_true(H5Ldelete(file, array, H5P_DEFAULT) >= 0);
    seal(path, file);
}

/* The same number in all rows of an array. */
static void fill_array(const char *path, const char *name, hid_t type,
                       size_t size, const void *number) {
    const hid_t file = unseal(path), array = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t space = H5Dget_space(array);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    assert_true(n >= 1);
    char *all = calloc((size_t)n, size);
    for (hssize_t k = 0; k < n; k++)
        memcpy(all + (size_t)k * size, number, size);
    assert_true(H5Dwrite(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all) >= 0);
    free(all);
    H5Sclose(space);
    H5Dclose(array);
    seal(path, file);
}

static void expect_no_resume(const fixture *f, const char *why) {
    scree_error error = {0};
    const scree_run_options options = {0};
    assert_int_equal(scree_resume(f->folder, 0, NULL, &options, &error),
                     SCREE_BAD_INPUT);
    if (!strstr(error.text, why)) fail_msg("'%s': '%s'", why, error.text);
}

/* All contacts of one colour: threads would push one body at once. */
static void resume__body_twice_in_a_colour__refused(void **state) {
    fixture *f = *state;
    run_case(f);
    char *path = scree_checkpoint_path(f->folder, 20);
    fill_array(path, "state/contacts/colour", H5T_NATIVE_UCHAR, 1,
               &(unsigned char){0});
    expect_no_resume(f, "two contacts of one colour");
    free(path);
}

/* All values of an array the same: such that nobody can go on from them. */
typedef struct nonsense {
    const char *array;
    double value;
    const char *why;
} nonsense;

static void refuse_all(const fixture *f, const nonsense *list, size_t n) {
    char *path = scree_checkpoint_path(f->folder, 20);
    bytes good = read_all(path);
    for (size_t i = 0; i < n; i++) {
        write_all(path, good.data, good.n);
        fill_array(path, list[i].array, H5T_NATIVE_DOUBLE, sizeof(double),
                   &list[i].value);
        expect_no_resume(f, list[i].why);
    }
    free(good.data);
    free(path);
}

static void resume__bodies_without_mass__refused(void **state) {
    static const char why[] = "has no mass";
    static const nonsense list[] = {
        {"state/bodies/inverse_mass", 0, why},
        {"state/bodies/inverse_mass", -1, why},
        {"state/bodies/inverse_mass", NAN, why},
        {"state/bodies/inverse_mass", INFINITY, why},
        {"state/bodies/inverse_inertia", 0, why},
        {"state/bodies/inverse_inertia", -1, why},
        {"state/bodies/inverse_inertia", NAN, why},
        {"state/bodies/inverse_inertia", INFINITY, why},
    };
    fixture *f = *state;
    run_case(f);
    refuse_all(f, list, sizeof list / sizeof *list);
}

static void resume__numbers_that_cannot_be__refused(void **state) {
    static const nonsense list[] = {
        {"state/world/radius_max", 0, "sizes of bodies cannot be"},
        {"state/world/radius_max", INFINITY, "sizes of bodies cannot be"},
        {"state/world/radius_min", -1, "sizes of bodies cannot be"},
        {"state/world/radius_sum", NAN, "sizes of bodies cannot be"},
        {"state/bodies/orientation", 0, "the orientation of body 0 is none"},
        {"state/bodies/orientation", 1, "the orientation of body 0 is none"},
    };
    fixture *f = *state;
    run_case(f);
    refuse_all(f, list, sizeof list / sizeof *list);
}

/* Contacts would hand their colours to those of other bodies. */
static void resume__contacts_of_other_pairs__refused(void **state) {
    fixture *f = *state;
    run_case(f);
    char *path = scree_checkpoint_path(f->folder, 20);
    fill_array(path, "state/contacts/pair", H5T_NATIVE_INT32, sizeof(int32_t),
               &(int32_t){0});
    expect_no_resume(f, "has no such body, pair");
    free(path);
}

static void resume__array_missing__says_what_wrote_it(void **state) {
    static const char *const arrays[] = {
        "state/bodies/position", "state/bodies/radius", "state/contacts/a",
        "state/contacts/percussion", "state/world/steps"};
    fixture *f = *state;
    run_case(f);
    char *path = scree_checkpoint_path(f->folder, 20);
    bytes good = read_all(path);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        write_all(path, good.data, good.n);
        take_out(path, arrays[i]);
        scree_error error = {0};
        const scree_run_options options = {0};
        assert_int_equal(scree_resume(f->folder, 0, NULL, &options, &error),
                         SCREE_BAD_INPUT);
        if (!strstr(error.text, path) ||
            !strstr(error.text, arrays[i] + strlen("state/")) ||
            !strstr(error.text, scree_build_version) ||
            !strstr(error.text, "go on with that version"))
            fail_msg("%s: '%s'", arrays[i], error.text);
    }
    free(good.data);
    free(path);
}

static void resume__newest_damaged__the_one_before_and_said_so(void **state) {
    fixture *f = *state;
    run_case(f);
    char *newest = scree_checkpoint_path(f->folder, 20), *log;
    size_t size;
    bytes good = read_all(newest);
    write_all(newest, good.data, good.n / 2);
    FILE *to = open_memstream(&log, &size);
    scree_error error = {0};
    const scree_run_options options = {.log = to};
    if (scree_resume(f->folder, 0, NULL, &options, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    fclose(to);
    assert_non_null(strstr(log, newest));
    assert_non_null(strstr(log, "cut short"));
    assert_non_null(strstr(log, "continues from"));
    assert_non_null(strstr(log, "(step 10, t = 0.01 s)"));
    /* The run has made it again. */
    scree_checkpoint *c;
    assert_int_equal(scree_checkpoint_open(newest, &c, NULL), SCREE_OK);
    scree_checkpoint_close(c);
    free(log);
    free(good.data);
    free(newest);
}

static void resume__all_damaged__refused_with_reason(void **state) {
    fixture *f = *state;
    run_case(f);
    for (int step = 10; step <= 20; step += 10) {
        char *path = scree_checkpoint_path(f->folder, step);
        write_all(path, (const unsigned char *)"rubbish", 7);
        free(path);
    }
    scree_error error = {0};
    const scree_run_options options = {0};
    assert_int_equal(scree_resume(f->folder, 0, NULL, &options, &error),
                     SCREE_BAD_INPUT);
    assert_non_null(strstr(error.text, "no HDF5 file"));
}

/* Only so many stay, and half-written ones go. */
static void folder__after_a_run__newest_kept_and_clean(void **state) {
    fixture *f = *state;
    write_all(fixture_path(f, "checkpoint-000000000099.hdf5"),
              (const unsigned char *)"old", 3);
    write_all(fixture_path(f, "checkpoint-000000000005.hdf5.tmp"),
              (const unsigned char *)"half", 4);
    run_case(f);
    int64_t *steps;
    int n;
    assert_int_equal(scree_checkpoint_list(f->folder, &steps, &n, NULL),
                     SCREE_OK);
    assert_int_equal(n, 2);
    assert_int_equal(steps[0], 20);
    assert_int_equal(steps[1], 10);
    free(steps);
    assert_int_not_equal(
        access(fixture_path(f, "checkpoint-000000000005.hdf5.tmp"), F_OK), 0);
}

#define WITH_FIXTURE(test)                                                     \
    cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(checkpoint__mutated_600_times__always_refused),
        WITH_FIXTURE(checkpoint__no_checkpoint__refused),
        WITH_FIXTURE(checkpoint__newer_format__refused_with_remedy),
        WITH_FIXTURE(resume__array_missing__says_what_wrote_it),
        WITH_FIXTURE(resume__body_twice_in_a_colour__refused),
        WITH_FIXTURE(resume__bodies_without_mass__refused),
        WITH_FIXTURE(resume__numbers_that_cannot_be__refused),
        WITH_FIXTURE(resume__contacts_of_other_pairs__refused),
        WITH_FIXTURE(resume__newest_damaged__the_one_before_and_said_so),
        WITH_FIXTURE(resume__all_damaged__refused_with_reason),
        WITH_FIXTURE(folder__after_a_run__newest_kept_and_clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
