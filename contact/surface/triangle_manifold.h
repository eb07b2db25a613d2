/* triangle_manifold.h: the touches of one body with one surface, gathered
 * triangle by triangle, and the few of them that are handed on.
 *
 * What two triangles report twice is kept once. In the end touches whose normals
 * agree within a few degrees are one manifold: the deepest of them and up to
 * three more that span the largest area. Deep manifolds go first. The result
 * does not depend on the order in which the triangles came (as long as less
 * than SCREE_MANIFOLD_ROOM touches are alive at a time). */
#ifndef SCREE_CONTACT_TRIANGLE_MANIFOLD_H
#define SCREE_CONTACT_TRIANGLE_MANIFOLD_H

#include "contact/solid/solid.h"

enum { SCREE_MANIFOLD_ROOM = 96, SCREE_SURFACE_TOUCHES = 16 };

typedef struct scree_raw_touch {
    scree_vec3 x, n;
    double g;
    uint64_t id; /* the features that touch */
} scree_raw_touch;

typedef struct scree_manifold {
    int n;
    double same; /* touches nearer than this with one normal are the same [m] */
    scree_raw_touch touch[SCREE_MANIFOLD_ROOM];
} scree_manifold;

void scree_manifold_add(scree_manifold *m, scree_raw_touch touch);

/* Leaves at most SCREE_SURFACE_TOUCHES, sorted by id. */
void scree_manifold_reduce(scree_manifold *m);

#endif
