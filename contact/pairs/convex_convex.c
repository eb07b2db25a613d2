/* Any two cores, by their supports alone. A flat end of a cylinder meets others
 * as a polygon in its rim, its side as the line nearest to the other. */
#include "contact/clip.h"
#include "contact/pair.h"

int scree_convex_convex(const scree_placed *a, const scree_placed *b,
                        double reach, scree_touch *touches) {
    scree_closest c;
    scree_closest_cores(a, b, scree_core_reach(a, b, reach), &c);
    return scree_manifold(a, b, &c, reach, touches);
}
