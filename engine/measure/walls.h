/* walls.h: what bodies do to walls: force and torque on each, pressure on its cells.
 *
 * Forces are sums of percussions over the steps since they were last read, over the time
 * of these steps: the mean force, exact whatever the step. The torque is about the
 * origin of the wall's rotation ([0, 0, 0] unless the case says so), with the arms of
 * contact points at the end of the step. Sums are exact (ledger.h). Cost: a look at each
 * contact in a step.
 *
 * Cells are the triangles of meshes, and squares on planes in a box. A contact presses on
 * the cell in which its point lies, of a mesh on the nearest triangle. */
#ifndef SCREE_MEASURE_WALLS_H
#define SCREE_MEASURE_WALLS_H

#include "engine/measure/ledger.h"
#include "engine/world/view.h"

enum { SCREE_WALL_FORCE = 0, SCREE_WALL_TORQUE = 3, SCREE_WALL_WIDTH = 6 };

/* After each step: adds percussions and their moments on wall w from sum
 * w SCREE_WALL_WIDTH on. */
void scree_walls_count(scree_ledger *ledger, const scree_world *world);

/* ---- cells -------------------------------------------------------------------- */

typedef struct scree_wall_cell {
    int wall;
    int corners;     /* 3 or 4 */
    scree_vec3 p[4]; /* as the wall was made [m] */
    double area;     /* [m^2] */
} scree_wall_cell;

typedef struct scree_wall_cells {
    int64_t n;
    scree_wall_cell *list;       /* (n) in the order of walls */
    int64_t *first;              /* (walls + 1) of each */
    struct scree_wall_net *nets; /* (walls) of planes */
    int n_wall;
} scree_wall_cells;

/* Squares of that size on planes, as far as the box reaches. */
scree_status scree_wall_cells_make(const scree_world *world, double size,
                                   const double min[3], const double max[3],
                                   scree_wall_cells *cells);
void scree_wall_cells_free(scree_wall_cells *cells);

/* Where a corner of a cell is now. */
scree_vec3 scree_wall_cell_corner(const scree_world *world,
                                  const scree_wall_cell *cell, int k);

/* Columns of sums on a cell. */
enum {
    SCREE_PRESS_NORMAL, /* onto the wall [N] */
    SCREE_PRESS_FORCE,  /* 3, on the wall [N] */
    SCREE_PRESS_WIDTH = SCREE_PRESS_FORCE + 3
};

/* Adds the forces of the last step to sums (n x SCREE_PRESS_WIDTH), the same on all
 * ranks, and with the same bits for any. Collective. */
scree_status scree_wall_cells_add(const scree_wall_cells *cells,
                                  const scree_world *world, double *sums);

#endif
