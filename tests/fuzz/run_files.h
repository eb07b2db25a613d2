/* run_files.h: one whole file of every kind that a run writes, as bases that
 * targets alter. They come from a run of this program, so that they are always
 * of its format. */
#ifndef SCREE_TESTS_FUZZ_RUN_FILES_H
#define SCREE_TESTS_FUZZ_RUN_FILES_H

#include <stddef.h>
#include <stdint.h>

typedef struct fuzz_file {
    uint8_t *bytes;
    size_t size; /* with the seal */
} fuzz_file;

/* Number `byte` of them, counted around. Runs the case when called first. */
const fuzz_file *fuzz_run_file(uint8_t byte);

/* The folder of the run, with `name` in it. */
const char *fuzz_run_path(const char *name);

#endif
