#include "contact/grid.h"

#include "engine/base/error.h"

#include <stdbool.h>
#include <string.h>

enum {
    COORD_BITS = 20,
    COORD_MAX = (1 << COORD_BITS) - 1,
    LEVEL_SHIFT = 3 * COORD_BITS,
    BINS = 8 /* per octave of radii, to place the levels */
};

/* ---- level sizes --------------------------------------------------------- */

static void extent(const scree_ball *balls, int32_t n, scree_vec3 *lo,
                   double *r_max) {
    *lo = n ? balls[0].x : vec(0, 0, 0);
    *r_max = 0;
    for (int32_t i = 0; i < n; ++i) {
        lo->x = fmin(lo->x, balls[i].x.x);
        lo->y = fmin(lo->y, balls[i].x.y);
        lo->z = fmin(lo->z, balls[i].x.z);
        *r_max = fmax(*r_max, balls[i].r);
    }
}

/* Where the levels fall within an octave: the offset for which the volume of
 * the cells over that of the balls' boxes, summed over the balls, is least. Few
 * large balls then do not force large cells on the many. */
static int best_offset(const int64_t *count) {
    int best = 0;
    double least = INFINITY;
    for (int offset = 0; offset < BINS; ++offset) {
        double cost = 0;
        for (int bin = 0; bin < BINS * SCREE_GRID_LEVELS; ++bin) {
            const int up = (bin - offset + BINS) % BINS;
            cost += (double)count[bin] * exp2(3.0 * up / BINS);
        }
        if (cost < least) least = cost, best = offset;
    }
    return best;
}

scree_grid scree_grid_fit(const scree_ball *balls, int32_t n) {
    scree_grid grid = {0};
    double r_max;
    extent(balls, n, &grid.lo, &r_max);

    /* Bin b holds radii in (r_max 2^-(b+1)/BINS, r_max 2^-b/BINS]. */
    int64_t count[BINS * SCREE_GRID_LEVELS] = {0};
    int last = 0;
    for (int32_t i = 0; i < n; ++i) {
        const double octaves = log2(r_max / balls[i].r);
        int bin = (int)(octaves * BINS);
        if (bin >= BINS * SCREE_GRID_LEVELS) bin = BINS * SCREE_GRID_LEVELS - 1;
        ++count[bin];
        if (bin > last) last = bin;
    }
    const int offset = best_offset(count);
    const double shift = offset ? 1.0 - (double)offset / BINS : 0.0;
    grid.levels = 1 + (last + (offset ? BINS - offset : 0)) / BINS;
    if (grid.levels > SCREE_GRID_LEVELS) grid.levels = SCREE_GRID_LEVELS;
    for (int k = 0; k < grid.levels; ++k)
        grid.h[k] = 2.0 * r_max * exp2(shift - k) * (1.0 + 1e-9);
    return grid;
}

/* ---- cells --------------------------------------------------------------- */

typedef struct cell_index {
    int32_t x, y, z;
} cell_index;

static int32_t clamp_coord(double c) {
    return c <= 0 ? 0 : c >= COORD_MAX ? COORD_MAX : (int32_t)c;
}

static cell_index cell_at(const scree_grid *grid, int level, scree_vec3 x) {
    const double s = 1.0 / grid->h[level];
    return (cell_index){clamp_coord((x.x - grid->lo.x) * s),
                        clamp_coord((x.y - grid->lo.y) * s),
                        clamp_coord((x.z - grid->lo.z) * s)};
}

/* Spreads 20 bits so that two zero bits follow each. */
static uint64_t spread(uint64_t v) {
    v = (v | v << 32) & 0x001F00000000FFFFu;
    v = (v | v << 16) & 0x001F0000FF0000FFu;
    v = (v | v << 8) & 0x100F00F00F00F00Fu;
    v = (v | v << 4) & 0x10C30C30C30C30C3u;
    v = (v | v << 2) & 0x1249249249249249u;
    return v;
}

static uint64_t cell_key(int level, cell_index c) {
    return (uint64_t)level << LEVEL_SHIFT | spread((uint64_t)c.x) |
           spread((uint64_t)c.y) << 1 | spread((uint64_t)c.z) << 2;
}

uint64_t scree_grid_key(const scree_grid *grid, const scree_ball *ball) {
    int level = 0;
    while (level + 1 < grid->levels && grid->h[level + 1] >= 2.0 * ball->r)
        ++level;
    return cell_key(level, cell_at(grid, level, ball->x));
}

/* ---- the cells of a sorted scene and where to find them ------------------ */

typedef struct cell {
    uint64_t key;
    int32_t first, last; /* run of balls */
} cell;

typedef struct cell_map {
    cell *cells;
    int32_t n;
    int32_t *slot; /* hash table of cell numbers, -1: empty */
    uint64_t mask;
    bool level_used[SCREE_GRID_LEVELS];
} cell_map;

static uint64_t hash_key(uint64_t key) {
    key *= 0x9E3779B97F4A7C15u;
    return key ^ key >> 29;
}

