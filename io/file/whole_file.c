#include "io/file/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "io/file/safe_file.h"

static scree_status no_memory(const char *path, scree_error *error) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "%.500s: out of memory",
                      path);
}

static scree_status cannot_write(const char *path, int reason,
                                 scree_error *error) {
    return scree_fail(error, SCREE_IO_ERROR, "%.500s: cannot write: %s", path,
                      strerror(reason));
}

/* Rank 0's part of the work; the others only write. A rename would take the place
 * of a device, and that of a link without a word. */
static scree_status begin_replacing(const scree_comm *comm, const char *path,
                                    const char *temporary, scree_error *error) {
    if (comm->rank > 0) return SCREE_OK;
    TRY(scree_file_may_replace(path, error));
    return scree_file_clear(temporary, error);
}

static scree_status end_replacing(const scree_comm *comm, const char *path,
                                  const char *temporary, scree_status status,
                                  scree_error *error) {
    if (comm->rank > 0) return status;
    if (status == SCREE_OK && scree_file_rename(temporary, path) != 0)
        status = cannot_write(path, errno, error);
    if (status != SCREE_OK) scree_file_remove(temporary);
    return status;
}

scree_status scree_file_replace_together(const scree_comm *comm,
                                         const char *path,
                                         scree_file_writer *write,
                                         void *context, scree_error *error) {
    char *temporary;
    if (asprintf(&temporary, "%s.tmp", path) < 0) temporary = NULL;
    scree_status status = temporary
                              ? begin_replacing(comm, path, temporary, error)
                              : no_memory(path, error);
    status = scree_comm_agree(comm, status, error);
    if (status == SCREE_OK) {
        status = write(context, temporary, error);
        status = end_replacing(comm, path, temporary, status, error);
        status = scree_comm_agree(comm, status, error);
    }
    free(temporary);
    return status;
}

scree_status scree_file_replace_by(const char *path, scree_file_writer *write,
                                   void *context, scree_error *error) {
    return scree_file_replace_together(scree_comm_alone(), path, write, context,
                                       error);
}

/* ---- from memory --------------------------------------------------------- */

/* What a file is to hold. */
typedef struct content {
    const char *path; /* for messages */
    const void *bytes;
    size_t size;
    scree_seal seal;
    size_t seal_size; /* 0: none */
} content;

static bool write_all(int fd, const void *from, size_t size) {
    const char *bytes = from;
    while (size > 0) {
        const ssize_t n = write(fd, bytes, size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

/* 0 or the errno of what failed. */
static int write_synced(const char *path, const content *c) {
    const int fd = scree_file_new(path);
    if (fd < 0) return errno;
    int reason = 0;
    if (!write_all(fd, c->bytes, c->size) ||
        !write_all(fd, &c->seal, c->seal_size) || fsync(fd) != 0)
        reason = errno;
    if (close(fd) != 0 && !reason) reason = errno;
    return reason;
}

int scree_file_begin(const char *path, const void *bytes, size_t size,
                     size_t room) {
    const int fd = scree_file_new(path);
    if (fd < 0) return errno;
    int reason = write_all(fd, bytes, size) ? 0 : errno;
    if (!reason) reason = posix_fallocate(fd, 0, (off_t)room);
    if (close(fd) != 0 && !reason) reason = errno;
    return reason;
}

static scree_status write_content(void *context, const char *temporary,
                                  scree_error *error) {
    const content *c = context;
    const int reason = write_synced(temporary, c);
    return reason ? cannot_write(c->path, reason, error) : SCREE_OK;
}

scree_status scree_file_replace(const char *path, const void *bytes,
                                size_t size, scree_error *error) {
    content c = {.path = path, .bytes = bytes, .size = size};
    return scree_file_replace_by(path, write_content, &c, error);
}

scree_status scree_file_replace_sealed(const char *path, scree_file_kind kind,
                                       const void *bytes, size_t size,
                                       scree_error *error) {
    content c = {path, bytes, size, scree_seal_of(kind, bytes, size),
                 sizeof(scree_seal)};
    return scree_file_replace_by(path, write_content, &c, error);
}

/* ---- the folder ---------------------------------------------------------- */

static int sync_folder(const char *path) {
    const int fd = scree_folder_of(path);
    if (fd < 0) return errno == EACCES ? 0 : errno; /* may be written only */
    int reason = fsync(fd) != 0 ? errno : 0;
    if (reason == EINVAL || reason == ENOTSUP) reason = 0; /* knows no sync */
    close(fd);
    return reason;
}

scree_status scree_file_sync_folder(const char *path, scree_error *error) {
    const int reason = sync_folder(path);
    return reason ? cannot_write(path, reason, error) : SCREE_OK;
}

/* ---- a copy -------------------------------------------------------------- */

typedef struct copy {
    const char *path, *from;
} copy;

static scree_status write_copy(void *context, const char *temporary,
                               scree_error *error) {
    const copy *c = context;
    int from, to;
    size_t size;
    TRY(scree_file_open(c->from, "a file", &from, &size, error));
    errno = 0;
    to = scree_file_new(temporary);
    ssize_t n = 0;
    while (to >= 0 && size > 0 && (n = sendfile(to, from, NULL, size)) > 0)
        size -= (size_t)n;
    bool ok = to >= 0 && size == 0 && fsync(to) == 0;
    const int reason = errno;
    if (to >= 0 && close(to) != 0) ok = false;
    close(from);
    return ok ? SCREE_OK
              : scree_fail(error, SCREE_IO_ERROR, "%.500s: cannot write: %s",
                           c->path, strerror(reason));
}

scree_status scree_file_replace_copy(const char *path, const char *from,
                                     scree_error *error) {
    copy c = {path, from};
    return scree_file_replace_by(path, write_copy, &c, error);
}
