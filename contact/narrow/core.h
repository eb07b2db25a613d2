/* core.h: a core's points in directions, and names of its features. */
#ifndef SCREE_CONTACT_CORE_H
#define SCREE_CONTACT_CORE_H

#include <stdbool.h>

#include "contact/narrow/contact.h"
#include "contact/solid/solid.h"

static inline scree_vec3 scree_placed_point(const scree_placed *p,
                                            scree_vec3 v) {
    return add(p->x, mat3_mul(&p->R, v));
}

/* ---- features ---------------------------------------------------------------
 *
 * A key holds the feature of a in its upper half, that of b in its lower one.
 * A feature is a kind and an index. The edge after corner c of a hull (in the
 * loop of its face) has index c. */
enum {
    SCREE_VERTEX = 0x0000,
    SCREE_EDGE = 0x4000,
    SCREE_FACE = 0x8000,
    SCREE_INDEX = 0x3fff,
};

static inline uint32_t scree_feature(int kind, int index) {
    return (uint32_t)(kind | (index & SCREE_INDEX));
}
static inline uint32_t scree_touch_key(uint32_t of_a, uint32_t of_b) {
    return of_a << 16 | of_b;
}

/* ---- sizes --------------------------------------------------------------- */

static inline double scree_least_bound(const scree_placed *a,
                                       const scree_placed *b) {
    return fmin(a->solid->bound, b->solid->bound);
}
/* Cores farther apart than this are out of reach. */
static inline double scree_core_reach(const scree_placed *a,
                                      const scree_placed *b, double reach) {
    return reach + a->solid->radius + b->solid->radius;
}
/* A face manifold is preferred as long as its normal separates the cores by at
 * most this much less than the best normal does: a resting box does not flip
 * between faces and edges. */
static inline double scree_face_bias(const scree_placed *a,
                                     const scree_placed *b, double s) {
    return 1e-4 * scree_least_bound(a, b) + 1e-3 * fabs(s);
}
static inline bool scree_bounds_apart(const scree_placed *a,
                                      const scree_placed *b, double reach) {
    const scree_vec3 d = sub(a->x, b->x);
    const double most = a->solid->bound + b->solid->bound + reach;
    return dot(d, d) > most * most;
}

/* ---- support ------------------------------------------------------------- */

/* Up to this many vertices a look at all of them beats the walk along edges. */
enum { SCREE_LOOK_MOST = 80 };

/* The vertex farthest along `d` (body frame). */
int scree_hull_support(const scree_hull *hull, scree_vec3 d);

/* All vertices lie within it of the origin. */
double scree_hull_radius(const scree_hull *hull);

/* The core's point farthest along `d` (inertial frame) and its feature. */
scree_vec3 scree_core_support(const scree_placed *p, scree_vec3 d,
                              uint32_t *feature);

/* Supports alone find the nearest points of curved cores only roughly; what comes
 * after them makes them exact (contact/narrow/rim.c). */
static inline bool scree_is_curved(const scree_placed *a,
                                   const scree_placed *b) {
    return a->solid->core == SCREE_CORE_CYLINDER ||
           b->solid->core == SCREE_CORE_CYLINDER;
}

/* Ends of a segment core. */
static inline scree_vec3 scree_segment_end(const scree_placed *p, int end) {
    return add_scaled(p->x, end ? p->solid->half : -p->solid->half, p->R.z);
}

/* One touch from the closest points of two cores: n from b into a, s their
 * distance along it. */
static inline scree_touch scree_touch_between(const scree_placed *a,
                                              const scree_placed *b,
                                              scree_vec3 on_a, scree_vec3 on_b,
                                              scree_vec3 n, double s,
                                              uint32_t key) {
    const double ra = a->solid->radius, rb = b->solid->radius;
    const scree_vec3 middle = scale(0.5, add(on_a, on_b));
    return (scree_touch){.x = add_scaled(middle, 0.5 * (rb - ra), n),
                         .n = n,
                         .g = s - ra - rb,
                         .key = key};
}

#endif
