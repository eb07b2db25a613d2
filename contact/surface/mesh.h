/* mesh.h: a surface of triangles that bodies touch: drums, hoppers, chutes.
 *
 * The outside is where the normals point (corners counter-clockwise); the mesh
 * may be open. A one-sided mesh is solid behind: a body that is more than half
 * way through it is not touched. A two-sided mesh is a thin wall, touched from
 * the side on which the body's centre lies.
 *
 * All is in the mesh's own frame: place bodies in it, and turn the touches back,
 * if the mesh moves. Vertices at the same place are one. contact/surface/triangle.h says
 * what the edges are, contact/surface/triangle_touch.h which touches are made. */
#ifndef SCREE_CONTACT_MESH_H
#define SCREE_CONTACT_MESH_H

#include "contact/broad/bvh.h"
#include "contact/solid/solid.h"
#include "contact/surface/triangle.h"
#include "contact/surface/triangles.h"
#include "engine/base/error.h"

typedef struct scree_mesh {
    bool two_sided;
    int32_t n_vertex, n_triangle, n_edge;
    scree_vec3 *vertex;   /* (n_vertex) [m] */
    int32_t (*corner)[3]; /* (n_triangle) */
    scree_vec3 *normal;   /* (n_triangle) */
    int32_t (*edge)[3];   /* (n_triangle) of the side from corner k to k + 1 */
    int32_t (*across)[3]; /* (n_triangle) triangle beyond it, -1: border */
    uint8_t (*fold)[3];   /* (n_triangle) scree_fold */
    int32_t *patch;       /* (n_triangle) least triangle of the flat part */
    uint8_t *peak; /* (n_vertex) 1: has a ridge or border; 2: from behind */
    int32_t *ring; /* (n_vertex + 1) neighbours of vertex v are */
    int32_t *neighbour; /* neighbour[ring[v] .. ring[v + 1] - 1] */
    scree_bvh bvh;
    scree_box box;
} scree_mesh;

/* Refuses what scree_triangles_check refuses of a surface that may be open. */
scree_status scree_mesh_make(scree_mesh *mesh, const scree_triangles *triangles,
                             bool two_sided, scree_error *error);
void scree_mesh_free(scree_mesh *mesh);

/* Triangle i as a part of the surface. */
scree_facet scree_mesh_facet(const scree_mesh *mesh, int32_t i);

/* Touches of a body with the mesh, n from the mesh into the body, g <= reach; at
 * most 16. Returns their number. */
int scree_mesh_touch(const scree_mesh *mesh, const scree_placed *a,
                     double reach, scree_touch *touches);

/* Does a ball that moves by d hit the mesh? */
bool scree_mesh_sweep(const scree_mesh *mesh, scree_ball ball, scree_vec3 d,
                      scree_hit *hit);

#endif
