/* bins.h: cells in a box, or in a cylinder, that fields are measured on.
 *
 * Coordinates are (x, y, z), or (r, theta, z') about the cylinder's axis with z' from its
 * base; theta begins at perpendicular(axis). A cell holds its lower faces, not its
 * upper ones. In plane worlds a box has one cell of thickness 1 m along z. */
#ifndef SCREE_MEASURE_BINS_H
#define SCREE_MEASURE_BINS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/vec.h"

typedef struct scree_bins {
    bool round;        /* a cylinder */
    bool planar;       /* z does not count */
    int n[3];          /* cells along each coordinate */
    double first[3];   /* least coordinates */
    double size[3];    /* of a cell in each coordinate */
    scree_vec3 origin; /* of a cylinder: middle of its base [m] */
    scree_mat3 axes;   /* of a cylinder: theta = 0, theta = pi / 2, axis */
} scree_bins;

scree_bins scree_bins_box(const double min[3], const double max[3],
                          const int64_t n[3], bool planar);
scree_bins scree_bins_cylinder(const double base[3], const double axis[3],
                               double radius, double height,
                               const int64_t n[3]);

static inline int64_t scree_bins_cells(const scree_bins *g) {
    return (int64_t)g->n[0] * g->n[1] * g->n[2];
}

/* The cell of a point, -1: none. Numbers run along the first coordinate first. */
int64_t scree_bins_cell(const scree_bins *grid, scree_vec3 x);
/* Directions of growing coordinates at a point, as columns. */
scree_mat3 scree_bins_basis(const scree_bins *grid, scree_vec3 x);
/* Coordinates of a cell's middle, its volume, and a corner in space, which has
 * numbers up to n along each coordinate. */
void scree_bins_middle(const scree_bins *grid, int64_t cell, double out[3]);
double scree_bins_volume(const scree_bins *grid, int64_t cell); /* [m^3] */
scree_vec3 scree_bins_corner(const scree_bins *grid, const int at[3]);

/* The pieces of the segment from x to x + d in cells, one after the other: in a box cut
 * exactly at the faces, in a cylinder in 32 equal pieces. */
typedef struct scree_bins_line {
    const scree_bins *grid;
    scree_vec3 x, d;
    double at;      /* share of the way done */
    int64_t cell;   /* of the piece, -1: outside */
    double share;   /* of the way that lies in it */
    scree_vec3 mid; /* the middle of the piece */
} scree_bins_line;

scree_bins_line scree_bins_cut(const scree_bins *grid, scree_vec3 x,
                               scree_vec3 d);
/* False: there are no more pieces. */
bool scree_bins_next(scree_bins_line *line);

/* Spreads each cell's row of `width` values over the cells whose middles are nearer than
 * `reach`, with the weights (1 + 3 s)(1 - s)^3, s = distance / reach (Lucy 1977), divided
 * by their sum: totals stay. Distances count along coordinates with more than one
 * cell. `to` is not `from`. */
void scree_bins_smooth(const scree_bins *grid, double reach, int width,
                       const double *from, double *to);

#endif
