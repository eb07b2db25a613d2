/* polyhedron.h: what polygons share with polyhedra: points of a hull grown by
 * r. */
#ifndef SCREE_CONTACT_POLYHEDRON_H
#define SCREE_CONTACT_POLYHEDRON_H

#include "contact/solid/shape.h"

scree_vec3 scree_hull_point(const scree_placed *p, scree_vec3 d,
                            uint32_t *feature);
double scree_hull_bound(const scree_solid *solid);
double scree_hull_inside(const scree_solid *solid);

#endif
