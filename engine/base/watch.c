#include "engine/base/watch.h"

#include <errno.h>
#include <ifaddrs.h>
#include <limits.h>
#include <math.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/clock.h"

enum {
    MOST_ADDRESSES = 8,
    HOST_ROOM = 64,
    WORDS_ROOM = 2048,
    STUCK = 10, /* times the patience */
    GRACE = 10, /* [s] after a failure, for the others to hear of it, at most */
    LAST_RESORT =
        10 /* [s] for MPI to end all, before this process ends alone */
};

/* How rank 0 is reached, and what its run's beats begin with. */
typedef struct card {
    uint64_t run[2];
    int32_t n;
    struct sockaddr_in addresses[MOST_ADDRESSES];
} card;

typedef struct beat {
    uint64_t run[2]; /* so that beats of no other run are taken for ours */
    uint64_t ended;
    int32_t rank, waits;
    char host[HOST_ROOM];
} beat;

/* What is known of another rank. */
typedef struct peer {
    struct sockaddr_in address; /* where its last beat came from */
    bool heard, waits;
    double silent; /* [s] */
    uint64_t ended;
    char host[HOST_ROOM];
} peer;

scree_waits scree_watch_waits;

static struct {
    const scree_comm *comm;
    double patience, period; /* [s] */
    pthread_t thread;
    bool on;
    int socket, wake; /* `wake` becomes readable at the end */
    card card;
    peer *peers; /* (n_peer) of rank 0 all others, of the others rank 0 */
    int n_peer;
    uint64_t ended; /* waits of this rank when it was last looked at */
    double still;   /* [s] since one ended */
    double stuck;   /* [s] since one ended on any rank, or one did not wait */
} watch = {.socket = -1, .wake = -1};

/* What failed here, and how many waits had ended by then. */
typedef struct doubt {
    char reason[500]; /* empty: nothing */
    int code;
    uint64_t ended;
    double seconds; /* since */
} doubt;

static pthread_mutex_t words_lock = PTHREAD_MUTEX_INITIALIZER;
static char words[WORDS_ROOM];
static doubt doubted;               /* by words_lock */
static char half_written[PATH_MAX]; /* by words_lock; "": nothing */

void scree_watch_tell(const char *how_to_go_on) {
    pthread_mutex_lock(&words_lock);
    snprintf(words, sizeof words, "%s", how_to_go_on);
    pthread_mutex_unlock(&words_lock);
}

void scree_watch_half_written(const char *path) {
    pthread_mutex_lock(&words_lock);
    snprintf(half_written, sizeof half_written, "%s", path ? path : "");
    pthread_mutex_unlock(&words_lock);
}

static uint64_t waits_ended(void) {
    return atomic_load_explicit(&scree_watch_waits.ended, memory_order_relaxed);
}

/* The first failure is the cause of those that follow. */
void scree_watch_doubt(const char *reason, int code) {
    pthread_mutex_lock(&words_lock);
    if (!*doubted.reason) {
        doubted = (doubt){.code = code, .ended = waits_ended()};
        snprintf(doubted.reason, sizeof doubted.reason, "%s", reason);
    }
    pthread_mutex_unlock(&words_lock);
}

/* ---- beats ------------------------------------------------------------------- */

static beat make_beat(void) {
    beat b = {.run = {watch.card.run[0], watch.card.run[1]},
              .rank = watch.comm->rank};
    b.ended = waits_ended();
    b.waits = atomic_load_explicit(&scree_watch_waits.what,
                                   memory_order_relaxed) != NULL;
    gethostname(b.host, sizeof b.host - 1);
    return b;
}

static void send_to(const beat *b, const struct sockaddr_in *to) {
    sendto(watch.socket, b, sizeof *b, MSG_DONTWAIT | MSG_NOSIGNAL,
           (const struct sockaddr *)to, sizeof *to);
}

/* To where the last beat came from; a rank that does not hear rank 0 tries all its
 * addresses. */
static void send_beats(void) {
    const beat b = make_beat();
    for (int i = 0; i < watch.n_peer; ++i)
        if (watch.peers[i].heard) send_to(&b, &watch.peers[i].address);
    if (watch.comm->rank == 0) return;
    if (watch.peers[0].heard && watch.peers[0].silent < 3 * watch.period)
        return;
    for (int i = 0; i < watch.card.n; ++i)
        send_to(&b, &watch.card.addresses[i]);
}

static peer *peer_of(const beat *b) {
    if (memcmp(b->run, watch.card.run, sizeof b->run) != 0) return NULL;
    if (watch.comm->rank > 0) return b->rank == 0 ? &watch.peers[0] : NULL;
    return b->rank > 0 && b->rank < watch.comm->size ? &watch.peers[b->rank - 1]
                                                     : NULL;
}

