#include "contact/narrow/pair.h"

/* In the half plane of axis and point the cylinder is a rectangle: u beyond its
 * side, w beyond its cap. */
int scree_point_cylinder(const scree_placed *a, const scree_placed *b,
                         double reach, scree_touch *touches) {
    const scree_solid *c = b->solid;
    const scree_vec3 x = mat3_mul_back(&b->R, sub(a->x, b->x));
    const double radial = scree_hypot(x.x, x.y), up = copysign(1, x.z);
    const double u = radial - c->disc, w = fabs(x.z) - c->half;
    const bool corner = u > 0 && w > 0;
    const double s = corner ? scree_hypot(u, w) : fmax(u, w);
    if (s > scree_core_reach(a, b, reach)) return 0;
    /* On the axis any direction across it leads out as well. */
    const scree_vec3 out =
        radial > 0 ? vec(x.x / radial, x.y / radial, 0) : vec(1, 0, 0);
    const scree_vec3 n =
        corner  ? add_scaled(scale(u / s, out), up * w / s, vec(0, 0, 1))
        : u > w ? out
                : vec(0, 0, up);
    const uint32_t cap = scree_feature(SCREE_FACE, up < 0);
    const uint32_t key = corner  ? scree_feature(SCREE_EDGE, 1 + (up < 0))
                         : u > w ? scree_feature(SCREE_EDGE, 0)
                                 : cap;
    touches[0] = scree_touch_between(
        a, b, a->x, scree_placed_point(b, add_scaled(x, -s, n)),
        mat3_mul(&b->R, n), s, key);
    return 1;
}
