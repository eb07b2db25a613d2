/* surface_build.h: a surface in the making. Lack of memory is remembered and
 * reported once, at the end. */
#ifndef SCREE_CONTACT_SURFACE_BUILD_H
#define SCREE_CONTACT_SURFACE_BUILD_H

#include "contact/solid/surface.h"

typedef struct scree_mesher {
    scree_surface *out;
    int64_t vertex_room, loop_room, corner_room;
    int32_t n_corner;
    bool no_memory;
} scree_mesher;

/* Returns the vertex's number. */
int32_t scree_mesh_vertex(scree_mesher *mesher, scree_vec3 x);
/* Appends a corner to the polygon in the making; `close` ends it. */
void scree_mesh_corner(scree_mesher *mesher, int32_t vertex);
void scree_mesh_close(scree_mesher *mesher);
void scree_mesh_polygon(scree_mesher *mesher, int n, const int32_t *vertices);

/* The unit vector at k / m of the arc from a to b (unit vectors). */
scree_vec3 scree_mesh_arc(scree_vec3 a, scree_vec3 b, int k, int m);

/* A cylinder along z of radius d and half length, grown by r; d = 0: a capsule.
 * `chords` of a quarter of a turn. */
void scree_mesh_revolved(scree_mesher *mesher, double d, double half, double r,
                         int chords);

/* Polyhedron grown by r > 0, m chords per arc. */
void scree_mesh_rounded(scree_mesher *mesher, const scree_hull *hull, double r,
                        int m);

#endif
