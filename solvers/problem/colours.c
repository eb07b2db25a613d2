#include "solvers/problem/colours.h"

#include <string.h>

#include "engine/base/assert.h"
#include "engine/base/error.h"

/* ---- choosing ------------------------------------------------------------- */

/* Bits of the colours below this one. */
static uint64_t colours_below(int colour) {
    return (UINT64_C(1) << colour) - 1;
}

/* The static body has no colours. */
int scree_problem_choose_colour(scree_problem *p, int32_t a, int32_t b) {
    const bool border = scree_problem_at_border(p, a, b);
    uint64_t used = 0;
    if (a < p->n_body) used |= p->used[a];
    if (b < p->n_body) used |= p->used[b];
    if (p->coupling && !border) used |= colours_below(SCREE_AT_BORDER + 1);
    const uint64_t free_colours =
        ~used & colours_below(border ? SCREE_AT_BORDER : SCREE_COLOURS);
    if (!free_colours) return border ? SCREE_AT_BORDER : SCREE_OVERFLOW;
    const int colour = __builtin_ctzll(free_colours);
    if (a < p->n_body) p->used[a] |= UINT64_C(1) << colour;
    if (b < p->n_body) p->used[b] |= UINT64_C(1) << colour;
    return colour;
}

/* ---- all at once ---------------------------------------------------------- */

enum { KINDS = 2, SHELF = SCREE_COLOURS + 1, NONE = 255 };

/* Lanes of a member's contacts, by kind and colour: how many, then which comes
 * next. */
typedef struct lanes {
    int32_t of[KINDS][SHELF];
} lanes;

typedef struct placing {
    scree_problem *p;
    const scree_spot *spots;
    uint8_t *colour;
    int64_t n;
    uint8_t *choosing; /* (n_body) has the body a contact that must choose? */
    lanes *lanes;      /* (members) */
    atomic_llong n_choosing;
} placing;

/* Contacts that overflowed may find room by now; those that came to the border, or
 * left it, have other colours there. */
static bool can_keep(const scree_problem *p, const scree_spot *s, int colour) {
    if (!p->coupling) return colour < SCREE_OVERFLOW;
    return scree_problem_at_border(p, s->a, s->b)
               ? colour < SCREE_AT_BORDER
               : colour > SCREE_AT_BORDER && colour < SCREE_OVERFLOW;
}

static void mark_body(const placing *w, int32_t body) {
    if (body < w->p->n_body) scree_set_mark(&w->choosing[body]);
}

static void review_kept(placing *w, int64_t first, int64_t last) {
    int64_t choosing = 0;
    for (int64_t i = first; i < last; ++i) {
        const scree_spot *s = &w->spots[i];
        if (can_keep(w->p, s, w->colour[i])) continue;
        w->colour[i] = NONE;
        mark_body(w, s->a);
        mark_body(w, s->b);
        ++choosing;
    }
    atomic_fetch_add_explicit(&w->n_choosing, choosing, memory_order_relaxed);
}

static void tell_body(const placing *w, int32_t body, int colour) {
    if (body < w->p->n_body && w->choosing[body])
        __atomic_fetch_or(&w->p->used[body], UINT64_C(1) << colour,
                          __ATOMIC_RELAXED);
}

/* Which colours are kept at the bodies of those that choose? */
static void tell_kept(const placing *w, int64_t first, int64_t last) {
    const int64_t choosing =
        atomic_load_explicit(&w->n_choosing, memory_order_relaxed);
    if (choosing == 0 || choosing == w->n) return;
    for (int64_t i = first; i < last; ++i) {
        if (w->colour[i] == NONE) continue;
        tell_body(w, w->spots[i].a, w->colour[i]);
        tell_body(w, w->spots[i].b, w->colour[i]);
    }
}

static void choose_colours(const placing *w) {
    if (atomic_load_explicit(&w->n_choosing, memory_order_relaxed) == 0) return;
    const uint8_t *end = w->colour + w->n;
    for (uint8_t *c = w->colour; c < end; ++c) {
        c = memchr(c, NONE, (size_t)(end - c));
        if (!c) return;
        const scree_spot *s = &w->spots[c - w->colour];
        *c = (uint8_t)scree_problem_choose_colour(w->p, s->a, s->b);
    }
}

static void count_lanes(const placing *w, lanes *mine, int64_t first,
                        int64_t last) {
    memset(mine, 0, sizeof *mine);
    for (int64_t i = first; i < last; ++i)
        ++mine->of[w->spots[i].general][w->colour[i]];
}

/* A colour begins with a block of its own. */
static void begin_colour(const placing *w, scree_shelf *s, int colour,
                         int general, int members) {
    const int64_t first = s->n_block;
    int32_t next = (int32_t)first * SCREE_LANES;
    for (int k = 0; k < members; ++k) {
        int32_t *of = &w->lanes[k].of[general][colour];
        const int32_t n = *of;
        *of = next;
        next += n;
    }
    s->n_block = (next + SCREE_LANES - 1) / SCREE_LANES;
    if (s->n_block == first) return;
    memset(s->colour + first, colour, (size_t)(s->n_block - first));
    s->open[colour] = (int32_t)s->n_block - 1;
    s->filled[colour] = next - s->open[colour] * SCREE_LANES;
}

static void begin_colours(const placing *w, int members) {
    for (int colour = 0; colour <= SCREE_OVERFLOW; ++colour) {
        begin_colour(w, &w->p->round, colour, false, members);
        begin_colour(w, &w->p->general, colour, true, members);
    }
}

static void put_contacts(const placing *w, lanes *mine, int64_t first,
                         int64_t last) {
    for (int64_t i = first; i < last; ++i) {
        const bool general = w->spots[i].general;
        const int32_t lane = mine->of[general][w->colour[i]]++;
        w->p->slot[i] = general ? ~lane : lane;
    }
}

static void place_share(void *context, const scree_team *team) {
    placing *w = context;
    lanes *mine = &w->lanes[team->rank];
    int64_t first = 0, last = w->n;
    scree_team_share(team, &first, &last);
    review_kept(w, first, last);
    scree_team_wait(team);
    tell_kept(w, first, last);
    scree_team_wait(team);
    if (team->rank == 0) choose_colours(w);
    scree_team_wait(team);
    count_lanes(w, mine, first, last);
    scree_team_wait(team);
    if (team->rank == 0) begin_colours(w, team->size);
    scree_team_wait(team);
    put_contacts(w, mine, first, last);
}

scree_status scree_problem_place_all(scree_problem *p, const scree_spot *spots,
                                     uint8_t *colour, int64_t n,
                                     scree_arena *scratch) {
    const size_t mark = scree_arena_mark(scratch), bodies = (size_t)p->n_body;
    const int threads = scree_threads_for(n, p->threads);
    placing w = {.p = p, .spots = spots, .colour = colour, .n = n};
    w.choosing = scree_arena_push(scratch, bodies);
    w.lanes = scree_arena_push(scratch, (size_t)threads * sizeof *w.lanes);
    if (!w.choosing || !w.lanes) return SCREE_OUT_OF_MEMORY;
    if (bodies) memset(w.choosing, 0, bodies);
    p->n_contact = n;
    p->sorted = false;
    scree_assert(n <= p->slot_capacity); /* cleared for as many */
    scree_team_run(threads, place_share, &w);
    p->n_chosen = atomic_load(&w.n_choosing);
    scree_arena_pop(scratch, mark);
    return SCREE_OK;
}
