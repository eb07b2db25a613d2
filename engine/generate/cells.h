/* cells.h: a region cut into cells, and the cells into blocks, one for each
 * rank.
 *
 * The cells do not depend on the number of ranks. They stand in the frame of
 * the region: along the axes for a box, along and across its axis for a
 * cylinder, whose corners have cells with little of it or nothing. A cell has
 * one of eight colours, the parities of its three numbers: two cells of a
 * colour are a whole cell apart. */
#ifndef SCREE_CELLS_H
#define SCREE_CELLS_H

#include "engine/base/vec.h"
#include "engine/generate/generate.h"

enum { SCREE_CELL_COLOURS = 8 };

typedef struct scree_cells {
    scree_vec3 base;           /* a corner of the box that is cut */
    scree_vec3 axes[3];        /* unit vectors */
    double extent[3], side[3]; /* of the box, of a cell [m] */
    int64_t n[3];
    int blocks[3]; /* so many along each axis; their product: all ranks */
} scree_cells;

typedef struct scree_cell {
    int64_t i[3];
} scree_cell;

/* Sides are at least `side` where the region is that wide. */
scree_cells scree_cells_cut(const scree_region *region, double side, int ranks);

/* Of what is outside the nearest cell. */
scree_cell scree_cells_at(const scree_cells *cells, scree_vec3 x);
int scree_cells_rank(const scree_cells *cells, scree_cell cell);
/* Sorts by colour, then by number. */
uint64_t scree_cells_key(const scree_cells *cells, scree_cell cell);
int scree_cells_colour(uint64_t key);

/* Ranks that have cells within `reach` of x along each axis: those whose blocks
 * have numbers from first[] to last[]. */
typedef struct scree_cell_ranks {
    int first[3], last[3];
} scree_cell_ranks;
scree_cell_ranks scree_cells_near(const scree_cells *cells, scree_vec3 x,
                                  double reach);
int scree_cells_rank_of_block(const scree_cells *cells, int x, int y, int z);

/* A uniformly drawn centre in the cell such that a ball of radius r is in the
 * region; false if the draw was outside a cylinder. Some such centre exists. */
bool scree_cells_sample(const scree_cells *cells, const scree_region *region,
                        scree_cell cell, double r, scree_random *rng,
                        scree_vec3 *x);

#endif
