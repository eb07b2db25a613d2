#include "engine/domain/save.h"

#include <stdlib.h>
#include <string.h>

#include "engine/domain/domain.h"
#include "engine/domain/rows.h"
#include "engine/step/contact_rows.h"
#include "engine/world/ranks.h"

/* ---- contacts ------------------------------------------------------------ */

/* A contact on its way; its bodies are rows, arms and state not negative if it
 * has them. */
typedef struct record {
    scree_contact c;
    scree_image image;
    scree_arms arms;
    scree_contact_state state;
} record;

static record record_of(const scree_world *world, const scree_contact *c) {
    const scree_bodies *b = &world->state.bodies;
    record r = {.c = *c, .image = scree_world_image(world, c)};
    r.c.a = (int32_t)scree_bodies_row(b, b->id[c->a]);
    if (c->b >= 0) r.c.b = (int32_t)scree_bodies_row(b, b->id[c->b]);
    if (c->arms >= 0) r.arms = world->state.contacts.arms[c->arms];
    if (c->state >= 0) r.state = world->state.contacts.states[c->state];
    return r;
}

static scree_status put_record(const scree_world *world, const record *r,
                               scree_mail *mail) {
    void *to = scree_mail_put(mail, scree_domain_rank_of_row(world, r->c.a),
                              sizeof *r);
    if (!to) return SCREE_OUT_OF_MEMORY;
    memcpy(to, r, sizeof *r);
    return SCREE_OK;
}

static scree_status put_records(const scree_world *world, scree_mail *mail) {
    TRY(scree_mail_clear(mail, world->ranks.domain->comm));
    for (int64_t k = 0; k < world->state.contacts.n; ++k) {
        const record r = record_of(world, &world->state.contacts.list[k]);
        TRY(put_record(world, &r, mail));
    }
    return SCREE_OK;
}

static int by_bodies(const void *p, const void *q) {
    const scree_image i = ((const record *)p)->image,
                      j = ((const record *)q)->image;
    const scree_contact *x = &((const record *)p)->c,
                        *y = &((const record *)q)->c;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    if (x->b != y->b) return x->b < y->b ? -1 : 1;
    if (i != j) return i < j ? -1 : 1;
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
    TRY(scree_contacts_reserve(c, n));
    TRY(scree_reserve(&c->arms, &c->arms_capacity, n, sizeof *c->arms));
    return scree_reserve(&c->states, &c->states_capacity, n, sizeof *c->states);
}

static void add_record(scree_contact_part *part, const record *r) {
    scree_broad *broad = &part->broad;
    scree_contacts *all = &part->contacts;
    const scree_pair *last =
        broad->n_pair ? &broad->pairs[broad->n_pair - 1] : NULL;
    scree_contact c = r->c;
    if (!last || last->a != c.a || last->b != c.b || last->image != r->image)
        broad->pairs[broad->n_pair++] =
            (scree_pair){.a = c.a, .b = c.b, .image = r->image};
    c.pair = (int32_t)(broad->n_pair - 1);
    if (c.arms >= 0) {
        c.arms = (int32_t)part->n_arms++;
        all->arms[c.arms] = r->arms;
    }
    if (c.state >= 0) {
        c.state = (int32_t)part->n_state++;
        all->states[c.state] = r->state;
    }
    all->colours[all->n] = SCREE_UNCOLOURED;
    all->list[all->n++] = c;
}

/* From counts on this rank to counts over all. */
static void count_on(const scree_comm *comm, scree_contact_part *part) {
    const int32_t pairs = (int32_t)scree_comm_before(comm, part->broad.n_pair),
                  arms = (int32_t)scree_comm_before(comm, part->n_arms),
                  states = (int32_t)scree_comm_before(comm, part->n_state);
    for (int64_t k = 0; k < part->contacts.n; ++k) {
        scree_contact *c = &part->contacts.list[k];
        c->pair += pairs;
        if (c->arms >= 0) c->arms += arms;
        if (c->state >= 0) c->state += states;
    }
}

