#include "contact/broad/grid.h"

#include <stdbool.h>
#include <string.h>

#include "engine/base/error.h"
#include "engine/base/parallel.h"

enum {
    COORD_BITS = 20,
    COORD_MAX = (1 << COORD_BITS) - 1,
    LEVEL_SHIFT = 3 * COORD_BITS,
    BINS = 8, /* per octave of radii, to place the levels */
    ALL_BINS = BINS * SCREE_GRID_LEVELS
};

/* ---- level sizes --------------------------------------------------------- */

/* What a chunk of balls says about the levels: least coordinates and largest
 * radius, and how many radii are in (r_max 2^-(b+1)/BINS, r_max 2^-b/BINS]. */
typedef struct summary {
    scree_vec3 lo;
    double r_max;
    int32_t count[ALL_BINS];
} summary;

typedef struct fitting {
    const scree_ball *balls;
    double r_max;
    summary *chunks;
} fitting;

static void extend_summary(summary *all, scree_vec3 x, double r) {
    all->lo =
        vec(fmin(all->lo.x, x.x), fmin(all->lo.y, x.y), fmin(all->lo.z, x.z));
    all->r_max = fmax(all->r_max, r);
}

static void measure_chunk(void *context, int64_t first, int64_t last) {
    const fitting *f = context;
    summary *s = &f->chunks[first / SCREE_CHUNK];
    s->lo = f->balls[first].x, s->r_max = 0;
    for (int64_t i = first; i < last; ++i)
        extend_summary(s, f->balls[i].x, f->balls[i].r);
}

static void bin_chunk(void *context, int64_t first, int64_t last) {
    const fitting *f = context;
    int32_t *count = f->chunks[first / SCREE_CHUNK].count;
    memset(count, 0, ALL_BINS * sizeof *count);
    for (int64_t i = first; i < last; ++i) {
        /* A margin may be infinite: then this is not a number. */
        const double bin = scree_log2(f->r_max / f->balls[i].r) * BINS;
        ++count[bin >= 0 && bin < ALL_BINS ? (int)bin : ALL_BINS - 1];
    }
}

/* Where the levels fall within an octave: the offset for which the volume of
 * the cells over that of the balls' boxes, summed over the balls, is least. Few
 * large balls then do not force large cells on the many. */
static int best_offset(const int32_t *count) {
    int best = 0;
    double least = INFINITY;
    for (int offset = 0; offset < BINS; ++offset) {
        double cost = 0;
        for (int bin = 0; bin < ALL_BINS; ++bin) {
            const int up = (bin - offset + BINS) % BINS;
            if (count[bin] == 0) continue;
            cost += count[bin] * scree_exp2(3.0 * up / BINS);
        }
        if (cost < least) least = cost, best = offset;
    }
    return best;
}

static scree_grid levels_for(const summary *all) {
    int last = 0;
    for (int bin = 0; bin < ALL_BINS; ++bin)
        if (all->count[bin]) last = bin;
    const int offset = best_offset(all->count);
    const double shift = offset ? 1.0 - (double)offset / BINS : 0.0;
    scree_grid grid = {.lo = all->lo};
    grid.levels = 1 + (last + (offset ? BINS - offset : 0)) / BINS;
    if (grid.levels > SCREE_GRID_LEVELS) grid.levels = SCREE_GRID_LEVELS;
    for (int k = 0; k < grid.levels; ++k)
        grid.h[k] = 2.0 * all->r_max * scree_exp2(shift - k) * (1.0 + 1e-9);
    return grid;
}

