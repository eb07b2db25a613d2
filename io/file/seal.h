/* seal.h: whether a file is whole, and as it was written.
 *
 * The HDF5 files of a run, results and checkpoints, end with a seal behind the
 * last byte that HDF5 knows of: a mark, what the file is and in which format,
 * the number of bytes before the seal, and a checksum of all that. HDF5 and its
 * readers ignore what follows their data. A file that was cut short or altered
 * is told from its seal before HDF5, which may crash on such a file, sees a
 * byte of it. The seal keeps its form for ever; the formats may grow. */
#ifndef SCREE_IO_SEAL_H
#define SCREE_IO_SEAL_H

#include <stddef.h>
#include <stdint.h>

#include "engine/base/error.h"

typedef enum scree_file_kind {
    SCREE_RESULT_FILE = 1,
    SCREE_CHECKPOINT_FILE = 2,
} scree_file_kind;

/* Each goes up when an older program can no longer read such a file. */
enum { SCREE_RESULT_FORMAT = 1, SCREE_CHECKPOINT_FORMAT = 5 };

/* As it lies in the file: 32 bytes without gaps, the lowest byte first. */
typedef struct scree_seal {
    char mark[8];
    uint32_t kind; /* scree_file_kind */
    uint32_t format;
    uint64_t size;
    uint64_t checksum;
} scree_seal;

scree_seal scree_seal_of(scree_file_kind kind, const void *bytes, size_t size);

/* Appends the seal to a file that has none, and syncs it. */
scree_status scree_seal_file(const char *path, scree_file_kind kind,
                             scree_error *error);

/* Reads the file once. SCREE_OK: it is whole, of a format that this program
 * knows, and *kind says what it is. SCREE_UNSUPPORTED: of a newer program;
 * SCREE_BAD_INPUT: anything else, the message says what is wrong with it. */
scree_status scree_seal_check(const char *path, scree_file_kind *kind,
                              scree_error *error);

#endif
