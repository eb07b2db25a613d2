#include "engine/domain/save.h"

#include <stdlib.h>
#include <string.h>

#include "engine/domain/domain.h"
#include "engine/domain/rows.h"

/* ---- contacts ------------------------------------------------------------ */

/* A contact on its way; its bodies are ids, arms and moment not negative if it
 * has them. */
typedef struct record {
    scree_contact c;
    scree_arms arms;
    scree_vec3 M;
} record;

static record record_of(const scree_world *world, const scree_contact *c) {
    const int64_t *id = world->bodies.id;
    record r = {.c = *c, .M = scree_world_moment(world, c)};
    r.c.a = (int32_t)id[c->a];
    if (c->b >= 0) r.c.b = (int32_t)id[c->b];
    if (c->arms >= 0) r.arms = world->contacts.arms[c->arms];
    return r;
}

static scree_status put_records(const scree_world *world, scree_mail *mail) {
    TRY(scree_mail_clear(mail, world->domain->comm));
    for (int64_t k = 0; k < world->contacts.n; ++k) {
        const record r = record_of(world, &world->contacts.list[k]);
        void *to = scree_mail_put(mail, scree_domain_rank_of_id(world, r.c.a),
                                  sizeof r);
        if (!to) return SCREE_OUT_OF_MEMORY;
        memcpy(to, &r, sizeof r);
    }
    return SCREE_OK;
}

static int by_bodies(const void *p, const void *q) {
    const scree_contact *x = &((const record *)p)->c,
                        *y = &((const record *)q)->c;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    if (x->b != y->b) return x->b < y->b ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* All that came, sorted; new memory. */
static scree_status take_records(const scree_mail *mail, record **records,
                                 int64_t *n) {
    size_t bytes = 0;
    for (int64_t k = 0; k < mail->n_in; ++k) bytes += mail->in[k].n;
    char *at = malloc(bytes + 1);
    if (!at) return SCREE_OUT_OF_MEMORY;
    *records = (record *)at;
    *n = (int64_t)(bytes / sizeof **records);
    for (int64_t k = 0; k < mail->n_in; ++k) {
        memcpy(at, mail->in[k].data, mail->in[k].n);
        at += mail->in[k].n;
    }
    if (*n) qsort(*records, (size_t)*n, sizeof **records, by_bodies);
    return SCREE_OK;
}

static scree_status reserve_part(scree_contact_part *part, int64_t n) {
    scree_contacts *c = &part->contacts;
    TRY(scree_reserve(&part->broad.pairs, &part->broad.pair_capacity, n,
                      sizeof *part->broad.pairs));
    TRY(scree_reserve(&c->list, &c->capacity, n, sizeof *c->list));
    TRY(scree_reserve(&c->arms, &c->arms_capacity, n, sizeof *c->arms));
    return scree_reserve(&c->moments, &c->moments_capacity, n,
                         sizeof *c->moments);
}

static void add_record(scree_contact_part *part, const record *r) {
    scree_broad *broad = &part->broad;
    scree_contacts *all = &part->contacts;
    const scree_pair *last =
        broad->n_pair ? &broad->pairs[broad->n_pair - 1] : NULL;
    scree_contact c = r->c;
    if (!last || last->a != c.a || last->b != c.b)
        broad->pairs[broad->n_pair++] = (scree_pair){.a = c.a, .b = c.b};
    c.pair = (int32_t)(broad->n_pair - 1);
    if (c.arms >= 0) {
        c.arms = (int32_t)part->n_arms++;
        all->arms[c.arms] = r->arms;
    }
    if (c.moment >= 0) {
        c.moment = (int32_t)part->n_moment++;
        all->moments[c.moment] = r->M;
    }
    all->list[all->n++] = c;
}

/* From counts on this rank to counts over all. */
static void count_on(const scree_comm *comm, scree_contact_part *part) {
    const int32_t pairs = (int32_t)scree_comm_before(comm, part->broad.n_pair),
                  arms = (int32_t)scree_comm_before(comm, part->n_arms),
                  moments = (int32_t)scree_comm_before(comm, part->n_moment);
    for (int64_t k = 0; k < part->contacts.n; ++k) {
        scree_contact *c = &part->contacts.list[k];
        c->pair += pairs;
        if (c->arms >= 0) c->arms += arms;
        if (c->moment >= 0) c->moment += moments;
    }
}

static scree_status make_part(const scree_mail *mail,
                              scree_contact_part *part) {
    record *records;
    int64_t n;
    TRY(take_records(mail, &records, &n));
    const scree_status status = reserve_part(part, n);
    for (int64_t k = 0; k < n && status == SCREE_OK; ++k)
        add_record(part, &records[k]);
    free(records);
    return status;
}

scree_status scree_domain_contact_part(scree_world *world,
                                       scree_contact_part *part) {
    const scree_comm *comm = world->domain->comm;
    scree_mail mail = {0};
    *part = (scree_contact_part){0};
    scree_status status = scree_world_agree(world, put_records(world, &mail));
    if (status == SCREE_OK)
        status = scree_world_agree(world, scree_mail_send(&mail, comm));
    if (status == SCREE_OK)
        status = scree_world_agree(world, make_part(&mail, part));
    scree_mail_free(&mail);
    if (status == SCREE_OK) count_on(comm, part);
    return status;
}

void scree_contact_part_free(scree_contact_part *part) {
    scree_broad_free(&part->broad);
    scree_contacts_free(&part->contacts);
}

/* ---- numbers ------------------------------------------------------------- */

/* Seconds of ranks pass side by side: their mean counts. */
scree_world scree_domain_sums(const scree_world *world) {
    const scree_comm *comm = world->domain->comm;
    scree_world w = *world;
    double *const sums[] = {&w.dissipated, &w.wall_work, &w.recovery_work,
                            &w.inserted, &w.penetration_sum};
    int64_t *const counts[] = {&w.penetrating, &w.cost.contacts,
                               &w.cost.contact_iterations};
    for (size_t k = 0; k < sizeof sums / sizeof *sums; ++k)
        scree_comm_sum(comm, sums[k], 1);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k)
        scree_comm_sum_counts(comm, counts[k], 1);
    scree_comm_max(comm, &w.penetration_max, 1);
    scree_comm_sum(comm, w.cost.seconds, SCREE_PHASE_COUNT);
    scree_comm_sum(comm, &w.cost.sweep_seconds, 1);
    for (int p = 0; p < SCREE_PHASE_COUNT; ++p) w.cost.seconds[p] /= comm->size;
    w.cost.sweep_seconds /= comm->size;
    return w;
}

void scree_domain_wall_percussions(const scree_world *world,
                                   scree_vec3 *percussions) {
    for (int w = 0; w < world->n_wall; ++w)
        percussions[w] = world->walls[w].percussion;
    scree_comm_sum(world->domain->comm, (double *)percussions,
                   3 * world->n_wall);
}
