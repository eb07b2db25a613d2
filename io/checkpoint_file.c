#include "io/checkpoint_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the sum ---------------------------------------------------------------- */

enum { TAIL = 96, CHUNK = 1 << 20 };

/* Each step is a bijection of h for a given word, and of the word for a given h:
 * a change within one word always changes the sum, any other one with
 * probability 1 - 2^-64. */
static uint64_t mix(uint64_t h, uint64_t word) {
    h = (h ^ word) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 32;
}

static uint64_t sum_chunk(uint64_t h, const unsigned char *bytes, size_t n) {
    uint64_t word;
    for (; n >= sizeof word; bytes += sizeof word, n -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        h = mix(h, word);
    }
    word = 0;
    memcpy(&word, bytes, n);
    return mix(h, word);
}

/* Chunks are summed on their own and then together, so that several processes
 * can share the work. */
static uint64_t sum_of(const void *bytes, size_t size, unsigned format) {
    uint64_t h = mix(format, size);
    for (size_t at = 0; at < size; at += CHUNK) {
        const size_t left = size - at;
        h = mix(h, sum_chunk(at, (const unsigned char *)bytes + at,
                             left < CHUNK ? left : CHUNK));
    }
    return h;
}

static void make_tail(char tail[TAIL + 1], const void *bytes, size_t size,
                      unsigned format) {
    const uint64_t sum = sum_of(bytes, size, format);
    memset(tail, ' ', TAIL);
    const int n = snprintf(tail, TAIL,
                           "\nscree checkpoint, format %04u, bytes %020zu, "
                           "sum %016" PRIx64,
                           format, size, sum);
    tail[n] = ' ';
    tail[TAIL - 1] = '\n';
    tail[TAIL] = '\0';
}

/* ---- writing ----------------------------------------------------------------- */

static bool write_all(int fd, const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t n = write(fd, bytes, size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

static int write_synced(const char *path, const void *bytes, size_t size) {
    char tail[TAIL + 1];
    make_tail(tail, bytes, size, SCREE_CHECKPOINT_FORMAT);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) return errno;
    int reason = 0;
    if (!write_all(fd, bytes, size) || !write_all(fd, tail, TAIL) ||
        fsync(fd) != 0)
        reason = errno;
    if (close(fd) != 0 && !reason) reason = errno;
    return reason;
}

/* The new name is safe only when the folder is on disk too. */
static int sync_folder(const char *path) {
    char *folder = strdup(path);
    if (!folder) return ENOMEM;
    char *slash = strrchr(folder, '/');
    if (slash) *slash = '\0';
    const int fd = open(slash ? (*folder ? folder : "/") : ".",
                        O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int reason = fd < 0 || fsync(fd) != 0 ? errno : 0;
    if (reason == EINVAL || reason == ENOTSUP) reason = 0; /* knows no sync */
    if (fd >= 0) close(fd);
    free(folder);
    return reason;
}

scree_status scree_checkpoint_put(const char *path, const void *bytes,
                                  size_t size, scree_error *error) {
    char *temporary;
    if (asprintf(&temporary, "%s.tmp", path) < 0)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                          path);
    int reason = write_synced(temporary, bytes, size);
    if (!reason && rename(temporary, path) != 0) reason = errno;
    if (reason) unlink(temporary);
    free(temporary);
    if (!reason) reason = sync_folder(path);
    if (!reason) return SCREE_OK;
    return scree_fail(error, SCREE_IO_ERROR,
                      "%.400s: cannot write the checkpoint: %s", path,
                      strerror(reason));
}

/* ---- reading ----------------------------------------------------------------- */

static scree_status cannot_read(const char *path, const char *why,
                                scree_error *error) {
    return scree_fail(error, SCREE_IO_ERROR, "%.400s: cannot read: %s", path,
                      why);
}

static scree_status read_bytes(const char *path, FILE *file, size_t n,
                               void **bytes, scree_error *error) {
    *bytes = malloc(n + 1);
    if (!*bytes)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "%.400s: no memory for %zu bytes", path, n);
    if (fread(*bytes, 1, n, file) == n) return SCREE_OK;
    free(*bytes);
    *bytes = NULL;
    return cannot_read(path, "it ends too early", error);
}

static scree_status read_file(const char *path, void **bytes, size_t *size,
                              scree_error *error) {
    struct stat about;
    if (stat(path, &about) != 0)
        return cannot_read(path, strerror(errno), error);
    if (!S_ISREG(about.st_mode))
        return cannot_read(path, "this is no file", error);
    FILE *file = fopen(path, "rb");
    if (!file) return cannot_read(path, strerror(errno), error);
    *size = (size_t)about.st_size;
    const scree_status status = read_bytes(path, file, *size, bytes, error);
    fclose(file);
    return status;
}

