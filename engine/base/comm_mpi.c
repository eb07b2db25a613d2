/* comm_mpi.c: comm.h by MPI. */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engine/base/arena.h"
#include "engine/base/comm_mail.h"
#include "engine/base/error.h"
#include "engine/base/watch.h"

enum { MAIL_TAG = 1 };

static scree_comm everyone;
static bool began;
static double waited;

/* Around calls that end when other ranks have come as far: `what` is for the
 * watch. */
#define WATCHED(what, call)                                                    \
    do {                                                                       \
        scree_watch_enter(what);                                               \
        call;                                                                  \
        scree_watch_leave();                                                   \
    } while (0)

/* The same, and their time is counted. */
#define WAITING(what, call)                                                    \
    do {                                                                       \
        const double start_ = MPI_Wtime();                                     \
        WATCHED(what, call);                                                   \
        waited += MPI_Wtime() - start_;                                        \
    } while (0)

double scree_comm_waited(void) {
    return waited;
}

/* Open MPI's mpirun, and PMI(x) as of srun and MPICH's mpiexec. A process that began
 * MPI alone, like ParaView's Python, leaves such signs to its children, but says that
 * it is a singleton. */
static bool was_started_by_a_launcher(void) {
    const char *start = getenv("OMPI_MCA_ess");
    if (start && strcmp(start, "singleton") == 0) return false;
    static const char *const signs[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK",
                                        "PMI_RANK", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; ++i)
        if (getenv(signs[i])) return true;
    return false;
}

const scree_comm *scree_comm_begin(int *argc, char ***argv) {
    if (!was_started_by_a_launcher()) return scree_comm_alone();
    int level;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);
    began = true;
    MPI_Comm_rank(MPI_COMM_WORLD, &everyone.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &everyone.size);
    return &everyone;
}

void scree_comm_end(void) {
    int over = 0;
    if (began) MPI_Finalized(&over);
    if (began && !over) MPI_Finalize();
    began = false;
}

const scree_comm *scree_comm_all(void) {
    return began ? &everyone : scree_comm_alone();
}

_Noreturn void scree_comm_abort(const scree_comm *comm, int code,
                                const char *why) {
    fflush(NULL);
    if (comm->size > 1)
        dprintf(STDERR_FILENO, "scree: rank %d of %d: %s\n", comm->rank,
                comm->size, why);
    else
        dprintf(STDERR_FILENO, "scree: %s\n", why);
    if (began) MPI_Abort(MPI_COMM_WORLD, code);
    _Exit(code);
}

static MPI_Comm ranks_here(void) {
    MPI_Comm here;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                        &here);
    return here;
}

int scree_comm_neighbours(const scree_comm *comm) {
    if (comm->size == 1) return 1;
    MPI_Comm here = ranks_here();
    int n;
    MPI_Comm_size(here, &n);
    MPI_Comm_free(&here);
    return n;
}

void scree_comm_join_bits(const scree_comm *comm, unsigned char *bits,
                          int bytes) {
    if (comm->size == 1) return;
    MPI_Comm here = ranks_here();
    MPI_Allreduce(MPI_IN_PLACE, bits, bytes, MPI_BYTE, MPI_BOR, here);
    MPI_Comm_free(&here);
}

static void reduce_all(const scree_comm *comm, void *x, int n,
                       MPI_Datatype type, MPI_Op op) {
    if (comm->size > 1)
        WAITING("a sum over all ranks",
                MPI_Allreduce(MPI_IN_PLACE, x, n, type, op, MPI_COMM_WORLD));
}

void scree_comm_sum(const scree_comm *comm, double *x, int n) {
    reduce_all(comm, x, n, MPI_DOUBLE, MPI_SUM);
}

void scree_comm_max(const scree_comm *comm, double *x, int n) {
    reduce_all(comm, x, n, MPI_DOUBLE, MPI_MAX);
}

void scree_comm_sum_counts(const scree_comm *comm, int64_t *x, int n) {
    reduce_all(comm, x, n, MPI_INT64_T, MPI_SUM);
}

