/* chain.h: a wall of segments in the plane z = 0: hoppers, chutes, shelves.
 *
 * A chain runs from vertex to vertex, closed or with two free ends, and is
 * touched from both sides. It is as thick as 2 radius: all points within `radius`
 * of the segments. Vertices at which it runs straight on are left out when it is
 * made, so that they cannot be felt; those that are left are corners. What
 * touches is said in contact/surface/chain_touch.c.
 *
 * All is in the chain's own frame, as for meshes (contact/surface/mesh.h). */
#ifndef SCREE_CONTACT_CHAIN_H
#define SCREE_CONTACT_CHAIN_H

#include "contact/broad/bvh.h"
#include "contact/solid/solid.h"
#include "contact/surface/triangle.h"
#include "engine/base/error.h"

/* Sides that turn by less are one [rad]. */
#define SCREE_STRAIGHT 1e-9

typedef struct scree_chain {
    bool closed;
    double radius;            /* half the thickness [m] */
    int32_t n_vertex, n_side; /* side i runs from vertex i to the next */
    scree_vec3 *vertex;       /* (n_vertex) z = 0 [m] */
    scree_vec3 *e;            /* (n_side) unit, along the side */
    scree_bvh bvh;
} scree_chain;

/* Refuses, naming the point: less than 2 points (closed: 3 corners), one that is
 * not finite, neighbours at the same place, a thickness that is not >= 0. z of
 * the points is not looked at. */
scree_status scree_chain_make(scree_chain *chain, const scree_vec3 *points,
                              int n, bool closed, double thickness,
                              scree_error *error);
void scree_chain_free(scree_chain *chain);

/* The vertex at the end of side i; the sides that end and begin at vertex v, -1:
 * none. */
static inline int32_t scree_chain_to(const scree_chain *c, int32_t side) {
    return side + 1 < c->n_vertex ? side + 1 : 0;
}
static inline int32_t scree_chain_before(const scree_chain *c, int32_t v) {
    return v > 0 ? v - 1 : c->closed ? c->n_side - 1 : -1;
}
static inline int32_t scree_chain_after(const scree_chain *c, int32_t v) {
    return v < c->n_side ? v : -1;
}

/* Touches of a disc or polygon with the chain, n from the chain into the body,
 * g <= reach; at most 16, and 2 of about one normal (3, if a corner of the chain
 * stands out between two others). Returns their number. */
int scree_chain_touch(const scree_chain *chain, const scree_placed *a,
                      double reach, scree_touch *touches);

/* Does a ball that moves by d hit the chain? */
bool scree_chain_sweep(const scree_chain *chain, scree_ball ball, scree_vec3 d,
                       scree_hit *hit);

#endif
