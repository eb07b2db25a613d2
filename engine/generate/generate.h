/* generate.h: what generators need of each other, beside what scree_generate.h tells
 * everybody. */
#ifndef SCREE_GENERATE_H
#define SCREE_GENERATE_H

#include "engine/base/error.h"
#include "engine/base/random.h"
#include "engine/scree_generate.h"

double scree_radius_draw(const scree_radius_law *law, scree_random *rng);
double scree_radius_largest(const scree_radius_law *law);
/* An orientation: all are equally likely, in the plane all turns about z. */
void scree_turn_draw(scree_random *rng, bool planar, double q[4]);
double scree_region_volume(const scree_region *region);
/* Radius of the largest and of the smallest ball around a body of the grain. */
double scree_grain_largest(const scree_grain *grain);
double scree_grain_smallest(const scree_grain *grain);
int64_t scree_pyramid_count(const scree_pyramid *pyramid);

#endif
