/* checkpoint_file.h: the checkpoints of a folder: whole or not there, and never
 * trusted before every bit has been checked (io/file/seal.h). */
#ifndef SCREE_IO_CHECKPOINT_FILE_H
#define SCREE_IO_CHECKPOINT_FILE_H

#include <stddef.h>

#include "engine/base/error.h"

/* Is this a whole checkpoint that this program can read? SCREE_BAD_INPUT: no;
 * SCREE_UNSUPPORTED: of a newer program. */
scree_status scree_checkpoint_check(const char *path, scree_error *error);

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
