/* cells.c: cells of a region and their ranks (cells.h). */
#include "engine/generate/cells.h"

#include "engine/generate/place.h"

#include <math.h>

#define CELLS_MOST 0x1p20 /* along an axis: a key has 64 bits */

/* The number of ranks as a product, its larger factors where there are more
 * cells: blocks that are about cubes have the fewest neighbours. */
static void choose_blocks(scree_cells *cells, int ranks) {
    for (int i = 0; i < 3; i++) cells->blocks[i] = 1;
    int factors[31], n = 0;
    for (int p = 2; p <= ranks / p; p++)
        for (; ranks % p == 0; ranks /= p) factors[n++] = p;
    if (ranks > 1) factors[n++] = ranks;
    while (n-- > 0) {
        int widest = 0;
        for (int i = 1; i < 3; i++)
            if (cells->n[i] * cells->blocks[widest] >
                cells->n[widest] * cells->blocks[i])
                widest = i;
        cells->blocks[widest] *= factors[n];
    }
}

scree_cells scree_cells_cut(const scree_region *region, double side,
                            int ranks) {
    scree_cells cells;
    scree_region_frame(region, &cells.base, cells.axes, cells.extent);
    for (int i = 0; i < 3; i++) {
        const double n = fmin(floor(cells.extent[i] / side), CELLS_MOST);
        cells.n[i] = n >= 1 ? (int64_t)n : 1;
        cells.side[i] = cells.extent[i] / (double)cells.n[i];
    }
    choose_blocks(&cells, ranks);
    return cells;
}

static int64_t number_of(const scree_cells *cells, int i, double at) {
    if (cells->n[i] == 1) return 0;
    const double last = (double)(cells->n[i] - 1);
    return (int64_t)fmax(0, fmin(floor(at / cells->side[i]), last));
}

static void to_frame(const scree_cells *cells, scree_vec3 x, double at[3]) {
    const scree_vec3 d = sub(x, cells->base);
    for (int i = 0; i < 3; i++) at[i] = dot(d, cells->axes[i]);
}

scree_cell scree_cells_at(const scree_cells *cells, scree_vec3 x) {
    double at[3];
    scree_cell cell;
    to_frame(cells, x, at);
    for (int i = 0; i < 3; i++) cell.i[i] = number_of(cells, i, at[i]);
    return cell;
}

static int block_of(const scree_cells *cells, int i, int64_t number) {
    return (int)(number * cells->blocks[i] / cells->n[i]);
}

int scree_cells_rank_of_block(const scree_cells *cells, int x, int y, int z) {
    return x + cells->blocks[0] * (y + cells->blocks[1] * z);
}

int scree_cells_rank(const scree_cells *cells, scree_cell cell) {
    return scree_cells_rank_of_block(cells, block_of(cells, 0, cell.i[0]),
                                     block_of(cells, 1, cell.i[1]),
                                     block_of(cells, 2, cell.i[2]));
}

uint64_t scree_cells_key(const scree_cells *cells, scree_cell cell) {
    const uint64_t colour =
        (uint64_t)(cell.i[0] % 2 + 2 * (cell.i[1] % 2) + 4 * (cell.i[2] % 2));
    const int64_t number =
        cell.i[0] + cells->n[0] * (cell.i[1] + cells->n[1] * cell.i[2]);
    return colour << 61 | (uint64_t)number;
}

int scree_cells_colour(uint64_t key) {
    return (int)(key >> 61);
}

scree_cell_ranks scree_cells_near(const scree_cells *cells, scree_vec3 x,
                                  double reach) {
    double at[3];
    scree_cell_ranks near;
    to_frame(cells, x, at);
    for (int i = 0; i < 3; i++) {
        near.first[i] = block_of(cells, i, number_of(cells, i, at[i] - reach));
        near.last[i] = block_of(cells, i, number_of(cells, i, at[i] + reach));
    }
    return near;
}

bool scree_cells_sample(const scree_cells *cells, const scree_region *region,
                        scree_cell cell, double r, scree_random *rng,
                        scree_vec3 *x) {
    double at[3];
    *x = cells->base;
    for (int i = 0; i < 3; i++) {
        const double lo = (double)cell.i[i] * cells->side[i];
        const double hi = lo + cells->side[i], end = cells->extent[i] - r;
        if (region->planar && i == 2) continue;
        at[i] = scree_random_range(rng, fmax(lo, r), fmin(hi, end));
        *x = add_scaled(*x, at[i], cells->axes[i]);
    }
    if (region->kind == SCREE_REGION_BOX) return true;
    const double out = region->radius - r;
    const double dx = at[0] - region->radius, dy = at[1] - region->radius;
    return dx * dx + dy * dy <= out * out;
}
