#include "engine/adaptive/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "engine/world/view.h"

/* ---- the arrays ------------------------------------------------------------ */

typedef struct span {
    void *first; /* in the world */
    size_t bytes, room;
} span;

/* One more than the last arms, or states, that a contact has. */
static int64_t arms_in_use(const scree_contacts *c) {
    int64_t n = 0;
    for (int64_t k = 0; k < c->n; ++k)
        if (c->list[k].arms >= n) n = c->list[k].arms + 1;
    return n;
}

static int64_t states_in_use(const scree_contacts *c) {
    int64_t n = 0;
    for (int64_t k = 0; k < c->n; ++k)
        if (c->list[k].state >= n) n = c->list[k].state + 1;
    return n;
}

/* With the room that the world has: a snapshot grows only when that does. */
#define SPAN(array, count, capacity)                                           \
    (span) {                                                                   \
        (array), (array) ? (size_t)(count) * sizeof *(array) : 0,              \
            (array) ? (size_t)(capacity) * sizeof *(array) : 0                 \
    }

static void find_bodies(const scree_world *world, span *to) {
    const scree_bodies *b = &world->state.bodies;
    const bool kept = scree_world_body_fields(world).n > 0;
    to[SCREE_PIECE_X] = SPAN(b->x, b->n, b->n);
    to[SCREE_PIECE_Q] = SPAN(b->q, b->n, b->n);
    to[SCREE_PIECE_U] = SPAN(b->u, b->n, b->n);
    to[SCREE_PIECE_KEPT] = SPAN(b->kept, kept ? b->n : 0, kept ? b->n : 0);
    to[SCREE_PIECE_ID] = SPAN(b->id, b->n, b->n);
    to[SCREE_PIECE_PLACE] = SPAN(b->place, b->n, b->n);
    to[SCREE_PIECE_MATERIAL] = SPAN(b->material, b->n, b->n);
    to[SCREE_PIECE_FORM] = SPAN(b->form, b->n, b->n);
    to[SCREE_PIECE_OWNER] = SPAN(b->owner, b->n, b->n);
    to[SCREE_PIECE_TURNS] = SPAN(b->turns, b->n, b->n);
}

static void find_list(const scree_world *world, span *to) {
    const scree_broad *l = &world->state.broad;
    const int64_t turned = world->scene.general ? l->n_built : 0;
    to[SCREE_PIECE_APART] = SPAN(l->apart, l->n_pair, l->apart_capacity);
    to[SCREE_PIECE_PAIRS] = SPAN(l->pairs, l->n_pair, l->pair_capacity);
    to[SCREE_PIECE_BUILT] = SPAN(l->built, l->n_built, l->built_capacity);
    to[SCREE_PIECE_BUILT_Q] = SPAN(l->built_q, turned, l->built_q_capacity);
}

static void find_contacts(const scree_world *world, span *to) {
    const scree_contacts *c = &world->state.contacts;
    to[SCREE_PIECE_CONTACTS] = SPAN(c->list, c->n, c->capacity);
    to[SCREE_PIECE_COLOURS] = SPAN(c->colours, c->n, c->colours_capacity);
    to[SCREE_PIECE_ARMS] = SPAN(c->arms, arms_in_use(c), c->arms_capacity);
    to[SCREE_PIECE_STATES] =
        SPAN(c->states, states_in_use(c), c->states_capacity);
}

static void find_spans(const scree_world *world, span *to) {
    find_bodies(world, to);
    find_list(world, to);
    find_contacts(world, to);
}

static int64_t list_number(scree_listing *listing, const scree_world *world) {
    const int64_t rebuilds = world->accounts.cost.rebuilds;
    if (listing->rebuilds != rebuilds) listing->number = rebuilds;
    listing->rebuilds = rebuilds;
    return listing->number;
}

/* ---- the numbers ------------------------------------------------------------ */

static scree_snapshot_numbers read_numbers(const scree_world *w) {
    return (scree_snapshot_numbers){
        .t = w->state.t,
        .dt = w->state.dt,
        .seen = w->step.seen,
        .epoch_t = w->state.epoch_t,
        .steps = w->state.steps,
        .ticks = w->state.ticks,
        .fresh = w->state.fresh,
        .n_pair = w->state.broad.n_pair,
        .n_built = w->state.broad.n_built,
        .n_contact = w->state.contacts.n,
        .n_body = w->state.bodies.n,
        .level = w->state.level,
        .checks = w->state.broad.steps,
        .valid = w->state.broad.valid,
        .gaps_hold = w->step.gaps_hold,
        .report = w->state.report,
        .penetration_sum = w->accounts.penetration_sum,
        .penetration_max = w->accounts.penetration_max,
        .penetrating = w->accounts.penetrating,
        .taken_normal = w->accounts.taken_normal,
        .taken_friction = w->accounts.taken_friction,
        .taken_turning = w->accounts.taken_turning,
        .wall_work = w->accounts.wall_work,
        .recovery_work = w->accounts.recovery_work,
        .inserted = w->accounts.inserted};
}

