/* domain.c: making a world distributed, and who shares what. */
#include "engine/domain/domain.h"

#include <stdlib.h>
#include <string.h>

#include "engine/domain/reach.h"
#include "engine/step/step.h"
#include "engine/step/timer.h"
#include "engine/world/make.h"

/* So many ids in a row go to one rank while space is not cut: how many there will
 * be is not known then. */
enum { RUN_OF_IDS = 256 };

/* ---- a world becomes distributed ---------------------------------------------- */

/* All is rank 0's until the first list is built; the others forget what they
 * have, which is the same. Sums are over ranks. */
static void leave_to_first(scree_world *world, const scree_comm *comm) {
    world->state.bodies.spread = true;
    world->state.broad.valid = false;
    if (comm->rank == 0) return;
    world->state.bodies.n = 0;
    world->state.contacts.n = 0;
    world->state.broad.n_pair = world->state.broad.n_kept =
        world->state.broad.n_state = 0;
    world->accounts.taken_normal = world->accounts.taken_friction =
        world->accounts.taken_turning = 0;
    world->accounts.inserted = world->accounts.wall_work =
        world->accounts.recovery_work = 0;
    world->accounts.taken_drag = world->accounts.force_work = 0;
    world->accounts.penetration_sum = world->accounts.penetration_max = 0;
    world->accounts.penetrating = 0;
    world->accounts.cost.contacts = world->accounts.cost.contact_iterations = 0;
    for (int w = 0; w < world->scene.n_wall; ++w)
        world->scene.walls[w].percussion = vec(0, 0, 0);
}

/* What has been booked so far was done by no rank in particular. */
static void begin_count(scree_domain *d, const scree_world *world) {
    d->first_step = world->state.steps;
    d->first_contacts = world->accounts.cost.contacts;
    d->first_clock = scree_clock();
    d->first_waited = scree_comm_waited();
}

static scree_status refuse_solver(scree_world *world) {
    char text[SCREE_REFUSAL];
    scree_method_refuse(world->scene.solver, SCREE_LAYOUT_LANES,
                        SCREE_NEED_RANKS, text, sizeof text);
    return scree_fail(&world->error, SCREE_BAD_ARGUMENT, "%s", text);
}

/* The same status on all ranks. */
static scree_status make_domain(const scree_comm *comm, scree_domain **domain) {
    scree_domain *d = calloc(1, sizeof *d);
    int *ranks = malloc(2 * (size_t)comm->size * sizeof *ranks);
    scree_status status = scree_comm_agree(
        comm, d && ranks ? SCREE_OK : SCREE_OUT_OF_MEMORY, NULL);
    scree_partition *partition = NULL;
    if (status == SCREE_OK) status = scree_partition_create(comm, &partition);
    if (status != SCREE_OK) {
        free(d);
        free(ranks);
        return status;
    }
    *d = (scree_domain){.comm = comm,
                        .partition = partition,
                        .coupling = {.comm = comm},
                        .ranks = ranks,
                        .near = ranks + comm->size};
    *domain = d;
    return SCREE_OK;
}

static scree_status refuse_stepper(scree_world *world) {
    return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                      "%s does not run on worlds on several ranks\n  take one "
                      "rank, or moreau or rattle, which may have time: "
                      "{step: auto}",
                      world->scene.stepper->name);
}

scree_status scree_world_distribute(scree_world *world,
                                    const scree_comm *comm) {
    if (comm->size == 1 || world->ranks.domain) return SCREE_OK;
    if (world->scene.solver->lacks & SCREE_NEED_RANKS)
        return refuse_solver(world);
    if (world->scene.stepper->world_step) return refuse_stepper(world);
    if (world->joints.n > 0)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "joints do not run on several ranks yet: run on one");
    scree_status status = make_domain(comm, &world->ranks.domain);
    if (status != SCREE_OK)
        return scree_fail(&world->error, status, "no memory for %d ranks",
                          comm->size);
    world->ranks.domain->coupling.ordered = world->def.reproducible;
    leave_to_first(world, comm);
    begin_count(world->ranks.domain, world);
    return SCREE_OK;
}

