/* parts.c: cuts a sorted problem into parts (parts.h says what they are for).
 *
 *     cut[k] <- mean over colours of the body at share k / n of their blocks
 *     for each colour:  run of part k <- its blocks from body cut[k] to cut[k + 1]
 *     team:  for a member's parts k
 *         for each block of k:  mark its bodies outside of k as common
 *     wait for all
 *     team:  for a member's parts k
 *         for each colour:  list <- blocks with common bodies, then inner blocks
 *         behind them the first SCREE_AHEAD of the list once more
 *         bodies <- common bodies of k, then inner ones
 *
 *     list of part k:  | common, inner | common, inner | ... | the first again |
 *                          colour 0        colour 1
 *
 * Runs keep the order of their blocks, so that these stream through memory. */
#include "solvers/problem/parts.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/error.h"

void scree_parts_free(scree_parts *parts) {
    free(parts->cut);
    free(parts->bodies);
    free(parts->common);
    free(parts->run);
}

size_t scree_parts_bytes(const scree_parts *parts) {
    return (size_t)parts->cut_capacity * sizeof *parts->cut +
           (size_t)parts->body_capacity * sizeof *parts->bodies +
           (size_t)parts->common_capacity * sizeof *parts->common +
           (size_t)parts->run_capacity * sizeof *parts->run;
}

static int colour_count(const scree_problem *p) {
    return p->ordering.on ? p->ordering.n_colour : SCREE_COLOURS;
}

/* ---- cuts ----------------------------------------------------------------------- */

static const scree_four *four_of(const scree_problem *p, const scree_shelf *s,
                                 int64_t block) {
    return s == &p->round ? &p->blocks[block].four : &p->generals[block].four;
}

/* The body that a block's first contact begins with: they rise within a colour, by
 * and large. */
static int32_t begins_with(const scree_problem *p, const scree_shelf *s,
                           int64_t block) {
    const scree_four *k = four_of(p, s, block);
    return k->a[0] < k->b[0] ? k->a[0] : k->b[0];
}