bool scree_comm_any(const scree_comm *comm, bool here) {
    int any = here;
    reduce_all(comm, &any, 1, MPI_INT, MPI_MAX);
    return any;
}

int64_t scree_comm_before(const scree_comm *comm, int64_t n) {
    int64_t sum = 0;
    if (comm->size > 1)
        WATCHED("a sum over the ranks before it",
                MPI_Exscan(&n, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD));
    return comm->rank > 0 ? sum : 0; /* Exscan leaves rank 0 undefined */
}

/* Counts of MPI are ints: what is longer goes in pieces. */
void scree_comm_copy(const scree_comm *comm, int from, void *data,
                     size_t bytes) {
    char *at = data;
    if (comm->size == 1) return;
    while (bytes > 0) {
        const int piece = bytes < INT_MAX ? (int)bytes : INT_MAX;
        WATCHED("what one rank has for all",
                MPI_Bcast(at, piece, MPI_BYTE, from, MPI_COMM_WORLD));
        at += piece, bytes -= (size_t)piece;
    }
}

void scree_comm_gather(const scree_comm *comm, const void *mine, size_t bytes,
                       void *all) {
    if (comm->size == 1)
        memcpy(all, mine, bytes);
    else
        WATCHED("what each rank has for all",
                MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes,
                              MPI_BYTE, MPI_COMM_WORLD));
}

void scree_comm_wait(const scree_comm *comm) {
    if (comm->size > 1)
        WATCHED("all ranks to come as far", MPI_Barrier(MPI_COMM_WORLD));
}

void scree_comm_rest(const scree_comm *comm) {
    static const struct timespec nap = {.tv_nsec = 5000000};
    MPI_Request barrier;
    if (comm->size == 1) return;
    scree_watch_enter("all ranks to come as far");
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    for (int over = 0; !over;) {
        MPI_Test(&barrier, &over, MPI_STATUS_IGNORE);
        if (!over) nanosleep(&nap, NULL);
    }
    scree_watch_leave();
}

/* ---- mail -------------------------------------------------------------------- */

/* Nobody knows who writes to him. Nonblocking consensus (Hoefler, Siebert,
 * Lumsdaine 2010): synchronous sends are over when they were received; whose sends
 * are all over enters a barrier and goes on receiving until all have entered. The
 * cost follows the number of parcels, not that of ranks.
 *
 * MPI counts bytes in an int. A parcel travels in pieces, which stay in order: whole
 * ones, and a last one that is not whole, by which its end is known. */
size_t scree_mail_piece = (size_t)1 << 30;

