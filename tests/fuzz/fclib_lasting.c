/* fclib_lasting.c: fclib_reader.h with one process for many files, for a fuzzer: HDF5
 * itself reads altered bytes there, and only when it has crashed on them, or was at
 * work for too long, is there a new process.
 *
 * Going to and fro between the two would cost more than all the rest. So the caller
 * remembers what it has ever asked, asks all of it again with each file, and has the
 * answers at hand when they are wanted. */
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/fclib/fclib_child.h"
#include "target.h"

enum { NAME = 100, MOST_QUESTIONS = 100, MOST_FILES = 5000 };

typedef struct question {
    int32_t kind; /* scree_fclib_kind, or SCREE_FCLIB_LOOK */
    char name[NAME];
} question;

typedef struct request {
    char path[NAME];
    int32_t n;
    question all[MOST_QUESTIONS];
} request;

typedef struct reply {
    int64_t outcome, n;
    uint64_t bytes;
} reply;

/* Replies, each with its data, one after the other; in memory of both processes. */
typedef struct letter {
    size_t n;
    char bytes[];
} letter;

static const size_t MOST_BYTES = 1 << 30, FEW_BYTES = 1 << 22;
static request *asked; /* all questions so far, and the file; of both as well */
static letter *got;

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
    static const int signals[] = {SIGABRT, SIGSEGV, SIGFPE, SIGBUS,
                                  SIGILL,  SIGALRM, SIGPROF};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
    __sanitizer_set_death_callback(NULL); /* libFuzzer's, which would keep it */
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    scree_fclib_child_limit(1 << 27);
    /* What HDF5 has for an open file, 2 MB, is used again for the next. */
    H5set_free_list_limits(-1, -1, -1, -1, -1, -1);
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
}

static int64_t open_next(const char *path) {
    static int n;
    if (++n > MOST_FILES) _exit(0); /* what HDF5 has lost is given back */
    return scree_fclib_child_open(path);
}

/* What a crash leaves behind are the answers before it. */
static void add_answer(letter *l, scree_fclib_answer a) {
    const reply r = {a.outcome, a.n, a.bytes};
    if (a.bytes > MOST_BYTES - l->n - sizeof r ||
        a.outcome == SCREE_FCLIB_NO_MEMORY) /* it may be the files before */
        _exit(0);
    memcpy(l->bytes + l->n, &r, sizeof r);
    if (a.bytes > 0) memcpy(l->bytes + l->n + sizeof r, a.data, a.bytes);
    l->n += sizeof r + a.bytes;
    free(a.data);
}

static void answer_all(letter *l, const request *q) {
    const int64_t file = open_next(q->path);
    add_answer(l,
               (scree_fclib_answer){.outcome = file >= 0 ? SCREE_FCLIB_FOUND
                                                         : SCREE_FCLIB_CLOSED});
    for (int k = 0; k < q->n && file >= 0; k++)
        add_answer(
            l, scree_fclib_child_answer(file, q->all[k].kind, q->all[k].name));
    scree_fclib_child_close(file);
}

/* A file takes less than a millisecond. On some HDF5 never ends: they are cut short,
 * or they would take most of the time. */
static void limit_time(long microseconds) {
    setitimer(ITIMER_PROF,
              &(struct itimerval){.it_value.tv_usec = microseconds}, NULL);
}

static _Noreturn void serve_files(int socket) {
    char next;
    prepare_child();
    while (move_bytes(socket, &next, 1, true)) {
        alarm(20);
        limit_time(50000);
        answer_all(got, asked);
        limit_time(0);
        alarm(0);
        if (!move_bytes(socket, &(char){0}, 1, false)) break;
    }
    _exit(0);
}

/* ---- the caller ---------------------------------------------------------- */

static pid_t child = -1;
static int end_of_child;
static const char *at_hand; /* data of the last answer */

static void end_child(void) {
    if (child <= 0) return;
    close(end_of_child);
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    child = -1;
}

static void start_child(void) {
    static bool before;
    int ends[2];
    if (!before) atexit(end_child);
    before = true;
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

static void *share_memory(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    fuzz_require(memory != MAP_FAILED, "no memory");
    return memory;
}

/* Puts all questions; false: HDF5 has crashed on one of them. */
static bool exchange_letters(void) {
    char done = 0;
    if (got->n > FEW_BYTES) madvise(got, sizeof *got + MOST_BYTES, MADV_REMOVE);
    got->n = 0;
    if (child < 0) start_child();
    if (move_bytes(end_of_child, &done, 1, false) &&
        move_bytes(end_of_child, &done, 1, true))
        return true;
    end_child();
    return false;
}

/* The number of a question, from 1 on; 0 stands for opening the file. */
static int number_of(int32_t kind, const char *name) {
    for (int k = 0; k < asked->n; k++)
        if (asked->all[k].kind == kind && strcmp(asked->all[k].name, name) == 0)
            return k + 1;
    fuzz_require(asked->n < MOST_QUESTIONS, "too many questions");
    question *q = &asked->all[asked->n++];
    q->kind = kind;
    snprintf(q->name, sizeof q->name, "%s", name);
    return asked->n;
}

/* Answer k, and where its data are; false: there is none. */
static bool find_answer(int k, reply *r) {
    for (size_t at = 0; at + sizeof *r <= got->n; at += sizeof *r + r->bytes) {
        memcpy(r, got->bytes + at, sizeof *r);
        at_hand = got->bytes + at + sizeof *r;
        if (k-- == 0) return true;
    }
    return false;
}

/* A new question is put with all others, once more, unless HDF5 has crashed. */
static scree_fclib_outcome ask(scree_fclib_reader *reader, int32_t kind,
                               const char *name, int64_t *n) {
    reply r = {SCREE_FCLIB_CRASHED, 0, 0};
    const int known = asked->n, k = number_of(kind, name);
    if (k > known && child > 0) exchange_letters();
    reader->crashed = reader->crashed || !find_answer(k, &r);
    *n = reader->crashed ? 0 : r.n;
    return reader->crashed ? SCREE_FCLIB_CRASHED
                           : (scree_fclib_outcome)r.outcome;
}

scree_fclib_outcome scree_fclib_reader_start(scree_fclib_reader *reader,
                                             const char *path) {
    reply r;
    *reader = (scree_fclib_reader){.child = -1};
    if (!asked) asked = share_memory(sizeof *asked);
    if (!got) got = share_memory(sizeof *got + MOST_BYTES);
    snprintf(asked->path, sizeof asked->path, "%s", path);
    exchange_letters();
    reader->crashed = !find_answer(0, &r);
    return reader->crashed ? SCREE_FCLIB_CRASHED
                           : (scree_fclib_outcome)r.outcome;
}

void scree_fclib_reader_end(scree_fclib_reader *reader) {
    (void)reader;
}

scree_fclib_outcome scree_fclib_reader_ask(scree_fclib_reader *reader,
                                           scree_fclib_kind kind,
                                           const char *name, int64_t *n) {
    return ask(reader, (int32_t)kind, name, n);
}

scree_fclib_outcome scree_fclib_reader_take(scree_fclib_reader *reader,
                                            void *data, size_t bytes) {
    if (!reader->crashed && bytes > 0) memcpy(data, at_hand, bytes);
    return reader->crashed ? SCREE_FCLIB_CRASHED : SCREE_FCLIB_FOUND;
}

bool scree_fclib_reader_has(scree_fclib_reader *reader, const char *name) {
    int64_t n;
    return ask(reader, SCREE_FCLIB_LOOK, name, &n) == SCREE_FCLIB_FOUND;
}