/* Frees the mail, so that not all is in memory three times. */
static scree_status make_part(scree_mail *mail, scree_contact_part *part) {
    record *records;
    int64_t n;
    TRY(take_records(mail, &records, &n));
    scree_mail_free(mail);
    const scree_status status = reserve_part(part, n);
    for (int64_t k = 0; k < n && status == SCREE_OK; ++k)
        add_record(part, &records[k]);
    free(records);
    return status;
}

/* Makes parts of what all ranks have put into their mail, and frees that. */
static scree_status exchange_parts(scree_world *world, scree_status put,
                                   scree_mail *mail, scree_contact_part *part) {
    *part = (scree_contact_part){0};
    scree_status status = scree_world_agree(world, put);
    if (status == SCREE_OK)
        status = scree_world_agree(
            world, scree_mail_send(mail, world->ranks.domain->comm));
    if (status == SCREE_OK)
        status = scree_world_agree(world, make_part(mail, part));
    scree_mail_free(mail);
    return status;
}

scree_status scree_domain_contact_part(scree_world *world,
                                       scree_contact_part *part) {
    const scree_comm *comm = world->ranks.domain->comm;
    scree_mail mail = {0};
    const scree_status status =
        exchange_parts(world, put_records(world, &mail), &mail, part);
    if (status == SCREE_OK) count_on(comm, part);
    part->has_images = world->scene.cell != NULL;
    return status;
}

void scree_contact_part_free(scree_contact_part *part) {
    scree_broad_free(&part->broad);
    scree_contacts_free(&part->contacts);
}

/* ---- numbers ------------------------------------------------------------- */

/* Seconds of ranks pass side by side: their mean counts. */
scree_world scree_domain_sums(const scree_world *world) {
    const scree_comm *comm = world->ranks.domain->comm;
    scree_world w = *world;
    double *const sums[] = {
        &w.accounts.taken_normal,   &w.accounts.taken_friction,
        &w.accounts.taken_turning,  &w.accounts.wall_work,
        &w.accounts.recovery_work,  &w.accounts.inserted,
        &w.accounts.taken_drag,     &w.accounts.force_work,
        &w.accounts.penetration_sum};
    int64_t *const counts[] = {
        &w.accounts.penetrating, &w.accounts.cost.contacts,
        &w.accounts.cost.contact_iterations, &w.accounts.cost.chosen};
    for (size_t k = 0; k < sizeof sums / sizeof *sums; ++k)
        scree_comm_sum(comm, sums[k], 1);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k)
        scree_comm_sum_counts(comm, counts[k], 1);
    scree_comm_max(comm, &w.accounts.penetration_max, 1);
    scree_comm_sum(comm, w.accounts.cost.seconds, SCREE_PHASE_COUNT);
    scree_comm_sum(comm, &w.accounts.cost.sweep_seconds, 1);
    scree_comm_sum(comm, &w.accounts.cost.colour_seconds, 1);
    for (int p = 0; p < SCREE_PHASE_COUNT; ++p)
        w.accounts.cost.seconds[p] /= comm->size;
    w.accounts.cost.sweep_seconds /= comm->size;
    w.accounts.cost.colour_seconds /= comm->size;
    return w;
}

void scree_domain_wall_percussions(const scree_world *world,
                                   scree_vec3 *percussions) {
    for (int w = 0; w < world->scene.n_wall; ++w)
        percussions[w] = world->scene.walls[w].percussion;
    scree_comm_sum(world->ranks.domain->comm, (double *)percussions,
                   3 * world->scene.n_wall);
}

/* ---- loading: contacts --------------------------------------------------- */

static scree_status put_loaded(const scree_world *world,
                               const scree_contact_part *from,
                               scree_mail *mail) {
    TRY(scree_mail_clear(mail, world->ranks.domain->comm));
    for (int64_t k = 0; k < from->contacts.n; ++k) {
        const scree_contact *c = &from->contacts.list[k];
        record r = {.c = *c};
        if (from->has_images) r.image = from->broad.pairs[c->pair].image;
        if (c->arms >= 0) r.arms = from->contacts.arms[c->arms];
        if (c->state >= 0) r.state = from->contacts.states[c->state];
        TRY(put_record(world, &r, mail));
    }
    return SCREE_OK;
}

