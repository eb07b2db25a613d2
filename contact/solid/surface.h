/* surface.h: the surface of a solid as polygons, to be looked at.
 *
 * All vertices lie on the solid's surface (but those of rounded solids are
 * joined by flat polygons, so that the volume is a little less), loops run
 * counter-clockwise seen from outside, and three-dimensional surfaces are
 * watertight: each edge belongs to two polygons, once in each direction. */
#ifndef SCREE_CONTACT_SURFACE_H
#define SCREE_CONTACT_SURFACE_H

#include "contact/solid/solid.h"

typedef struct scree_surface {
    int n_vertex;
    scree_vec3 *vertex; /* (n_vertex) body frame [m] */
    int n_polygon;
    int32_t *loop;   /* (n_polygon + 1) polygon p is
                        corner[loop[p] .. loop[p + 1] - 1] */
    int32_t *corner; /* (loop[n_polygon]) */
} scree_surface;

enum { SCREE_SURFACE_FINEST = 6 };

/* `level` (0 .. SCREE_SURFACE_FINEST) says how fine round parts are: a sphere is
 * an icosahedron, each triangle split in four `level` times; other arcs have
 * 2^level chords per eighth of a turn or per edge. `planar`: a point is a disc
 * (an outline of 32 corners); polygons and discs are one polygon. */
scree_status scree_surface_make(scree_surface *surface,
                                const scree_solid *solid, bool planar,
                                int level, scree_error *error);

void scree_surface_free(scree_surface *surface);

#endif
