/* whole_file.h: files that are whole or absent.
 *
 * What is to stand under a name is written under a temporary one beside it,
 * synced and renamed: a killed run or a full disk leaves nothing half-written
 * under the final name. A failure leaves nothing behind. */
#ifndef SCREE_IO_WHOLE_FILE_H
#define SCREE_IO_WHOLE_FILE_H

#include "engine/base/comm.h"
#include "io/file/seal.h"

/* Writes and syncs the file `temporary`, which is not there yet. */
typedef scree_status scree_file_writer(void *context, const char *temporary,
                                       scree_error *error);
scree_status scree_file_replace_by(const char *path, scree_file_writer *write,
                                   void *context, scree_error *error);

/* The same by all ranks: each calls `write`, which agrees about what failed,
 * and rank 0 renames. */
scree_status scree_file_replace_together(const scree_comm *comm,
                                         const char *path,
                                         scree_file_writer *write,
                                         void *context, scree_error *error);

/* A file that begins with `size` bytes and is to become no larger than `room`:
 * the disk has that much for it afterwards. 0 or the errno of what failed. */
int scree_file_begin(const char *path, const void *bytes, size_t size,
                     size_t room);

/* With `size` bytes. */
scree_status scree_file_replace(const char *path, const void *bytes,
                                size_t size, scree_error *error);

/* With `size` bytes and their seal. */
scree_status scree_file_replace_sealed(const char *path, scree_file_kind kind,
                                       const void *bytes, size_t size,
                                       scree_error *error);

/* With a copy of the file `from`. */
scree_status scree_file_replace_copy(const char *path, const char *from,
                                     scree_error *error);

/* After this the names in the folder of `path` outlive a loss of power. */
scree_status scree_file_sync_folder(const char *path, scree_error *error);

#endif
