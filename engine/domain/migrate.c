/* migrate.c: bodies and percussions on their way to other ranks. */
#include <stdlib.h>
#include <string.h>

#include "engine/domain/reach.h"
#include "engine/world/view.h"

/* ---- load ---------------------------------------------------------------------- */

/* New cuts when a rank has this much more than the mean, and this much more than
 * the last cuts could do. What they could do is asked again after some rebuilds:
 * the first bodies of a pour cannot be cut evenly, the later ones can. */
static const double UNEVEN = 1.1;
enum { PATIENCE = 16 };
/* What a body costs beside its contacts, in contacts. */
static const float BODY = 1;

/* By the contacts of the last step: what a body bears here, and what the rank does. */
static scree_status weigh_bodies(scree_world *world, double *load) {
    scree_domain *d = world->ranks.domain;
    const scree_bodies *b = &world->state.bodies;
    TRY(scree_reserve(&d->weights, &d->weights_capacity, b->n + b->walls,
                      sizeof *d->weights));
    for (int32_t k = 0; k < b->walls; ++k) d->weights[b->n + k] = 0;
    for (int32_t i = 0; i < b->n; ++i)
        d->weights[i] = scree_world_owns(world, i) ? BODY : 0;
    for (int64_t k = 0; k < world->state.contacts.n; ++k) {
        const scree_contact *c = &world->state.contacts.list[k];
        d->weights[c->a] += c->b >= 0 ? 0.5f : 1.0f;
        if (c->b >= 0) d->weights[c->b] += 0.5f;
    }
    *load = BODY * b->n + (double)world->state.contacts.n;
    return SCREE_OK;
}

/* What copies bear elsewhere is weight of the body, wherever it goes. */
static scree_status weigh_whole(scree_domain *d) {
    return scree_coupling_gather(&d->coupling, d->weights);
}

/* Cuts that knew of no contacts, as those of a bed's first step, say nothing about what
 * cuts could do once there are some. */
static bool is_uneven(scree_domain *d, double load, bool touches) {
    double sum = load, most = load;
    scree_comm_sum(d->comm, &sum, 1);
    scree_comm_max(d->comm, &most, 1);
    d->imbalance = sum > 0 ? most * d->comm->size / sum : 1;
    if (d->since_cut++ == 0)
        d->best = d->blind && touches ? 1 : fmax(1, d->imbalance);
    return !scree_partition_is_cut(d->partition) ||
           d->imbalance > UNEVEN * d->best ||
           (d->imbalance > UNEVEN && d->since_cut >= PATIENCE);
}

static scree_status cut_if_uneven(scree_world *world, scree_arena *scratch) {
    scree_domain *d = world->ranks.domain;
    const scree_bodies *b = &world->state.bodies;
    double load;
    TRY(weigh_bodies(world, &load));
    const bool touches = scree_comm_any(d->comm, world->state.contacts.n > 0);
    if (!is_uneven(d, load, touches)) return SCREE_OK;
    TRY(weigh_whole(d));
    scree_ball *points =
        scree_arena_push(scratch, (size_t)b->n * sizeof *points);
    if (!points) return SCREE_OUT_OF_MEMORY;
    int32_t n = 0;
    for (int32_t i = 0; i < b->n; ++i) {
        if (b->owner[i] != d->comm->rank) continue;
        d->weights[n] = d->weights[i];
        points[n++] = b->x[i];
    }
    TRY(scree_partition_cut(d->partition, n, points, d->weights,
                            &world->error));
    d->cuts += scree_partition_is_cut(d->partition);
    d->since_cut = 0;
    d->blind = !touches;
    return SCREE_OK;
}

/* ---- bodies -------------------------------------------------------------------- */

static size_t record_size(const scree_bodies *b) {
    size_t size = 0;
#define X(type, name) size += sizeof(type);
    SCREE_BODY_FIELDS(X)
#undef X
#define X(type, name)                                                          \
    if (b->name) size += sizeof(type);
    SCREE_BODY_EXTRAS(X)
#undef X
    return size;
}

static void write_record(const scree_bodies *b, int32_t i, unsigned char *to) {
#define X(type, name)                                                          \
    if (b->name) {                                                             \
        memcpy(to, &b->name[i], sizeof(type));                                 \
        to += sizeof(type);                                                    \
    }
    SCREE_BODY_FIELDS(X)
    SCREE_BODY_EXTRAS(X)
#undef X
}

static void read_record(scree_bodies *b, int32_t i, const unsigned char *from) {
#define X(type, name)                                                          \
    if (b->name) {                                                             \
        memcpy(&b->name[i], from, sizeof(type));                               \
        from += sizeof(type);                                                  \
    }
    SCREE_BODY_FIELDS(X)
    SCREE_BODY_EXTRAS(X)
#undef X
}

/* One's own body to its new owner and to the others that need it; if none of them
 * is this rank, it is gone. */