/* The first beat is answered at once: who was never heard of is not missed. */
static void take_beat(const beat *b, const struct sockaddr_in *from) {
    peer *p = peer_of(b);
    if (!p) return;
    if (!p->heard && watch.comm->rank == 0) {
        const beat answer = make_beat();
        send_to(&answer, from);
    }
    if (!p->heard || p->ended != b->ended || !b->waits) watch.stuck = 0;
    p->address = *from;
    p->heard = true;
    p->silent = 0;
    p->ended = b->ended;
    p->waits = b->waits;
    memcpy(p->host, b->host, sizeof p->host);
    p->host[sizeof p->host - 1] = '\0';
}

static void take_beats(void) {
    for (;;) {
        beat b;
        struct sockaddr_in from = {0};
        socklen_t size = sizeof from;
        const ssize_t n = recvfrom(watch.socket, &b, sizeof b, MSG_DONTWAIT,
                                   (struct sockaddr *)&from, &size);
        if (n < 0) return;
        if (n == sizeof b) take_beat(&b, &from);
    }
}

/* ---- the end of a run -------------------------------------------------------- */

static void *end_alone(void *code) {
    const struct timespec nap = {.tv_sec = LAST_RESORT};
    nanosleep(&nap, NULL);
    _Exit(*(const int *)code);
}

/* The main thread waits in MPI, for ever. That MPI ends all ranks may take a
 * machine that is lost: then this process ends alone. */
static _Noreturn void give_up(const char *reason, int code) {
    char text[WORDS_ROOM + 600];
    pthread_t other;
    const bool helped = pthread_create(&other, NULL, end_alone, &code) == 0;
    pthread_mutex_lock(&words_lock);
    snprintf(text, sizeof text, "%s%s", reason,
             *words ? words : "\n  there is no checkpoint to go on from");
    if (helped && *half_written) unlink(half_written);
    pthread_mutex_unlock(&words_lock);
    if (helped) scree_comm_abort(watch.comm, code, text);
    dprintf(STDERR_FILENO, "scree: rank %d of %d: %s\n", watch.comm->rank,
            watch.comm->size, text);
    _Exit(code);
}

static const char *words_of_wait(void) {
    const char *what =
        atomic_load_explicit(&scree_watch_waits.what, memory_order_relaxed);
    return what ? what : "an answer";
}

static _Noreturn void tell_lost(const peer *p, int others) {
    char reason[500], more[60] = "";
    if (others > 0)
        snprintf(more, sizeof more, " (nor %d other%s)", others,
                 others == 1 ? "" : "s");
    snprintf(reason, sizeof reason,
             "rank %d on %.64s has not been heard of for %.0f s%s, and this "
             "rank has waited %.0f s for %s: the machine, the process or the "
             "network between is lost",
             watch.comm->rank == 0 ? (int)(p - watch.peers) + 1 : 0,
             *p->host ? p->host : "?", p->silent, more, watch.still,
             words_of_wait());
    give_up(reason, SCREE_WATCH_EXIT);
}

static _Noreturn void tell_stuck(void) {
    char reason[300];
    snprintf(reason, sizeof reason,
             "all ranks have waited %.0f s for one another, this one for %s",
             watch.stuck, words_of_wait());
    give_up(reason, SCREE_WATCH_EXIT);
}

/* ---- the thread -------------------------------------------------------------- */

static void check_lost(double dt) {
    /* Those that have lost rank 0 speak one after the other: the first ends all. */
    const double turn =
        watch.comm->rank == 0 ? 0 : fmin(0.1 * watch.comm->rank, 5);
    const peer *first = NULL;
    int n = 0;
    for (int i = 0; i < watch.n_peer; ++i) {
        peer *p = &watch.peers[i];
        p->silent += dt;
        if (!p->heard || p->silent < watch.patience + turn) continue;
        if (!first) first = p;
        ++n;
    }
    if (first && watch.still >= watch.patience) tell_lost(first, n - 1);
}

static bool all_wait(void) {
    bool all = atomic_load_explicit(&scree_watch_waits.what,
                                    memory_order_relaxed) != NULL;
    for (int i = 0; i < watch.n_peer; ++i)
        all = all && watch.peers[i].heard && watch.peers[i].waits;
    return all;
}

static void check_stuck(double dt) {
    if (watch.comm->rank > 0) return;
    watch.stuck = all_wait() && watch.still > 0 ? watch.stuck + dt : 0;
    if (watch.stuck >= STUCK * watch.patience) tell_stuck();
}