void scree_domain_free(scree_domain *d) {
    if (!d) return;
    scree_partition_destroy(d->partition);
    scree_mail_free(&d->bodies);
    scree_mail_free(&d->burdens);
    scree_coupling_free(&d->coupling);
    free(d->shares);
    free(d->lists);
    free(d->ranks);
    free(d->border);
    free(d->weights);
    free(d);
}

size_t scree_domain_bytes(const scree_domain *d) {
    if (!d) return 0;
    return sizeof *d + 2 * (size_t)d->comm->size * sizeof *d->ranks +
           scree_mail_memory(&d->bodies) + scree_mail_memory(&d->burdens) +
           scree_coupling_bytes(&d->coupling) +
           (size_t)d->share_capacity * sizeof *d->shares +
           (size_t)d->lists_capacity * sizeof *d->lists +
           (size_t)d->border_capacity * sizeof *d->border +
           (size_t)d->weights_capacity * sizeof *d->weights;
}

/* ---- pairs --------------------------------------------------------------------- */

static bool owns_point(const void *context, scree_vec3 x) {
    const scree_domain *d = context;
    return scree_partition_rank_of(d->partition, x) == d->comm->rank;
}

scree_claim scree_domain_claim(const scree_world *world) {
    const scree_domain *d = world->ranks.domain;
    return (scree_claim){.rank = d->comm->rank,
                         .owner = world->state.bodies.owner,
                         .id = world->state.bodies.id,
                         .border = d->border,
                         .owns = owns_point,
                         .context = d};
}

/* ---- shares -------------------------------------------------------------------- */

/* A body that is shared, with whom. */
typedef struct entry {
    int64_t id;
    int32_t rank, place;
    bool mine;
} entry;

