#include "contact/pairs/planar.h"

static scree_side highest_side(const scree_placed *p, scree_vec3 x, double *s) {
    scree_side best = {0};
    *s = -INFINITY;
    for (int k = 0; k < scree_polygon_size(p); ++k) {
        const scree_side side = scree_polygon_side(p, k);
        const double h = dot(side.n, sub(x, side.p));
        if (h > *s) *s = h, best = side;
    }
    return best;
}

static int nearest_corner(const scree_placed *p, scree_vec3 x) {
    int best = 0;
    double least = INFINITY;
    for (int k = 0; k < scree_polygon_size(p); ++k) {
        const scree_vec3 d = scree_in_plane(sub(x, scree_polygon_corner(p, k)));
        if (dot(d, d) < least) least = dot(d, d), best = k;
    }
    return best;
}

/* Over the edge, or in the polygon: along the edge's normal. Beside it, the
 * nearest is a vertex. */
int scree_point_polygon(const scree_placed *a, const scree_placed *b,
                        double reach, scree_touch *touches) {
    double s;
    const scree_side side = highest_side(b, a->x, &s);
    scree_vec3 n = side.n, foot = add_scaled(a->x, -s, n);
    uint32_t feature = scree_feature(SCREE_EDGE, side.edge);
    const double along = dot(sub(foot, side.p), sub(side.q, side.p));
    if (s > 0 && (along < 0 || along > side.length * side.length)) {
        const int k = nearest_corner(b, a->x);
        foot = scree_polygon_corner(b, k);
        feature = scree_polygon_vertex(k);
        const scree_vec3 d = scree_in_plane(sub(a->x, foot));
        const double distance = norm(d);
        if (distance > s) s = distance, n = scale(1 / s, d);
    }
    if (s > scree_core_reach(a, b, reach)) return 0;
    touches[0] = scree_touch_between(a, b, a->x, foot, n, s, feature);
    return 1;
}
