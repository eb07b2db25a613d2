#include "contact/shape.h"

extern const scree_shape_ops scree_shape_terrain;

const scree_shape_ops scree_shape_terrain = {
    .name = "terrain",
    .about = "wall: heights on a grid, solid below",
};
