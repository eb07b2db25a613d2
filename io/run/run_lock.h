/* run_lock.h: one run at a time writes into a folder.
 *
 * The lock is the kernel's, on the file .lock of the folder: it ends with the
 * process, however that ends. The file says who holds it. */
#ifndef SCREE_IO_RUN_LOCK_H
#define SCREE_IO_RUN_LOCK_H

#include "engine/base/comm.h"

typedef struct scree_lock {
    int fd;              /* -1: not held */
    char *folder, *path; /* the folder is held as well (io/file/safe_file.h) */
    int unknown; /* errno of a file system that knows no locks: the folder is
                    used without; 0: it is locked */
} scree_lock;

/* SCREE_BAD_INPUT: another process holds it; the sentence says which. */
scree_status scree_lock_take(scree_lock *lock, const char *folder,
                             scree_error *error);
/* By the ranks that do not lock, when it is locked: they hold the folder too. Who
 * does not see it, on another machine, says so when it has something to write. */
void scree_lock_follow(scree_lock *lock, const scree_comm *comm,
                       const char *folder);
void scree_lock_release(scree_lock *lock);

#endif