static void collect_cells(cell_map *map, const uint64_t *key, int32_t n) {
    for (int32_t i = 0; i < n; ++i) {
        if (i && key[i] == key[i - 1]) {
            map->cells[map->n - 1].last = i + 1;
            continue;
        }
        map->cells[map->n++] = (cell){key[i], i, i + 1};
        map->level_used[key[i] >> LEVEL_SHIFT] = true;
    }
}

static void index_cells(cell_map *map) {
    for (int32_t c = 0; c < map->n; ++c) {
        uint64_t at = hash_key(map->cells[c].key) & map->mask;
        while (map->slot[at] >= 0) at = (at + 1) & map->mask;
        map->slot[at] = c;
    }
}

static scree_status make_cells(cell_map *map, const uint64_t *key, int32_t n,
                               scree_arena *scratch) {
    *map = (cell_map){0};
    map->cells = scree_arena_push(scratch, (size_t)n * sizeof *map->cells);
    if (!map->cells) return SCREE_OUT_OF_MEMORY;
    collect_cells(map, key, n);

    uint64_t size = 16;
    while (size < 2 * (uint64_t)map->n) size *= 2;
    map->mask = size - 1;
    map->slot = scree_arena_push(scratch, size * sizeof *map->slot);
    if (!map->slot) return SCREE_OUT_OF_MEMORY;
    memset(map->slot, -1, size * sizeof *map->slot);
    index_cells(map);
    return SCREE_OK;
}

static const cell *find_cell(const cell_map *map, uint64_t key) {
    for (uint64_t at = hash_key(key) & map->mask; map->slot[at] >= 0;
         at = (at + 1) & map->mask)
        if (map->cells[map->slot[at]].key == key)
            return &map->cells[map->slot[at]];
    return NULL;
}

/* ---- pairs --------------------------------------------------------------- */

typedef struct search {
    const scree_grid *grid;
    const scree_ball *balls;
    cell_map map;
    scree_grid_found found;
    void *context;
} search;

static bool touch(const scree_ball *a, const scree_ball *b) {
    const scree_vec3 d = sub(a->x, b->x);
    const double reach = a->r + b->r;
    return dot(d, d) <= reach * reach;
}

static scree_status test(const search *s, int32_t i, int32_t j) {
    if (!touch(&s->balls[i], &s->balls[j])) return SCREE_OK;
    return i < j ? s->found(s->context, i, j) : s->found(s->context, j, i);
}

static scree_status pairs_within(const search *s, const cell *c) {
    for (int32_t i = c->first; i < c->last; ++i)
        for (int32_t j = i + 1; j < c->last; ++j) TRY(test(s, i, j));
    return SCREE_OK;
}

static scree_status pairs_between(const search *s, const cell *c,
                                  const cell *d) {
    for (int32_t i = c->first; i < c->last; ++i)
        for (int32_t j = d->first; j < d->last; ++j) TRY(test(s, i, j));
    return SCREE_OK;
}

static bool inside(int32_t coord) { return coord >= 0 && coord <= COORD_MAX; }

/* Half of the 26 neighbours: the other half finds this cell. */
static scree_status pairs_with_neighbours(const search *s, const cell *c,
                                          int level, cell_index at) {
    for (int k = 14; k < 27; ++k) {
        const cell_index to = {at.x + k % 3 - 1, at.y + k / 3 % 3 - 1,
                               at.z + k / 9 - 1};
        if (!inside(to.x) || !inside(to.y) || !inside(to.z)) continue;
        const cell *d = find_cell(&s->map, cell_key(level, to));
        if (d) TRY(pairs_between(s, c, d));
    }
    return SCREE_OK;
}

/* All balls of a coarser level whose centre may lie within r_i + h/2 of x_i. */
static scree_status pairs_with_coarser(const search *s, int32_t i, int level) {
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
                for (int32_t j = c ? c->first : 0; c && j < c->last; ++j)
                    TRY(test(s, i, j));
            }
    return SCREE_OK;
}

static scree_status pairs_of_cell(const search *s, const cell *c) {
    const int level = (int)(c->key >> LEVEL_SHIFT);
    const cell_index at = cell_at(s->grid, level, s->balls[c->first].x);
    TRY(pairs_within(s, c));
    TRY(pairs_with_neighbours(s, c, level, at));
    for (int coarser = 0; coarser < level; ++coarser) {
        if (!s->map.level_used[coarser]) continue;
        for (int32_t i = c->first; i < c->last; ++i)
            TRY(pairs_with_coarser(s, i, coarser));
    }
    return SCREE_OK;
}

scree_status scree_grid_pairs(const scree_grid *grid, const scree_ball *balls,
                              const uint64_t *key, int32_t n,
                              scree_arena *scratch, scree_grid_found found,
                              void *context) {
    search s = {.grid = grid, .balls = balls, .found = found,
                .context = context};
    const size_t mark = scree_arena_mark(scratch);
    scree_status status = make_cells(&s.map, key, n, scratch);
    for (int32_t c = 0; status == SCREE_OK && c < s.map.n; ++c)
        status = pairs_of_cell(&s, &s.map.cells[c]);
    scree_arena_pop(scratch, mark);
    return status;
}
