/* rows.c: what is spread over the ranks, in the order of ids.
 *
 * Files and hashes must not show how a run was cut: there rank r has the bodies of
 * a block of rows (engine/world/removed.h), n r / R up to n (r + 1) / R, whoever owns
 * them, and the contacts whose first body is in it. */
#include <stdlib.h>
#include <string.h>

#include "engine/domain/domain.h"
#include "engine/domain/rows.h"
#include "engine/world/view.h"

scree_block_of_ids scree_world_block(const scree_world *world) {
    const scree_comm *comm =
        world->ranks.domain ? world->ranks.domain->comm : scree_comm_alone();
    const int64_t n = world->ranks.n_body, r = comm->rank, size = comm->size;
    const int64_t first = n * r / size;
    return (scree_block_of_ids){first, n * (r + 1) / size - first};
}

int scree_domain_rank_of_row(const scree_world *world, int64_t row) {
    const int64_t n = world->ranks.n_body,
                  size = world->ranks.domain->comm->size;
    int64_t r = ((row + 1) * size - 1) / n;
    while (n * r / size > row) --r;
    while (n * (r + 1) / size <= row) ++r;
    return (int)r;
}

static int rank_of_id(const scree_world *world, int64_t id) {
    return scree_domain_rank_of_row(world,
                                    scree_bodies_row(&world->state.bodies, id));
}

scree_body_row scree_body_row_of(const scree_world *world, int32_t i) {
    const scree_bodies *b = &world->state.bodies;
    return (scree_body_row){.id = b->id[i],
                            .x = b->x[i],
                            .q = b->q[i],
                            .u = b->u[i],
                            .material = b->material[i],
                            .form = b->form[i],
                            .kept = b->kept[i],
                            .turns = b->turns[i]};
}

/* Rows of one kind: `size` bytes that begin with the id. */
typedef void row_maker(const scree_world *world, int32_t place, void *row);

static scree_status put_rows(const scree_world *world, row_maker *make,
                             size_t size, scree_mail *mail) {
    const int64_t *id = world->state.bodies.id;
    TRY(scree_mail_clear(mail, world->ranks.domain->comm));
    for (int32_t i = 0; i < world->state.bodies.n; ++i) {
        if (!scree_world_owns(world, i)) continue;
        void *to = scree_mail_put(mail, rank_of_id(world, id[i]), size);
        if (!to) return SCREE_OUT_OF_MEMORY;
        make(world, i, to);
    }
    return SCREE_OK;
}

static void take_row(const scree_world *world, size_t size, const void *from,
                     unsigned char *rows) {
    int64_t id;
    memcpy(&id, from, sizeof id);
    const int64_t k = scree_bodies_row(&world->state.bodies, id) -
                      scree_world_block(world).first;
    memcpy(rows + (size_t)k * size, from, size);
}

static scree_status send_rows(const scree_world *world, row_maker *make,
                              size_t size, void *rows) {
    const scree_comm *comm = world->ranks.domain->comm;
    scree_mail mail = {0};
    scree_status status =
        scree_comm_agree(comm, put_rows(world, make, size, &mail), NULL);
    if (status == SCREE_OK) status = scree_mail_send(&mail, comm);
    for (int64_t k = 0; k < mail.n_in && status == SCREE_OK; ++k)
        for (size_t at = 0; at < mail.in[k].n; at += size)
            take_row(world, size, mail.in[k].data + at, rows);
    scree_mail_free(&mail);
    return status;
}

static void make_body_row(const scree_world *world, int32_t i, void *to) {
    const scree_body_row row = scree_body_row_of(world, i);
    memcpy(to, &row, sizeof row);
}

scree_status scree_domain_body_rows(const scree_world *world,
                                    scree_body_row *rows) {
    return send_rows(world, make_body_row, sizeof *rows, rows);
}

static void make_trait_row(const scree_world *world, int32_t i, void *to) {
    const scree_bodies *b = &world->state.bodies;
    scree_trait_row row = {.id = b->id[i]};
    if (b->push) row.applied = b->push[i].applied;
    if (b->groups) row.groups = b->groups[i];
    memcpy(to, &row, sizeof row);
}

scree_status scree_domain_trait_rows(const scree_world *world,
                                     scree_trait_row *rows) {
    return send_rows(world, make_trait_row, sizeof *rows, rows);
}

scree_status scree_domain_contact_rows(const scree_world *world,
                                       const scree_contact_view *mine,
                                       int64_t n, scree_contact_view **rows,
                                       int64_t *n_row) {
    const scree_domain *d = world->ranks.domain;
    scree_mail mail = {0};
    size_t bytes = 0;
    *rows = NULL;
    scree_status status = scree_mail_clear(&mail, d->comm);
    for (int64_t i = 0; i < n && status == SCREE_OK; ++i) {
        void *to =
            scree_mail_put(&mail, rank_of_id(world, mine[i].a), sizeof *mine);
        if (to)
            memcpy(to, &mine[i], sizeof *mine);
        else
            status = SCREE_OUT_OF_MEMORY;
    }
    status = scree_comm_agree(d->comm, status, NULL);
    if (status == SCREE_OK) status = scree_mail_send(&mail, d->comm);
    for (int64_t k = 0; k < mail.n_in; ++k) bytes += mail.in[k].n;
    if (status == SCREE_OK && !(*rows = malloc(bytes + 1)))
        status = SCREE_OUT_OF_MEMORY;
    *n_row = 0;
    for (int64_t k = 0; k < mail.n_in && status == SCREE_OK; ++k) {
        memcpy(*rows + *n_row, mail.in[k].data, mail.in[k].n);
        *n_row += (int64_t)(mail.in[k].n / sizeof **rows);
    }
    scree_mail_free(&mail);
    return status;
}
