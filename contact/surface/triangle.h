/* triangle.h: one triangle of a surface, with what it must know of its
 * neighbours to be touched as a part of the whole and not by itself.
 *
 * A surface has an outside, where its normals point. Two facets that meet in an
 * edge form, seen from outside,
 *
 *     flat      the same plane: the edge is no feature of the surface;
 *     ridge     a convex edge: it may be touched, by normals between the two;
 *     valley    a concave edge: never touched, its two facets are;
 *     border    an edge with one facet only: a ridge to a wall that nobody
 *               touches (its normal is `beyond`).
 */
#ifndef SCREE_CONTACT_TRIANGLE_H
#define SCREE_CONTACT_TRIANGLE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/vec.h"

typedef enum scree_fold {
    SCREE_FLAT,
    SCREE_RIDGE,
    SCREE_VALLEY,
    SCREE_BORDER,
} scree_fold;

/* Normals that differ by less are those of one plane [rad]. */
#define SCREE_FLAT_ANGLE 1e-6

typedef struct scree_facet {
    scree_vec3 p[3];      /* corners, counter-clockwise from outside [m] */
    scree_vec3 n;         /* unit normal, outward */
    scree_vec3 beyond[3]; /* normal across edge k, from p[k] to p[k + 1] */
    scree_fold fold[3];   /* of edge k */
    bool peak[3];         /* corner k has a ridge or border */
    uint32_t vertex[3], edge[3]; /* names of corners and edges */
    uint32_t patch; /* name of the flat part that the facet belongs to */
} scree_facet;

static inline int scree_next(int k) {
    return k == 2 ? 0 : k + 1;
}

/* Unit normal; zero if the triangle has no area. */
scree_vec3 scree_triangle_normal(const scree_vec3 p[3]);

/* How facets of normals n and `beyond` meet in an edge that runs along e in the
 * first one's loop. */
scree_fold scree_fold_between(scree_vec3 e, scree_vec3 n, scree_vec3 beyond);

static inline bool scree_fold_sticks_out(scree_fold fold) {
    return fold == SCREE_RIDGE || fold == SCREE_BORDER;
}

/* The same facet seen from behind: ridges are valleys. `peak` is the caller's. */
scree_facet scree_facet_back(const scree_facet *f);

/* ---- a moving ball ----------------------------------------------------------- */

/* First touch of a ball whose centre moves from x by d: at x + t d, from the
 * side of n. */
typedef struct scree_hit {
    double t; /* in [0, 1] */
    scree_vec3 n;
    double distance; /* of the centre then; less than the radius if the ball
                        overlapped from the start [m] */
} scree_hit;

static inline scree_hit scree_no_hit(void) {
    return (scree_hit){.t = 1, .distance = INFINITY};
}

/* Does the ball hit the front of the triangle p, of unit normal n, before
 * *hit, or at the same time and nearer? Then tells when and where. A ball that
 * overlaps the triangle from the start hits at t = 0 if it moves deeper. Exact:
 * face, edges and corners. */
bool scree_triangle_sweep(const scree_vec3 p[3], scree_vec3 n, scree_ball ball,
                          scree_vec3 d, scree_hit *hit);

/* The same for a point, which is hit from all sides. */
bool scree_corner_sweep(scree_vec3 p, scree_ball ball, scree_vec3 d,
                        scree_hit *hit);

#endif
