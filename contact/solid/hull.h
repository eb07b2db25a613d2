/* hull.h: convex polyhedra in their own frame: vertices, faces, edges.
 *
 * Coplanar facets are merged: a box has 6 faces of 4 vertices. Loops run
 * counter-clockwise seen from outside. One allocation; immutable after it was
 * made, shared by all bodies of that form.
 *
 * A convex polygon in the plane z = 0 is a hull whose faces are its edges:
 * n_face = n_edge = n_vertex; vertices run counter-clockwise seen from +z; face
 * and edge i run from vertex i to i + 1, normal[i] is the outward normal in the
 * plane, and both f of edge i are i. The neighbours of vertex i are i + 1 and
 * i - 1. */
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
    scree_vec3 *vertex; /* (n_vertex) [m] */
    int32_t
        *loop; /* (n_face + 1) face f is corner[loop[f] .. loop[f + 1] - 1] */
    int32_t *corner;    /* (2 n_edge) vertices of the faces */
    scree_vec3 *normal; /* (n_face) outward, unit length */
    double *offset;     /* (n_face) normal . x = offset on the face [m] */
    scree_edge *edge;   /* (n_edge) */
    int32_t *side;      /* (2 n_edge) the edge after each corner, in its face */
    double *bend;       /* (n_edge) cosine between the normals of its faces */
    double *vertex4;    /* the vertices in blocks of four: x x x x y y y y z z
                             z z; the last one repeated up to a whole block */
    double *plane4; /* the faces likewise: four of normal.x, .y, .z, offset */
    int32_t *ring;  /* (n_vertex + 1) neighbours of vertex v are
                             neighbour[ring[v] .. ring[v + 1] - 1] */
    int32_t *neighbour; /* (2 n_edge) */
    double inside;      /* radius of a ball around the origin inside, or 0 */
} scree_hull;

/* Points nearer than this to a face's plane lie on it, in parts of the largest
 * extent of the points: coordinates in files have single precision, and two
 * halves of a face must not count as two faces. */
#define SCREE_HULL_FLAT 1e-6

/* The convex hull (by Qhull). Its vertices are points of the list, bit by bit
 * and in its order; duplicates and points inside are left out. */
scree_status scree_hull_from_points(scree_hull *hull, const scree_vec3 *points,
                                    int n, scree_error *error);

/* A closed convex surface that is already known by its faces, with `loop` and
 * `corner` as in the struct. */
scree_status scree_hull_from_faces(scree_hull *hull, const scree_vec3 *vertex,
                                   int n_vertex, const int32_t *loop,
                                   const int32_t *corner, int n_face,
                                   scree_error *error);

/* |x| <= half.x, ... */
scree_status scree_hull_box(scree_hull *hull, scree_vec3 half,
                            scree_error *error);

/* The convex hull of points with z = 0, as a polygon. */
scree_status scree_hull_polygon(scree_hull *hull, const scree_vec3 *points,
                                int n, scree_error *error);

/* x -> s x + shift for all points; with s = 1 and shift = -(centre of mass) the
 * origin is the centre of mass. s > 0. */
void scree_hull_moved(scree_hull *hull, double s, scree_vec3 shift);

/* Place in `corner` at which face f has vertex v, or -1. */
int32_t scree_hull_corner(const scree_hull *hull, int32_t f, int32_t v);
/* The corner after c (or before it) in the loop of face f. */
static inline int32_t scree_hull_next(const scree_hull *h, int32_t f,
                                      int32_t c) {
    return c + 1 < h->loop[f + 1] ? c + 1 : h->loop[f];
}
static inline int32_t scree_hull_previous(const scree_hull *h, int32_t f,
                                          int32_t c) {
    return c > h->loop[f] ? c - 1 : h->loop[f + 1] - 1;
}

/* Doubles in vertex4, plane4. */
static inline size_t scree_hull_vertex4(int n_vertex) {
    return 12 * (((size_t)n_vertex + 3) / 4);
}
static inline size_t scree_hull_plane4(int n_face) {
    return 16 * (((size_t)n_face + 3) / 4);
}
/* Fills side, bend, vertex4 and plane4 from the rest. */
void scree_hull_pack(scree_hull *hull);

/* ---- all at once --------------------------------------------------------- */

/* The first of the vertices that are farthest along d. */
int scree_hull_farthest(const scree_hull *hull, scree_vec3 d);
/* The first of the faces that look most along d; *most: the cosine, if |d| = 1. */
int scree_hull_facing(const scree_hull *hull, scree_vec3 d, double *most);

void scree_hull_free(scree_hull *hull);

#endif
