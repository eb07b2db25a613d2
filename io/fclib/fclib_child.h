/* fclib_child.h: what the process of fclib_reader.h does with a file: HDF5 at work,
 * which may crash. */
#ifndef SCREE_IO_FCLIB_CHILD_H
#define SCREE_IO_FCLIB_CHILD_H

#include <stddef.h>
#include <stdint.h>

#include "io/fclib/fclib_reader.h"

enum { FCLIB_LOOK = FCLIB_TEXT + 1 }; /* a request: is it there? */

typedef struct fclib_answer {
    fclib_outcome outcome;
    int64_t n;
    void *data; /* (bytes), the caller frees */
    size_t bytes;
} fclib_answer;

/* A damaged file may make HDF5 fill any amount of memory: this process may have so
 * many bytes more than it has now. */
void fclib_child_limit(uint64_t bytes);

/* An open file of HDF5, or less than zero. */
int64_t fclib_child_open(const char *path);
void fclib_child_close(int64_t file);

/* A dataset as `kind`, an fclib_kind, or with FCLIB_LOOK whether it is there. */
fclib_answer fclib_child_answer(int64_t file, int32_t kind, const char *name);

#endif
