/* sphere.h: ball against ball, and what discs share with balls. */
#ifndef SCREE_CONTACT_SPHERE_H
#define SCREE_CONTACT_SPHERE_H

#include "contact/narrow/contact.h"
#include "contact/solid/shape.h"

scree_vec3 scree_point_support(const scree_placed *p, scree_vec3 d,
                               uint32_t *feature);
double scree_point_radius(const scree_solid *solid);
void scree_point_land(struct scree_landing *landing);

/* Normal, gap and arms of two balls with centres d apart. The common contact point halves the gap. Concentric
 * balls have no normal of their own and get the x axis, which lies in the plane of
 * planar worlds too. */
static inline void scree_spheres_apart(scree_vec3 d, double r_a, double r_b,
                                       scree_contact *c) {
    const double distance = norm(d);
    c->n = distance > 0 ? scale(1.0 / distance, d) : vec(1, 0, 0);
    c->g = distance - r_a - r_b;
    c->arm_a = r_a + 0.5 * c->g;
    c->arm_b = r_b + 0.5 * c->g;
}

/* The least gap of two balls while their distance d goes on by `way`, at the share
 * *at of it. */
static inline double scree_gap_on_way(scree_vec3 d, scree_vec3 way,
                                      double radii, double *at) {
    const double way2 = dot(way, way), s = -dot(d, way);
    *at = s <= 0 ? 0 : s < way2 ? s / way2 : 1;
    return norm(add_scaled(d, *at, way)) - radii;
}

/* The share of the way at which two balls touch that are apart now; more than 1:
 * they do not. */
static inline double scree_touch_on_way(scree_vec3 d, scree_vec3 way,
                                        double radii) {
    const double way2 = dot(way, way), s = -dot(d, way);
    const double apart2 = dot(d, d) - radii * radii;
    const double root2 = s * s - way2 * apart2;
    return s > 0 && root2 >= 0 ? apart2 / (s + sqrt(root2)) : INFINITY;
}

#endif
