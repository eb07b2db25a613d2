#include "contact/shape.h"

extern const scree_shape_ops scree_shape_segments;

const scree_shape_ops scree_shape_segments = {
    .name = "segments",
    .about = "plane worlds: wall of segments from point to point, fixed or moving",
};
