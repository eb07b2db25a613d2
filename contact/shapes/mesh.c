#include "contact/shape.h"

extern const scree_shape_ops scree_shape_mesh;

const scree_shape_ops scree_shape_mesh = {
    .name = "mesh",
    .about = "wall: surface of triangles from STL or OBJ, fixed or moving",
};
