/* comm_mail.h: between comm.c and the two files that know whether there is MPI. */
#ifndef SCREE_BASE_COMM_MAIL_H
#define SCREE_BASE_COMM_MAIL_H

#include "engine/base/comm.h"

/* Brings the parcels of `out` to other ranks, and theirs to `in`. */
scree_status scree_mail_deliver(scree_mail *mail, const scree_comm *comm);

/* Room for a parcel that has arrived. */
void *scree_mail_receive(scree_mail *mail, int rank, size_t bytes);
/* The same for more of a parcel of which a piece is there; NULL also if there is
 * none of that rank. */
void *scree_mail_extend(scree_mail *mail, int rank, size_t bytes);

/* Bytes of a message with MPI, at most INT_MAX: what is larger travels in pieces.
 * Smaller in tests, with the same value on all ranks. */
extern size_t scree_mail_piece;

#endif
