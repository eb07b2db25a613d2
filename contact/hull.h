/* hull.h: convex polyhedra in their own frame: vertices, faces, edges.
 *
 * Coplanar facets are merged: a box has 6 faces of 4 vertices. Loops run
 * counter-clockwise seen from outside. One allocation; immutable after it was
 * made, shared by all bodies of that form. */
#ifndef SCREE_CONTACT_HULL_H
#define SCREE_CONTACT_HULL_H

#include <stdint.h>

#include "engine/base/error.h"
#include "engine/base/vec.h"

typedef struct scree_edge {
    int32_t v[2]; /* ends; v[0] -> v[1] runs along the loop of face f[0] */
    int32_t f[2]; /* the faces that meet here */
} scree_edge;

typedef struct scree_hull {
    int n_vertex, n_face, n_edge;
    scree_vec3 *vertex;   /* (n_vertex) [m] */
    int32_t *loop;        /* (n_face + 1) face f is corner[loop[f] .. loop[f + 1] - 1] */
    int32_t *corner;      /* (2 n_edge) vertices of the faces */
    scree_vec3 *normal;   /* (n_face) outward, unit length */
    double *offset;       /* (n_face) normal . x = offset on the face [m] */
    scree_edge *edge;     /* (n_edge) */
    int32_t *ring;        /* (n_vertex + 1) neighbours of vertex v are
                             neighbour[ring[v] .. ring[v + 1] - 1] */
    int32_t *neighbour;   /* (2 n_edge) */
    double inside;        /* radius of a ball around the origin inside, or 0 */
} scree_hull;

#endif