static bool is_digits(const char *text, int n) {
    for (int i = 0; i < n; i++)
        if (text[i] < '0' || text[i] > '9') return false;
    return true;
}

/* The format that the tail names, or 0: it is no tail. */
static unsigned format_of(const char tail[TAIL]) {
    static const char head[] = "\nscree checkpoint, format ";
    const size_t n = sizeof head - 1;
    if (memcmp(tail, head, n) != 0 || !is_digits(tail + n, 4)) return 0;
    return (unsigned)atoi((char[]){tail[n], tail[n + 1], tail[n + 2],
                                   tail[n + 3], '\0'});
}

static scree_status check(const char *path, const char *bytes, size_t size,
                          scree_error *error) {
    char expected[TAIL + 1];
    const unsigned format = size < TAIL ? 0 : format_of(bytes + size - TAIL);
    if (format == 0)
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%.400s: this is no checkpoint, or its end is missing",
                          path);
    make_tail(expected, bytes, size - TAIL, format);
    if (memcmp(expected, bytes + size - TAIL, TAIL) != 0)
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%.400s: the checkpoint is damaged: its sum is wrong",
                          path);
    if (format > SCREE_CHECKPOINT_FORMAT)
        return scree_fail(error, SCREE_UNSUPPORTED,
                          "%.400s: a newer Scree wrote this checkpoint (format "
                          "%u, this one reads up to %d); go on with that "
                          "version",
                          path, format, SCREE_CHECKPOINT_FORMAT);
    return SCREE_OK;
}

scree_status scree_checkpoint_get(const char *path, void **bytes, size_t *size,
                                  scree_error *error) {
    *bytes = NULL;
    TRY(read_file(path, bytes, size, error));
    const scree_status status = check(path, *bytes, *size, error);
    if (status == SCREE_OK) {
        *size -= TAIL;
        return SCREE_OK;
    }
    free(*bytes);
    *bytes = NULL;
    return status;
}

/* ---- the checkpoints of a folder ------------------------------------------- */

static const char stem[] = "checkpoint-", ending[] = ".hdf5",
                  half_written[] = ".hdf5.tmp";

char *scree_checkpoint_path(const char *folder, int64_t step) {
    char *path;
    return asprintf(&path, "%s/%s%012" PRId64 "%s", folder, stem, step,
                    ending) < 0
               ? NULL
               : path;
}

/* The step in a name with this ending, -1: no such name. */
static int64_t step_in(const char *name, const char *with) {
    char *end;
    if (strncmp(name, stem, sizeof stem - 1) != 0 ||
        !is_digits(name + sizeof stem - 1, 1))
        return -1;
    const long long step = strtoll(name + sizeof stem - 1, &end, 10);
    return strcmp(end, with) == 0 ? step : -1;
}

static int newest_first(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

static bool append(int64_t **steps, int *n, int64_t step) {
    int64_t *more = realloc(*steps, ((size_t)*n + 1) * sizeof **steps);
    if (!more) return false;
    *steps = more;
    more[(*n)++] = step;
    return true;
}

scree_status scree_checkpoint_list(const char *folder, int64_t **steps, int *n,
                                   scree_error *error) {
    *steps = NULL, *n = 0;
    DIR *entries = opendir(folder);
    if (!entries) return cannot_read(folder, strerror(errno), error);
    bool ok = true;
    for (const struct dirent *e; ok && (e = readdir(entries));) {
        const int64_t step = step_in(e->d_name, ending);
        if (step >= 0) ok = append(steps, n, step);
    }
    closedir(entries);
    if (*n) qsort(*steps, (size_t)*n, sizeof **steps, newest_first);
    if (ok) return SCREE_OK;
    free(*steps);
    *steps = NULL, *n = 0;
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", folder);
}

int scree_checkpoint_remove_after(const char *folder, int64_t step) {
    DIR *entries = opendir(folder);
    int removed = 0;
    if (!entries) return 0;
    for (const struct dirent *e; (e = readdir(entries));) {
        const bool later = step_in(e->d_name, ending) > step;
        if (!later && step_in(e->d_name, half_written) < 0) continue;
        removed += unlinkat(dirfd(entries), e->d_name, 0) == 0 && later;
    }
    closedir(entries);
    return removed;
}

void scree_checkpoint_prune(const char *folder, int keep) {
    int64_t *steps;
    int n;
    if (scree_checkpoint_list(folder, &steps, &n, NULL) != SCREE_OK) return;
    for (int i = keep; i < n; i++) {
        char *path = scree_checkpoint_path(folder, steps[i]);
        if (path) unlink(path);
        free(path);
    }
    free(steps);
}
