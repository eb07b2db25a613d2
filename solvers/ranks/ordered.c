#include "solvers/ranks/ordered.h"

#include <string.h>

#include "engine/base/error.h"
#include "engine/base/random.h"
#include "engine/base/sort.h"

/* ---- turns --------------------------------------------------------------- */

/* When a contact may choose: no two are the same. */
typedef struct turn {
    uint64_t hash;
    int64_t a, b, number;
} turn;

/* That of a contact which there is not. */
static const turn NEVER = {UINT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};

static uint64_t mix_hash(uint64_t hash, int64_t x) {
    scree_random rng = {hash ^ (uint64_t)x};
    return scree_random_next(&rng);
}

static turn turn_of(const scree_item *k) {
    return (turn){mix_hash(mix_hash(mix_hash(0, k->id_a), k->id_b), k->number),
                  k->id_a, k->id_b, k->number};
}

static bool is_earlier(const turn *x, const turn *y) {
    if (x->hash != y->hash) return x->hash < y->hash;
    if (x->a != y->a) return x->a < y->a;
    return x->b != y->b ? x->b < y->b : x->number < y->number;
}

/* ---- choosing ------------------------------------------------------------ */

typedef struct colouring {
    scree_problem *p;
    const scree_item *items;
    int64_t n;
    scree_key *order; /* (n) items by turn */
    int32_t *colour;  /* (n) -1: none yet */
    int32_t *waiting; /* (n_waiting) by turn */
    int64_t n_waiting;
    int32_t
        *held; /* (n_body) round in which a contact of the body had to wait */
    int32_t round;
    /* Of shared bodies: */
    turn *here;           /* (n_shared) earliest that waits on this rank */
    turn *elsewhere;      /* (n_shared) and on the others */
    turn *first, *second; /* (n_shared) of owned ones: on all ranks */
    int32_t *from; /* (n_shared) the share that has `first`, -1: this rank */
} colouring;

/* Radix sort by the hash; those with the same hash, if ever, one by one. */
static scree_status sort_by_turn(colouring *c, scree_arena *scratch) {
    const size_t mark = scree_arena_mark(scratch);
    scree_key *spare = scree_arena_push(scratch, (size_t)c->n * sizeof *spare);
    if (!spare) return SCREE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < c->n; ++i)
        c->order[i] = (scree_key){turn_of(&c->items[i]).hash, (int32_t)i};
    scree_sort_keys(c->order, spare, c->n, scree_problem_threads(c->p));
    scree_arena_pop(scratch, mark);
    for (int64_t i = 1; i < c->n; ++i)
        for (int64_t k = i; k > 0 && c->order[k].key == c->order[k - 1].key;
             --k) {
            const turn x = turn_of(&c->items[c->order[k - 1].item]);
            const turn y = turn_of(&c->items[c->order[k].item]);
            if (is_earlier(&x, &y)) break;
            const scree_key swap = c->order[k];
            c->order[k] = c->order[k - 1], c->order[k - 1] = swap;
        }
    return SCREE_OK;
}

/* Does a contact of the body come before this one, that has no colour yet? */
static bool must_wait(const colouring *c, int32_t body, const turn *t) {
    const scree_coupling *coupling = c->p->coupling;
    if (body >= c->p->n_body) return false;
    if (c->held[body] == c->round) return true;
    return coupling && scree_coupling_shares(coupling, body) &&
           is_earlier(&c->elsewhere[coupling->slot[body]], t);
}

static void hold_body(const colouring *c, int32_t body) {
    if (body < c->p->n_body) c->held[body] = c->round;
}

/* A contact that finds no colour is left to the next layer. */
static void choose_colour(const colouring *c, int32_t i, int layer) {
    const scree_item *k = &c->items[i];
    uint64_t *used = c->p->used, both = 0;
    if (k->a < c->p->n_body) both |= used[k->a];
    if (k->b < c->p->n_body) both |= used[k->b];
    const uint64_t left = ~both & ((UINT64_C(1) << SCREE_COLOURS) - 1);
    if (!left) return;
    const int colour = __builtin_ctzll(left);
    if (k->a < c->p->n_body) used[k->a] |= UINT64_C(1) << colour;
    if (k->b < c->p->n_body) used[k->b] |= UINT64_C(1) << colour;
    c->colour[i] = layer * SCREE_COLOURS + colour;
}

