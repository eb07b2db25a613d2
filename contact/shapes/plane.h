/* plane.h: ball against half space. */
#ifndef SCREE_CONTACT_PLANE_H
#define SCREE_CONTACT_PLANE_H

#include "contact/narrow/contact.h"
#include "contact/solid/shape.h"

/* The arm is the radius whatever the gap, so that rolling is v = omega r. */
static inline void scree_sphere_plane(const scree_ball *a,
                                      const scree_plane *plane,
                                      scree_contact *c) {
    c->n = plane->n;
    c->g = dot(plane->n, a->x) - plane->d - a->r;
    c->arm_a = a->r;
    c->arm_b = 0;
}

#endif