static void write_accounts(const scree_snapshot_numbers *n, scree_world *w) {
    w->accounts.penetration_sum = n->penetration_sum;
    w->accounts.penetration_max = n->penetration_max;
    w->accounts.penetrating = n->penetrating;
    w->accounts.taken_normal = n->taken_normal;
    w->accounts.taken_friction = n->taken_friction;
    w->accounts.taken_turning = n->taken_turning;
    w->accounts.wall_work = n->wall_work;
    w->accounts.recovery_work = n->recovery_work;
    w->accounts.inserted = n->inserted;
}

static void write_numbers(const scree_snapshot_numbers *n, scree_world *w) {
    w->state.t = n->t;
    w->state.dt = n->dt;
    w->step.seen = n->seen;
    w->state.epoch_t = n->epoch_t;
    w->state.steps = n->steps;
    w->state.ticks = n->ticks;
    w->state.fresh = n->fresh;
    w->state.broad.n_pair = n->n_pair;
    w->state.broad.n_built = n->n_built;
    w->state.contacts.n = w->ranks.n_contact = n->n_contact;
    w->state.level = n->level;
    w->state.broad.steps = n->checks;
    w->state.broad.valid = n->valid;
    w->step.gaps_hold = n->gaps_hold;
    w->state.report = n->report;
    write_accounts(n, w);
}

/* ---- both ways --------------------------------------------------------------- */

static scree_status keep_piece(scree_kept_piece *p, span from) {
    p->bytes = 0;
    TRY(scree_reserve_anew(&p->data, &p->capacity, (int64_t)from.room, 1));
    p->bytes = from.bytes;
    if (from.bytes) memcpy(p->data, from.first, from.bytes);
    return SCREE_OK;
}

static scree_status keep_walls(scree_snapshot *s, const scree_world *world) {
    const int n = world->scene.n_wall;
    TRY(scree_reserve_anew(&s->walls, &s->wall_capacity, n, sizeof *s->walls));
    for (int k = 0; k < n; ++k) s->walls[k] = world->scene.walls[k].percussion;
    return SCREE_OK;
}

scree_status scree_snapshot_save(scree_snapshot *s, scree_listing *listing,
                                 const scree_world *world) {
    const int64_t list = list_number(listing, world);
    const bool same = s->list == list && s->numbers.n_body > 0 &&
                      s->numbers.n_body == world->state.bodies.n;
    span spans[SCREE_PIECES];
    find_spans(world, spans);
    s->numbers =
        (scree_snapshot_numbers){0}; /* of no bodies if memory is out */
    for (int k = 0; k < (same ? SCREE_PIECE_LISTED : SCREE_PIECES); ++k)
        TRY(keep_piece(&s->pieces[k], spans[k]));
    TRY(keep_walls(s, world));
    s->numbers = read_numbers(world);
    s->list = list;
    return SCREE_OK;
}

/* Arrays of a world only grow: what was there once has room. */
void scree_snapshot_restore(const scree_snapshot *s, scree_listing *listing,
                            scree_world *world) {
    const bool same = s->list == list_number(listing, world);
    span spans[SCREE_PIECES];
    find_spans(world, spans);
    for (int k = 0; k < (same ? SCREE_PIECE_LISTED : SCREE_PIECES); ++k)
        if (s->pieces[k].bytes)
            memcpy(spans[k].first, s->pieces[k].data, s->pieces[k].bytes);
    for (int k = 0; k < world->scene.n_wall; ++k)
        world->scene.walls[k].percussion = s->walls[k];
    write_numbers(&s->numbers, world);
    listing->number = s->list;
}

static bool is_kept(const scree_snapshot *s, scree_piece k, const void *array) {
    const scree_kept_piece *p = &s->pieces[k];
    return p->bytes == 0 || memcmp(p->data, array, p->bytes) == 0;
}

bool scree_snapshot_is_of(const scree_snapshot *s, const scree_world *world) {
    const scree_bodies *b = &world->state.bodies;
    return s->numbers.n_body == b->n && s->numbers.t == world->state.t &&
           s->numbers.valid == world->state.broad.valid &&
           is_kept(s, SCREE_PIECE_X, b->x) && is_kept(s, SCREE_PIECE_Q, b->q) &&
           is_kept(s, SCREE_PIECE_U, b->u);
}

void scree_snapshot_free(scree_snapshot *s) {
    for (int k = 0; k < SCREE_PIECES; ++k) free(s->pieces[k].data);
    free(s->walls);
    *s = (scree_snapshot){0};
}

size_t scree_snapshot_bytes(const scree_snapshot *s) {
    size_t sum = (size_t)s->wall_capacity * sizeof *s->walls;
    for (int k = 0; k < SCREE_PIECES; ++k) sum += (size_t)s->pieces[k].capacity;
    return sum;
}
