/* comm.h: the ranks that share a run.
 *
 * With MPI a rank is a process; without it, or when nobody started several, there
 * is one rank, and all of this is free of cost. Calls are collective unless they
 * say otherwise: all ranks make them in the same order. An error inside MPI ends
 * the run on all ranks (MPI_ERRORS_ARE_FATAL), so nothing here returns one. MPI
 * is called by the main thread only.
 *
 * Sums are of ranks in an order that MPI chooses: the same on every rank and in
 * every run with as many ranks, but rounding depends on how many there are. */
#ifndef SCREE_BASE_COMM_H
#define SCREE_BASE_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/error.h"
#include "engine/scree_ranks.h"

/* By one rank, which alone knows what went wrong: says so on the terminal and ends
 * all of them at once, with this exit code. */
_Noreturn void scree_comm_abort(const scree_comm *comm, int code,
                                const char *why);
/* Ranks on this machine, of all. */
int scree_comm_neighbours(const scree_comm *comm);

/* Wall time that this rank has waited for others so far [s]. Not collective. */
double scree_comm_waited(void);

void scree_comm_sum(const scree_comm *comm, double *x, int n);
void scree_comm_max(const scree_comm *comm, double *x, int n);
void scree_comm_sum_counts(const scree_comm *comm, int64_t *x, int n);
bool scree_comm_any(const scree_comm *comm, bool here);
/* All ranks fail if one does, with the status and the sentence of the first rank
 * that did; the error is marked as agreed. */
scree_status scree_comm_agree(const scree_comm *comm, scree_status status,
                              scree_error *error);
/* Sum over the ranks before this one. */
int64_t scree_comm_before(const scree_comm *comm, int64_t n);
/* Everyone gets what rank `from` has. */
void scree_comm_copy(const scree_comm *comm, int from, void *data,
                     size_t bytes);
/* all[r] becomes what rank r has in `mine`. */
void scree_comm_gather(const scree_comm *comm, const void *mine, size_t bytes,
                       void *all);
void scree_comm_wait(const scree_comm *comm);
/* The same for a wait that may be long: the rank sleeps, and looks up now and
 * then. */
void scree_comm_rest(const scree_comm *comm);
/* Bits that any rank on this machine has set. */
void scree_comm_join_bits(const scree_comm *comm, unsigned char *bits,
                          int bytes);

/* ---- mail: something for some ranks, each of which does not know ------------ */

typedef struct scree_parcel {
    int rank; /* to whom, or from whom */
    size_t n, capacity;
    unsigned char *data;
} scree_parcel;

typedef struct scree_mail {
    scree_parcel *out, *in; /* `in` is sorted by rank */
    int64_t n_out, n_in, out_capacity, in_capacity;
    int *slot; /* (size) of a rank in `out`, one's own in `in`, -1: none yet */
    int self;  /* whose it is */
    int64_t slot_capacity;
    int64_t messages, bytes; /* sent to others so far */
} scree_mail;

void scree_mail_free(scree_mail *mail);
/* Gives the memory back, but not the counts; and how much it is [bytes]. */
void scree_mail_trim(scree_mail *mail);
size_t scree_mail_memory(const scree_mail *mail);
/* Empties both boxes. Not collective. */
scree_status scree_mail_clear(scree_mail *mail, const scree_comm *comm);
/* Room for so many bytes more to `rank`; NULL: out of memory. Not collective. */
void *scree_mail_put(scree_mail *mail, int rank, size_t bytes);
/* Delivers all parcels; those to oneself too. */
scree_status scree_mail_send(scree_mail *mail, const scree_comm *comm);

/* ---- lanes: the same buffers again and again -------------------------------- */

/* Between two ranks: doubles to and from the other. */
typedef struct scree_lane {
    int rank;
    int n_out, n_in;
    double *out, *in;
} scree_lane;

/* Persistent requests for lanes whose buffers stay where they are. Lanes with
 * nothing to carry have none. */
typedef struct scree_lanes {
    int n_request;
    int64_t capacity;
    void *requests;
    int64_t messages, bytes; /* of one round */
} scree_lanes;

/* With the other ranks of the lanes, each of which does the same; closes what was
 * open. None of these is collective beyond the ranks of the lanes. */
scree_status scree_lanes_open(scree_lanes *lanes, const scree_lane *list, int n,
                              int tag);
void scree_lanes_start(scree_lanes *lanes);
void scree_lanes_finish(scree_lanes *lanes);
void scree_lanes_free(scree_lanes *lanes);

#endif
