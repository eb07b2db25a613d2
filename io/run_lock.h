/* run_lock.h: one run at a time writes into a folder.
 *
 * The lock is the kernel's, on the file .lock of the folder: it ends with the
 * process, however that ends. The file says who holds it. */
#ifndef SCREE_IO_RUN_LOCK_H
#define SCREE_IO_RUN_LOCK_H

#include "engine/base/error.h"

typedef struct scree_lock {
    int fd; /* -1: not held */
    char *path;
    int unknown; /* errno of a file system that knows no locks: the folder is
                    used without; 0: it is locked */
} scree_lock;

/* SCREE_BAD_INPUT: another process holds it; the sentence says which. */
scree_status scree_lock_take(scree_lock *lock, const char *folder,
                             scree_error *error);
void scree_lock_release(scree_lock *lock);

#endif
