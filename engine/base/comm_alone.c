/* comm_alone.c: comm.h in a build without MPI: one rank. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/comm_mail.h"

const scree_comm *scree_comm_begin(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return scree_comm_alone();
}

void scree_comm_end(void) {}

const scree_comm *scree_comm_all(void) {
    return scree_comm_alone();
}

_Noreturn void scree_comm_abort(const scree_comm *comm, int code,
                                const char *why) {
    (void)comm;
    dprintf(STDERR_FILENO, "scree: %s\n", why);
    _Exit(code);
}

int scree_comm_neighbours(const scree_comm *comm) {
    return comm->size;
}

void scree_comm_join_bits(const scree_comm *comm, unsigned char *bits,
                          int bytes) {
    (void)comm, (void)bits, (void)bytes;
}

void scree_comm_rest(const scree_comm *comm) {
    (void)comm;
}

double scree_comm_waited(void) {
    return 0;
}

void scree_comm_sum(const scree_comm *comm, double *x, int n) {
    (void)comm, (void)x, (void)n;
}

void scree_comm_max(const scree_comm *comm, double *x, int n) {
    (void)comm, (void)x, (void)n;
}

void scree_comm_sum_counts(const scree_comm *comm, int64_t *x, int n) {
    (void)comm, (void)x, (void)n;
}

bool scree_comm_any(const scree_comm *comm, bool here) {
    (void)comm;
    return here;
}

int64_t scree_comm_before(const scree_comm *comm, int64_t n) {
    (void)comm, (void)n;
    return 0;
}

void scree_comm_copy(const scree_comm *comm, int from, void *data,
                     size_t bytes) {
    (void)comm, (void)from, (void)data, (void)bytes;
}

void scree_comm_gather(const scree_comm *comm, const void *mine, size_t bytes,
                       void *all) {
    (void)comm;
    memcpy(all, mine, bytes);
}

void scree_comm_wait(const scree_comm *comm) {
    (void)comm;
}

scree_status scree_mail_deliver(scree_mail *mail, const scree_comm *comm) {
    (void)mail, (void)comm;
    return SCREE_OK;
}

scree_status scree_lanes_open(scree_lanes *lanes, const scree_lane *list, int n,
                              int tag) {
    (void)lanes, (void)list, (void)n, (void)tag;
    return SCREE_OK;
}

void scree_lanes_start(scree_lanes *lanes) {
    (void)lanes;
}
void scree_lanes_finish(scree_lanes *lanes) {
    (void)lanes;
}
void scree_lanes_free(scree_lanes *lanes) {
    (void)lanes;
}
