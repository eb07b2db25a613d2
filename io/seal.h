/* seal.h: whether a file is whole, and as it was written.
 *
 * The results of Scree end with a seal of 24 bytes behind the last byte that
 * HDF5 knows of: a mark, the number of bytes before it, and their checksum.
 * HDF5 and its readers ignore what follows their data. A file that was cut
 * short or altered is told from its seal before HDF5, which may crash on such a
 * file, sees it. */
#ifndef SCREE_IO_SEAL_H
#define SCREE_IO_SEAL_H

#include <stddef.h>
#include <stdint.h>

#include "engine/base/error.h"

typedef struct scree_seal {
    char mark[8];
    uint64_t size;
    uint64_t checksum;
} scree_seal;

scree_seal scree_seal_of(const void *bytes, size_t size);

/* Appends the seal to a file that has none, and syncs it. */
scree_status scree_seal_file(const char *path, scree_error *error);

/* SCREE_OK for a whole file with a seal; otherwise the message says what is
 * wrong with it. Reads it once. */
scree_status scree_seal_check(const char *path, scree_error *error);

#endif