scree_status scree_grid_fit(scree_grid *grid, const scree_ball *balls,
                            int32_t n, int threads, scree_arena *scratch) {
    const size_t mark = scree_arena_mark(scratch);
    const int64_t chunks = scree_chunk_count(n);
    fitting f = {
        .balls = balls,
        .chunks = scree_arena_push(scratch, (size_t)chunks * sizeof *f.chunks)};
    if (!f.chunks) return SCREE_OUT_OF_MEMORY;
    summary all = {.lo = n ? balls[0].x : vec(0, 0, 0)};
    scree_parallel_for(n, threads, measure_chunk, &f);
    for (int64_t c = 0; c < chunks; ++c)
        extend_summary(&all, f.chunks[c].lo, f.chunks[c].r_max);
    f.r_max = all.r_max;
    scree_parallel_for(n, threads, bin_chunk, &f);
    for (int64_t c = 0; c < chunks; ++c)
        for (int bin = 0; bin < ALL_BINS; ++bin)
            all.count[bin] += f.chunks[c].count[bin];
    *grid = levels_for(&all);
    scree_arena_pop(scratch, mark);
    return SCREE_OK;
}

/* ---- cells --------------------------------------------------------------- */

typedef struct cell_index {
    int32_t x, y, z;
} cell_index;

static int32_t clamp_coord(double c) {
    /* What is not a number is 0. */
    return !(c > 0) ? 0 : c >= COORD_MAX ? COORD_MAX : (int32_t)c;
}

static cell_index cell_at(const scree_grid *grid, int level, scree_vec3 x) {
    const double s = 1.0 / grid->h[level];
    return (cell_index){clamp_coord((x.x - grid->lo.x) * s),
                        clamp_coord((x.y - grid->lo.y) * s),
                        clamp_coord((x.z - grid->lo.z) * s)};
}

/* Spreads 20 bits so that two zero bits follow each. */
static uint64_t spread_bits(uint64_t v) {
    v = (v | v << 32) & 0x001F00000000FFFFu;
    v = (v | v << 16) & 0x001F0000FF0000FFu;
    v = (v | v << 8) & 0x100F00F00F00F00Fu;
    v = (v | v << 4) & 0x10C30C30C30C30C3u;
    v = (v | v << 2) & 0x1249249249249249u;
    return v;
}

static uint64_t cell_key(int level, cell_index c) {
    return (uint64_t)level << LEVEL_SHIFT | spread_bits((uint64_t)c.x) |
           spread_bits((uint64_t)c.y) << 1 | spread_bits((uint64_t)c.z) << 2;
}

uint64_t scree_grid_key(const scree_grid *grid, const scree_ball *ball) {
    int level = 0;
    while (level + 1 < grid->levels && grid->h[level + 1] >= 2.0 * ball->r)
        ++level;
    return cell_key(level, cell_at(grid, level, ball->x));
}

/* ---- the cells of a sorted scene and where to find them ------------------ */

/* A run of balls; it ends where the next cell begins. */
typedef struct cell {
    uint64_t key;
    int32_t first;
} cell;

typedef struct cell_map {
    const uint64_t *key; /* (balls) */
    int64_t *begin;      /* (chunks of balls) first cell */
    cell *cells;         /* (n + 1) */
    int32_t n;
    atomic_int *slot; /* hash table of cell numbers, -1: empty */
    uint64_t mask;
    bool level_used[SCREE_GRID_LEVELS];
} cell_map;

static uint64_t hash_key(uint64_t key) {
    key *= 0x9E3779B97F4A7C15u;
    return key ^ key >> 29;
}

static bool begins_cell(const uint64_t *key, int64_t i) {
    return i == 0 || key[i] != key[i - 1];
}

static void count_cells(void *context, int64_t first, int64_t last) {
    const cell_map *map = context;
    int64_t n = 0;
    for (int64_t i = first; i < last; ++i) n += begins_cell(map->key, i);
    map->begin[first / SCREE_CHUNK] = n;
}

static void write_cells(void *context, int64_t first, int64_t last) {
    const cell_map *map = context;
    cell *c = &map->cells[map->begin[first / SCREE_CHUNK]];
    for (int64_t i = first; i < last; ++i)
        if (begins_cell(map->key, i)) *c++ = (cell){map->key[i], (int32_t)i};
}

/* Which slot a cell gets may depend on who comes first; what is found
 * does not. */