static int by_share(const void *p, const void *q) {
    const entry *a = p, *b = q;
    if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
    if (a->mine != b->mine) return a->mine ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

typedef struct entries {
    entry *list;
    int64_t n, capacity;
} entries;

static scree_status note_entry(entries *e, entry one) {
    if (e->n == e->capacity)
        TRY(scree_reserve(&e->list, &e->capacity, e->n + 64, sizeof one));
    e->list[e->n++] = one;
    return SCREE_OK;
}

static scree_status note_body(const scree_world *world, int32_t i,
                              double margin, entries *e) {
    scree_domain *d = world->ranks.domain;
    const scree_bodies *b = &world->state.bodies;
    const int me = d->comm->rank;
    d->copies += b->owner[i] != me;
    const scree_ball grown = {b->x[i].x, b->x[i].r + margin};
    entry one = {.id = b->id[i], .rank = b->owner[i], .place = i};
    d->border[i] = b->owner[i] != me;
    if (b->owner[i] != me) return note_entry(e, one);
    const int n = scree_domain_reached(d, world->scene.cell, &grown);
    one.mine = true;
    for (int k = 0; k < n; ++k) {
        if ((one.rank = d->ranks[k]) == me) continue;
        d->border[i] = 1;
        TRY(note_entry(e, one));
    }
    return SCREE_OK;
}

/* The first rank owns walls that forces drive; all others have copies. */
static scree_status note_walls(const scree_world *world, entries *e) {
    const scree_comm *comm = world->ranks.domain->comm;
    const scree_bodies *b = &world->state.bodies;
    for (int32_t k = 0; k < b->walls; ++k) {
        entry one = {.id = INT64_MAX - b->walls + k, .place = b->n + k};
        one.mine = comm->rank == 0;
        if (!one.mine) TRY(note_entry(e, one));
        for (one.rank = 1; one.mine && one.rank < comm->size; ++one.rank)
            TRY(note_entry(e, one));
    }
    return SCREE_OK;
}

/* Sorted entries to shares. */
static scree_status make_shares(scree_domain *d, const entries *e) {
    TRY(scree_reserve(&d->lists, &d->lists_capacity, e->n, sizeof *d->lists));
    d->n_share = 0;
    for (int64_t k = 0; k < e->n; ++k) {
        const entry *one = &e->list[k];
        d->lists[k] = one->place;
        if (k == 0 || one->rank != one[-1].rank) {
            TRY(scree_reserve(&d->shares, &d->share_capacity, d->n_share + 1,
                              sizeof *d->shares));
            d->shares[d->n_share++] = (scree_share){.rank = one->rank};
        }
        scree_share *share = &d->shares[d->n_share - 1];
        if (one->mine)
            ++share->n_mine;
        else
            ++share->n_theirs;
    }
    int32_t *at = d->lists;
    for (int s = 0; s < d->n_share; ++s) {
        d->shares[s].mine = at, at += d->shares[s].n_mine;
        d->shares[s].theirs = at, at += d->shares[s].n_theirs;
    }
    d->coupling.n_share = d->n_share;
    d->coupling.shares = d->shares;
    return SCREE_OK;
}

scree_status scree_domain_share(scree_world *world, const scree_scene *scene,
                                double skin) {
    scree_domain *d = world->ranks.domain;
    entries e = {0};
    d->copies = 0;
    scree_status status =
        scree_reserve(&d->border, &d->border_capacity, world->state.bodies.n,
                      sizeof *d->border);
    for (int32_t i = 0; i < world->state.bodies.n && status == SCREE_OK; ++i)
        status = note_body(world, i, scree_broad_margin(scene, i, skin), &e);
    if (status == SCREE_OK) status = note_walls(world, &e);
    if (status == SCREE_OK) {
        if (e.n) qsort(e.list, (size_t)e.n, sizeof *e.list, by_share);
        status = make_shares(d, &e);
    }
    free(e.list);
    return status;
}

/* ---- how even it is --------------------------------------------------------------- */

double scree_world_imbalance(const scree_world *world) {
    const scree_domain *d = world->ranks.domain;
    return d && d->since_cut > 0 ? d->imbalance : 1;
}

static int64_t owned_count(const scree_world *world) {
    int64_t n = 0;
    for (int32_t i = 0; i < world->state.bodies.n; ++i)
        n += scree_world_owns(world, i);
    return n;
}

static scree_spread spread_of(const scree_comm *comm, double x) {
    double ends[2] = {-x, x}, sum = x;
    scree_comm_max(comm, ends, 2);
    scree_comm_sum(comm, &sum, 1);
    return (scree_spread){-ends[0], sum / comm->size, ends[1]};
}

static scree_rank_load own_load(const scree_world *world) {
    const scree_domain *d = world->ranks.domain;
    scree_rank_load load = {.bodies = (double)owned_count(world)};
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    memcpy(load.seconds, cost.seconds, sizeof load.seconds);
    load.memory = (double)cost.bytes;
    const int64_t first_step = d ? d->first_step : 0;
    const double steps = fmax(1, (double)(world->state.steps - first_step));
    load.contacts =
        (double)(cost.contacts - (d ? d->first_contacts : 0)) / steps;
    if (!d) return load;
    load.waiting = scree_comm_waited() - d->first_waited;
    load.copies = (double)d->copies;
    load.messages = (double)(d->coupling.messages + d->bodies.messages +
                             d->burdens.messages) /
                    steps;
    load.bytes =
        (double)(d->coupling.bytes + d->bodies.bytes + d->burdens.bytes) /
        steps;
    return load;
}

static const scree_comm *comm_of(const scree_world *world) {
    return world->ranks.domain ? world->ranks.domain->comm : scree_comm_alone();
}

void scree_world_read_each_rank(const scree_world *world,
                                scree_rank_load *all) {
    const scree_rank_load mine = own_load(world);
    scree_comm_gather(comm_of(world), &mine, sizeof mine, all);
}

void scree_world_read_ranks(const scree_world *world, scree_ranks *ranks) {
    const scree_domain *d = world->ranks.domain;
    const scree_comm *comm = comm_of(world);
    const scree_rank_load mine = own_load(world);
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    *ranks =
        (scree_ranks){.n = comm->size,
                      .steps = world->state.steps - (d ? d->first_step : 0),
                      .cuts = d ? d->cuts : 0};
    for (int p = 0; p < SCREE_PHASE_COUNT; ++p)
        ranks->seconds[p] = spread_of(comm, mine.seconds[p]);
    ranks->waiting = spread_of(comm, mine.waiting);
    ranks->spread_seconds = d ? scree_clock() - d->first_clock : 0;
    ranks->bodies = spread_of(comm, mine.bodies);
    ranks->copies = spread_of(comm, mine.copies);
    ranks->contacts = spread_of(comm, mine.contacts);
    ranks->memory = spread_of(comm, mine.memory);
    ranks->messages = spread_of(comm, mine.messages);
    ranks->bytes = spread_of(comm, mine.bytes);
    double sums[] = {(double)cost.contact_iterations, (double)cost.contacts};
    scree_comm_sum(comm, sums, 2);
    ranks->contact_iterations = sums[0], ranks->all_contacts = sums[1];
}

/* ---- what the world asks -------------------------------------------------------- */

int scree_world_rank(const scree_world *world) {
    return world->ranks.domain ? world->ranks.domain->comm->rank : 0;
}

int scree_world_ranks(const scree_world *world) {
    return world->ranks.domain ? world->ranks.domain->comm->size : 1;
}

const scree_comm *scree_world_comm(const scree_world *world) {
    return world->ranks.domain ? world->ranks.domain->comm : scree_comm_alone();
}

int scree_world_taker(const scree_world *world, int64_t id, scree_vec3 x) {
    const scree_domain *d = world->ranks.domain;
    if (!d) return 0;
    return scree_partition_is_cut(d->partition)
               ? scree_partition_rank_of(d->partition, x)
               : (int)(id / RUN_OF_IDS % d->comm->size);
}

bool scree_world_takes(const scree_world *world, int64_t id, scree_vec3 x) {
    return scree_world_taker(world, id, x) == scree_world_rank(world);
}

int64_t scree_world_next_taken(const scree_world *world, int64_t id) {
    const scree_domain *d = world->ranks.domain;
    if (!d || scree_partition_is_cut(d->partition)) return id;
    const int64_t run = id / RUN_OF_IDS, size = d->comm->size;
    const int64_t ahead = (d->comm->rank + size - run % size) % size;
    return ahead ? (run + ahead) * RUN_OF_IDS : id;
}

bool scree_world_owns(const scree_world *world, int32_t i) {
    return !world->ranks.domain ||
           world->state.bodies.owner[i] == world->ranks.domain->comm->rank;
}

scree_status scree_world_agree_on(const scree_world *world, scree_status status,
                                  scree_error *error) {
    return world->ranks.domain
               ? scree_comm_agree(world->ranks.domain->comm, status, error)
               : status;
}

scree_status scree_world_agree(scree_world *world, scree_status status) {
    return scree_world_agree_on(world, status, &world->error);
}

bool scree_world_any(const scree_world *world, bool here) {
    return world->ranks.domain ? scree_comm_any(world->ranks.domain->comm, here)
                               : here;
}

double scree_world_most(const scree_world *world, double here) {
    if (world->ranks.domain)
        scree_comm_max(world->ranks.domain->comm, &here, 1);
    return here;
}

double scree_world_total(const scree_world *world, double here) {
    if (world->ranks.domain)
        scree_comm_sum(world->ranks.domain->comm, &here, 1);
    return here;
}

int64_t scree_world_first_id(const scree_world *world, int64_t here) {
    const bool any = here != SCREE_NO_BODY;
    const double first =
        scree_world_most(world, any ? -(double)here : -INFINITY);
    return isinf(first) ? SCREE_NO_BODY : (int64_t)-first;
}

void scree_world_count_contacts(scree_world *world) {
    world->accounts.cost.contacts += world->state.contacts.n;
    world->ranks.n_contact = world->state.contacts.n;
    if (world->ranks.domain)
        scree_comm_sum_counts(world->ranks.domain->comm,
                              &world->ranks.n_contact, 1);
}

scree_status scree_world_share_sums(scree_world *world, double *values,
                                    int width) {
    return world->ranks.domain
               ? scree_coupling_share_sums(&world->ranks.domain->coupling,
                                           values, width)
               : SCREE_OK;
}

scree_status scree_world_share_least(scree_world *world, double *values,
                                     int width) {
    return world->ranks.domain
               ? scree_coupling_share_least(&world->ranks.domain->coupling,
                                            values, width)
               : SCREE_OK;
}

scree_status scree_world_share_flags(scree_world *world, bool *flags) {
    return world->ranks.domain ? scree_coupling_share_flags(
                                     &world->ranks.domain->coupling, flags)
                               : SCREE_OK;
}
