/* sizes.h: the sizes of the bodies of a grain in order, the largest first.
 *
 * Body k of n stands for the k-th share of 1 / n of the law, counted from the
 * largest size: its size is the one that a share (k + random) / n of the law
 * exceeds. Each body is known from its number alone, the sizes of all are
 * sorted, and they follow the law more evenly than independent draws would. */
#ifndef SCREE_SIZES_H
#define SCREE_SIZES_H

#include "engine/generate/place.h"

typedef struct scree_sizes {
    const scree_grain *grain;
    int *order; /* shapes, or values of a list, from the largest on; or NULL */
    double weight; /* of all values of a list */
} scree_sizes;

/* To be freed, if it fails as well. */
scree_status scree_sizes_init(scree_sizes *sizes, const scree_grain *grain);
void scree_sizes_free(scree_sizes *sizes);

/* The piece which a share p of all exceeds, 0 <= p < 1; ball.x is left at 0. */
scree_piece scree_sizes_at(const scree_sizes *sizes, double p);

#endif
