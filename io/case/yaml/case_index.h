/* case_index.h: names to numbers, in a time that does not grow with the names. */
#ifndef SCREE_IO_CASE_INDEX_H
#define SCREE_IO_CASE_INDEX_H

#include <stdbool.h>

#include "io/case/yaml/case_pool.h"

/* Zero is an index without names. The texts are only pointed at. */
typedef struct scree_index {
    const char **names; /* (room) NULL: free */
    int *numbers;       /* (room) */
    int n, room;        /* room: 0 or a power of two > 2 n */
} scree_index;

/* The number of a name, or -1. */
int scree_index_find(const scree_index *index, const char *name);
/* Gives a name that is not there yet its number. False: no memory. */
bool scree_index_add(scree_index *index, scree_pool *pool, const char *name,
                     int number);

#endif