static void index_cells(void *context, int64_t first, int64_t last) {
    const cell_map *map = context;
    for (int64_t c = first; c < last; ++c) {
        uint64_t at = hash_key(map->cells[c].key) & map->mask;
        for (int empty = -1; !atomic_compare_exchange_strong_explicit(
                 &map->slot[at], &empty, (int)c, memory_order_relaxed,
                 memory_order_relaxed);
             empty = -1)
            at = (at + 1) & map->mask;
    }
}

static const cell *find_cell(const cell_map *map, uint64_t key) {
    uint64_t at = hash_key(key) & map->mask;
    for (int c;
         (c = atomic_load_explicit(&map->slot[at], memory_order_relaxed)) >= 0;
         at = (at + 1) & map->mask)
        if (map->cells[c].key == key) return &map->cells[c];
    return NULL;
}

/* First cell of a level or a finer one. */
static int32_t first_of_level(const cell_map *map, int level) {
    int32_t lo = 0, hi = map->n;
    while (lo < hi) {
        const int32_t middle = lo + (hi - lo) / 2;
        if ((int)(map->cells[middle].key >> LEVEL_SHIFT) < level)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

/* Room for as many cells as balls, so that it is the same in every rebuild. */
static scree_status make_cells(cell_map *map, const uint64_t *key, int32_t n,
                               int threads, scree_arena *scratch) {
    const int64_t chunks = scree_chunk_count(n);
    uint64_t size = 16;
    while (size < 2 * (uint64_t)n) size *= 2;
    *map = (cell_map){.key = key, .mask = size - 1};
    map->begin = scree_arena_push(scratch, (size_t)chunks * sizeof *map->begin);
    map->cells =
        scree_arena_push(scratch, ((size_t)n + 1) * sizeof *map->cells);
    map->slot = scree_arena_push(scratch, size * sizeof *map->slot);
    if (!map->begin || !map->cells || !map->slot) return SCREE_OUT_OF_MEMORY;

    scree_parallel_for(n, threads, count_cells, map);
    map->n = (int32_t)scree_prefix_sums(map->begin, chunks);
    scree_parallel_for(n, threads, write_cells, map);
    map->cells[map->n].first = n;
    memset(map->slot, -1, size * sizeof *map->slot);
    scree_parallel_for(map->n, threads, index_cells, map);
    for (int level = 0; level < SCREE_GRID_LEVELS; ++level)
        map->level_used[level] =
            first_of_level(map, level) < first_of_level(map, level + 1);
    return SCREE_OK;
}

/* ---- pairs --------------------------------------------------------------- */

enum { CELLS = 64, LINKS = 2048 }; /* of a chunk; links that wait for places */

typedef struct search {
    const scree_grid *grid;
    const scree_ball *balls;
    cell_map map;
    scree_queue queue;
    scree_link_sink sink;
    scree_link_filter filter;
    void *context;
} search;

/* A member's chunk of cells and what it has found there. */
typedef struct haul {
    search *s;
    int64_t chunk, n;
    scree_link links[LINKS];
} haul;

static bool balls_touch(const scree_ball *a, const scree_ball *b) {
    const scree_vec3 d = sub(a->x, b->x);
    const double reach = a->r + b->r;
    return dot(d, d) <= reach * reach;
}

static void keep_link(haul *h, scree_link link) {
    if (h->n == LINKS) {
        h->s->sink(h->s->context,
                   scree_queue_claim(&h->s->queue, h->chunk, LINKS), h->links,
                   LINKS);
        h->n = 0;
    }
    h->links[h->n++] = link;
}

static inline void test_pair(haul *h, int32_t i, int32_t j) {
    const search *s = h->s;
    if (balls_touch(&s->balls[i], &s->balls[j]) &&
        (!s->filter || s->filter(s->context, i, j)))
        keep_link(h, i < j ? (scree_link){i, j} : (scree_link){j, i});
}

static void pairs_within(haul *h, const cell *c) {
    for (int32_t i = c->first; i < c[1].first; ++i)
        for (int32_t j = i + 1; j < c[1].first; ++j) test_pair(h, i, j);
}

static void pairs_between(haul *h, const cell *c, const cell *d) {
    for (int32_t i = c->first; i < c[1].first; ++i)
        for (int32_t j = d->first; j < d[1].first; ++j) test_pair(h, i, j);
}

static bool is_inside(int32_t coord) {
    return coord >= 0 && coord <= COORD_MAX;
}

/* Half of the 26 neighbours: the other half finds this cell. */
static void pairs_with_neighbours(haul *h, const cell *c, int level,
                                  cell_index at) {
    for (int k = 14; k < 27; ++k) {
        const cell_index to = {at.x + k % 3 - 1, at.y + k / 3 % 3 - 1,
                               at.z + k / 9 - 1};
        if (!is_inside(to.x) || !is_inside(to.y) || !is_inside(to.z)) continue;
        const cell *d = find_cell(&h->s->map, cell_key(level, to));
        if (d) pairs_between(h, c, d);
    }
}

/* All balls of a coarser level whose centre may lie within r_i + h/2 of x_i. */
static void pairs_with_coarser(haul *h, int32_t i, int level) {
    const search *s = h->s;
    const scree_ball *ball = &s->balls[i];
    const double reach = ball->r + 0.5 * s->grid->h[level];
    const scree_vec3 d = vec(reach, reach, reach);
    const cell_index lo = cell_at(s->grid, level, sub(ball->x, d));
    const cell_index hi = cell_at(s->grid, level, add(ball->x, d));
    for (int32_t z = lo.z; z <= hi.z; ++z)
        for (int32_t y = lo.y; y <= hi.y; ++y)
            for (int32_t x = lo.x; x <= hi.x; ++x) {
                const cell_index at = {x, y, z};
                const cell *c = find_cell(&s->map, cell_key(level, at));
                for (int32_t j = c ? c->first : 0; c && j < c[1].first; ++j)
                    test_pair(h, i, j);
            }
}

static void pairs_of_cell(haul *h, const cell *c) {
    const search *s = h->s;
    const int level = (int)(c->key >> LEVEL_SHIFT);
    const cell_index at = cell_at(s->grid, level, s->balls[c->first].x);
    pairs_within(h, c);
    pairs_with_neighbours(h, c, level, at);
    for (int coarser = 0; coarser < level; ++coarser) {
        if (!s->map.level_used[coarser]) continue;
        for (int32_t i = c->first; i < c[1].first; ++i)
            pairs_with_coarser(h, i, coarser);
    }
}

static void search_cells(void *context, const scree_team *team) {
    (void)team;
    search *s = context;
    haul h;
    h.s = s;
    while ((h.chunk = scree_queue_take(&s->queue)) >= 0) {
        const int64_t first = h.chunk * CELLS, end = first + CELLS;
        const int64_t last = end < s->map.n ? end : s->map.n;
        h.n = 0;
        for (int64_t c = first; c < last; ++c)
            pairs_of_cell(&h, &s->map.cells[c]);
        s->sink(s->context, scree_queue_pass(&s->queue, h.chunk, h.n), h.links,
                h.n);
    }
}

scree_status scree_grid_pairs(const scree_grid *grid, const scree_ball *balls,
                              const uint64_t *key, int32_t n, int threads,
                              scree_arena *scratch, scree_link_sink sink,
                              scree_link_filter filter, void *context,
                              int64_t *total) {
    search s = {.grid = grid,
                .balls = balls,
                .sink = sink,
                .filter = filter,
                .context = context};
    const size_t mark = scree_arena_mark(scratch);
    const scree_status status = make_cells(&s.map, key, n, threads, scratch);
    if (status == SCREE_OK) {
        scree_queue_open(&s.queue, (s.map.n + CELLS - 1) / CELLS);
        scree_team_run(scree_threads_for(n, threads), search_cells, &s);
        *total = s.queue.claimed;
    }
    scree_arena_pop(scratch, mark);
    return status;
}
