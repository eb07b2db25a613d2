/* comm.c: what of comm.h needs no MPI. */
#include "engine/base/comm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/comm_mail.h"
#include "engine/base/error.h"

const scree_comm *scree_comm_alone(void) {
    static const scree_comm alone = {.rank = 0, .size = 1};
    return &alone;
}

scree_status scree_comm_agree(const scree_comm *comm, scree_status status,
                              scree_error *error) {
    if (comm->size == 1) return status;
    double first = status == SCREE_OK ? -INFINITY : -comm->rank;
    scree_comm_max(comm, &first, 1);
    if (isinf(first)) return SCREE_OK;
    struct {
        int status;
        char text[sizeof error->text];
    } word = {.status = status};
    if (error) memcpy(word.text, error->text, sizeof word.text);
    scree_comm_copy(comm, (int)-first, &word, sizeof word);
    if (error) {
        memcpy(error->text, word.text, sizeof word.text);
        error->status = (scree_status)word.status;
        error->agreed = true;
    }
    return (scree_status)word.status;
}

/* ---- mail -------------------------------------------------------------------- */

static void free_box(scree_parcel *box, int64_t capacity) {
    for (int64_t k = 0; k < capacity; ++k) free(box[k].data);
    free(box);
}

void scree_mail_free(scree_mail *mail) {
    free_box(mail->out, mail->out_capacity);
    free_box(mail->in, mail->in_capacity);
    free(mail->slot);
    *mail = (scree_mail){0};
}

void scree_mail_trim(scree_mail *mail) {
    const int64_t messages = mail->messages, bytes = mail->bytes;
    scree_mail_free(mail);
    mail->messages = messages, mail->bytes = bytes;
}

static size_t box_bytes(const scree_parcel *box, int64_t capacity) {
    size_t bytes = (size_t)capacity * sizeof *box;
    for (int64_t k = 0; k < capacity; ++k) bytes += box[k].capacity;
    return bytes;
}

size_t scree_mail_memory(const scree_mail *mail) {
    return box_bytes(mail->out, mail->out_capacity) +
           box_bytes(mail->in, mail->in_capacity) +
           (size_t)mail->slot_capacity * sizeof *mail->slot;
}

/* What one has for oneself is the first parcel of `in`, and mostly the largest:
 * it gets the memory that it had before. */
static void largest_first(scree_parcel *box, int64_t n) {
    for (int64_t k = 1; k < n; ++k) {
        if (box[k].capacity <= box[0].capacity) continue;
        const scree_parcel swap = box[0];
        box[0] = box[k], box[k] = swap;
    }
}

scree_status scree_mail_clear(scree_mail *mail, const scree_comm *comm) {
    TRY(scree_reserve(&mail->slot, &mail->slot_capacity, comm->size,
                      sizeof *mail->slot));
    for (int r = 0; r < comm->size; ++r) mail->slot[r] = -1;
    mail->self = comm->rank;
    mail->n_out = mail->n_in = 0;
    largest_first(mail->in, mail->in_capacity);
    return SCREE_OK;
}

/* The next parcel of a box; its memory is that of an earlier one. */
static scree_parcel *next_parcel(scree_parcel **box, int64_t *n,
                                 int64_t *capacity, int rank) {
    if (scree_reserve(box, capacity, *n + 1, sizeof **box) != SCREE_OK)
        return NULL;
    scree_parcel *parcel = &(*box)[(*n)++];
    parcel->rank = rank;
    parcel->n = 0;
    return parcel;
}

static void *grow_parcel(scree_parcel *parcel, size_t bytes) {
    int64_t capacity = (int64_t)parcel->capacity;
    const int64_t need = (int64_t)(parcel->n + bytes);
    /* At least a byte: what is empty has a place too. */
    if (scree_reserve(&parcel->data, &capacity, need ? need : 1, 1) != SCREE_OK)
        return NULL;
    parcel->capacity = (size_t)capacity;
    void *at = parcel->data + parcel->n;
    parcel->n += bytes;
    return at;
}

static scree_parcel *next_in(scree_mail *mail, int rank) {
    return next_parcel(&mail->in, &mail->n_in, &mail->in_capacity, rank);
}

static scree_parcel *next_out(scree_mail *mail, int rank) {
    return next_parcel(&mail->out, &mail->n_out, &mail->out_capacity, rank);
}

/* What is for oneself need not travel. */
void *scree_mail_put(scree_mail *mail, int rank, size_t bytes) {
    const bool own = rank == mail->self;
    if (mail->slot[rank] < 0) {
        if (!(own ? next_in(mail, rank) : next_out(mail, rank))) return NULL;
        mail->slot[rank] = (int)(own ? mail->n_in : mail->n_out) - 1;
    }
    return grow_parcel(&(own ? mail->in : mail->out)[mail->slot[rank]], bytes);
}

void *scree_mail_receive(scree_mail *mail, int rank, size_t bytes) {
    scree_parcel *parcel = next_in(mail, rank);
    return parcel ? grow_parcel(parcel, bytes) : NULL;
}

static int by_rank(const void *p, const void *q) {
    const scree_parcel *a = p, *b = q;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

scree_status scree_mail_send(scree_mail *mail, const scree_comm *comm) {
    TRY(scree_mail_deliver(mail, comm));
    if (mail->n_in)
        qsort(mail->in, (size_t)mail->n_in, sizeof *mail->in, by_rank);
    return SCREE_OK;
}

void *scree_mail_extend(scree_mail *mail, int rank, size_t bytes) {
    for (int64_t k = 0; k < mail->n_in; ++k)
        if (mail->in[k].rank == rank) return grow_parcel(&mail->in[k], bytes);
    return NULL;
}
