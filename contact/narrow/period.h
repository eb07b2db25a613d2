/* period.h: a periodic cell, and how one of two bodies is seen from the other.
 *
 * A body stands for all its images, which lie whole numbers of edges from it. A pair
 * names one of them by its image: three small integers s, and
 *
 *     apart = x_a - (x_b + s_1 e_1 + s_2 e_2 + s_3 e_3),    likewise for velocities.
 *
 * Nobody else subtracts centres or velocities of two bodies. Image 0 is the body itself,
 * so without a cell nothing is added, and no bit changes. Arms reach from a body's own
 * centre to the contact point, and need no images.
 *
 * Cost: one test of a pair; the cell is read for images alone. */
#ifndef SCREE_CONTACT_PERIOD_H
#define SCREE_CONTACT_PERIOD_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/vec.h"

/* Five bits for each of the three integers. */
typedef uint16_t scree_image;

enum { SCREE_IMAGE_BITS = 5, SCREE_IMAGE_MOST = 15 };

typedef struct scree_period {
    bool along[3];       /* is the world periodic along this edge? */
    scree_vec3 edge[3];  /* now; 0 of those that it is not periodic along [m] */
    scree_vec3 speed[3]; /* at which an image one edge on moves away [m/s] */
} scree_period;

static inline scree_image scree_image_of(int x, int y, int z) {
    const int mask = (1 << SCREE_IMAGE_BITS) - 1;
    return (scree_image)((x & mask) | (y & mask) << SCREE_IMAGE_BITS |
                         (z & mask) << 2 * SCREE_IMAGE_BITS);
}

static inline int scree_image_along(scree_image image, int edge) {
    const int bits =
        image >> edge * SCREE_IMAGE_BITS & ((1 << SCREE_IMAGE_BITS) - 1);
    return bits > SCREE_IMAGE_MOST ? bits - (1 << SCREE_IMAGE_BITS) : bits;
}

/* That of the pair seen from its other body. */
static inline scree_image scree_image_turned(scree_image image) {
    return scree_image_of(-scree_image_along(image, 0),
                          -scree_image_along(image, 1),
                          -scree_image_along(image, 2));
}

static inline scree_vec3 scree_image_sum(const scree_vec3 *of,
                                         scree_image image) {
    scree_vec3 sum = scale(scree_image_along(image, 0), of[0]);
    sum = add(sum, scale(scree_image_along(image, 1), of[1]));
    return add(sum, scale(scree_image_along(image, 2), of[2]));
}

/* How far the image is from the body, and how fast it moves against it. */
static inline scree_vec3 scree_period_shift(const scree_period *cell,
                                            scree_image image) {
    return image ? scree_image_sum(cell->edge, image) : vec(0, 0, 0);
}
static inline scree_vec3 scree_period_drift(const scree_period *cell,
                                            scree_image image) {
    return image ? scree_image_sum(cell->speed, image) : vec(0, 0, 0);
}

/* x_a - x_b and v_a - v_b, as the image of b is seen from a. */
static inline scree_vec3 scree_period_apart(const scree_period *cell,
                                            scree_image image, scree_vec3 a,
                                            scree_vec3 b) {
    const scree_vec3 d = sub(a, b);
    return image ? sub(d, scree_period_shift(cell, image)) : d;
}
static inline scree_vec3 scree_period_closing(const scree_period *cell,
                                              scree_image image, scree_vec3 v_a,
                                              scree_vec3 v_b) {
    const scree_vec3 v = sub(v_a, v_b);
    return image ? sub(v, scree_period_drift(cell, image)) : v;
}

#endif