static scree_status send_body(scree_world *world, int32_t i,
                              const scree_ball *grown) {
    scree_domain *d = world->ranks.domain;
    scree_bodies *b = &world->state.bodies;
    const int me = d->comm->rank;
    const int n = scree_domain_reached(d, world->scene.cell, grown);
    if (scree_domain_is_alone(d, n)) return SCREE_OK;
    bool stays = false;
    b->owner[i] = scree_partition_rank_of(d->partition, b->x[i].x);
    for (int k = 0; k < n; ++k) {
        if (d->ranks[k] == me) {
            stays = true;
            continue;
        }
        void *to = scree_mail_put(&d->bodies, d->ranks[k], record_size(b));
        if (!to) return SCREE_OUT_OF_MEMORY;
        write_record(b, i, to);
    }
    if (!stays) b->owner[i] = SCREE_GONE;
    return SCREE_OK;
}

/* Copies come anew from their owners. */
static scree_status send_bodies(scree_world *world, const scree_scene *scene,
                                double skin) {
    scree_domain *d = world->ranks.domain;
    scree_bodies *b = &world->state.bodies;
    for (int32_t i = 0; i < b->n; ++i) {
        const scree_ball grown = {
            b->x[i].x, b->x[i].r + scree_broad_margin(scene, i, skin)};
        if (b->owner[i] == d->comm->rank)
            TRY(send_body(world, i, &grown));
        else
            b->owner[i] = SCREE_GONE;
    }
    return SCREE_OK;
}

static scree_status take_bodies(scree_world *world) {
    const scree_mail *mail = &world->ranks.domain->bodies;
    scree_bodies *b = &world->state.bodies;
    const size_t size = record_size(b);
    scree_bodies_drop(b);
    size_t n = (size_t)b->n;
    for (int64_t k = 0; k < mail->n_in; ++k) n += mail->in[k].n / size;
    if (n >= INT32_MAX - 1)
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY,
                          "too many bodies on one rank");
    TRY(scree_bodies_reserve(b, (int64_t)n));
    if (b->begin) TRY(scree_bodies_reserve_begin(b));
    for (int64_t k = 0; k < mail->n_in; ++k)
        for (size_t at = 0; at < mail->in[k].n; at += size)
            read_record(b, b->n++, mail->in[k].data + at);
    return SCREE_OK;
}

/* ---- percussions --------------------------------------------------------------- */

/* What a contact of a pair bore. */
typedef struct burden {
    int64_t a, b; /* ids, b < 0: a wall */
    scree_image image;
    scree_vec3 P;
    scree_contact_state state;
    uint32_t key;
} burden;

/* Of the rank that will have the pair. */
static int rank_of_pair(const scree_world *world, const scree_scene *scene,
                        double skin, const scree_pair *p) {
    const scree_domain *d = world->ranks.domain;
    const scree_bodies *b = &world->state.bodies;
    if (p->b < 0) return scree_partition_rank_of(d->partition, b->x[p->a].x);
    scree_ball x = {b->x[p->a].x,
                    b->x[p->a].r + scree_broad_margin(scene, p->a, skin)};
    scree_ball y = {b->x[p->b].x,
                    b->x[p->b].r + scree_broad_margin(scene, p->b, skin)};
    if (p->image) { /* where the one of lesser id is itself (reach.h) */
        const scree_vec3 shift = scree_period_shift(scene->cell, p->image);
        const bool lesser = b->id[p->a] < b->id[p->b];
        x.x = lesser ? x.x : sub(x.x, shift);
        y.x = lesser ? add(y.x, shift) : y.x;
    }
    return scree_partition_rank_of(
        d->partition, scree_meeting_point(&x, b->id[p->a], &y, b->id[p->b]));
}

static scree_status send_burdens(scree_world *world, const scree_scene *scene,
                                 double skin) {
    scree_domain *d = world->ranks.domain;
    const scree_broad *broad = &world->state.broad;
    const int64_t *id = world->state.bodies.id;
    for (int64_t k = 0; k < broad->n_pair; ++k) {
        const scree_pair *p = &broad->pairs[k];
        if (!scree_broad_has_kept(broad, k)) continue;
        const int rank = rank_of_pair(world, scene, skin, p);
        for (int32_t i = p->first; i < p->first + p->count; ++i) {
            const scree_kept *kept = &broad->kept[i];
            burden one = {.a = id[p->a],
                          .b = p->b < 0 ? p->b : id[p->b],
                          .image = p->image,
                          .P = kept->P,
                          .key = kept->key};
            if (i < broad->n_state) one.state = broad->states[i];
            void *to = scree_mail_put(&d->burdens, rank, sizeof one);
            if (!to) return SCREE_OUT_OF_MEMORY;
            memcpy(to, &one, sizeof one);
        }
    }
    return SCREE_OK;
}

/* Places of ids: open addressing. */
typedef struct id_map {
    uint64_t mask;
    int32_t *slot; /* place, -1: free */
    const int64_t *id;
} id_map;

