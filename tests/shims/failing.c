/* failing.c: to be preloaded: the n-th call of a kind fails, all others work.
 *
 *   FAIL_KIND   memory: requests for memory; file: calls on files and folders
 *   FAIL_AT     which one fails, from 1 on; 0: none
 *   FAIL_IN     memory: whose requests count: `program`, or the beginning of a
 *               library's file name (libhdf5); and those that the C library makes
 *               for it (strdup, asprintf, streams)
 *   FAIL_UNDER  file: the folder whose files count, an absolute path
 *   FAIL_WITH   file: errno of the failure; 0: reads and writes come short by half,
 *               all else works
 *   FAIL_RANK   only in this rank of a run under mpirun
 *   FAIL_LOG    a file that gets one line for each call that counts: its name, and
 *               the caller's place in its object or the path
 *
 * Files are told by their path when they are opened, and by their descriptor
 * afterwards. What a call of stdio does inside the C library is not seen: the call
 * itself is what fails. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

enum { MOST_FILES = 1024 };

/* An object in memory. */
typedef struct span {
    uintptr_t base, from, to;
} span;

static struct {
    enum { NOTHING, MEMORY, FILES } kind;
    long calls, at;
    int with; /* errno, 0: half */
    const char *in;
    span object; /* whose requests count */
    span libc;
    char under[PATH_MAX];
    bool cwd;              /* relative paths are under it */
    bool ours[MOST_FILES]; /* descriptors of what is under it */
    int log;
} fail = {.log = -1};

/* ---- what counts ----------------------------------------------------------- */

static void write_log(const char *name, const char *where) {
    char line[300];
    if (fail.log < 0) return;
    const int n = snprintf(line, sizeof line, "%s %.250s\n", name, where);
    syscall(SYS_write, fail.log, line, (size_t)n);
}

static bool count_call(const char *name, const char *where) {
    write_log(name, where);
    if (++fail.calls != fail.at) return false;
    if (fail.kind == FILES) errno = fail.with;
    return true;
}

static bool is_within(const span *object, const void *address) {
    return (uintptr_t)address >= object->from &&
           (uintptr_t)address < object->to;
}

/* Who called, behind the C library if that is between. */
static const void *real_caller(const void *caller) {
    void *stack[20];
    static bool busy;
    if (busy || !is_within(&fail.libc, caller)) return caller;
    busy = true;
    const int n = backtrace(stack, 20);
    busy = false;
    int i = 0;
    while (i < n && stack[i] != caller) i++;
    while (i < n && is_within(&fail.libc, stack[i])) i++;
    return i < n ? stack[i] : caller;
}

static bool count_request(const char *name, const void *caller) {
    if (fail.kind != MEMORY) return false;
    const int before = errno;
    char where[30];
    caller = real_caller(caller);
    if (!is_within(&fail.object, caller)) return false;
    snprintf(where, sizeof where, "%#zx",
             (size_t)((uintptr_t)caller - fail.object.base));
    const bool refused = count_call(name, where);
    errno = refused ? ENOMEM : before;
    return refused;
}

static bool is_ours(int fd) {
    return fail.kind == FILES && fd >= 0 && fd < MOST_FILES && fail.ours[fd];
}

static bool begins_with(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* The descriptor that a path like /proc/self/fd/7 names, -1: none. */
static int named_descriptor(const char *path) {
    static const char names[] = "/proc/self/fd/";
    return begins_with(path, names) ? atoi(path + sizeof names - 1) : -1;
}

static bool is_under(int folder, const char *path) {
    if (fail.kind != FILES || !path) return false;
    if (is_ours(named_descriptor(path))) return true;
    if (*path == '/') return begins_with(path, fail.under);
    return folder == AT_FDCWD ? fail.cwd : is_ours(folder);
}

/* Streams of memory have no descriptor, which is no error here. */
static int number_of(FILE *file) {
    const int before = errno, fd = fileno(file);
    errno = before;
    return fd;
}

/* The descriptor of something that was opened. */
static int note_opened(int fd, bool ours) {
    if (fd >= 0 && fd < MOST_FILES) fail.ours[fd] = ours;
    return fd;
}

/* ---- begin ------------------------------------------------------------------- */

static void note_span(span *object, const struct dl_phdr_info *info) {
    object->base = info->dlpi_addr;
    object->from = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD) continue;
        const uintptr_t start = info->dlpi_addr + part->p_vaddr;
        if (start < object->from) object->from = start;
        if (start + part->p_memsz > object->to)
            object->to = start + part->p_memsz;
    }
}

