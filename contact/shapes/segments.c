#include "contact/solid/shape.h"
#include "contact/surface/chain.h"

static bool sweep_segments(const scree_plane *wall, scree_ball ball,
                           scree_vec3 d, scree_hit *hit) {
    return scree_chain_sweep(wall->chain, ball, d, hit);
}

const scree_shape_ops scree_shape_segments = {
    .name = "segments",
    .about =
        "plane worlds: wall of segments from point to point, fixed or moving",
    .sweep = sweep_segments,
};
