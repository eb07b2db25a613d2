/* heights.h: a grid of heights as files give it. */
#ifndef SCREE_CONTACT_HEIGHTS_H
#define SCREE_CONTACT_HEIGHTS_H

typedef struct scree_heights {
    int nx, ny;
    double x0, y0, cell; /* [m] */
    double *z;           /* (nx ny) z[j * nx + i] at x0 + i cell, y0 + j cell [m] */
} scree_heights;

#endif
