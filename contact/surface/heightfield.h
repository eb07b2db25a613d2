/* heightfield.h: terrain: a grid of heights over x and y, solid below.
 *
 * Each cell is two triangles, cut along the diagonal from its corner of least
 * x and y:       +---+
 *                |1 /|
 *                | / |
 *                |/ 0|
 *                +---+
 * At its end the terrain breaks off: the border is a ridge. Cells are found by
 * index; one byte per vertex holds how the three edges that start there fold.
 *
 * A body whose centre is below the surface touches the plane of the triangle
 * above its centre, however deep it is: it is pushed out. All else is as
 * contact/surface/triangle_touch.h says. */
#ifndef SCREE_CONTACT_HEIGHTFIELD_H
#define SCREE_CONTACT_HEIGHTFIELD_H

#include "contact/broad/bvh.h"
#include "contact/solid/solid.h"
#include "contact/surface/heights.h"
#include "contact/surface/triangle.h"
#include "engine/base/error.h"

typedef struct scree_heightfield {
    int nx, ny; /* vertices */
    double x0, y0, cell;
    double *z;       /* (nx ny) z[j * nx + i] [m] */
    uint8_t *folds;  /* (nx ny) 2 bits each for the edges to i + 1, to j + 1, to
                        both; bit 6: peak */
    uint32_t *patch; /* (2 (nx - 1) (ny - 1)) least triangle of the flat part */
    double z_min, z_max;
} scree_heightfield;

/* Copies the heights. */
scree_status scree_heightfield_make(scree_heightfield *field,
                                    const scree_heights *heights,
                                    scree_error *error);
void scree_heightfield_free(scree_heightfield *field);

/* Height of the surface; -INFINITY beyond its border. */
double scree_heightfield_height(const scree_heightfield *field, double x,
                                double y);

/* Triangle `half` of cell i, j as a part of the surface. */
scree_facet scree_heightfield_facet(const scree_heightfield *field, int i,
                                    int j, int half);

/* Touches of a body with the terrain, n from the terrain into the body,
 * g <= reach; at most 16. Returns their number. */
int scree_heightfield_touch(const scree_heightfield *field,
                            const scree_placed *a, double reach,
                            scree_touch *touches);

/* Does a ball that moves by d hit the terrain? */
bool scree_heightfield_sweep(const scree_heightfield *field, scree_ball ball,
                             scree_vec3 d, scree_hit *hit);

#endif
