#include "contact/shape.h"

extern const scree_shape_ops scree_shape_cylinder;

const scree_shape_ops scree_shape_cylinder = {
    .name = "cylinder",
    .about = "cylinder of a radius and a length, sharp or rounded",
};
