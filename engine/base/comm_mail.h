/* comm_mail.h: between comm.c and the two files that know whether there is MPI. */
#ifndef SCREE_BASE_COMM_MAIL_H
#define SCREE_BASE_COMM_MAIL_H

#include "engine/base/comm.h"

/* Brings the parcels of `out` to other ranks, and theirs to `in`. */
scree_status scree_mail_deliver(scree_mail *mail, const scree_comm *comm);

/* Room for a parcel that has arrived. */
void *scree_mail_receive(scree_mail *mail, int rank, size_t bytes);

#endif
