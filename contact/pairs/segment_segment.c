#include "contact/narrow/clip.h"
#include "contact/narrow/pair.h"
#include "contact/pairs/axis.h"

/* Across both axes, for segments that meet. */
static scree_vec3 across_both(const scree_placed *a, const scree_placed *b) {
    const scree_vec3 n = cross(a->R.z, b->R.z);
    const double length = norm(n);
    return length > 1e-9 ? scale(1 / length, n) : a->R.x;
}

static uint32_t feature_at(const scree_placed *p, double t) {
    return fabs(t) < p->solid->half ? scree_feature(SCREE_EDGE, 0)
                                    : scree_feature(SCREE_VERTEX, t > 0);
}

int scree_segment_segment(const scree_placed *a, const scree_placed *b,
                          double reach, scree_touch *touches) {
    double t_a, t_b;
    scree_nearest_places(a, b, &t_a, &t_b);
    scree_closest c = {
        .on_a = add_scaled(a->x, t_a, a->R.z),
        .on_b = add_scaled(b->x, t_b, b->R.z),
        .key = scree_touch_key(feature_at(a, t_a), feature_at(b, t_b))};
    const scree_vec3 d = sub(c.on_a, c.on_b);
    c.s = norm(d);
    const double size = a->solid->bound + b->solid->bound;
    c.n = c.s > 1e-14 * size ? scale(1 / c.s, d) : across_both(a, b);
    return scree_manifold(a, b, &c, reach, touches);
}
