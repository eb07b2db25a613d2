#include "io/ensemble/ensemble_tracks.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "io/run/run_common.h"

void scree_ensemble_tracks_free(scree_ensemble_tracks *t) {
    for (int64_t i = 0; i < t->mine_room; i++) scree_track_free(&t->mine[i]);
    free(t->mine);
    scree_mail_free(&t->mail);
    *t = (scree_ensemble_tracks){0};
}

/* Of n trajectories, those of rank r of R. */
static int64_t share_of(int64_t n, int rank, int ranks) {
    return (n - rank + ranks - 1) / ranks;
}

/* ---- to the first rank ------------------------------------------------------ */

static size_t bytes_of(const scree_track *t) {
    return sizeof *t + (size_t)t->n_sample * sizeof *t->samples +
           (size_t)t->n_visit * sizeof *t->visits;
}

static unsigned char *put_bytes(unsigned char *to, const void *from, size_t n) {
    if (n) memcpy(to, from, n);
    return to + n;
}

static scree_status post_tracks(scree_ensemble_tracks *t) {
    for (int64_t i = 0; i < t->n_mine; i++) {
        const scree_track *one = &t->mine[i];
        unsigned char *to = scree_mail_put(&t->mail, 0, bytes_of(one));
        if (!to) return SCREE_OUT_OF_MEMORY;
        to = put_bytes(to, one, sizeof *one);
        to = put_bytes(to, one->samples,
                       (size_t)one->n_sample * sizeof *one->samples);
        put_bytes(to, one->visits, (size_t)one->n_visit * sizeof *one->visits);
    }
    return SCREE_OK;
}

/* ---- in their order --------------------------------------------------------- */

/* Where the next track of a rank is. */
typedef struct reader {
    const unsigned char *at;
} reader;

/* Copies, since what came need not be aligned. */
static scree_status unpack_track(reader *from, scree_track *to) {
    scree_track sent;
    memcpy(&sent, from->at, sizeof sent);
    TRY(scree_reserve(&to->samples, &to->sample_room, sent.n_sample + 1,
                      sizeof *to->samples));
    TRY(scree_reserve(&to->visits, &to->visit_room, sent.n_visit + 1,
                      sizeof *to->visits));
    const size_t samples = (size_t)sent.n_sample * sizeof *to->samples,
                 visits = (size_t)sent.n_visit * sizeof *to->visits;
    to->it = sent.it;
    to->n_sample = sent.n_sample, to->n_visit = sent.n_visit;
    memcpy(to->samples, from->at + sizeof sent, samples);
    memcpy(to->visits, from->at + sizeof sent + samples, visits);
    from->at += sizeof sent + samples + visits;
    return SCREE_OK;
}

static scree_status take_all(scree_ensemble_tracks *t, reader *from, int64_t n,
                             scree_track_take *take, void *context,
                             scree_error *error) {
    const int ranks = t->comm->size;
    scree_track other = {0};
    scree_status status = SCREE_OK;
    for (int64_t i = 0; i < n && status == SCREE_OK; i++) {
        const int rank = (int)(i % ranks);
        const scree_track *one = rank == 0 ? &t->mine[i / ranks] : &other;
        if (rank > 0 && unpack_track(&from[rank], &other) != SCREE_OK)
            status = scree_run_no_memory(error);
        if (status == SCREE_OK) status = take(context, one, error);
    }
    scree_track_free(&other);
    return status;
}

static scree_status take_sent(scree_ensemble_tracks *t, int64_t n,
                              scree_track_take *take, void *context,
                              scree_error *error) {
    reader *from = calloc((size_t)t->comm->size, sizeof *from);
    if (!from) return scree_run_no_memory(error);
    for (int64_t p = 0; p < t->mail.n_in; p++)
        from[t->mail.in[p].rank].at = t->mail.in[p].data;
    const scree_status status = take_all(t, from, n, take, context, error);
    free(from);
    return status;
}

static scree_status gather_tracks(scree_ensemble_tracks *t, int64_t n,
                                  scree_track_take *take, void *context,
                                  scree_error *error) {
    scree_status status = SCREE_OK;
    if (t->comm->size > 1) {
        status = scree_mail_clear(&t->mail, t->comm);
        if (status == SCREE_OK && t->comm->rank > 0) status = post_tracks(t);
        if (status != SCREE_OK) scree_run_no_memory(error);
        TRY(scree_comm_agree(t->comm, status, error));
        TRY(scree_mail_send(&t->mail, t->comm));
    }
    if (t->comm->rank == 0) status = take_sent(t, n, take, context, error);
    return scree_comm_agree(t->comm, status, error);
}

scree_status scree_ensemble_run_some(const scree_ensemble *e,
                                     scree_ensemble_tracks *t, int64_t first,
                                     int64_t n, scree_track_take *take,
                                     void *context, scree_error *error) {
    const int rank = t->comm->rank, ranks = t->comm->size;
    t->n_mine = share_of(n, rank, ranks);
    scree_status status =
        scree_reserve(&t->mine, &t->mine_room, t->n_mine + 1, sizeof *t->mine);
    status = status == SCREE_OK ? scree_ensemble_run(e, first + rank, ranks,
                                                     t->n_mine, t->mine, error)
                                : scree_run_no_memory(error);
    TRY(scree_comm_agree(t->comm, status, error));
    return gather_tracks(t, n, take, context, error);
}
