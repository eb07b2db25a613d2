#include "io/fclib_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/hdf5_file.h"

enum {
    NAME = 200,
    TEXT = 200,
    MOST_UNWRITTEN = 1 << 22,
    LOOK = FCLIB_TEXT + 1
};

typedef struct request {
    int32_t kind; /* fclib_kind, or LOOK: is it there? */
    char name[NAME];
} request;

typedef struct reply {
    int64_t outcome, n;
} reply;

const char *fclib_outcome_text(fclib_outcome outcome) {
    static const char *const texts[] = {
#define X(name, text) text,
        FCLIB_OUTCOMES(X)
#undef X
    };
    return texts[outcome];
}

/* ---- both ends ----------------------------------------------------------- */

static bool put(int socket, const void *data, size_t bytes) {
    for (const char *from = data; bytes > 0;) {
        const ssize_t n = send(socket, from, bytes, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        from += n;
        bytes -= (size_t)n;
    }
    return true;
}

static bool get(int socket, void *data, size_t bytes) {
    for (char *to = data; bytes > 0;) {
        const ssize_t n = recv(socket, to, bytes, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        to += n;
        bytes -= (size_t)n;
    }
    return true;
}

/* ---- the child ----------------------------------------------------------- */

static bool exists(hid_t file, const char *name) {
    char part[NAME];
    for (size_t i = 1; i <= strlen(name); i++) {
        if (name[i] != '/' && name[i]) continue;
        snprintf(part, sizeof part, "%.*s", (int)i, name);
        if (H5Lexists(file, part, H5P_DEFAULT) <= 0) return false;
    }
    return true;
}

static int64_t size_of(hid_t dataset) {
    const hid_t space = H5Dget_space(dataset);
    const int64_t n = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    return n;
}

/* The class decides: numbers are not read from texts, indices not from reals.
 */
static fclib_outcome check_class(hid_t dataset, fclib_kind kind) {
    const hid_t type = H5Dget_type(dataset);
    const H5T_class_t class = H5Tget_class(type);
    /* Texts of variable length would need HDF5's heap: they are left out. */
    const bool text = class == H5T_STRING && !H5Tis_variable_str(type);
    H5Tclose(type);
    if (kind == FCLIB_TEXT) return text ? FCLIB_FOUND : FCLIB_NO_TEXT;
    if (class == H5T_INTEGER || (kind == FCLIB_REAL && class == H5T_FLOAT))
        return FCLIB_FOUND;
    return kind == FCLIB_WHOLE ? FCLIB_NOT_WHOLE : FCLIB_NO_NUMBERS;
}

/* Zeros that were never written take no room in the file: some are fine. */
static fclib_outcome check_size(hid_t dataset, fclib_kind kind, int64_t n) {
    const bool fits = kind == FCLIB_TEXT ? n == 1 : n >= 0 && n <= INT32_MAX;
    return fits && (n <= MOST_UNWRITTEN || scree_hdf5_is_stored(dataset))
               ? FCLIB_FOUND
               : FCLIB_BAD_SIZE;
}

static bool read_data(hid_t dataset, fclib_kind kind, void *data) {
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, TEXT);
    const hid_t type = kind == FCLIB_TEXT    ? text
                       : kind == FCLIB_WHOLE ? H5T_NATIVE_INT64
                                             : H5T_NATIVE_DOUBLE;
    const bool ok =
        H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    H5Tclose(text);
    return ok;
}

static fclib_outcome load(hid_t dataset, fclib_kind kind, int64_t *n,
                          void **data) {
    *n = size_of(dataset);
    fclib_outcome outcome = check_size(dataset, kind, *n);
    if (outcome == FCLIB_FOUND) outcome = check_class(dataset, kind);
    if (outcome != FCLIB_FOUND || *n == 0) return outcome;
    if (kind == FCLIB_TEXT) *n = TEXT;
    *data = calloc((size_t)*n, kind == FCLIB_TEXT ? 1 : 8);
    if (!*data) return FCLIB_NO_MEMORY;
    return read_data(dataset, kind, *data) ? FCLIB_FOUND : FCLIB_UNREADABLE;
}

static bool answer(int socket, hid_t file, const request *q) {
    reply r = {exists(file, q->name) ? FCLIB_FOUND : FCLIB_MISSING, 0};
    void *data = NULL;
    if (r.outcome == FCLIB_FOUND && q->kind != LOOK) {
        const hid_t dataset = H5Dopen2(file, q->name, H5P_DEFAULT);
        r.outcome = dataset < 0
                        ? FCLIB_NO_DATASET
                        : load(dataset, (fclib_kind)q->kind, &r.n, &data);
        if (dataset >= 0) H5Dclose(dataset);
    }
    if (r.outcome != FCLIB_FOUND) r.n = 0;
    const size_t bytes =
        (size_t)r.n * (q->kind == FCLIB_TEXT ? 1 : sizeof(double));
    const bool sent = put(socket, &r, sizeof r) && put(socket, data, bytes);
    free(data);
    return sent;
}

/* A damaged file may keep HDF5 going round for ever: it gets a time that grows
 * with the file. Neither a core nor what the C library says of its heap is for
 * the user. */
static void limit(const char *path) {
    struct stat about = {0};
    stat(path, &about);
    const rlim_t seconds = 20 + (rlim_t)about.st_size / 10000000;
    setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
}

/* Ends when the caller has gone. Without the handlers at exit: what they would
 * flush is the caller's. */
static _Noreturn void serve(int socket, const char *path) {
    limit(path);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* our sentence, not HDF5's stack */
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const reply opened = {file >= 0 ? FCLIB_FOUND : FCLIB_CLOSED, 0};
    request q;
    if (put(socket, &opened, sizeof opened))
        while (file >= 0 && get(socket, &q, sizeof q) &&
               answer(socket, file, &q)) {
        }
    _exit(0);
}

/* ---- the caller ---------------------------------------------------------- */

static fclib_outcome receive(fclib_reader *reader, int64_t *n) {
    reply r;
    if (!reader->crashed && get(reader->socket, &r, sizeof r) &&
        r.outcome >= 0 && r.outcome < FCLIB_CRASHED && r.n >= 0 &&
        r.n <= INT32_MAX) {
        *n = r.n;
        return (fclib_outcome)r.outcome;
    }
    reader->crashed = true;
    *n = 0;
    return FCLIB_CRASHED;
}

fclib_outcome fclib_reader_start(fclib_reader *reader, const char *path) {
    int ends[2];
    int64_t n;
    *reader = (fclib_reader){.child = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return FCLIB_NO_MEMORY;
    reader->socket = ends[0];
    reader->child = fork();
    if (reader->child == 0) {
        close(ends[0]);
        serve(ends[1], path);
    }
    close(ends[1]);
    const fclib_outcome outcome =
        reader->child > 0 ? receive(reader, &n) : FCLIB_NO_MEMORY;
    if (outcome != FCLIB_FOUND) fclib_reader_end(reader);
    return outcome;
}

/* Whatever is under way there is of no use any more. */
void fclib_reader_end(fclib_reader *reader) {
    close(reader->socket);
    if (reader->child <= 0) return;
    kill(reader->child, SIGKILL);
    while (waitpid(reader->child, NULL, 0) < 0 && errno == EINTR) {
    }
    reader->child = -1;
}

static fclib_outcome ask(fclib_reader *reader, int32_t kind, const char *name,
                         int64_t *n) {
    request q = {.kind = kind};
    snprintf(q.name, sizeof q.name, "%s", name);
    if (!reader->crashed && !put(reader->socket, &q, sizeof q))
        reader->crashed = true;
    return receive(reader, n);
}

fclib_outcome fclib_reader_ask(fclib_reader *reader, fclib_kind kind,
                               const char *name, int64_t *n) {
    return ask(reader, (int32_t)kind, name, n);
}

fclib_outcome fclib_reader_take(fclib_reader *reader, void *data,
                                size_t bytes) {
    if (!reader->crashed && get(reader->socket, data, bytes))
        return FCLIB_FOUND;
    reader->crashed = true;
    return FCLIB_CRASHED;
}

bool fclib_reader_has(fclib_reader *reader, const char *name) {
    int64_t n;
    return ask(reader, LOOK, name, &n) == FCLIB_FOUND;
}
