/* target.h: what the fuzz targets share.
 *
 * A target is one file that defines LLVMFuzzerTestOneInput: it hands the bytes
 * to one reader and judges what the reader says. Two programs are made of it:
 * with Clang (preset `fuzz`) libFuzzer's, which looks for inputs that crash,
 * hang or allocate without bound; and in every build one with the mutator of
 * driver.c, which CTest runs on the seeds.
 *
 * A new target is its file, a folder of seeds and a line in CMakeLists.txt. */
#ifndef SCREE_TESTS_FUZZ_TARGET_H
#define SCREE_TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

#include "engine/base/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* "name" in a folder of this process, which is removed at its end. The text
 * lives until the fourth call after this one. */
const char *fuzz_path(const char *name);
void fuzz_write(const char *path, const void *bytes, size_t size);

/* The bytes of a file; the caller frees. */
uint8_t *fuzz_load(const char *path, size_t *size);

/* Ends the process with the sentence unless `ok`. */
void fuzz_require(bool ok, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A reader's answer: a refusal blames the input, not the memory that a count in
 * it asks for, and has a sentence that names the file. Counts both kinds.
 * Returns whether the input was accepted. */
bool fuzz_judge(scree_status status, const scree_error *error,
                const char *path);
extern long fuzz_accepted, fuzz_refused;

#endif
