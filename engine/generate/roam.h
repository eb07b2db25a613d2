/* roam.h: bodies that look for places all over a region, at random; shared by
 * fill and pour.
 *
 * Each visit of a body begins at a point drawn from the whole region, and goes
 * on in the cell of that point (scatter.h). Visits are short, so that places
 * are as uniform as if each try were drawn from the whole region.
 *
 * Each body draws from streams of its own, (seed, number): its size, its turn,
 * and the points and tries of every visit. So it is known from its number, and
 * can be drawn again, by any rank. */
#ifndef SCREE_ROAM_H
#define SCREE_ROAM_H

#include "engine/generate/scatter.h"

typedef struct scree_roam {
    const scree_region *region;
    uint64_t first;  /* number of body 0 */
    uint64_t bodies; /* seed of sizes and turns */
    uint64_t visits; /* seed of the places to try */
} scree_roam;

/* Random numbers for the size of body k. */
scree_random scree_roam_size(const scree_roam *roam, int64_t k);

/* A sower of bodies that roam; its `of` is the roam, so that for `piece` a
 * struct that begins with it can be there. */
scree_sower scree_roam_sower(const scree_roam *roam, scree_sower_piece *piece,
                             int visits, int64_t patience);

#endif
