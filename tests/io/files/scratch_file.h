/* scratch_file.h: files a reader is tried on, and mutants of them. */
#ifndef SCREE_TESTS_SCRATCH_FILE_H
#define SCREE_TESTS_SCRATCH_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/random.h"
#include "tests/support.h"

/* A fresh file name with the ending given; it is in the test's folder. */
static inline const char *scratch_path(const char *ending) {
    static char path[64];
    snprintf(path, sizeof path, "scratch-%d%s", (int)getpid(), ending);
    return path;
}

static inline void write_file(const char *path, const void *bytes, size_t n) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

/* Calls read(path) on `count` copies of a file, each with some bytes changed,
 * and every fourth cut short. The reader may refuse them, but not fall over. */
static inline void mutate(const char *bytes, size_t n, const char *ending,
                          int count, void (*read)(const char *path)) {
    const char *path = scratch_path(ending);
    char *copy = malloc(n);
    scree_random rng = {n};
    for (int i = 0; i < count; i++) {
        memcpy(copy, bytes, n);
        for (uint64_t k = scree_random_next(&rng) % 8 + 1; k > 0; k--)
            copy[scree_random_next(&rng) % n] = (char)scree_random_next(&rng);
        const size_t kept = i % 4 ? n : scree_random_next(&rng) % n;
        write_file(path, copy, kept);
        read(path);
    }
    unlink(path);
    free(copy);
}

#endif
