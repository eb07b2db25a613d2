#include "contact/solid/shape.h"
#include "contact/surface/heightfield.h"

static bool sweep_terrain(const scree_plane *wall, scree_ball ball,
                          scree_vec3 d, scree_hit *hit) {
    return scree_heightfield_sweep(wall->field, ball, d, hit);
}

const scree_shape_ops scree_shape_terrain = {
    .name = "terrain",
    .about = "wall: heights on a grid, solid below",
    .sweep = sweep_terrain,
};
