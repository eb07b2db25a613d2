/* pair.h: the touches of any two convex solids, and of a solid and a plane.
 *
 * pairs.def names one routine for each pair of cores. All of them find the
 * normal n and signed distance s of the cores, then the manifold: up to 4
 * points in space, 2 in the plane. Where a face takes part, n is the normal of
 * that face and all gaps are measured along it. */
#ifndef SCREE_CONTACT_PAIR_H
#define SCREE_CONTACT_PAIR_H

#include "contact/narrow/core.h"

#define SCREE_PAIR(core_a, core_b, routine) scree_pair_find scree_##routine;
#include "contact/pairs.def"

typedef struct scree_pair_entry {
    scree_pair_find *find;
    bool swapped; /* the routine takes (b, a) */
} scree_pair_entry;

/* find = NULL: the two never meet. */
scree_pair_entry scree_pair_routine(scree_core core_a, scree_core core_b);

/* The touches of a and b, whose pair is in the table. */
int scree_solids_touch(const scree_placed *a, const scree_placed *b,
                       double reach, scree_touch *touches);

/* What is known of a pair that is looked at again: a direction that once separated
 * it, from b into a, or 0; by how much it does so now, 0 if that is not known [m];
 * and the keys of touches that it had, 0 if none are known. */
typedef struct scree_separation {
    scree_vec3 n;
    double gap;
    uint32_t before[2];
} scree_separation;

/* The same for a pair that is looked at again and again: the direction is tried
 * first, because it mostly still separates, and replaced if not; then the features
 * that touched before. What comes out does not depend on either. */
int scree_solids_touch_again(const scree_placed *a, const scree_placed *b,
                             double reach, scree_separation *apart,
                             scree_touch *touches);
int scree_hull_hull_again(const scree_placed *a, const scree_placed *b,
                          double reach, scree_separation *apart,
                          scree_touch *touches);

/* Touches of a solid with the half space n . x < d: exact, up to 4 points in
 * space, 2 for a polygon. The plane's feature in the key is face 0 of b. */
int scree_solid_plane(const scree_placed *a, scree_vec3 n, double d,
                      double reach, scree_touch *touches);

#endif
