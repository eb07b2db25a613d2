#include "contact/surface/revolved.h"
#include "contact/solid/shape.h"

static bool sweep_revolved(const scree_plane *wall, scree_ball ball,
                           scree_vec3 d, scree_hit *hit) {
    return scree_revolved_sweep(wall->revolved, ball, d, hit);
}

const scree_shape_ops scree_shape_revolved = {
    .name = "revolved",
    .about = "wall: inside or outside of a cylinder, cone or profile turned "
             "about an axis, fixed or moving",
    .sweep = sweep_revolved,
};