/* A wait that ended: the others have come past it, and heard what they must. */
static void check_doubt(double dt) {
    pthread_mutex_lock(&words_lock);
    if (waits_ended() != doubted.ended) *doubted.reason = '\0';
    doubted.seconds += dt;
    const doubt now = doubted;
    pthread_mutex_unlock(&words_lock);
    if (*now.reason && now.seconds >= fmin(GRACE, watch.patience))
        give_up(now.reason, now.code);
}

/* `dt` of this thread's own life: while it is stopped, no time goes by. */
static void look_around(double dt) {
    const uint64_t ended = waits_ended();
    dt = fmin(dt, 2 * watch.period);
    watch.still = ended == watch.ended ? watch.still + dt : 0;
    watch.ended = ended;
    check_lost(dt);
    check_stuck(dt);
    check_doubt(dt);
}

static void *keep_watch(void *unused) {
    (void)unused;
    struct pollfd ends[2] = {{.fd = watch.socket, .events = POLLIN},
                             {.fd = watch.wake, .events = POLLIN}};
    double last = scree_clock();
    send_beats();
    while (!ends[1].revents) {
        const double left = watch.period - (scree_clock() - last);
        if (poll(ends, 2, left > 0 ? (int)(1e3 * left) + 1 : 0) > 0)
            take_beats();
        const double now = scree_clock();
        if (now - last < watch.period) continue;
        look_around(now - last);
        send_beats();
        last = now;
    }
    return NULL;
}

/* ---- begin and end ----------------------------------------------------------- */

/* IPv4, loopback too: ranks of one machine need no network. */
static void find_addresses(card *c, in_port_t port) {
    struct ifaddrs *all;
    if (getifaddrs(&all) != 0) return;
    for (const struct ifaddrs *a = all; a; a = a->ifa_next) {
        if (!a->ifa_addr || a->ifa_addr->sa_family != AF_INET ||
            !(a->ifa_flags & IFF_UP) || c->n == MOST_ADDRESSES)
            continue;
        struct sockaddr_in *to = &c->addresses[c->n++];
        memcpy(to, a->ifa_addr, sizeof *to);
        to->sin_port = port;
    }
    freeifaddrs(all);
}

static bool open_socket(in_port_t *port) {
    struct sockaddr_in here = {.sin_family = AF_INET};
    socklen_t size = sizeof here;
    watch.socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    watch.wake = eventfd(0, EFD_CLOEXEC);
    if (watch.socket < 0 || watch.wake < 0 ||
        bind(watch.socket, (struct sockaddr *)&here, sizeof here) != 0 ||
        getsockname(watch.socket, (struct sockaddr *)&here, &size) != 0)
        return false;
    *port = here.sin_port;
    return true;
}

static void close_watch(void) {
    if (watch.socket >= 0) close(watch.socket);
    if (watch.wake >= 0) close(watch.wake);
    free(watch.peers);
    watch.peers = NULL;
    watch.socket = watch.wake = -1;
    watch.on = false;
}

/* Signals are for the main thread. */
static bool start_thread(void) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int reason = pthread_create(&watch.thread, NULL, keep_watch, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return reason == 0;
}

void scree_watch_begin(const scree_comm *comm, double patience) {
    in_port_t port = 0;
    if (comm->size == 1 || !(patience > 0)) return;
    watch.comm = comm;
    watch.patience = patience;
    watch.period = fmin(1, patience / 10);
    watch.card.n = 0;
    watch.still = watch.stuck = 0;
    watch.n_peer = comm->rank == 0 ? comm->size - 1 : 1;
    doubted = (doubt){.code = 0};
    scree_watch_tell("");
    bool ready = open_socket(&port);
    if (ready && comm->rank == 0) {
        find_addresses(&watch.card, port);
        ready = getrandom(watch.card.run, sizeof watch.card.run,
                          GRND_NONBLOCK) == sizeof watch.card.run;
        if (!ready) watch.card.n = 0;
    }
    scree_comm_copy(comm, 0, &watch.card, sizeof watch.card);
    watch.peers = calloc((size_t)watch.n_peer, sizeof *watch.peers);
    watch.on = ready && watch.card.n > 0 && watch.peers && start_thread();
    if (!watch.on) close_watch();
}

void scree_watch_end(const scree_comm *comm) {
    const uint64_t one = 1;
    /* Nobody is to miss those who leave earlier. */
    if (comm->size == 1 || !(watch.patience > 0)) return;
    scree_comm_wait(comm);
    if (watch.on) {
        while (write(watch.wake, &one, sizeof one) < 0) continue;
        pthread_join(watch.thread, NULL);
        close_watch();
    }
    watch.patience = 0;
}