static void check_names(const scree_world *world, const scree_contacts *list,
                        scree_archive *a) {
    for (int64_t k = 0; k < list->n; ++k) {
        const scree_contact *c = &list->list[k];
        if (c->a < 0 || c->a >= world->ranks.n_body ||
            c->b >= world->ranks.n_body || c->b < -world->scene.n_wall)
            scree_archive_fail(a, SCREE_BAD_INPUT,
                               "a contact has no such body");
    }
}

/* A rank reads as many contacts as the others; then each comes to the rank in
 * whose block its first body is. */
static scree_status load_contacts(scree_world *world, scree_archive *a,
                                  scree_contact_part *part) {
    const scree_comm *comm = world->ranks.domain->comm;
    const int64_t n = world->ranks.n_contact,
                  first = n * comm->rank / comm->size;
    scree_contact_part read = {0};
    scree_mail mail = {0};
    *part = (scree_contact_part){0};
    const scree_state_fields fields = scree_world_state_fields(NULL);
    scree_contact_load_block(
        a, first, n * (comm->rank + 1) / comm->size - first, &fields, &read);
    check_names(world, &read.contacts, a);
    scree_status status = scree_world_agree_on(world, a->status, a->error);
    const scree_status put =
        status == SCREE_OK ? put_loaded(world, &read, &mail) : status;
    scree_contact_part_free(&read);
    if (status == SCREE_OK) status = exchange_parts(world, put, &mail, part);
    return status;
}

/* ---- loading: bodies ----------------------------------------------------- */

/* The bodies of a block, and those that their contacts name beside them. */
typedef struct crowd {
    scree_block_of_ids block;
    const scree_body_row *rows; /* (block.n) */
    int64_t n_far;
    int64_t *far;           /* (n_far) ids, ascending */
    scree_body_row *others; /* (n_far) */
} crowd;

static bool is_far(const crowd *c, int64_t id) {
    return id < c->block.first || id >= c->block.first + c->block.n;
}

static int by_id(const void *p, const void *q) {
    const int64_t a = *(const int64_t *)p, b = *(const int64_t *)q;
    return (a > b) - (a < b);
}

