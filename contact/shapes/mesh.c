#include "contact/surface/mesh.h"
#include "contact/solid/shape.h"

static bool sweep_mesh(const scree_plane *wall, scree_ball ball, scree_vec3 d,
                       scree_hit *hit) {
    return scree_mesh_sweep(wall->mesh, ball, d, hit);
}

const scree_shape_ops scree_shape_mesh = {
    .name = "mesh",
    .about = "wall: surface of triangles from STL or OBJ, fixed or moving",
    .sweep = sweep_mesh,
};
