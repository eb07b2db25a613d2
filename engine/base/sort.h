/* sort.h: stable radix sort of 64-bit keys with a 32-bit load. */
#ifndef SCREE_BASE_SORT_H
#define SCREE_BASE_SORT_H

#include <stdint.h>

typedef struct scree_key {
    uint64_t key;
    int32_t item;
} scree_key;

/* Sorts keys[0..n); `scratch` has room for n more. Linear; digits that are the
 * same in all keys cost nothing. */
void scree_sort_keys(scree_key *keys, scree_key *scratch, int64_t n,
                     int threads);

#endif
