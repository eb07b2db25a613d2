#include "io/ensemble/ensemble_maps.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/file/raster_file.h"
#include "io/gdal/gdal.h"
#include "io/run/run_common.h"

typedef scree_status raster_writer(const char *path,
                                   const scree_raster_file *raster,
                                   scree_error *error);

static scree_status write_file(const char *folder, scree_map map,
                               const char *ending, raster_writer *write,
                               const scree_raster_file *raster,
                               scree_error *error) {
    char *path;
    if (asprintf(&path, "%s/map-%s.%s", folder, scree_map_name(map), ending) <
        0)
        return scree_run_no_memory(error);
    const scree_status status = write(path, raster, error);
    free(path);
    return status;
}

static scree_status write_map(const char *folder, scree_map map, int format,
                              const scree_raster_file *raster,
                              scree_error *error) {
    if (format != SCREE_MAPS_GEOTIFF)
        TRY(write_file(folder, map, "asc", scree_raster_write, raster, error));
    return format == SCREE_MAPS_ASC
               ? SCREE_OK
               : write_file(folder, map, "tif", scree_gdal_write_raster, raster,
                            error);
}

static scree_status write_all(const scree_case *c, const char *folder,
                              const double *origin, const scree_maps *maps,
                              double *values, scree_error *error) {
    const scree_raster *r = &maps->raster;
    const scree_raster_file file = {
        .nx = r->nx,
        .ny = r->ny,
        .x0 = r->x0 + origin[0],
        .y0 = r->y0 + origin[1],
        .cell = r->cell,
        .values = values,
        .crs = c->walls[scree_case_ground(c)].surface.crs};
    for (int map = 0; map < SCREE_MAPS; map++) {
        if (scree_maps_draw(maps, (scree_map)map, values) != SCREE_OK)
            return scree_run_no_memory(error);
        TRY(write_map(folder, (scree_map)map, c->ensemble.format, &file,
                      error));
    }
    return SCREE_OK;
}

scree_status scree_ensemble_write_maps(const scree_case *c, const char *folder,
                                       const double *origin, scree_maps *maps,
                                       scree_error *error) {
    const size_t cells = (size_t)maps->raster.nx * (size_t)maps->raster.ny;
    double *values = malloc((cells + 1) * sizeof *values);
    scree_status status = values ? scree_maps_sort(maps) : SCREE_OUT_OF_MEMORY;
    status = status == SCREE_OK
                 ? write_all(c, folder, origin, maps, values, error)
                 : scree_run_no_memory(error);
    free(values);
    return status;
}
