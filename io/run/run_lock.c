#include "io/run/run_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/comm.h"
#include "io/file/safe_file.h"

static void sign_lock(int fd) {
    char host[100] = "", text[160];
    gethostname(host, sizeof host - 1);
    const int n = snprintf(text, sizeof text, "pid %ld on %s", (long)getpid(),
                           *host ? host : "an unknown host");
    if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)n, 0) < 0) return;
}

/* srun that was not told how MPI starts: each of its tasks is a run of its own, and all
 * of them want the folder. */
static const char *remedy_for_tasks(void) {
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS");
    if (!tasks || atoi(tasks) < 2 || scree_comm_all()->size > 1) return "";
    return "\n  remedy: srun has started several runs, not ranks of one; try "
           "srun --mpi=pmix (srun --mpi=list tells what there is)";
}

static scree_status refuse_lock(int fd, const char *folder,
                                scree_error *error) {
    char holder[160];
    const ssize_t n = pread(fd, holder, sizeof holder - 1, 0);
    holder[n > 0 ? n : 0] = '\0';
    for (char *c = holder; *c; c++)
        if ((unsigned char)*c < 0x20) *c = ' ';
    return scree_fail(error, SCREE_BAD_INPUT,
                      "'%.400s' is in use by another run (%s); wait for it, "
                      "stop it, or choose another folder with --out%s",
                      folder, *holder ? holder : "that has just begun",
                      remedy_for_tasks());
}

/* Whoever held the lock before may have removed the file since it was opened:
 * then the lock is on nothing that others see. */
static bool is_still_there(int fd, const char *path) {
    struct stat held, seen;
    return fstat(fd, &held) == 0 && scree_file_look(path, &seen) == 0 &&
           held.st_ino == seen.st_ino && held.st_dev == seen.st_dev;
}

static scree_status take_lock(scree_lock *lock, const char *folder,
                              scree_error *error) {
    for (;;) {
        int fd;
        TRY(scree_file_write(lock->path, O_RDWR, &fd, error));
        lock->unknown = flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
        if (lock->unknown == EWOULDBLOCK) {
            const scree_status status = refuse_lock(fd, folder, error);
            close(fd);
            return status;
        }
        if (is_still_there(fd, lock->path)) {
            lock->fd = fd;
            return SCREE_OK;
        }
        close(fd);
    }
}

static scree_status hold_folder(scree_lock *lock, const char *folder,
                                scree_error *error) {
    TRY(scree_folder_hold(folder, error));
    lock->folder = strdup(folder);
    if (lock->folder) return SCREE_OK;
    scree_folder_release(folder);
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
}

void scree_lock_follow(scree_lock *lock, const scree_comm *comm,
                       const char *folder) {
    if (comm->rank > 0) hold_folder(lock, folder, NULL);
}

scree_status scree_lock_take(scree_lock *lock, const char *folder,
                             scree_error *error) {
    *lock = (scree_lock){.fd = -1};
    TRY(hold_folder(lock, folder, error));
    if (asprintf(&lock->path, "%s/.lock", folder) < 0) lock->path = NULL;
    const scree_status status =
        lock->path ? take_lock(lock, folder, error)
                   : scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
    if (status == SCREE_OK)
        sign_lock(lock->fd);
    else
        scree_lock_release(lock);
    return status;
}

void scree_lock_release(scree_lock *lock) {
    if (lock->fd >= 0) {
        scree_file_remove(lock->path);
        close(lock->fd);
    }
    if (lock->folder) scree_folder_release(lock->folder);
    free(lock->folder);
    free(lock->path);
    *lock = (scree_lock){.fd = -1};
}