/* As many as can choose, in their turn. */
static void go_on(colouring *c, int layer) {
    int64_t n = 0;
    ++c->round;
    for (int64_t w = 0; w < c->n_waiting; ++w) {
        const int32_t i = c->waiting[w];
        const scree_item *k = &c->items[i];
        const turn t = turn_of(k);
        if (must_wait(c, k->a, &t) || must_wait(c, k->b, &t)) {
            hold_body(c, k->a);
            hold_body(c, k->b);
            c->waiting[n++] = i;
        } else {
            choose_colour(c, i, layer);
        }
    }
    c->n_waiting = n;
}

/* ---- between ranks ------------------------------------------------------- */

static void put_turn(double *to, const turn *t, uint64_t used) {
    _Static_assert(sizeof *t + sizeof used <= SCREE_COUPLED * sizeof *to,
                   "a turn travels where a velocity does");
    memcpy(to, t, sizeof *t);
    memcpy(to + sizeof *t / sizeof *to, &used, sizeof used);
}

static turn get_turn(const double *from, uint64_t *used) {
    turn t;
    uint64_t more;
    memcpy(&t, from, sizeof t);
    memcpy(&more, from + sizeof t / sizeof *from, sizeof more);
    *used |= more;
    return t;
}

static void see_body(colouring *c, int32_t body, const turn *t) {
    const scree_coupling *coupling = c->p->coupling;
    if (body >= c->p->n_body || !scree_coupling_shares(coupling, body)) return;
    turn *here = &c->here[coupling->slot[body]];
    if (is_earlier(t, here)) *here = *t;
}

static void look_here(colouring *c) {
    for (int64_t k = 0; k < c->p->coupling->n_shared; ++k) c->here[k] = NEVER;
    for (int64_t w = 0; w < c->n_waiting; ++w) {
        const scree_item *k = &c->items[c->waiting[w]];
        const turn t = turn_of(k);
        see_body(c, k->a, &t);
        see_body(c, k->b, &t);
    }
}

/* The two earliest turns over all ranks, which are those of different ranks. */
static void gather_turns(colouring *c) {
    scree_coupling *coupling = c->p->coupling;
    for (int64_t k = 0; k < coupling->n_owned; ++k) {
        c->first[k] = c->here[k], c->second[k] = NEVER;
        c->from[k] = -1;
    }
    for (int s = 0; s < coupling->n_share; ++s)
        for (int32_t k = 0; k < coupling->active[s].n_mine; ++k) {
            const int32_t at = coupling->active[s].mine[k];
            const int32_t place = coupling->shared[at].place;
            const turn t = get_turn(&coupling->rise[s].in[SCREE_COUPLED * k],
                                    &c->p->used[place]);
            if (is_earlier(&t, &c->first[at])) {
                c->second[at] = c->first[at], c->first[at] = t;
                c->from[at] = s;
            } else if (is_earlier(&t, &c->second[at])) {
                c->second[at] = t;
            }
        }
}

/* What a share, or this rank (-1), has to wait for at a body. */
static turn rival_at(const colouring *c, int32_t at, int32_t share) {
    return c->from[at] == share ? c->second[at] : c->first[at];
}

static void tell_copies(colouring *c) {
    scree_coupling *coupling = c->p->coupling;
    for (int s = 0; s < coupling->n_share; ++s)
        for (int32_t k = 0; k < coupling->active[s].n_mine; ++k) {
            const int32_t at = coupling->active[s].mine[k];
            const turn t = rival_at(c, at, s);
            put_turn(&coupling->fall[s].out[SCREE_COUPLED * k], &t,
                     c->p->used[coupling->shared[at].place]);
        }
    for (int32_t k = 0; k < coupling->n_owned; ++k)
        c->elsewhere[k] = rival_at(c, k, -1);
}

