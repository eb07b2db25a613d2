/* terrain_work.h: a part of a terrain, in other cells, smoother.
 *
 *     crop       points in a box, its edges among them
 *     holes      refused in what is left
 *     resample   to square cells of another size, bilinear between four heights
 *     smooth     passes of the weights 1 2 1 along x and along y, over 4 each; beyond the
 *                border the heights of the border */
#ifndef SCREE_IO_TERRAIN_WORK_H
#define SCREE_IO_TERRAIN_WORK_H

#include <stdbool.h>

#include "contact/surface/heights.h"
#include "engine/base/error.h"

typedef struct scree_terrain_work {
    double low[2], high[2]; /* [m] */
    bool crops;
    double cell; /* 0: as it is [m] */
    int passes;
} scree_terrain_work;

/* heights->z is new memory afterwards, or as it was if it fails. */
scree_status scree_terrain_work_on(scree_heights *heights,
                                   const scree_terrain_work *work,
                                   const char *path, scree_error *error);

#endif
