/* raster_file.h: numbers of square cells, as ESRI ASCII grids (.asc) that every program
 * for maps reads. */
#ifndef SCREE_IO_RASTER_FILE_H
#define SCREE_IO_RASTER_FILE_H

#include "engine/base/error.h"

typedef struct scree_raster_file {
    int nx, ny;
    double x0, y0,
        cell; /* lower left corner, in the coordinates of the file [m] */
    const double *values; /* (ny x nx) the southernmost row first; NAN: none */
    const char *crs;      /* the text of the .prj file beside it; NULL: none */
} scree_raster_file;

/* Both files are whole or not there. */
scree_status scree_raster_write(const char *path,
                                const scree_raster_file *raster,
                                scree_error *error);

#endif