/* All ranks tell each other who waits, and which colours are used. */
static void meet_ranks(colouring *c) {
    scree_coupling *coupling = c->p->coupling;
    look_here(c);
    for (int s = 0; s < coupling->n_share; ++s)
        for (int32_t k = 0; k < coupling->active[s].n_theirs; ++k) {
            const int32_t at = coupling->active[s].theirs[k];
            put_turn(&coupling->rise[s].out[SCREE_COUPLED * k], &c->here[at],
                     c->p->used[coupling->shared[at].place]);
        }
    scree_coupling_rise(coupling);
    gather_turns(c);
    tell_copies(c);
    scree_coupling_fall(coupling);
    for (int s = 0; s < coupling->n_share; ++s)
        for (int32_t k = 0; k < coupling->active[s].n_theirs; ++k) {
            const int32_t at = coupling->active[s].theirs[k];
            c->elsewhere[at] =
                get_turn(&coupling->fall[s].in[SCREE_COUPLED * k],
                         &c->p->used[coupling->shared[at].place]);
        }
}

/* ---- layers -------------------------------------------------------------- */

/* Those that have no colour yet. */
static void line_up(colouring *c) {
    c->n_waiting = 0;
    for (int64_t k = 0; k < c->n; ++k)
        if (c->colour[c->order[k].item] < 0)
            c->waiting[c->n_waiting++] = c->order[k].item;
}

static void colour_all(colouring *c) {
    scree_problem *p = c->p;
    const size_t bodies = (size_t)p->n_body;
    line_up(c);
    for (int layer = 0; scree_problem_any(p, c->n_waiting > 0); ++layer) {
        if (bodies) memset(p->used, 0, bodies * sizeof *p->used);
        do {
            if (p->coupling) meet_ranks(c);
            go_on(c, layer);
        } while (scree_problem_any(p, c->n_waiting > 0));
        line_up(c);
    }
}

/* ---- places -------------------------------------------------------------- */

/* Contacts by colour, in each in their order; all ranks have the same colours.
 */
static scree_status list_by_colour(colouring *c) {
    scree_problem *p = c->p;
    scree_ordering *o = &p->ordering;
    double most = 0;
    for (int64_t i = 0; i < c->n; ++i) most = fmax(most, c->colour[i] + 1);
    if (p->coupling) scree_comm_max(p->coupling->comm, &most, 1);
    o->n_colour = (int)most;
    TRY(scree_reserve(&o->list, &o->list_capacity, c->n, sizeof *o->list));
    TRY(scree_reserve(&o->first, &o->first_capacity, o->n_colour + 2,
                      sizeof *o->first));
    TRY(scree_reserve(&o->crosses, &o->crosses_capacity, o->n_colour + 1,
                      sizeof *o->crosses));
    memset(o->first, 0, ((size_t)o->n_colour + 2) * sizeof *o->first);
    memset(o->crosses, 0, ((size_t)o->n_colour + 1) * sizeof *o->crosses);
    for (int64_t i = 0; i < c->n; ++i) ++o->first[c->colour[i] + 2];
    for (int k = 2; k <= o->n_colour; ++k) o->first[k + 1] += o->first[k];
    for (int64_t i = 0; i < c->n; ++i) {
        o->list[o->first[c->colour[i] + 1]++] = (int32_t)i;
        o->crosses[c->colour[i]] +=
            scree_problem_at_border(p, c->items[i].a, c->items[i].b);
    }
    if (p->coupling)
        scree_comm_sum_counts(p->coupling->comm, o->crosses, o->n_colour);
    return SCREE_OK;
}