static uint64_t spot_of(const id_map *map, int64_t id) {
    return ((uint64_t)id * 0x9E3779B97F4A7C15u >> 20) & map->mask;
}

static scree_status make_map(const scree_bodies *b, scree_arena *scratch,
                             id_map *map) {
    uint64_t size = 16;
    while (size < 2 * (uint64_t)b->n) size *= 2;
    *map = (id_map){size - 1,
                    scree_arena_push(scratch, size * sizeof *map->slot), b->id};
    if (!map->slot) return SCREE_OUT_OF_MEMORY;
    memset(map->slot, -1, size * sizeof *map->slot);
    for (int32_t i = 0; i < b->n; ++i) {
        uint64_t at = spot_of(map, b->id[i]);
        while (map->slot[at] >= 0) at = (at + 1) & map->mask;
        map->slot[at] = i;
    }
    return SCREE_OK;
}

/* -1: not here. */
static int32_t place_of(const id_map *map, int64_t id) {
    uint64_t at = spot_of(map, id);
    while (map->slot[at] >= 0 && map->id[map->slot[at]] != id)
        at = (at + 1) & map->mask;
    return map->slot[at];
}

static burden burden_at(const scree_parcel *parcel, size_t at) {
    burden one;
    memcpy(&one, parcel->data + at, sizeof one);
    return one;
}

/* Arrived percussions become a list of pairs like that of an earlier build, which
 * the coming one carries over. Those of pairs that are gone stay behind. */
static void take_burden(scree_broad *broad, const id_map *map,
                        const burden *one, bool with_states) {
    const int32_t a = place_of(map, one->a);
    const int32_t b = one->b < 0 ? (int32_t)one->b : place_of(map, one->b);
    if (a < 0 || (one->b >= 0 && b < 0)) return;
    scree_pair *last = broad->n_pair ? &broad->pairs[broad->n_pair - 1] : NULL;
    const int32_t i = (int32_t)broad->n_kept;
    if (!last || last->a != a || last->b != b || last->image != one->image) {
        last = &broad->pairs[broad->n_pair++];
        *last = (scree_pair){.a = a, .b = b, .first = i, .image = one->image};
    }
    ++last->count;
    broad->kept[i] =
        (scree_kept){one->P, (int32_t)(broad->n_pair - 1), one->key};
    if (with_states) broad->states[i] = one->state;
    ++broad->n_kept;
}

static scree_status take_burdens(scree_world *world, bool with_states,
                                 scree_arena *scratch) {
    const scree_mail *mail = &world->ranks.domain->burdens;
    scree_broad *broad = &world->state.broad;
    int64_t n = 0;
    for (int64_t k = 0; k < mail->n_in; ++k)
        n += (int64_t)(mail->in[k].n / sizeof(burden));
    id_map map;
    TRY(make_map(&world->state.bodies, scratch, &map));
    TRY(scree_reserve(&broad->pairs, &broad->pair_capacity, n,
                      sizeof *broad->pairs));
    TRY(scree_reserve(&broad->kept, &broad->kept_capacity, n,
                      sizeof *broad->kept));
    if (with_states)
        TRY(scree_reserve(&broad->states, &broad->state_capacity, n,
                          sizeof *broad->states));
    broad->n_pair = broad->n_kept = 0;
    for (int64_t k = 0; k < mail->n_in; ++k)
        for (size_t at = 0; at < mail->in[k].n; at += sizeof(burden)) {
            const burden one = burden_at(&mail->in[k], at);
            take_burden(broad, &map, &one, with_states);
        }
    broad->n_state = with_states ? broad->n_kept : 0;
    return SCREE_OK;
}

/* ---- both ---------------------------------------------------------------------- */

/* All is sent before anything is taken: what is sent speaks of the old places. */
static scree_status renew_domain(scree_world *world, const scree_scene *scene,
                                 double skin, scree_arena *scratch) {
    scree_domain *d = world->ranks.domain;
    TRY(cut_if_uneven(world, scratch));
    scree_domain_see_all(world, scene, skin);
    TRY(scree_mail_clear(&d->bodies, d->comm));
    TRY(scree_mail_clear(&d->burdens, d->comm));
    TRY(send_burdens(world, scene, skin));
    TRY(send_bodies(world, scene, skin));
    TRY(scree_mail_send(&d->bodies, d->comm));
    TRY(scree_mail_send(&d->burdens, d->comm));
    TRY(take_bodies(world));
    TRY(take_burdens(world, scene->states, scratch));
    if (d->since_cut == 0) { /* much moved, and will not soon again */
        scree_mail_trim(&d->bodies);
        scree_mail_trim(&d->burdens);
    }
    return SCREE_OK;
}

scree_status scree_domain_renew(scree_world *world, const scree_scene *scene,
                                double skin) {
    const size_t mark = scree_arena_mark(&world->scratch);
    const scree_status status =
        renew_domain(world, scene, skin, &world->scratch);
    scree_arena_pop(&world->scratch, mark);
    return status;
}
