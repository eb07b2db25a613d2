#include "contact/shape.h"

extern const scree_shape_ops scree_shape_polyhedron;

const scree_shape_ops scree_shape_polyhedron = {
    .name = "polyhedron",
    .about = "convex hull of points, of an STL or OBJ surface, or a random rock",
};