static scree_status list_far(crowd *c, const scree_contacts *contacts) {
    c->far = malloc(((size_t)contacts->n + 1) * sizeof *c->far);
    if (!c->far) return SCREE_OUT_OF_MEMORY;
    int64_t n = 0;
    for (int64_t k = 0; k < contacts->n; ++k) {
        const int32_t b = contacts->list[k].b;
        if (b >= 0 && is_far(c, b)) c->far[n++] = b;
    }
    if (n) qsort(c->far, (size_t)n, sizeof *c->far, by_id);
    for (int64_t k = 0; k < n; ++k)
        if (k == 0 || c->far[k] != c->far[k - 1])
            c->far[c->n_far++] = c->far[k];
    c->others = malloc(((size_t)c->n_far + 1) * sizeof *c->others);
    return c->others ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

static scree_status ask_owners(const scree_world *world, const crowd *c,
                               scree_mail *mail) {
    TRY(scree_mail_clear(mail, world->ranks.domain->comm));
    for (int64_t k = 0; k < c->n_far; ++k) {
        const int rank = scree_domain_rank_of_row(world, c->far[k]);
        void *to = scree_mail_put(mail, rank, sizeof c->far[k]);
        if (!to) return SCREE_OUT_OF_MEMORY;
        memcpy(to, &c->far[k], sizeof c->far[k]);
    }
    return SCREE_OK;
}

static scree_status answer_others(const scree_world *world, const crowd *c,
                                  const scree_mail *asked, scree_mail *mail) {
    TRY(scree_mail_clear(mail, world->ranks.domain->comm));
    for (int64_t k = 0; k < asked->n_in; ++k)
        for (size_t at = 0; at < asked->in[k].n; at += sizeof(int64_t)) {
            int64_t id;
            memcpy(&id, asked->in[k].data + at, sizeof id);
            void *to = scree_mail_put(mail, asked->in[k].rank, sizeof *c->rows);
            if (!to) return SCREE_OUT_OF_MEMORY;
            memcpy(to, &c->rows[id - c->block.first], sizeof *c->rows);
        }
    return SCREE_OK;
}

/* Blocks of ids follow ranks, and so does what comes in. */
static void hear_answers(crowd *c, const scree_mail *mail) {
    char *to = (char *)c->others;
    for (int64_t k = 0; k < mail->n_in; ++k) {
        memcpy(to, mail->in[k].data, mail->in[k].n);
        to += mail->in[k].n;
    }
}

static scree_status fetch_bodies(scree_world *world, crowd *c) {
    const scree_comm *comm = world->ranks.domain->comm;
    scree_mail asked = {0}, mail = {0};
    scree_status status =
        scree_world_agree(world, ask_owners(world, c, &asked));
    if (status == SCREE_OK)
        status = scree_world_agree(world, scree_mail_send(&asked, comm));
    if (status == SCREE_OK)
        status =
            scree_world_agree(world, answer_others(world, c, &asked, &mail));
    if (status == SCREE_OK)
        status = scree_world_agree(world, scree_mail_send(&mail, comm));
    if (status == SCREE_OK) hear_answers(c, &mail);
    scree_mail_free(&asked);
    scree_mail_free(&mail);
    return status;
}

/* ---- loading: the part of a rank ----------------------------------------- */

static void take_row(scree_world *world, const scree_body_row *row, int owner) {
    scree_bodies *b = &world->state.bodies;
    const int32_t i = b->n++;
    b->x[i] = row->x;
    b->q[i] = row->q;
    b->u[i] = row->u;
    b->material[i] = row->material;
    b->form[i] = row->form;
    b->id[i] = row->id;
    b->owner[i] = owner;
    b->kept[i] = row->kept;
    b->turns[i] = row->turns;
    b->lead[i] = 0;
    scree_bodies_clear_extras(b, i);
}

static scree_status take_crowd(scree_world *world, const crowd *c) {
    const int64_t n = c->block.n + c->n_far;
    if (n >= INT32_MAX - 1) return SCREE_OUT_OF_MEMORY;
    TRY(scree_bodies_reserve(&world->state.bodies, n));
    world->state.bodies.n = 0;
    for (int64_t k = 0; k < c->block.n; ++k)
        take_row(world, &c->rows[k], world->ranks.domain->comm->rank);
    for (int64_t k = 0; k < c->n_far; ++k)
        take_row(world, &c->others[k],
                 scree_domain_rank_of_row(world, c->far[k]));
    return SCREE_OK;
}

static int32_t place_of(const crowd *c, int32_t id) {
    if (id < 0) return id; /* a wall */
    if (!is_far(c, id)) return (int32_t)(id - c->block.first);
    const int64_t key = id;
    const int64_t *at =
        bsearch(&key, c->far, (size_t)c->n_far, sizeof key, by_id);
    return (int32_t)(c->block.n + (at - c->far));
}

/* The world takes the memory of the part. */
static void take_part(scree_world *world, const crowd *c,
                      scree_contact_part *part) {
    for (int64_t k = 0; k < part->contacts.n; ++k) {
        scree_contact *one = &part->contacts.list[k];
        one->a = place_of(c, one->a);
        one->b = place_of(c, one->b);
    }
    for (int64_t k = 0; k < part->broad.n_pair; ++k) {
        scree_pair *pair = &part->broad.pairs[k];
        pair->a = place_of(c, pair->a);
        pair->b = place_of(c, pair->b);
    }
    scree_broad_free(&world->state.broad);
    scree_contacts_free(&world->state.contacts);
    world->state.broad = part->broad;
    world->state.contacts = part->contacts;
    *part = (scree_contact_part){0};
}

scree_status scree_domain_load(scree_world *world, const scree_body_row *rows,
                               scree_archive *a) {
    crowd c = {.block = scree_world_block(world), .rows = rows};
    scree_contact_part part;
    scree_status status = load_contacts(world, a, &part);
    if (status == SCREE_OK)
        status = scree_world_agree(world, list_far(&c, &part.contacts));
    if (status == SCREE_OK) status = fetch_bodies(world, &c);
    if (status == SCREE_OK)
        status = scree_world_agree(world, take_crowd(world, &c));
    if (status == SCREE_OK) take_part(world, &c, &part);
    scree_contact_part_free(&part);
    free(c.far);
    free(c.others);
    return status;
}
