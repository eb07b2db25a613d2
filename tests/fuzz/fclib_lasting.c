/* fclib_lasting.c: fclib_reader.h with one process for many files, for a fuzzer: HDF5
 * itself reads altered bytes there, and only when it has crashed on them, or was at
 * work for too long, is there a new process. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/fclib/fclib_child.h"
#include "target.h"

enum { NAME = 200, OPEN = FCLIB_LOOK + 1, CLOSE, MOST_FILES = 20000 };

typedef struct request {
    int32_t kind;
    char name[NAME];
} request;

typedef struct reply {
    int64_t outcome, n;
    uint64_t bytes;
} reply;

static bool move_bytes(int socket, void *data, size_t bytes, bool in) {
    for (char *at = data; bytes > 0;) {
        const ssize_t n = in ? recv(socket, at, bytes, 0)
                             : send(socket, at, bytes, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n;
        bytes -= (size_t)n;
    }
    return true;
}

/* ---- the child ----------------------------------------------------------- */

/* Dies of what HDF5 does, at once and without a report. */
static void prepare_child(void) {
    static const int signals[] = {SIGABRT, SIGSEGV, SIGFPE,
                                  SIGBUS,  SIGILL,  SIGALRM};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
}

static fclib_answer open_next(int64_t *file, const char *path) {
    static int n;
    if (++n > MOST_FILES) _exit(0); /* what HDF5 has lost is given back */
    alarm(20);
    *file = fclib_child_open(path);
    return (fclib_answer){.outcome = *file >= 0 ? FCLIB_FOUND : FCLIB_CLOSED};
}

static _Noreturn void serve_files(int socket) {
    int64_t file = -1;
    request q;
    prepare_child();
    while (move_bytes(socket, &q, sizeof q, true)) {
        if (q.kind == CLOSE) {
            fclib_child_close(file);
            alarm(0);
            continue;
        }
        fclib_answer a = q.kind == OPEN
                             ? open_next(&file, q.name)
                             : fclib_child_answer(file, q.kind, q.name);
        reply r = {a.outcome, a.n, a.bytes};
        if (!move_bytes(socket, &r, sizeof r, false) ||
            !move_bytes(socket, a.data, a.bytes, false))
            break;
        free(a.data);
    }
    _exit(0);
}

/* ---- the caller ---------------------------------------------------------- */

static pid_t child = -1;
static int end_of_child;

static void end_child(void) {
    if (child <= 0) return;
    close(end_of_child);
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    child = -1;
}

static void start_child(void) {
    int ends[2];
    fuzz_require(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "no sockets");
    child = fork();
    fuzz_require(child >= 0, "no process");
    if (child == 0) {
        close(ends[0]);
        serve_files(ends[1]);
    }
    close(ends[1]);
    end_of_child = ends[0];
}

static bool send_request(int32_t kind, const char *name) {
    request q = {.kind = kind};
    snprintf(q.name, sizeof q.name, "%s", name);
    return move_bytes(end_of_child, &q, sizeof q, false);
}

static fclib_outcome ask(fclib_reader *reader, int32_t kind, const char *name,
                         int64_t *n) {
    reply r = {FCLIB_CRASHED, 0, 0};
    reader->crashed = reader->crashed || !send_request(kind, name) ||
                      !move_bytes(end_of_child, &r, sizeof r, true);
    *n = reader->crashed ? 0 : r.n;
    return reader->crashed ? FCLIB_CRASHED : (fclib_outcome)r.outcome;
}

fclib_outcome fclib_reader_start(fclib_reader *reader, const char *path) {
    int64_t n;
    *reader = (fclib_reader){.child = -1};
    if (child < 0) start_child();
    const fclib_outcome outcome = ask(reader, OPEN, path, &n);
    if (outcome != FCLIB_FOUND) fclib_reader_end(reader);
    return outcome;
}

/* A reader that was left in the middle of an array cannot be asked again. */
void fclib_reader_end(fclib_reader *reader) {
    char rest;
    if (!reader->crashed && send_request(CLOSE, "") &&
        recv(end_of_child, &rest, 1, MSG_PEEK | MSG_DONTWAIT) < 0)
        return;
    end_child();
}

fclib_outcome fclib_reader_ask(fclib_reader *reader, fclib_kind kind,
                               const char *name, int64_t *n) {
    return ask(reader, (int32_t)kind, name, n);
}

fclib_outcome fclib_reader_take(fclib_reader *reader, void *data,
                                size_t bytes) {
    reader->crashed =
        reader->crashed || !move_bytes(end_of_child, data, bytes, true);
    return reader->crashed ? FCLIB_CRASHED : FCLIB_FOUND;
}

bool fclib_reader_has(fclib_reader *reader, const char *name) {
    int64_t n;
    return ask(reader, FCLIB_LOOK, name, &n) == FCLIB_FOUND;
}
