#include "io/safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* NULL: a regular file. */
static const char *kind_words(mode_t mode) {
    switch (mode & S_IFMT) {
    case S_IFREG:
        return NULL;
    case S_IFDIR:
        return "a folder";
    case S_IFLNK:
        return "a symbolic link";
    case S_IFIFO:
        return "a FIFO";
    case S_IFSOCK:
        return "a socket";
    default:
        return "a device";
    }
}

/* ---- reading ------------------------------------------------------------- */

static scree_status cannot_read(const char *path, int reason,
                                scree_error *error) {
    return scree_fail(error, SCREE_IO_ERROR, "%.500s: %s", path,
                      strerror(reason));
}

static scree_status check_kind(const char *path, const struct stat *about,
                               const char *what, scree_error *error) {
    const char *kind = kind_words(about->st_mode);
    if (!kind) return SCREE_OK;
    return scree_fail(error, SCREE_IO_ERROR, "%.500s: this is %s, not %s", path,
                      S_ISDIR(about->st_mode) ? "a directory" : kind, what);
}

/* O_NONBLOCK: the name may lead to a FIFO by now. */
scree_status scree_file_open(const char *path, const char *what, int *fd,
                             size_t *size, scree_error *error) {
    struct stat about;
    *fd = -1;
    if (stat(path, &about) != 0) return cannot_read(path, errno, error);
    TRY(check_kind(path, &about, what, error));
    *fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (*fd < 0) return cannot_read(path, errno, error);
    const scree_status status = fstat(*fd, &about) == 0
                                    ? check_kind(path, &about, what, error)
                                    : cannot_read(path, errno, error);
    *size = (size_t)about.st_size;
    if (status == SCREE_OK) return SCREE_OK;
    close(*fd);
    *fd = -1;
    return status;
}

/* ---- writing ------------------------------------------------------------- */

static scree_status cannot_write(const char *path, int reason,
                                 scree_error *error) {
    return scree_fail(error, SCREE_IO_ERROR, "%.500s: cannot write: %s", path,
                      strerror(reason));
}

static scree_status refuse_kind(const char *path, mode_t mode,
                                scree_error *error) {
    const char *kind = kind_words(mode);
    if (!kind) return SCREE_OK;
    return scree_fail(error, SCREE_IO_ERROR,
                      "%.500s: cannot write: this is %s, not a file\n"
                      "  remedy: remove it, or choose another name",
                      path, kind);
}

scree_status scree_file_may_replace(const char *path, scree_error *error) {
    struct stat about;
    return lstat(path, &about) == 0 ? refuse_kind(path, about.st_mode, error)
                                    : SCREE_OK;
}

/* Between the look at the name and this, anything may have come there. */
static scree_status check_open(const char *path, int fd, scree_error *error) {
    struct stat about;
    if (fstat(fd, &about) != 0) return cannot_write(path, errno, error);
    return refuse_kind(path, about.st_mode, error);
}

scree_status scree_file_write(const char *path, int flags, int *fd,
                              scree_error *error) {
    *fd = -1;
    TRY(scree_file_may_replace(path, error));
    *fd = open(path,
               (flags & ~O_TRUNC) | O_CREAT | O_NOFOLLOW | O_NONBLOCK |
                   O_NOCTTY | O_CLOEXEC,
               0666);
    if (*fd < 0) return cannot_write(path, errno, error);
    scree_status status = check_open(path, *fd, error);
    if (status == SCREE_OK && (flags & O_TRUNC) && ftruncate(*fd, 0) != 0)
        status = cannot_write(path, errno, error);
    if (status == SCREE_OK) return SCREE_OK;
    close(*fd);
    *fd = -1;
    return status;
}

scree_status scree_file_rewrite(const char *path, FILE **file,
                                scree_error *error) {
    int fd;
    *file = NULL;
    TRY(scree_file_write(path, O_WRONLY | O_TRUNC, &fd, error));
    *file = fdopen(fd, "w");
    if (*file) return SCREE_OK;
    const int reason = errno;
    close(fd);
    return cannot_write(path, reason, error);
}

/* ---- temporary files ----------------------------------------------------- */

scree_status scree_file_clear(const char *temporary, scree_error *error) {
    struct stat about;
    if (lstat(temporary, &about) != 0) return SCREE_OK;
    if (S_ISDIR(about.st_mode))
        return refuse_kind(temporary, about.st_mode, error);
    return unlink(temporary) == 0 || errno == ENOENT
               ? SCREE_OK
               : cannot_write(temporary, errno, error);
}

int scree_file_new(const char *temporary) {
    return open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                0666);
}
