/* fclib_child.h: what the process of fclib_reader.h does with a file: HDF5 at work,
 * which may crash. */
#ifndef SCREE_IO_FCLIB_CHILD_H
#define SCREE_IO_FCLIB_CHILD_H

#include <stddef.h>
#include <stdint.h>

#include "io/fclib/fclib_reader.h"

enum { SCREE_FCLIB_LOOK = SCREE_FCLIB_TEXT + 1 }; /* a request: is it there? */

typedef struct scree_fclib_answer {
    scree_fclib_outcome outcome;
    int64_t n;
    void *data; /* (bytes), the caller frees */
    size_t bytes;
} scree_fclib_answer;

/* A damaged file may make HDF5 fill any amount of memory: this process may have so
 * many bytes more than it has now. */
void scree_fclib_child_limit(uint64_t bytes);

/* An open file of HDF5, or less than zero. */
int64_t scree_fclib_child_open(const char *path);
void scree_fclib_child_close(int64_t file);

/* A dataset as `kind`, an scree_fclib_kind, or with SCREE_FCLIB_LOOK whether it is there. */
scree_fclib_answer scree_fclib_child_answer(int64_t file, int32_t kind,
                                            const char *name);

#endif
