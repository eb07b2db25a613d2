#include "contact/narrow/pair.h"

int scree_point_segment(const scree_placed *a, const scree_placed *b,
                        double reach, scree_touch *touches) {
    const double half = b->solid->half;
    const double along = dot(b->R.z, sub(a->x, b->x));
    const double at = fmin(fmax(along, -half), half);
    const scree_vec3 foot = add_scaled(b->x, at, b->R.z);
    const scree_vec3 d = sub(a->x, foot);
    const double s = norm(d);
    if (s > scree_core_reach(a, b, reach)) return 0;
    /* On the axis any direction across it leads out as well. */
    const scree_vec3 n = s > 0 ? scale(1 / s, d) : b->R.x;
    const uint32_t end = at == along ? scree_feature(SCREE_EDGE, 0)
                                     : scree_feature(SCREE_VERTEX, along > 0);
    touches[0] = scree_touch_between(a, b, a->x, foot, n, s, end);
    return 1;
}