/* Where in a colour the blocks from this body on begin. */
static int64_t blocks_before(const scree_problem *p, const scree_shelf *s,
                             int colour, int32_t body) {
    int64_t low = s->first[colour], high = s->first[colour + 1];
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (begins_with(p, s, s->order[middle]) < body)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The body before which this share of a colour's blocks begin, times their number. */
static double weighted_cut(const scree_problem *p, const scree_shelf *s,
                           int colour, int k) {
    const int64_t first = s->first[colour], n = s->first[colour + 1] - first;
    if (n == 0) return 0;
    return (double)n * begins_with(p, s, s->order[first + n * k / p->parts.n]);
}

/* Colours are spread alike: the mean of where each is even leaves all of them
 * together even. */
static int32_t mean_cut(const scree_problem *p, int k) {
    double sum = 0, blocks = 0;
    for (int c = 0; c < colour_count(p); ++c) {
        sum += weighted_cut(p, &p->round, c, k) +
               weighted_cut(p, &p->general, c, k);
        blocks += (double)(p->round.first[c + 1] - p->round.first[c] +
                           p->general.first[c + 1] - p->general.first[c]);
    }
    return blocks > 0 ? (int32_t)(sum / blocks) : 0;
}

static void cut_bodies(scree_problem *p) {
    scree_parts *parts = &p->parts;
    parts->cut[0] = 0;
    for (int k = 1; k < parts->n; ++k) {
        const int32_t cut = mean_cut(p, k), least = parts->cut[k - 1];
        parts->cut[k] = cut > least ? cut : least;
    }
    parts->cut[parts->n] = p->n_body;
}

static scree_part_run *run_of(const scree_problem *p, const scree_shelf *s,
                              int colour, int part) {
    return &s->run[(int64_t)colour * p->parts.n + part];
}

/* Runs of `order`; until they are listed, `inner` says where in `list` they go. */
static void cut_colours(scree_problem *p, scree_shelf *s) {
    const scree_parts *parts = &p->parts;
    int64_t place = 0;
    for (int k = 0; k < parts->n; ++k, place += SCREE_AHEAD)
        for (int c = 0; c < colour_count(p); ++c) {
            const int64_t first =
                k > 0 ? run_of(p, s, c, k - 1)->last : s->first[c];
            const int64_t last = k + 1 < parts->n
                                     ? blocks_before(p, s, c, parts->cut[k + 1])
                                     : s->first[c + 1];
            *run_of(p, s, c, k) = (scree_part_run){first, place, last};
            place += last - first;
        }
}

/* ---- what is common ------------------------------------------------------------- */

static void mark_outside(scree_problem *p, const int32_t *body, int32_t from,
                         int32_t to) {
    for (int l = 0; l < SCREE_LANES; ++l)
        if (body[l] < p->n_body && (body[l] < from || body[l] >= to))
            scree_set_mark(&p->parts.common[body[l]]);
}

/* Most blocks have all their bodies in the part, which is seen at a glance. */
static bool all_within(const int32_t *body, uint32_t from, uint32_t n) {
    bool within = true;
    for (int l = 0; l < SCREE_LANES; ++l)
        within &= (uint32_t)body[l] - from < n;
    return within;
}

static void mark_run(scree_problem *p, const scree_shelf *s,
                     const scree_part_run *run, int part) {
    const int32_t from = p->parts.cut[part], to = p->parts.cut[part + 1];
    const uint32_t start = (uint32_t)from, n = (uint32_t)(to - from);
    for (int64_t i = run->first; i < run->last; ++i) {
        const scree_four *k = four_of(p, s, s->order[i]);
        if (!all_within(k->a, start, n)) mark_outside(p, k->a, from, to);
        if (!all_within(k->b, start, n)) mark_outside(p, k->b, from, to);
    }
}

static void mark_others(scree_problem *p, const scree_shelf *s, int part) {
    for (int c = 0; c < colour_count(p); ++c)
        mark_run(p, s, run_of(p, s, c, part), part);
}

/* ---- lists ---------------------------------------------------------------------- */

/* The static body is never common. */
static bool is_inner(const uint8_t *common, const scree_four *k) {
    unsigned any = 0;
    for (int l = 0; l < SCREE_LANES; ++l)
        any |= common[k->a[l]] | common[k->b[l]];
    return !any;
}

/* Turns a run of `order` into one of `list`: both kinds of blocks stay in their order,
 * in which they stream. Those with common bodies wait at the end of the run of `order`
 * until the inner ones are listed. */
static void list_run(const scree_problem *p, scree_shelf *s,
                     scree_part_run *run) {
    const int64_t at = run->inner, end = at + run->last - run->first;
    int64_t inner = end, held = run->last;
    for (int64_t i = run->last - 1; i >= run->first; --i) {
        const int32_t k = s->order[i];
        if (is_inner(p->parts.common, four_of(p, s, k)))
            s->list[--inner] = k;
        else
            s->order[--held] = k;
    }
    for (int64_t i = at; i < inner; ++i) s->list[i] = s->order[held++];
    *run = (scree_part_run){at, inner, end};
}

/* And what comes ahead of the part's next pass. */
static void list_blocks(scree_problem *p, scree_shelf *s, int part) {
    const int colours = colour_count(p);
    if (colours == 0) return;
    for (int c = 0; c < colours; ++c) list_run(p, s, run_of(p, s, c, part));
    const int64_t begin = run_of(p, s, 0, part)->first;
    const int64_t end = run_of(p, s, colours - 1, part)->last;
    for (int64_t i = begin; begin < end && i < begin + SCREE_AHEAD; ++i)
        s->list[end + i - begin] = s->list[i];
}

static void list_bodies(scree_parts *parts, int part) {
    scree_part_run *run = &parts->run[part];
    const int32_t from = parts->cut[part], to = parts->cut[part + 1];
    *run = (scree_part_run){from, to, to};
    for (int32_t i = to - 1; i >= from; --i)
        if (!parts->common[i]) parts->bodies[--run->inner] = i;
    int64_t at = from;
    for (int32_t i = from; i < to; ++i)
        if (parts->common[i]) parts->bodies[at++] = i;
}

static void share_parts(void *context, const scree_team *team) {
    scree_problem *p = context;
    const int n = p->parts.n;
    for (int k = team->rank; n > 1 && k < n; k += team->size) {
        mark_others(p, &p->round, k);
        mark_others(p, &p->general, k);
    }
    scree_team_wait(team);
    for (int k = team->rank; k < n; k += team->size) {
        list_blocks(p, &p->round, k);
        list_blocks(p, &p->general, k);
        list_bodies(&p->parts, k);
    }
}

/* ---- both ------------------------------------------------------------------------ */

static scree_status make_room_for_lists(scree_shelf *s, int64_t runs,
                                        int parts) {
    TRY(scree_reserve(&s->run, &s->run_capacity, runs, sizeof *s->run));
    return scree_reserve(&s->list, &s->list_capacity,
                         s->n_block + (int64_t)parts * SCREE_AHEAD,
                         sizeof *s->list);
}

static scree_status make_room(scree_problem *p) {
    scree_parts *parts = &p->parts;
    const int64_t runs = (int64_t)colour_count(p) * parts->n;
    TRY(scree_reserve(&parts->cut, &parts->cut_capacity, parts->n + 1,
                      sizeof *parts->cut));
    TRY(scree_reserve(&parts->run, &parts->run_capacity, parts->n,
                      sizeof *parts->run));
    TRY(scree_reserve(&parts->bodies, &parts->body_capacity, p->n_body,
                      sizeof *parts->bodies));
    TRY(scree_reserve(&parts->common, &parts->common_capacity, p->n_body + 1,
                      sizeof *parts->common));
    TRY(make_room_for_lists(&p->round, runs, parts->n));
    return make_room_for_lists(&p->general, runs, parts->n);
}

scree_status scree_problem_share(scree_problem *p) {
    p->parts.n = scree_problem_threads(p);
    TRY(make_room(p));
    memset(p->parts.common, 0, (size_t)p->n_body + 1);
    cut_bodies(p);
    cut_colours(p, &p->round);
    cut_colours(p, &p->general);
    scree_team_run(p->parts.n, share_parts, p);
    return SCREE_OK;
}

int scree_problem_part_of(const scree_problem *p, int64_t first, int64_t last) {
    const scree_four *k = scree_problem_four_at(p, first + (last - first) / 2);
    const int32_t body = k->a[0] < k->b[0] ? k->a[0] : k->b[0];
    int part = 0;
    while (part + 1 < p->parts.n && body >= p->parts.cut[part + 1]) ++part;
    return part;
}
