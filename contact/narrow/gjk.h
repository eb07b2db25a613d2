/* gjk.h: distance and overlap of any two convex cores by their supports.
 *
 * Both look at the difference D = {p - q: p in a, q in b}: the cores are apart
 * by the distance from the origin to D, and overlap by the distance from the
 * origin to the boundary of D. */
#ifndef SCREE_CONTACT_GJK_H
#define SCREE_CONTACT_GJK_H

#include "contact/narrow/core.h"

typedef struct scree_closest {
    scree_vec3 n; /* unit, from b into a */
    double s;     /* distance along n, < 0: overlap */
    scree_vec3 on_a, on_b;
    uint32_t key;
} scree_closest;

/* A point of D, and where it comes from. */
typedef struct scree_minkowski {
    scree_vec3 w, on_a, on_b;
    uint32_t of_a, of_b;
} scree_minkowski;

/* The point of D farthest along d. */
scree_minkowski scree_minkowski_support(const scree_placed *a,
                                        const scree_placed *b, scree_vec3 d);

/* The features that a touch between these points lies on. One vertex, or what
 * several span: named by the lowest, for a pair has one such touch at a time.
 */
uint32_t scree_minkowski_key(const scree_minkowski *const *m, int n);

/* Distance by GJK (Gilbert, Johnson, Keerthi 1988). False if the cores overlap
 * or are so near that the difference of closest points tells no direction. A
 * pair farther apart than `most` gets s = INFINITY and a direction n that shows
 * it, no more. */
bool scree_gjk(const scree_placed *a, const scree_placed *b, double most,
               scree_closest *c);

/* The direction that separates best, by growing a polytope inside D where its
 * boundary is nearest (van den Bergen 2001). Also for cores that touch or are
 * slightly apart; exact for polytopes up to rounding, for curved cores within
 * 1e-5 of the smaller one's size, or as far as the fixed number of corners goes. */
void scree_epa(const scree_placed *a, const scree_placed *b, scree_closest *c);

/* By GJK, or by EPA where that finds no distance. */
void scree_closest_cores(const scree_placed *a, const scree_placed *b,
                         double most, scree_closest *c);

#endif