/* Blocks of one kind, colour after colour. */
static scree_status fill_shelf(colouring *c, bool general) {
    scree_problem *p = c->p;
    const scree_ordering *o = &p->ordering;
    scree_shelf *s = general ? &p->general : &p->round;
    int32_t lane = 0;
    TRY(scree_reserve(&s->first, &s->first_capacity, o->n_colour + 2,
                      sizeof *s->first));
    for (int colour = 0; colour < o->n_colour; ++colour) {
        s->first[colour] = lane / SCREE_LANES;
        for (int64_t k = o->first[colour]; k < o->first[colour + 1]; ++k) {
            const int32_t i = o->list[k];
            if (c->items[i].general != general) continue;
            p->slot[i] = general ? ~lane : lane;
            ++lane;
        }
        lane = (lane + SCREE_LANES - 1) / SCREE_LANES * SCREE_LANES;
    }
    s->n_block = s->first[o->n_colour] = lane / SCREE_LANES;
    return scree_reserve(&s->order, &s->order_capacity, s->n_block,
                         sizeof *s->order);
}

/* The last block of each colour: rows come later, and leave lanes empty there.
 */
static void clear_last_blocks(scree_problem *p, bool general) {
    const scree_shelf *s = general ? &p->general : &p->round;
    for (int c = 0; c < p->ordering.n_colour; ++c) {
        if (s->first[c] == s->first[c + 1]) continue;
        const int32_t at = (int32_t)(s->first[c + 1] - 1) * SCREE_LANES;
        for (int32_t k = at; k < at + SCREE_LANES; ++k)
            scree_problem_clear_lane(p, general ? ~k : k);
    }
}

static scree_status make_room(colouring *c, scree_arena *scratch) {
    const size_t n = (size_t)c->n, bodies = (size_t)c->p->n_body + 1;
    const size_t shared = c->p->coupling ? (size_t)c->p->coupling->n_shared : 0;
    c->order = scree_arena_push(scratch, n * sizeof *c->order);
    c->colour = scree_arena_push(scratch, n * sizeof *c->colour);
    c->waiting = scree_arena_push(scratch, n * sizeof *c->waiting);
    c->held = scree_arena_push(scratch, bodies * sizeof *c->held);
    c->here = scree_arena_push(scratch, shared * sizeof *c->here);
    c->elsewhere = scree_arena_push(scratch, shared * sizeof *c->elsewhere);
    c->first = scree_arena_push(scratch, shared * sizeof *c->first);
    c->second = scree_arena_push(scratch, shared * sizeof *c->second);
    c->from = scree_arena_push(scratch, shared * sizeof *c->from);
    if (!c->order || !c->colour || !c->waiting || !c->held || !c->here ||
        !c->elsewhere || !c->first || !c->second || !c->from)
        return SCREE_OUT_OF_MEMORY;
    memset(c->held, 0, bodies * sizeof *c->held);
    if (n) memset(c->colour, -1, n * sizeof *c->colour);
    return SCREE_OK;
}

static scree_status place_contacts(colouring *c, scree_arena *scratch) {
    scree_problem *p = c->p;
    scree_ordering *o = &p->ordering;
    TRY(make_room(c, scratch));
    TRY(scree_reserve(&o->tallies, &o->tally_capacity,
                      p->threads > 1 ? p->threads : 1, sizeof *o->tallies));
    p->n_contact = p->n_chosen = c->n;
    p->sorted = false;
    TRY(sort_by_turn(c, scratch));
    colour_all(c);
    TRY(list_by_colour(c));
    TRY(fill_shelf(c, false));
    TRY(fill_shelf(c, true));
    TRY(scree_problem_reserve_blocks(p, p->round.n_block, p->general.n_block));
    clear_last_blocks(p, false);
    clear_last_blocks(p, true);
    o->on = true;
    return SCREE_OK;
}

scree_status scree_problem_place_ordered(scree_problem *p,
                                         const scree_item *items, int64_t n,
                                         scree_arena *scratch) {
    const size_t mark = scree_arena_mark(scratch);
    colouring c = {.p = p, .items = items, .n = n};
    const scree_status status = place_contacts(&c, scratch);
    scree_arena_pop(scratch, mark);
    return status;
}
