#include "contact/shapes/plane.h"

#include "contact/surface/triangle.h"

static bool sweep_plane(const scree_plane *wall, scree_ball ball, scree_vec3 d,
                        scree_hit *hit) {
    const double s = dot(wall->n, ball.x) - wall->d - ball.r;
    const double fall = -dot(wall->n, d);
    *hit = (scree_hit){.t = s > 0 ? s / fall : 0, .n = wall->n};
    return fall > 0 && s <= fall;
}

const scree_shape_ops scree_shape_plane = {
    .name = "plane",
    .about = "wall: half space behind a plane, fixed or with prescribed motion",
    .sweep = sweep_plane,
};
