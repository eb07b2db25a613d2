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
    int32_t kind; /* scree_fclib_kind, or SCREE_FCLIB_LOOK: is it there? */
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
    scree_fclib_answer found = scree_fclib_child_answer(file, q->kind, q->name);
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
    scree_fclib_child_limit(SMALL_ROOM + 100 * (uint64_t)about.st_size);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
}

/* Ends when the caller has gone. Without the handlers at exit: what they would
 * flush is the caller's. */
static _Noreturn void serve_requests(int socket, const char *path) {
    limit_child(path);
    const int64_t file = scree_fclib_child_open(path);
    const reply opened = {file >= 0 ? SCREE_FCLIB_FOUND : SCREE_FCLIB_CLOSED,
                          0};
    request q;
    if (put_bytes(socket, &opened, sizeof opened))
        while (file >= 0 && get_bytes(socket, &q, sizeof q) &&
               answer_request(socket, file, &q)) {
        }
    _exit(0);
}

/* ---- the caller ---------------------------------------------------------- */

static scree_fclib_outcome receive_answer(scree_fclib_reader *reader,
                                          int64_t *n) {
    reply r;
    if (!reader->crashed && get_bytes(reader->socket, &r, sizeof r) &&
        r.outcome >= 0 && r.outcome < SCREE_FCLIB_CRASHED && r.n >= 0 &&
        r.n <= INT32_MAX) {
        *n = r.n;
        return (scree_fclib_outcome)r.outcome;
    }
    reader->crashed = true;
    *n = 0;
    return SCREE_FCLIB_CRASHED;
}

scree_fclib_outcome scree_fclib_reader_start(scree_fclib_reader *reader,
                                             const char *path) {
    int ends[2];
    int64_t n;
    *reader = (scree_fclib_reader){.child = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return SCREE_FCLIB_NO_MEMORY;
    reader->socket = ends[0];
    reader->child = fork();
    if (reader->child == 0) {
        close(ends[0]);
        serve_requests(ends[1], path);
    }
    close(ends[1]);
    const scree_fclib_outcome outcome =
        reader->child > 0 ? receive_answer(reader, &n) : SCREE_FCLIB_NO_MEMORY;
    if (outcome != SCREE_FCLIB_FOUND) scree_fclib_reader_end(reader);
    return outcome;
}

/* Whatever is under way there is of no use any more. */
void scree_fclib_reader_end(scree_fclib_reader *reader) {
    close(reader->socket);
    if (reader->child <= 0) return;
    kill(reader->child, SIGKILL);
    while (waitpid(reader->child, NULL, 0) < 0 && errno == EINTR) {
    }
    reader->child = -1;
}

static scree_fclib_outcome ask_child(scree_fclib_reader *reader, int32_t kind,
                                     const char *name, int64_t *n) {
    request q = {.kind = kind};
    snprintf(q.name, sizeof q.name, "%s", name);
    if (!reader->crashed && !put_bytes(reader->socket, &q, sizeof q))
        reader->crashed = true;
    return receive_answer(reader, n);
}

scree_fclib_outcome scree_fclib_reader_ask(scree_fclib_reader *reader,
                                           scree_fclib_kind kind,
                                           const char *name, int64_t *n) {
    return ask_child(reader, (int32_t)kind, name, n);
}

scree_fclib_outcome scree_fclib_reader_take(scree_fclib_reader *reader,
                                            void *data, size_t bytes) {
    if (!reader->crashed && get_bytes(reader->socket, data, bytes))
        return SCREE_FCLIB_FOUND;
    reader->crashed = true;
    return SCREE_FCLIB_CRASHED;
}

bool scree_fclib_reader_has(scree_fclib_reader *reader, const char *name) {
    int64_t n;
    return ask_child(reader, SCREE_FCLIB_LOOK, name, &n) == SCREE_FCLIB_FOUND;
}
