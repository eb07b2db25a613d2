#include "io/run_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static void sign(int fd) {
    char host[100] = "", text[160];
    gethostname(host, sizeof host - 1);
    const int n = snprintf(text, sizeof text, "pid %ld on %s", (long)getpid(),
                           *host ? host : "an unknown host");
    if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)n, 0) < 0) return;
}

static scree_status refuse(int fd, const char *folder, scree_error *error) {
    char holder[160];
    const ssize_t n = pread(fd, holder, sizeof holder - 1, 0);
    holder[n > 0 ? n : 0] = '\0';
    for (char *c = holder; *c; c++)
        if ((unsigned char)*c < 0x20) *c = ' ';
    return scree_fail(error, SCREE_BAD_INPUT,
                      "'%.400s' is in use by another run (%s); wait for it, "
                      "stop it, or choose another folder with --out",
                      folder, *holder ? holder : "that has just begun");
}

scree_status scree_lock_take(scree_lock *lock, const char *folder,
                             scree_error *error) {
    char *path;
    lock->fd = -1;
    if (asprintf(&path, "%s/.lock", folder) < 0)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    free(path);
    if (fd < 0)
        return scree_fail(error, SCREE_IO_ERROR, "%.400s: cannot write: %s",
                          folder, strerror(errno));
    scree_status status = SCREE_OK;
    /* A file system that knows no locks is used without. */
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        status = refuse(fd, folder, error);
    if (status == SCREE_OK) {
        sign(fd);
        lock->fd = fd;
    } else {
        close(fd);
    }
    return status;
}

void scree_lock_release(scree_lock *lock) {
    if (lock->fd >= 0) close(lock->fd);
    lock->fd = -1;
}
