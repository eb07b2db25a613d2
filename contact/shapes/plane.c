#include "contact/shapes/plane.h"

const scree_shape_ops scree_shape_plane = {
    .name = "plane",
    .about = "wall: half space behind a plane, fixed or with prescribed motion",
};
