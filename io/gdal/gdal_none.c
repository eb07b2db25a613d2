/* gdal_none.c: a program that was built without GDAL (gdal.h). */
#include <stdlib.h>

#include "io/gdal/gdal.h"

const char *scree_gdal_version(void) {
    return NULL;
}

static scree_status refuse_file(const char *path, scree_error *error) {
    return scree_fail(
        error, SCREE_UNSUPPORTED,
        "%.400s: this program was built without GDAL, which knows "
        "such files; install libgdal-dev and build it again with "
        "-DSCREE_GDAL=on",
        path);
}

scree_status scree_gdal_read_terrain(const char *path, scree_heights *heights,
                                     char **crs, scree_error *error) {
    *heights = (scree_heights){0};
    *crs = NULL;
    return refuse_file(path, error);
}

scree_status scree_gdal_write_raster(const char *path,
                                     const scree_raster_file *raster,
                                     scree_error *error) {
    (void)raster;
    return refuse_file(path, error);
}

void scree_places_free(scree_places *places) {
    *places = (scree_places){0};
}

scree_status scree_gdal_read_places(const char *path, scree_places *places,
                                    scree_error *error) {
    *places = (scree_places){0};
    return refuse_file(path, error);
}
