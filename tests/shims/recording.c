/* recording.c: to be preloaded: records what a program does to the files of a folder,
 * so that io/power_loss.py can tell what a disk might hold if power had been lost on
 * the way.
 *
 *   RECORD_UNDER  the folder, an absolute path
 *   RECORD_TO     the record, outside of it; processes append to one
 *
 * A record is the head below, a path, a second path or data, in this order. It is
 * appended, in one piece, when the call has been made. What streams write is
 * recorded, as far as files grow, when they are flushed, synced or closed. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST_FILES = 1024 };

/* What was done: O(pen, offset: is it created, size: is it cut), W(rite), T(runcate,
 * or made longer), S(ync), R(ename), U(nlink), M(ake a folder). */
typedef struct head {
    int64_t offset, size;
    int32_t process, fd;
    uint32_t path, more; /* bytes that follow */
    char what;
    char filler[7];
} head;

static char under[PATH_MAX], cwd[PATH_MAX];
static int record = -1;
static char *paths[MOST_FILES]; /* of what is open under it */
static off_t
    streamed[MOST_FILES]; /* size of a stream's file so far, -1: no stream */

__attribute__((constructor)) static void begin(void) {
    const char *folder = getenv("RECORD_UNDER"), *to = getenv("RECORD_TO");
    if (!folder || !to || !getcwd(cwd, sizeof cwd)) return;
    snprintf(under, sizeof under, "%s/", folder);
    record = (int)syscall(SYS_openat, AT_FDCWD, to,
                          O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

static void put(head h, const char *path, const void *more) {
    const int before = errno;
    h.process = getpid();
    h.path = path ? (uint32_t)strlen(path) : 0;
    const struct iovec parts[] = {
        {&h, sizeof h}, {(void *)path, h.path}, {(void *)more, h.more}};
    syscall(SYS_writev, record, parts, 3);
    errno = before;
}

/* The whole path if it is under the folder, else NULL. */
static const char *whole_path(int folder, const char *path, char *whole) {
    const char *start = cwd;
    if (record < 0 || !path) return NULL;
    if (folder != AT_FDCWD)
        start = folder >= 0 && folder < MOST_FILES ? paths[folder] : NULL;
    const bool absolute = *path == '/';
    if (!absolute && !start) return NULL;
    const int n = snprintf(whole, PATH_MAX, "%s%s%s", absolute ? "" : start,
                           absolute ? "" : "/", path);
    if (n >= PATH_MAX) return NULL;
    return strncmp(whole, under, strlen(under)) == 0 ? whole : NULL;
}

static bool is_ours(int fd) {
    return record >= 0 && fd >= 0 && fd < MOST_FILES && paths[fd];
}

static int note_opened(int fd, const char *path, bool created, bool cut) {
    if (fd < 0 || fd >= MOST_FILES) return fd;
    free(paths[fd]);
    paths[fd] = path ? strdup(path) : NULL;
    streamed[fd] = -1;
    if (path)
        put((head){.what = 'O', .fd = fd, .offset = created, .size = cut}, path,
            NULL);
    return fd;
}

static void note_write(int fd, off_t at, const void *data, ssize_t n) {
    if (n > 0 && is_ours(fd))
        put((head){.what = 'W', .fd = fd, .offset = at, .more = (uint32_t)n},
            NULL, data);
}

/* What a stream has added to its file. */
static void note_growth(int fd) {
    struct stat now;
    if (!is_ours(fd) || streamed[fd] < 0 || fstat(fd, &now) != 0 ||
        now.st_size <= streamed[fd])
        return;
    const size_t n = (size_t)(now.st_size - streamed[fd]);
    const int in = (int)syscall(SYS_openat, AT_FDCWD, paths[fd], O_RDONLY);
    char *data = malloc(n);
    if (in >= 0 && data && pread(in, data, n, streamed[fd]) == (ssize_t)n)
        note_write(fd, streamed[fd], data, (ssize_t)n);
    free(data);
    syscall(SYS_close, in);
    streamed[fd] = now.st_size;
}

/* ---- names --------------------------------------------------------------------- */

/* The function of the C library behind this one. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static bool exists(const char *path) {
    struct stat about;
    return path && stat(path, &about) == 0;
}

static int open_noted(int (*real)(int, const char *, int, ...), int folder,
                      const char *name, int flags, mode_t mode) {
    char whole[PATH_MAX];
    const char *path = whole_path(folder, name, whole);
    const bool created = !exists(path);
    const int fd = real(folder, name, flags, mode);
    return note_opened(fd, path, created, flags & O_TRUNC);
}

/* The mode is the last argument of a call that may create a file. */
#define MODE_AFTER(flags)                                                      \
    mode_t mode = 0;                                                           \
    if (flags & O_CREAT) {                                                     \
        va_list more;                                                          \
        va_start(more, flags);                                                 \
        mode = va_arg(more, mode_t);                                           \
        va_end(more);                                                          \
    }

int open(const char *path, int flags, ...) {
    MODE_AFTER(flags)
    return open_noted(REAL(openat), AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    MODE_AFTER(flags)
    return open_noted(REAL(openat), AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char *path, int flags, ...) {
    MODE_AFTER(flags)
    return open_noted(REAL(openat), folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...) {
    MODE_AFTER(flags)
    return open_noted(REAL(openat), folder, path, flags, mode);
}
int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags) {
    return open_noted(REAL(openat), AT_FDCWD, path, flags, 0);
}
int __openat_2(int folder, const char *path, int flags);
int __openat_2(int folder, const char *path, int flags) {
    return open_noted(REAL(openat), folder, path, flags, 0);
}

/* A file that a stream writes is one of its own, or grows. */
static void note_stream(FILE *file, const char *path, bool created, bool cut) {
    struct stat now;
    const int fd = fileno(file);
    note_opened(fd, path, created, cut);
    if (path && fd < MOST_FILES && fstat(fd, &now) == 0)
        streamed[fd] = now.st_size;
}

FILE *fopen(const char *restrict name, const char *restrict mode) {
    char whole[PATH_MAX];
    const char *path = whole_path(AT_FDCWD, name, whole);
    const bool created = !exists(path);
    FILE *file = REAL(fopen)(name, mode);
    if (file) note_stream(file, path, created, *mode == 'w');
    return file;
}

/* The descriptor is known already; now it is a stream's. */
FILE *fdopen(int fd, const char *mode) {
    struct stat now;
    FILE *file = REAL(fdopen)(fd, mode);
    if (file && is_ours(fd) && fstat(fd, &now) == 0) streamed[fd] = now.st_size;
    return file;
}

DIR *opendir(const char *name) {
    char whole[PATH_MAX];
    const char *path = whole_path(AT_FDCWD, name, whole);
    DIR *folder = REAL(opendir)(name);
    if (folder) note_opened(dirfd(folder), path, false, false);
    return folder;
}

static int note_name(int status, char what, const char *path, const char *to) {
    if (status == 0 && path)
        put((head){.what = what, .more = to ? (uint32_t)strlen(to) : 0}, path,
            to);
    return status;
}

int renameat(int from, const char *name, int folder, const char *to) {
    char one[PATH_MAX], two[PATH_MAX];
    return note_name(REAL(renameat)(from, name, folder, to), 'R',
                     whole_path(from, name, one), whole_path(folder, to, two));
}
int rename(const char *name, const char *to) {
    return renameat(AT_FDCWD, name, AT_FDCWD, to);
}
int unlinkat(int folder, const char *name, int flags) {
    char whole[PATH_MAX];
    return note_name(REAL(unlinkat)(folder, name, flags), 'U',
                     whole_path(folder, name, whole), NULL);
}
int unlink(const char *name) {
    return unlinkat(AT_FDCWD, name, 0);
}
int mkdirat(int folder, const char *name, mode_t mode) {
    char whole[PATH_MAX];
    return note_name(REAL(mkdirat)(folder, name, mode), 'M',
                     whole_path(folder, name, whole), NULL);
}
int mkdir(const char *name, mode_t mode) {
    return mkdirat(AT_FDCWD, name, mode);
}

/* ---- bytes --------------------------------------------------------------------- */

ssize_t write(int fd, const void *from, size_t n) {
    const ssize_t done = REAL(write)(fd, from, n);
    if (done > 0 && is_ours(fd))
        note_write(fd, lseek(fd, 0, SEEK_CUR) - done, from, done);
    return done;
}
ssize_t pwrite(int fd, const void *from, size_t n, off_t at) {
    const ssize_t done = REAL(pwrite)(fd, from, n, at);
    note_write(fd, at, from, done);
    return done;
}
ssize_t pwrite64(int fd, const void *from, size_t n, off64_t at) {
    return pwrite(fd, from, n, at);
}
ssize_t pwritev(int fd, const struct iovec *from, int n, off_t at) {
    const ssize_t done = REAL(pwritev)(fd, from, n, at);
    ssize_t left = done;
    for (int i = 0; i < n && left > 0; i++) {
        const ssize_t part =
            left < (ssize_t)from[i].iov_len ? left : (ssize_t)from[i].iov_len;
        note_write(fd, at + done - left, from[i].iov_base, part);
        left -= part;
    }
    return done;
}

static int note_size(int status, int fd, off_t size) {
    if (status == 0 && is_ours(fd))
        put((head){.what = 'T', .fd = fd, .size = size}, NULL, NULL);
    return status;
}

int ftruncate(int fd, off_t size) {
    return note_size(REAL(ftruncate)(fd, size), fd, size);
}
int ftruncate64(int fd, off64_t size) {
    return ftruncate(fd, size);
}
/* Of a file that is no longer than that. */
int posix_fallocate(int fd, off_t from, off_t n) {
    return note_size(REAL(posix_fallocate)(fd, from, n), fd, from + n);
}

static int note_sync(int status, int fd) {
    if (status == 0 && is_ours(fd))
        put((head){.what = 'S', .fd = fd}, NULL, NULL);
    return status;
}

int fsync(int fd) {
    note_growth(fd);
    return note_sync(REAL(fsync)(fd), fd);
}
int fdatasync(int fd) {
    note_growth(fd);
    return note_sync(REAL(fdatasync)(fd), fd);
}
int fflush(FILE *file) {
    const int status = REAL(fflush)(file);
    if (file && record >= 0) note_growth(fileno(file));
    return status;
}
int fclose(FILE *file) {
    if (record >= 0) {
        REAL(fflush)(file);
        note_growth(fileno(file));
    }
    return REAL(fclose)(file);
}
