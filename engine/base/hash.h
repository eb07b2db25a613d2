/* hash.h: FNV-1a, the one hash of bytes (Fowler, Noll, Vo; 64 bits).
 *
 * A hash begins with SCREE_HASH_START; equal bytes in the same order give equal
 * hashes on every machine of the same byte order. */
#ifndef SCREE_BASE_HASH_H
#define SCREE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define SCREE_HASH_START UINT64_C(0xCBF29CE484222325)

static inline uint64_t scree_hash_bytes(uint64_t hash, const void *data,
                                        size_t n) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < n; ++i)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
    return hash;
}

#endif
