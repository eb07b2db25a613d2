#include "io/file/safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- folders that are held ------------------------------------------------ */

enum { MOST_HELD = 8 };

static struct {
    char *name; /* NULL: none */
    int fd, times;
} held[MOST_HELD];

/* Where to find a file: by `name` from the folder `fd` on. */
typedef struct place {
    int fd;
    const char *name;
} place;

/* Without slashes at its end; the root is one. */
static size_t trimmed_length(const char *folder, size_t n) {
    while (n > 1 && folder[n - 1] == '/') n--;
    return n;
}

static int find_held(const char *folder, size_t n) {
    for (int i = 0; i < MOST_HELD; i++)
        if (held[i].name && strlen(held[i].name) == n &&
            memcmp(held[i].name, folder, n) == 0)
            return i;
    return -1;
}

static place place_of(const char *path) {
    const char *slash = strrchr(path, '/');
    const int i =
        slash ? find_held(path, trimmed_length(path, (size_t)(slash - path)))
              : -1;
    return i < 0 ? (place){AT_FDCWD, path} : (place){held[i].fd, slash + 1};
}

static place place_of_folder(const char *folder) {
    const int i = find_held(folder, trimmed_length(folder, strlen(folder)));
    return i < 0 ? (place){AT_FDCWD, folder} : (place){held[i].fd, "."};
}

static scree_status cannot_hold(const char *folder, int reason,
                                scree_error *error) {
    return scree_fail(error, SCREE_IO_ERROR, "%.500s: %s", folder,
                      strerror(reason));
}

scree_status scree_folder_hold(const char *folder, scree_error *error) {
    const size_t n = trimmed_length(folder, strlen(folder));
    int i = find_held(folder, n);
    if (i >= 0) {
        held[i].times++;
        return SCREE_OK;
    }
    for (i = 0; i < MOST_HELD && held[i].name; i++) continue;
    if (i == MOST_HELD) return cannot_hold(folder, EMFILE, error);
    const int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return cannot_hold(folder, errno, error);
    held[i].name = strndup(folder, n);
    held[i].fd = fd;
    held[i].times = 1;
    if (held[i].name) return SCREE_OK;
    close(fd);
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
}

void scree_folder_release(const char *folder) {
    const int i = find_held(folder, trimmed_length(folder, strlen(folder)));
    if (i < 0 || --held[i].times > 0) return;
    close(held[i].fd);
    free(held[i].name);
    held[i].name = NULL;
}

DIR *scree_folder_list(const char *folder) {
    const place at = place_of_folder(folder);
    const int fd = openat(at.fd, at.name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = fd < 0 ? NULL : fdopendir(fd);
    if (fd >= 0 && !entries) close(fd);
    return entries;
}

int scree_folder_of(const char *path) {
    static const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    const place at = place_of(path);
    const char *slash = strrchr(at.name, '/');
    if (!slash) return openat(at.fd, ".", flags);
    /* the root keeps its slash */
    char *folder =
        strndup(at.name, (size_t)(slash - at.name) + (slash == at.name));
    const int fd = folder ? openat(at.fd, folder, flags) : -1;
    free(folder);
    return fd;
}

bool scree_folder_enter(const char *folder) {
    const place at = place_of_folder(folder);
    return (at.fd == AT_FDCWD ? chdir(at.name) : fchdir(at.fd)) == 0;
}

char *scree_file_name(const char *path) {
    const place at = place_of(path);
    char *name;
    if (at.fd == AT_FDCWD) return strdup(path);
    return asprintf(&name, "/proc/self/fd/%d/%s", at.fd, at.name) < 0 ? NULL
                                                                      : name;
}

int scree_file_look(const char *path, struct stat *about) {
    const place at = place_of(path);
    return fstatat(at.fd, at.name, about, AT_SYMLINK_NOFOLLOW);
}

int scree_file_remove(const char *path) {
    const place at = place_of(path);
    return unlinkat(at.fd, at.name, 0);
}

int scree_file_rename(const char *from, const char *to) {
    const place a = place_of(from), b = place_of(to);
    return renameat(a.fd, a.name, b.fd, b.name);
}

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
    const place at = place_of(path);
    if (fstatat(at.fd, at.name, &about, 0) != 0)
        return cannot_read(path, errno, error);
    TRY(check_kind(path, &about, what, error));
    *fd = openat(at.fd, at.name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
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
    return scree_file_look(path, &about) == 0
               ? refuse_kind(path, about.st_mode, error)
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
    const place at = place_of(path);
    *fd = -1;
    TRY(scree_file_may_replace(path, error));
    *fd = openat(at.fd, at.name,
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
    if (scree_file_look(temporary, &about) != 0) return SCREE_OK;
    if (S_ISDIR(about.st_mode))
        return refuse_kind(temporary, about.st_mode, error);
    return scree_file_remove(temporary) == 0 || errno == ENOENT
               ? SCREE_OK
               : cannot_write(temporary, errno, error);
}

int scree_file_new(const char *temporary) {
    const place at = place_of(temporary);
    return openat(at.fd, at.name,
                  O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}
