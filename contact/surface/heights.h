/* heights.h: terrain as heights on a square grid.
 *
 * z[j * nx + i] is the height at x = x0 + i cell, y = y0 + j cell. */
#ifndef SCREE_CONTACT_HEIGHTS_H
#define SCREE_CONTACT_HEIGHTS_H

typedef struct scree_heights {
    int nx, ny;          /* at least 2 each */
    double x0, y0, cell; /* [m] */
    double *z;           /* (ny x nx) [m] */
} scree_heights;

#endif
