#include "contact/shape.h"

extern const scree_shape_ops scree_shape_box;

const scree_shape_ops scree_shape_box = {
    .name = "box",
    .about = "box of given edge lengths, sharp or rounded",
    .solid = &scree_solid_polyhedron,
};