/* The first object is the program. */
static int note_object(struct dl_phdr_info *info, size_t size, void *count) {
    (void)size;
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *name = slash ? slash + 1 : info->dlpi_name;
    const bool program = (*(int *)count)++ == 0;
    if (program ? strcmp(fail.in, "program") == 0 : begins_with(name, fail.in))
        note_span(&fail.object, info);
    if (begins_with(name, "libc.")) note_span(&fail.libc, info);
    return 0;
}

static void begin_files(void) {
    char cwd[PATH_MAX];
    const char *under = getenv("FAIL_UNDER"), *with = getenv("FAIL_WITH");
    snprintf(fail.under, sizeof fail.under, "%s", under ? under : "/");
    fail.with = with ? atoi(with) : EIO;
    fail.cwd = getcwd(cwd, sizeof cwd) && begins_with(cwd, fail.under);
    fail.kind = FILES;
}

static void begin_memory(void) {
    int objects = 0;
    const char *in = getenv("FAIL_IN");
    fail.in = in ? in : "program";
    void *stack[2];
    dl_iterate_phdr(note_object, &objects);
    backtrace(stack, 2); /* it asks for memory of its own, once */
    fail.kind = MEMORY;
}

__attribute__((constructor)) static void begin(void) {
    const char *kind = getenv("FAIL_KIND"), *at = getenv("FAIL_AT"),
               *log = getenv("FAIL_LOG"), *wanted = getenv("FAIL_RANK"),
               *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (!kind || (wanted && (!rank || strcmp(rank, wanted) != 0))) return;
    if (log)
        fail.log =
            (int)syscall(SYS_openat, AT_FDCWD, log,
                         O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    fail.at = at ? atol(at) : 0;
    if (strcmp(kind, "memory") == 0) begin_memory();
    if (strcmp(kind, "file") == 0) begin_files();
}

/* ---- memory ------------------------------------------------------------------ */

#define REFUSED(name) count_request(name, __builtin_return_address(0))

void *malloc(size_t size) {
    return REFUSED("malloc") ? NULL : __libc_malloc(size);
}
void *calloc(size_t n, size_t size) {
    return REFUSED("calloc") ? NULL : __libc_calloc(n, size);
}
void *realloc(void *p, size_t size) {
    return REFUSED("realloc") ? NULL : __libc_realloc(p, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
    return REFUSED("aligned_alloc") ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void **p, size_t alignment, size_t size) {
    if (REFUSED("posix_memalign")) return ENOMEM;
    *p = __libc_memalign(alignment, size);
    return *p ? 0 : ENOMEM;
}

/* ---- files by their path ------------------------------------------------------ */

/* The function of the C library behind this one. */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* A call by path: fails, or is the real one. */
#define BY_PATH(result, name, folder, path, failure, parameters, arguments)    \
    result name parameters {                                                   \
        if (is_under(folder, path) && count_call(#name, path) && fail.with)    \
            return failure;                                                    \
        return REAL(name) arguments;                                           \
    }

BY_PATH(int, mkdir, AT_FDCWD, path, -1, (const char *path, mode_t mode),
        (path, mode))
BY_PATH(int, mkdirat, fd, path, -1, (int fd, const char *path, mode_t mode),
        (fd, path, mode))
BY_PATH(int, rmdir, AT_FDCWD, path, -1, (const char *path), (path))
BY_PATH(int, unlink, AT_FDCWD, path, -1, (const char *path), (path))
BY_PATH(int, unlinkat, fd, path, -1, (int fd, const char *path, int flags),
        (fd, path, flags))
BY_PATH(int, rename, AT_FDCWD, to, -1, (const char *path, const char *to),
        (path, to))
BY_PATH(int, renameat, fd, to, -1,
        (int at, const char *path, int fd, const char *to), (at, path, fd, to))
BY_PATH(int, access, AT_FDCWD, path, -1, (const char *path, int mode),
        (path, mode))
BY_PATH(int, faccessat, fd, path, -1,
        (int fd, const char *path, int mode, int flags),
        (fd, path, mode, flags))
BY_PATH(int, stat, AT_FDCWD, path, -1,
        (const char *restrict path, struct stat *restrict about), (path, about))
BY_PATH(int, lstat, AT_FDCWD, path, -1,
        (const char *restrict path, struct stat *restrict about), (path, about))
BY_PATH(int, fstatat, fd, path, -1,
        (int fd, const char *restrict path, struct stat *restrict about,
         int flags),
        (fd, path, about, flags))
BY_PATH(int, statvfs, AT_FDCWD, path, -1,
        (const char *restrict path, struct statvfs *restrict about),
        (path, about))
BY_PATH(char *, realpath, AT_FDCWD, path, NULL,
        (const char *restrict path, char *restrict out), (path, out))
BY_PATH(ssize_t, readlink, AT_FDCWD, path, -1,
        (const char *restrict path, char *restrict out, size_t n),
        (path, out, n))
BY_PATH(int, scandir, AT_FDCWD, path, -1,
        (const char *restrict path, struct dirent ***restrict list,
         int (*wanted)(const struct dirent *),
         int (*order)(const struct dirent **, const struct dirent **)),
        (path, list, wanted, order))

/* The mode is the last argument of a call that may create a file. */
#define MODE_AFTER(flags)                                                      \
    mode_t mode = 0;                                                           \
    if (flags & (O_CREAT | __O_TMPFILE)) {                                     \
        va_list more;                                                          \
        va_start(more, flags);                                                 \
        mode = va_arg(more, mode_t);                                           \
        va_end(more);                                                          \
    }

#define OPENING(name)                                                          \
    int name(const char *path, int flags, ...) {                               \
        MODE_AFTER(flags)                                                      \
        const bool ours = is_under(AT_FDCWD, path);                            \
        if (ours && count_call(#name, path) && fail.with) return -1;           \
        return note_opened(REAL(name)(path, flags, mode), ours);               \
    }
OPENING(open)
OPENING(open64)

#define OPENING_AT(name)                                                       \
    int name(int folder, const char *path, int flags, ...) {                   \
        MODE_AFTER(flags)                                                      \
        const bool ours = is_under(folder, path);                              \
        if (ours && count_call(#name, path) && fail.with) return -1;           \
        return note_opened(REAL(name)(folder, path, flags, mode), ours);       \
    }
OPENING_AT(openat)
OPENING_AT(openat64)

#define OPENING_STREAM(name)                                                   \
    FILE *name(const char *restrict path, const char *restrict mode) {         \
        const bool ours = is_under(AT_FDCWD, path);                            \
        if (ours && count_call(#name, path) && fail.with) return NULL;         \
        FILE *file = REAL(name)(path, mode);                                   \
        if (file) note_opened(number_of(file), ours);                          \
        return file;                                                           \
    }
OPENING_STREAM(fopen)
OPENING_STREAM(fopen64)

DIR *opendir(const char *path) {
    const bool ours = is_under(AT_FDCWD, path);
    if (ours && count_call("opendir", path) && fail.with) return NULL;
    DIR *folder = REAL(opendir)(path);
    if (folder) note_opened(dirfd(folder), ours);
    return folder;
}

/* ---- files by their descriptor ---------------------------------------------------- */

/* A call by descriptor: fails, or is the real one. */
#define BY_FD(result, name, fd, failure, parameters, arguments)                \
    result name parameters {                                                   \
        if (is_ours(fd) && count_call(#name, "") && fail.with) return failure; \
        return REAL(name) arguments;                                           \
    }

BY_FD(int, fsync, fd, -1, (int fd), (fd))
BY_FD(int, fdatasync, fd, -1, (int fd), (fd))
BY_FD(int, ftruncate, fd, -1, (int fd, off_t size), (fd, size))
BY_FD(int, fstat, fd, -1, (int fd, struct stat *about), (fd, about))
BY_FD(int, flock, fd, -1, (int fd, int how), (fd, how))
BY_FD(off_t, lseek, fd, -1, (int fd, off_t to, int from), (fd, to, from))
BY_FD(int, posix_fallocate, fd, fail.with, (int fd, off_t from, off_t n),
      (fd, from, n))
BY_FD(int, fseek, number_of(file), -1, (FILE * file, long to, int from),
      (file, to, from))
BY_FD(int, fseeko, number_of(file), -1, (FILE * file, off_t to, int from),
      (file, to, from))
BY_FD(char *, fgets, number_of(file), NULL,
      (char *restrict line, int n, FILE *restrict file), (line, n, file))
BY_FD(DIR *, fdopendir, fd, NULL, (int fd), (fd))
BY_FD(FILE *, fdopen, fd, NULL, (int fd, const char *mode), (fd, mode))

/* Half of it, if that is the failure. */
#define IN_PART(result, name, fd, n, failure, parameters, arguments)           \
    result name parameters {                                                   \
        if (is_ours(fd) && count_call(#name, "")) {                            \
            if (fail.with) return failure;                                     \
            n = n / 2 + n % 2;                                                 \
        }                                                                      \
        return REAL(name) arguments;                                           \
    }

IN_PART(ssize_t, read, fd, n, -1, (int fd, void *to, size_t n), (fd, to, n))
IN_PART(ssize_t, write, fd, n, -1, (int fd, const void *from, size_t n),
        (fd, from, n))
IN_PART(ssize_t, pread, fd, n, -1, (int fd, void *to, size_t n, off_t at),
        (fd, to, n, at))
IN_PART(ssize_t, pread64, fd, n, -1, (int fd, void *to, size_t n, off64_t at),
        (fd, to, n, at))
IN_PART(ssize_t, pwrite, fd, n, -1,
        (int fd, const void *from, size_t n, off_t at), (fd, from, n, at))
IN_PART(ssize_t, pwrite64, fd, n, -1,
        (int fd, const void *from, size_t n, off64_t at), (fd, from, n, at))
IN_PART(ssize_t, preadv, fd, n, -1,
        (int fd, const struct iovec *to, int n, off_t at), (fd, to, n, at))
IN_PART(ssize_t, pwritev, fd, n, -1,
        (int fd, const struct iovec *from, int n, off_t at), (fd, from, n, at))

/* What the headers make of calls in a build with _FORTIFY_SOURCE. */
int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags) {
    return open(path, flags);
}
int __openat_2(int folder, const char *path, int flags);
int __openat_2(int folder, const char *path, int flags) {
    return openat(folder, path, flags);
}
ssize_t __read_chk(int fd, void *to, size_t n, size_t room);
IN_PART(ssize_t, __read_chk, fd, n, -1,
        (int fd, void *to, size_t n, size_t room), (fd, to, n, room))
ssize_t __pread_chk(int fd, void *to, size_t n, off_t at, size_t room);
IN_PART(ssize_t, __pread_chk, fd, n, -1,
        (int fd, void *to, size_t n, off_t at, size_t room),
        (fd, to, n, at, room))
char *__fgets_chk(char *line, size_t room, int n, FILE *file);
BY_FD(char *, __fgets_chk, number_of(file), NULL,
      (char *line, size_t room, int n, FILE *file), (line, room, n, file))
char *__realpath_chk(const char *path, char *out, size_t room);
BY_PATH(char *, __realpath_chk, AT_FDCWD, path, NULL,
        (const char *path, char *out, size_t room), (path, out, room))

/* A stream that comes short says why; whole ones have no short calls. */
static size_t set_error(FILE *file) {
    file->_flags |= 0x20; /* what ferror() of the C library looks at */
    return 0;
}
#define BY_STREAM(name, parameters, arguments)                                 \
    size_t name parameters {                                                   \
        if (is_ours(number_of(file)) && count_call(#name, "") && fail.with)    \
            return set_error(file);                                            \
        return REAL(name) arguments;                                           \
    }
BY_STREAM(fread,
          (void *restrict to, size_t size, size_t n, FILE *restrict file),
          (to, size, n, file))
size_t __fread_chk(void *to, size_t room, size_t size, size_t n, FILE *file);
BY_STREAM(__fread_chk,
          (void *to, size_t room, size_t size, size_t n, FILE *file),
          (to, room, size, n, file))
BY_STREAM(fwrite,
          (const void *restrict from, size_t size, size_t n,
           FILE *restrict file),
          (from, size, n, file))

int fflush(FILE *file) {
    if (file && is_ours(number_of(file)) && count_call("fflush", "") &&
        fail.with)
        return EOF;
    return REAL(fflush)(file);
}

/* The end of a folder and a fault look alike, but for errno. */
struct dirent *readdir(DIR *folder) {
    if (is_ours(dirfd(folder)) && count_call("readdir", "") && fail.with)
        return NULL;
    return REAL(readdir)(folder);
}

/* What is closed with a failure is closed all the same. */
#define CLOSING(name, type, fd, failure)                                       \
    int name(type file) {                                                      \
        const int number = fd;                                                 \
        const bool fails = is_ours(number) && count_call(#name, "");           \
        note_opened(number, false);                                            \
        const int status = REAL(name)(file);                                   \
        if (!fails || !fail.with) return status;                               \
        errno = fail.with;                                                     \
        return failure;                                                        \
    }
CLOSING(close, int, file, -1)
CLOSING(fclose, FILE *, number_of(file), EOF)
CLOSING(closedir, DIR *, dirfd(file), -1)
