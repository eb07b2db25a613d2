/* triangles.h: surfaces made of triangles, as they come from files.
 *
 * Corners run counter-clockwise seen from outside. `line` remembers where each
 * triangle stood, so that a message can point at it; a triangle of a file
 * without lines (or made by a program) is known by its number, from 1. */
#ifndef SCREE_CONTACT_TRIANGLES_H
#define SCREE_CONTACT_TRIANGLES_H

#include "contact/solid/hull.h"

typedef struct scree_triangles {
    int n_vertex;
    scree_vec3 *vertex; /* (n_vertex) [m] */
    int n_triangle;
    int32_t (*corner)[3]; /* (n_triangle) */
    int32_t *line;        /* (n_triangle) of the file, from 1; or NULL */
} scree_triangles;

void scree_triangles_free(scree_triangles *triangles);

/* Vertices of equal coordinates become one (the first of them). */
scree_status scree_triangles_merge(scree_triangles *triangles,
                                   scree_error *error);

/* Refuses, naming `source` and the facet: no facets, a vertex that is not
 * finite, a facet of zero area, an edge of more than two facets, neighbours
 * that are turned opposite ways, a vertex in which two surfaces meet, a closed
 * surface that encloses nothing, and, where `closed` is asked for, an open one
 * and one that looks inward. Vertices of equal coordinates must be one. */
scree_status scree_triangles_check(const scree_triangles *triangles,
                                   bool closed, const char *source,
                                   scree_error *error);

/* The convex polyhedron that a closed surface encloses. A surface that is not
 * convex is refused, naming the facet. */
scree_status scree_triangles_to_hull(const scree_triangles *triangles,
                                     const char *source, scree_hull *hull,
                                     scree_error *error);

#endif
