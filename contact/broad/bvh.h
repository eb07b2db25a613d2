/* bvh.h: a binary tree of boxes over things that do not move.
 *
 * Built top-down where the surface area heuristic over a few bins says so; the
 * result depends on the boxes and their order alone. Queries call no heap. */
#ifndef SCREE_CONTACT_BVH_H
#define SCREE_CONTACT_BVH_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/arena.h"
#include "engine/base/vec.h"

typedef struct scree_box {
    scree_vec3 lo, hi;
} scree_box;

typedef struct scree_bvh_node {
    scree_box box;
    int32_t first; /* leaf: in `item`; else left child, the right one is next */
    int32_t count; /* of a leaf's items; 0: inner node */
} scree_bvh_node;

typedef struct scree_bvh {
    scree_bvh_node *node;
    int32_t *item;
    int32_t n_node;
} scree_bvh;

/* The boxes are read now only. n >= 1. */
scree_status scree_bvh_build(scree_bvh *bvh, const scree_box *boxes, int32_t n);
void scree_bvh_free(scree_bvh *bvh);

/* Calls found for every item of a leaf whose box meets the given one: no item
 * that does is left out, a few that do not may come along. */
typedef void scree_bvh_found(void *context, int32_t item);
void scree_bvh_query(const scree_bvh *bvh, const scree_box *box,
                     scree_bvh_found *found, void *context);

/* Calls hit for the items near the path of a ball whose centre moves from x by
 * d, nearer leaves first. hit returns the time up to which to look from now on. */
typedef double scree_bvh_hit(void *context, int32_t item);
void scree_bvh_sweep(const scree_bvh *bvh, scree_ball ball, scree_vec3 d,
                     scree_bvh_hit *hit, void *context);

/* Narrows [t0, t1] to the times at which a ball that moves from x by d is near
 * the box. False: never. */
bool scree_box_near_path(const scree_box *box, scree_ball ball, scree_vec3 d,
                         double *t0, double *t1);

static inline scree_box scree_box_of_points(const scree_vec3 *p, int n) {
    scree_box b = {p[0], p[0]};
    for (int i = 1; i < n; ++i) {
        b.lo = vec(fmin(b.lo.x, p[i].x), fmin(b.lo.y, p[i].y),
                   fmin(b.lo.z, p[i].z));
        b.hi = vec(fmax(b.hi.x, p[i].x), fmax(b.hi.y, p[i].y),
                   fmax(b.hi.z, p[i].z));
    }
    return b;
}

#endif
