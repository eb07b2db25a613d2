/* gdal.h: files of maps that GDAL knows, if the program was built with it (gdal.cmake):
 * terrain and rasters as GeoTIFF, places as GeoJSON and shapefiles. Other formats of GDAL
 * are not offered: some of them name further files, or hosts.
 *
 * Without it these fail with SCREE_UNSUPPORTED, and the sentence says what to install. */
#ifndef SCREE_IO_GDAL_H
#define SCREE_IO_GDAL_H

#include "contact/surface/heights.h"
#include "engine/base/error.h"
#include "io/file/raster_file.h"

/* Its version, such as 3.6.2; NULL: built without. */
const char *scree_gdal_version(void);

/* Heights with NAN in holes, and the coordinate reference as a .prj file has it, new
 * memory, or NULL. */
scree_status scree_gdal_read_terrain(const char *path, scree_heights *heights,
                                     char **crs, scree_error *error);

scree_status scree_gdal_write_raster(const char *path,
                                     const scree_raster_file *raster,
                                     scree_error *error);

typedef enum scree_place_kind {
    SCREE_PLACES_POINTS,
    SCREE_PLACES_LINES,
    SCREE_PLACES_POLYGONS,
} scree_place_kind;

/* Lines and polygons have parts: part i is points begin[i] to begin[i + 1] - 1. Rings of
 * a polygon, its holes among them, are parts whose first point is not repeated. */
typedef struct scree_places {
    scree_place_kind kind;
    int n_point, n_part;
    double *points; /* (n_point x 3) x, y, 0 [m] */
    int *begin;     /* (n_part + 1) */
} scree_places;
void scree_places_free(scree_places *places);

scree_status scree_gdal_read_places(const char *path, scree_places *places,
                                    scree_error *error);

#endif
