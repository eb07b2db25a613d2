#include "contact/narrow/pair.h"

/* Concentric balls have no normal of their own and get the x axis,
 * which lies in the plane of planar worlds too. */
int scree_point_point(const scree_placed *a, const scree_placed *b,
                      double reach, scree_touch *touches) {
    const scree_vec3 d = sub(a->x, b->x);
    const double s = norm(d);
    if (s > scree_core_reach(a, b, reach)) return 0;
    const scree_vec3 n = s > 0 ? scale(1 / s, d) : vec(1, 0, 0);
    touches[0] = scree_touch_between(a, b, a->x, b->x, n, s, 0);
    return 1;
}
