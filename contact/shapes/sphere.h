/* sphere.h: ball against ball, and what discs share with balls. */
#ifndef SCREE_CONTACT_SPHERE_H
#define SCREE_CONTACT_SPHERE_H

#include "contact/contact.h"
#include "contact/shape.h"

scree_vec3 scree_point_support(const scree_placed *p, scree_vec3 d,
                               uint32_t *feature);
double scree_point_radius(const scree_solid *solid);
void scree_point_land(struct scree_landing *landing);

/* Normal, gap and arms. The common contact point halves the gap. Concentric
 * balls have no normal of their own and get the x axis, which lies in the plane of
 * planar worlds too. */
static inline void scree_sphere_sphere(const scree_ball *a, const scree_ball *b,
                                       scree_contact *c) {
    const scree_vec3 d = sub(a->x, b->x);
    const double distance = norm(d);
    c->n = distance > 0 ? scale(1.0 / distance, d) : vec(1, 0, 0);
    c->g = distance - a->r - b->r;
    c->arm_a = a->r + 0.5 * c->g;
    c->arm_b = b->r + 0.5 * c->g;
}

#endif
