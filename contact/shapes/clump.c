#include "contact/shape.h"

extern const scree_shape_ops scree_shape_clump;

const scree_shape_ops scree_shape_clump = {
    .name = "clump",
    .about = "balls held together as one rigid body",
};
