#include "contact/shape.h"

extern const scree_shape_ops scree_shape_capsule;

const scree_shape_ops scree_shape_capsule = {
    .name = "capsule",
    .about = "all points within a radius of a segment",
};
