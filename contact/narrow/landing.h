/* landing.h: a solid over a half space. Its shape puts down the points of its
 * core that may touch; what is within reach and spans most area is kept. */
#ifndef SCREE_CONTACT_LANDING_H
#define SCREE_CONTACT_LANDING_H

#include "contact/narrow/core.h"

enum { SCREE_LANDINGS = 64 };

typedef struct scree_landing {
    const scree_placed *solid;
    scree_vec3 n;
    double d, reach;
    int most; /* touches kept: 4, in the plane 2 */
    int count;
    scree_touch at[SCREE_LANDINGS];
} scree_landing;

/* A point of the core; its feature is that vertex. */
void scree_land(scree_landing *landing, scree_vec3 point, int vertex);
/* All vertices of the hull. */
void scree_land_vertices(scree_landing *landing);

#endif
