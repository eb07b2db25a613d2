/* in_memory.h: an archive in memory, for tests of checkpoints. */
#ifndef SCREE_TESTS_IN_MEMORY_H
#define SCREE_TESTS_IN_MEMORY_H

#include "engine/base/archive.h"

typedef struct kept_array {
    char name[96];
    int64_t n;
    size_t bytes;
    void *data;
} kept_array;

typedef struct in_memory {
    kept_array list[200];
    int n;
    const char *lost; /* an array that is not there */
} in_memory;

extern const scree_archive_ops in_memory_ops;
void in_memory_clear(in_memory *m);

#endif
