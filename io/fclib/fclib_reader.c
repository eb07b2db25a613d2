#include "io/fclib/fclib_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/fclib/fclib_child.h"

enum { NAME = 200, SMALL_ROOM = 1 << 29 };

typedef struct request {
    int32_t kind; /* fclib_kind, or FCLIB_LOOK: is it there? */
    char name[NAME];
} request;

typedef struct reply {
    int64_t outcome, n;
} reply;

/* ---- both ends ----------------------------------------------------------- */

static bool put_bytes(int socket, const void *data, size_t bytes) {
    for (const char *from = data; bytes > 0;) {
        const ssize_t n = send(socket, from, bytes, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        from += n;
        bytes -= (size_t)n;
    }
    return true;
}

static bool get_bytes(int socket, void *data, size_t bytes) {
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

static bool answer_request(int socket, int64_t file, const request *q) {
    fclib_answer found = fclib_child_answer(file, q->kind, q->name);
    const reply r = {found.outcome, found.n};
    const bool sent = put_bytes(socket, &r, sizeof r) &&
                      put_bytes(socket, found.data, found.bytes);
    free(found.data);
    return sent;
}

/* A damaged file may keep HDF5 going round for ever, or filling memory: it gets a
 * time and a room that grow with the file. Neither a core nor what the C library says
 * of its heap is for the user. */
static void limit_child(const char *path) {
    struct stat about = {0};
    stat(path, &about);
    const rlim_t seconds = 20 + (rlim_t)about.st_size / 10000000;
    setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds});
    fclib_child_limit(SMALL_ROOM + 100 * (uint64_t)about.st_size);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
}

/* Ends when the caller has gone. Without the handlers at exit: what they would
 * flush is the caller's. */
static _Noreturn void serve_requests(int socket, const char *path) {
    limit_child(path);
    const int64_t file = fclib_child_open(path);
    const reply opened = {file >= 0 ? FCLIB_FOUND : FCLIB_CLOSED, 0};
    request q;
    if (put_bytes(socket, &opened, sizeof opened))
        while (file >= 0 && get_bytes(socket, &q, sizeof q) &&
               answer_request(socket, file, &q)) {
        }
    _exit(0);
}

/* ---- the caller ---------------------------------------------------------- */

static fclib_outcome receive_answer(fclib_reader *reader, int64_t *n) {
    reply r;
    if (!reader->crashed && get_bytes(reader->socket, &r, sizeof r) &&
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
        serve_requests(ends[1], path);
    }
    close(ends[1]);
    const fclib_outcome outcome =
        reader->child > 0 ? receive_answer(reader, &n) : FCLIB_NO_MEMORY;
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

static fclib_outcome ask_child(fclib_reader *reader, int32_t kind,
                               const char *name, int64_t *n) {
    request q = {.kind = kind};
    snprintf(q.name, sizeof q.name, "%s", name);
    if (!reader->crashed && !put_bytes(reader->socket, &q, sizeof q))
        reader->crashed = true;
    return receive_answer(reader, n);
}

fclib_outcome fclib_reader_ask(fclib_reader *reader, fclib_kind kind,
                               const char *name, int64_t *n) {
    return ask_child(reader, (int32_t)kind, name, n);
}

fclib_outcome fclib_reader_take(fclib_reader *reader, void *data,
                                size_t bytes) {
    if (!reader->crashed && get_bytes(reader->socket, data, bytes))
        return FCLIB_FOUND;
    reader->crashed = true;
    return FCLIB_CRASHED;
}

bool fclib_reader_has(fclib_reader *reader, const char *name) {
    int64_t n;
    return ask_child(reader, FCLIB_LOOK, name, &n) == FCLIB_FOUND;
}
