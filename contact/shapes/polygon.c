#include "contact/shape.h"

extern const scree_shape_ops scree_shape_polygon;

const scree_shape_ops scree_shape_polygon = {
    .name = "polygon",
    .about = "plane worlds: convex hull of points",
};