/* `open`: parcels whose last piece has not come. */
static scree_status receive_one(scree_mail *mail, const MPI_Status *probed,
                                int64_t *open) {
    const int from = probed->MPI_SOURCE;
    int bytes;
    MPI_Get_count(probed, MPI_BYTE, &bytes);
    const bool last = (size_t)bytes < scree_mail_piece;
    void *to = *open ? scree_mail_extend(mail, from, (size_t)bytes) : NULL;
    const bool goes_on = to;
    if (!to) to = scree_mail_receive(mail, from, (size_t)bytes);
    if (!to) return SCREE_OUT_OF_MEMORY;
    *open += !last - goes_on;
    MPI_Recv(to, bytes, MPI_BYTE, from, MAIL_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return SCREE_OK;
}

static scree_status receive_all(scree_mail *mail, int n, MPI_Request *sends) {
    MPI_Request barrier = MPI_REQUEST_NULL;
    bool entered = false;
    int64_t open = 0;
    for (int over = 0; !over;) {
        int there;
        MPI_Status probed;
        MPI_Iprobe(MPI_ANY_SOURCE, MAIL_TAG, MPI_COMM_WORLD, &there, &probed);
        if (there) TRY(receive_one(mail, &probed, &open));
        if (entered) {
            MPI_Test(&barrier, &over, MPI_STATUS_IGNORE);
            continue;
        }
        int sent;
        MPI_Testall(n, sends, &sent, MPI_STATUSES_IGNORE);
        if (!sent) continue;
        MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
        entered = true;
    }
    return SCREE_OK;
}

static size_t pieces_of(const scree_parcel *parcel) {
    return parcel->n / scree_mail_piece + 1;
}

static int send_parcel(const scree_parcel *parcel, MPI_Request *sends) {
    const size_t n = pieces_of(parcel);
    for (size_t k = 0; k < n; ++k) {
        const size_t at = k * scree_mail_piece, left = parcel->n - at;
        MPI_Issend(parcel->data + at,
                   (int)(left < scree_mail_piece ? left : scree_mail_piece),
                   MPI_BYTE, parcel->rank, MAIL_TAG, MPI_COMM_WORLD, &sends[k]);
    }
    return (int)n;
}

scree_status scree_mail_deliver(scree_mail *mail, const scree_comm *comm) {
    if (comm->size == 1) return SCREE_OK;
    size_t pieces = 1;
    for (int64_t k = 0; k < mail->n_out; ++k)
        pieces += pieces_of(&mail->out[k]);
    MPI_Request *sends = malloc(pieces * sizeof *sends);
    if (!sends) scree_comm_abort(comm, 1, "out of memory for messages");
    int n = 0;
    for (int64_t k = 0; k < mail->n_out; ++k) {
        const scree_parcel *parcel = &mail->out[k];
        n += send_parcel(parcel, sends + n);
        mail->bytes += (int64_t)parcel->n;
    }
    mail->messages += n;
    scree_status status;
    WAITING("messages of other ranks", status = receive_all(mail, n, sends));
    free(sends);
    /* The others are past the point where they could be told. */
    if (status != SCREE_OK)
        scree_comm_abort(comm, 1, "out of memory for messages of other ranks");
    /* A fast rank's next mail must not reach one that still waits for this. */
    WAITING("all ranks to come as far", MPI_Barrier(MPI_COMM_WORLD));
    return SCREE_OK;
}

/* ---- lanes ------------------------------------------------------------------- */

static void close_lanes(scree_lanes *lanes) {
    MPI_Request *requests = lanes->requests;
    for (int k = 0; k < lanes->n_request; ++k) MPI_Request_free(&requests[k]);
    lanes->n_request = 0;
    lanes->messages = lanes->bytes = 0;
}

scree_status scree_lanes_open(scree_lanes *lanes, const scree_lane *list, int n,
                              int tag) {
    close_lanes(lanes);
    TRY(scree_reserve(&lanes->requests, &lanes->capacity, 2 * (int64_t)n,
                      sizeof(MPI_Request)));
    MPI_Request *requests = lanes->requests;
    for (int k = 0; k < n; ++k) {
        const scree_lane *l = &list[k];
        if (l->n_in)
            MPI_Recv_init(l->in, l->n_in, MPI_DOUBLE, l->rank, tag,
                          MPI_COMM_WORLD, &requests[lanes->n_request++]);
        if (!l->n_out) continue;
        MPI_Send_init(l->out, l->n_out, MPI_DOUBLE, l->rank, tag,
                      MPI_COMM_WORLD, &requests[lanes->n_request++]);
        ++lanes->messages;
        lanes->bytes += (int64_t)sizeof(double) * l->n_out;
    }
    return SCREE_OK;
}

void scree_lanes_start(scree_lanes *lanes) {
    if (lanes->n_request) MPI_Startall(lanes->n_request, lanes->requests);
}

void scree_lanes_finish(scree_lanes *lanes) {
    if (lanes->n_request)
        WAITING("bodies of its neighbours",
                MPI_Waitall(lanes->n_request, lanes->requests,
                            MPI_STATUSES_IGNORE));
}

void scree_lanes_free(scree_lanes *lanes) {
    close_lanes(lanes);
    free(lanes->requests);
    *lanes = (scree_lanes){0};
}
