/* images.h: the balls that the grid searches where bodies have images.
 *
 * Two bodies meet as (a, b + s) or, what is the same, as (b, a - s). Images with
 * s > 0, the last edge first, so give each pair of body and image once. Of them only
 * those are made that touch the box around all balls: what is farther meets nobody.
 *
 * With edges (l, 0, 0), (o, w, 0), (0, 0, h) the numbers of edges that bring a ball into
 * the box follow one after the other: along z, then y, then x.
 *
 * Cost: linear in bodies and images; of a bed the latter are those near its sides. */
#ifndef SCREE_CONTACT_IMAGES_H
#define SCREE_CONTACT_IMAGES_H

#include "contact/broad/bvh.h"
#include "contact/broad/grid.h"
#include "contact/narrow/period.h"

/* Bodies and images in the order of their keys. */
typedef struct scree_imaged {
    int32_t n;
    const scree_ball *balls;  /* (n) */
    const uint64_t *key;      /* (n) */
    const int32_t *body;      /* (n) place of the body; NULL: the same */
    const scree_image *image; /* (n) 0: the body itself */
} scree_imaged;

scree_box scree_box_around(const scree_ball *balls, int32_t n);

/* Calls `visit` for each image of the ball that touches the box, itself among them. */
typedef void scree_image_visit(void *context, scree_image image);
void scree_images_near(const scree_period *period, const scree_ball *ball,
                       const scree_box *box, scree_image_visit *visit,
                       void *context);

/* In memory of `scratch`. Writes how many edges an image is away at most. */
scree_status scree_imaged_make(const scree_period *period,
                               const scree_grid *grid, const scree_ball *balls,
                               int32_t n, int threads, scree_arena *scratch,
                               scree_imaged *imaged, int *most);

#endif
