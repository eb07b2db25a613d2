#include "target.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hdf5_memory.h"

long fuzz_accepted, fuzz_refused;

/* For speed: blocks that were freed are not kept for long, reports do not say who asked
 * for them, new ones are not filled, and arguments of printf are the compiler's business.
 * Memory that is not there is for the reader to tell. ASAN_OPTIONS in the environment is
 * stronger. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "malloc_context_size=0:quarantine_size_mb=1:"
           "thread_local_quarantine_size_kb=16:max_malloc_fill_size=0:"
           "check_printf=0:allocator_may_return_null=1";
}

/* ---- files --------------------------------------------------------------- */

static char folder[64];

static void remove_tree(const char *path) {
    char inner[600];
    DIR *open = opendir(path);
    for (struct dirent *e; open && (e = readdir(open));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        snprintf(inner, sizeof inner, "%.300s/%.255s", path, e->d_name);
        if (unlink(inner) != 0) remove_tree(inner);
    }
    if (open) closedir(open);
    rmdir(path);
}

static void remove_folder(void) {
    remove_tree(folder);
}

/* In memory where there is such a folder: the readers want paths. */
static void make_folder(void) {
    const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(folder, sizeof folder, "%s/scree-fuzz-XXXXXX", base);
    fuzz_require(mkdtemp(folder) != NULL, "cannot create %s", folder);
    atexit(remove_folder);
}

const char *fuzz_path(const char *name) {
    static char paths[4][128];
    static int next;
    if (!folder[0]) make_folder();
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* Without stdio, whose buffers cost more than small files do. */
void fuzz_write(const char *path, const void *bytes, size_t size) {
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    fuzz_require(file >= 0 && write(file, bytes, size) == (ssize_t)size &&
                     close(file) == 0,
                 "cannot write %s", path);
}

uint8_t *fuzz_load(const char *path, size_t *size) {
    struct stat about;
    FILE *file = fopen(path, "rb");
    fuzz_require(file && fstat(fileno(file), &about) == 0, "cannot read %s",
                 path);
    *size = (size_t)about.st_size;
    uint8_t *bytes = malloc(*size + 1);
    fuzz_require(bytes && fread(bytes, 1, *size, file) == *size,
                 "cannot read %s", path);
    fclose(file);
    return bytes;
}

/* Files are HDF5's, unless hdf5_memory.c takes their place. */
__attribute__((weak)) void fuzz_forget_files(void) {}

__attribute__((weak)) void fuzz_take_file(const char *from, const char *to) {
    size_t size;
    uint8_t *bytes = fuzz_load(from, &size);
    fuzz_write(to, bytes, size);
    free(bytes);
}

/* ---- verdicts ------------------------------------------------------------ */

void fuzz_require(bool ok, const char *format, ...) {
    if (ok) return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    abort();
}

bool fuzz_judge(scree_status status, const scree_error *error,
                const char *path) {
    if (status == SCREE_OK) {
        fuzz_accepted++;
        return true;
    }
    fuzz_refused++;
    fuzz_require(status != SCREE_OUT_OF_MEMORY && status != SCREE_NOT_FINITE,
                 "not what an input is refused with: %s", error->text);
    fuzz_require(status == error->status && strstr(error->text, path),
                 "the message does not name %s: %s", path, error->text);
    return false;
}
