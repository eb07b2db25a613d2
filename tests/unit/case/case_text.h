/* case_text.h: reading a case from a text, for the tests of the reader. */
#ifndef SCREE_TESTS_CASE_TEXT_H
#define SCREE_TESTS_CASE_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/case/case.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SETS = 8 };

/* A new file with this text; its path is written to `path`. */
static inline void write_text(const char *text, char path[64]) {
    strcpy(path, "/tmp/scree-case-XXXXXX.yaml");
    const int file = mkstemps(path, 5);
    assert_true(file >= 0);
    const size_t n = strlen(text);
    assert_int_equal(write(file, text, n), (ssize_t)n);
    close(file);
}

/* Reads a text with overrides (up to a NULL) and leaves no file behind. */
static inline scree_status read_text(const char *text, const char *const *sets,
                                     scree_case **c, scree_error *error) {
    char path[64];
    int n = 0;
    while (sets && n < MOST_SETS && sets[n]) n++;
    write_text(text, path);
    const scree_status status = scree_case_read(path, n, sets, c, error);
    unlink(path);
    return status;
}

static inline scree_case *read_ok(const char *text, const char *const *sets) {
    scree_case *c;
    scree_error error = {0};
    if (read_text(text, sets, &c, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    return c;
}

/* Bit for bit: what is written with few digits must arrive exactly. */
static inline void assert_numbers(const double *x, int n,
                                  const double *expected) {
    for (int i = 0; i < n; i++)
        if (x[i] != expected[i])
            fail_msg("[%d] is %.17g, not %.17g", i, x[i], expected[i]);
}

#define assert_values(x, ...)                                                  \
    assert_numbers(x, (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), \
                   (double[]){__VA_ARGS__})

/* The case as `scree check` prints it; the caller frees it. */
static inline char *print_text(const scree_case *c) {
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_int_equal(scree_case_print(c, file), SCREE_OK);
    fclose(file);
    return text;
}

#endif
