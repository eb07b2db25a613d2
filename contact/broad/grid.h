/* grid.h: uniform grids in levels, cells in Morton order.
 *
 * Level k has cells of size h_k = h_0 / 2^k; a ball lives in the finest level
 * whose cells are at least as large as its diameter, in the cell of its centre.
 * Two balls of one level that touch are in the same or in neighbouring cells; a
 * ball finds those of a coarser level in the few cells of that level around it.
 * So the cost is linear in the number of balls for any radius ratio (one more
 * octave of radii adds at most 27 look-ups per ball).
 *
 * Balls are sorted by (level, Morton key of the cell): a cell is a run of them.
 * Far-away cells are clamped to the border of the 2^20 cells per direction;
 * clamping never separates neighbours. */
#ifndef SCREE_CONTACT_GRID_H
#define SCREE_CONTACT_GRID_H

#include "engine/base/arena.h"
#include "engine/base/sort.h"
#include "engine/base/vec.h"

enum { SCREE_GRID_LEVELS = 16 };

typedef struct scree_grid {
    scree_vec3 lo;
    double h[SCREE_GRID_LEVELS]; /* cell size [m] */
    int levels;
} scree_grid;

/* Level sizes that suit the balls (r is the radius to search with). */
scree_status scree_grid_fit(scree_grid *grid, const scree_ball *balls,
                            int32_t n, int threads, scree_arena *scratch);

/* Key (level, Morton) of a ball. */
uint64_t scree_grid_key(const scree_grid *grid, const scree_ball *ball);

/* Two balls that are near, a < b. */
typedef struct scree_link {
    int32_t a, b;
} scree_link;

/* Takes links at .. at + n of a list. Threads call it side by side, for
 * different places. */
typedef void (*scree_link_sink)(void *context, int64_t at,
                                const scree_link *links, int64_t n);

/* Says of two balls that touch whether they are wanted. Called by threads. */
typedef bool (*scree_link_filter)(const void *context, int32_t a, int32_t b);

/* Hands out each two balls with |x_i - x_j| <= r_i + r_j once, and sets *total
 * to their number; only those that `filter`, which may be NULL, wants. The balls are
 * in the order of their keys; key[i] belongs to ball i. The list is in the order of
 * the cells, for any number of threads. */
scree_status scree_grid_pairs(const scree_grid *grid, const scree_ball *balls,
                              const uint64_t *key, int32_t n, int threads,
                              scree_arena *scratch, scree_link_sink sink,
                              scree_link_filter filter, void *context,
                              int64_t *total);

#endif
