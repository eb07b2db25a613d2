/* mail.c: parcels of any size come whole, also those that travel in pieces. */
#include <stdlib.h>

#include "engine/base/comm_mail.h"
#include "tests/mpi/ranks.h"

/* None, less than a piece, whole pieces, and more. */
static size_t size_of(int from, int to) {
    static const size_t sizes[] = {0, 1, 63, 64, 65, 128, 1000};
    return sizes[(3 * from + 5 * to) % 7];
}

static unsigned char byte_of(int from, int to, size_t k) {
    return (unsigned char)(31 * from + 7 * to + 13 * (int)k);
}

static void put_all(scree_mail *mail, const scree_comm *comm) {
    CHECK_OK(scree_mail_clear(mail, comm));
    for (int to = 0; to < comm->size; ++to) {
        const size_t n = size_of(comm->rank, to);
        unsigned char *at = scree_mail_put(mail, to, n);
        CHECK(at);
        for (size_t k = 0; k < n; ++k) at[k] = byte_of(comm->rank, to, k);
    }
}

static void check_all(const scree_mail *mail, const scree_comm *comm) {
    CHECK(mail->n_in == comm->size);
    for (int from = 0; from < comm->size; ++from) {
        const scree_parcel *in = &mail->in[from];
        CHECK(in->rank == from && in->n == size_of(from, comm->rank));
        for (size_t k = 0; k < in->n; ++k)
            CHECK(in->data[k] == byte_of(from, comm->rank, k));
    }
}

static void mail__in_pieces__comes_whole(const scree_comm *comm) {
    const size_t piece = scree_mail_piece;
    scree_mail mail = {0};
    scree_mail_piece = 64;
    for (int round = 0; round < 20; ++round) {
        put_all(&mail, comm);
        CHECK_OK(scree_mail_send(&mail, comm));
        check_all(&mail, comm);
    }
    scree_mail_piece = piece;
    scree_mail_free(&mail);
}

int main(int argc, char **argv) {
    static const scree_trial trials[] = {
        {"mail__in_pieces__comes_whole", mail__in_pieces__comes_whole},
    };
    return scree_trials_run(argc, argv, trials, sizeof trials / sizeof *trials);
}
