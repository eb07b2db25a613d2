/* checkpoint_file.h: checkpoints as files: whole or not there, and never trusted
 * before every bit has been checked.
 *
 *     bytes of an HDF5 file, then a line of TAIL bytes:
 *     "\nscree checkpoint, format 0001, bytes 00000000000000123456, sum 0123456789abcdef ...\n"
 *
 * HDF5 readers do not look behind the end of their data, so h5py opens such a
 * file as it is. The sum goes over the bytes, their number and the format. It is
 * compared before HDF5 sees a byte: that library does not promise to survive a
 * damaged file. The line keeps its form for ever; the format may grow. */
#ifndef SCREE_IO_CHECKPOINT_FILE_H
#define SCREE_IO_CHECKPOINT_FILE_H

#include <stddef.h>

#include "engine/base/error.h"

enum { SCREE_CHECKPOINT_FORMAT = 1 };

/* Puts the bytes under `path`: temporary name, tail, sync, rename, sync of the
 * folder. A failure leaves nothing behind. */
scree_status scree_checkpoint_put(const char *path, const void *bytes,
                                  size_t size, scree_error *error);

/* The bytes without the tail; the caller frees them. SCREE_IO_ERROR: cannot be
 * read; SCREE_BAD_INPUT: damaged, or no checkpoint; SCREE_UNSUPPORTED: of a newer
 * format. */
scree_status scree_checkpoint_get(const char *path, void **bytes, size_t *size,
                                  scree_error *error);

/* ---- the checkpoints of a folder ------------------------------------------ */

/* folder/checkpoint-000000001234.hdf5; the caller frees it, NULL: no memory. */
char *scree_checkpoint_path(const char *folder, int64_t step);

/* Steps of the checkpoints in a folder, the newest first; the caller frees. */
scree_status scree_checkpoint_list(const char *folder, int64_t **steps, int *n,
                                   scree_error *error);

/* Removes what killed runs left half written, and checkpoints beyond `step`
 * (-1: all of them). Returns how many of these there were. */
int scree_checkpoint_remove_after(const char *folder, int64_t step);

/* Removes all but the newest `keep`. */
void scree_checkpoint_prune(const char *folder, int keep);

#endif
