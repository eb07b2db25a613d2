/* axis.h: solids about an axis of length 2 half along z: segments, cylinders.
 */
#ifndef SCREE_CONTACT_AXIS_H
#define SCREE_CONTACT_AXIS_H

#include "contact/narrow/clip.h"

static inline double scree_along_axis(double t, double half) {
    return fmin(fmax(t, -half), half);
}

/* Places t_a, t_b along two axes where they are nearest: the minimum of a
 * quadratic in a rectangle. Parallel ones: in the middle of what both cover. */
static inline void scree_nearest_places(const scree_placed *a,
                                        const scree_placed *b, double *t_a,
                                        double *t_b) {
    const double ha = a->solid->half, hb = b->solid->half;
    const scree_vec3 d = sub(b->x, a->x);
    const double c = dot(a->R.z, b->R.z);
    const double da = dot(a->R.z, d), db = dot(b->R.z, d);
    const double sine2 = 1 - c * c;
    if (sine2 > 1e-12) {
        *t_a = scree_along_axis((da - c * db) / sine2, ha);
    } else {
        const double lo = fmax(-ha, da - hb), hi = fmin(ha, da + hb);
        *t_a = scree_along_axis(0.5 * (lo + hi), ha);
    }
    *t_b = c * *t_a - db;
    if (fabs(*t_b) > hb) {
        *t_b = scree_along_axis(*t_b, hb);
        *t_a = scree_along_axis(da + c * *t_b, ha);
    }
}

/* The cap of a cylinder that looks towards the other; a segment has none. */
static inline scree_face_axis scree_cap_axis(const scree_placed *p,
                                             const scree_placed *other) {
    if (p->solid->core != SCREE_CORE_CYLINDER)
        return (scree_face_axis){.face = -1, .s = -INFINITY};
    uint32_t feature;
    const int cap = dot(p->R.z, sub(other->x, p->x)) < 0;
    const scree_vec3 out = scale(cap ? -1 : 1, p->R.z);
    const scree_vec3 low = scree_core_support(other, scale(-1, out), &feature);
    return (scree_face_axis){cap, out,
                             dot(out, sub(low, p->x)) - p->solid->half};
}

/* Does the side of p meet others along n, up to the bias of a face? Then the
 * slope x = n . z of its axis changes the extent R sqrt(1 - x^2) along n by
 * less. */
static inline bool scree_meets_sideways(const scree_placed *p, scree_vec3 n,
                                        double bias) {
    const double x = dot(n, p->R.z);
    return p->solid->disc * x * x <= bias;
}

/* Touches of sides that are nearest at c. */
static inline int scree_touch_sideways(const scree_placed *a,
                                       const scree_placed *b,
                                       const scree_closest *c, double reach,
                                       scree_touch *touches) {
    return c->s > scree_core_reach(a, b, reach)
               ? 0
               : scree_manifold_beside(a, b, c, true, reach, touches);
}

#endif
