/* gdal_raster.c: terrain and maps as GeoTIFF (gdal.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/safe_file.h"
#include "io/file/whole_file.h"
#include "io/gdal/gdal.h"
#include "io/gdal/gdal_library.h"

static const char *const drivers[] = {"GTiff", NULL};

/* As many heights as a small file may claim to hold: 0.8 GB. */
static const double MOST_HEIGHTS = 1e8;

/* ---- reading --------------------------------------------------------------- */

static scree_status check_cells(const double g[6], const char *path,
                                scree_error *error) {
    if (g[2] != 0 || g[4] != 0 || !(g[1] > 0) || !(g[5] < 0))
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%.400s: its rows do not run from west to east and "
                          "north to south; turn it (gdalwarp does)",
                          path);
    if (fabs(g[1] + g[5]) > 1e-9 * g[1])
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%.400s: its cells are no squares, but %g by %g; "
                          "resample it to square ones (gdalwarp -tr %g %g)",
                          path, g[1], -g[5], g[1], g[1]);
    return SCREE_OK;
}

static scree_status read_frame(const scree_gdal *gdal, GDALDatasetH file,
                               const char *path, scree_heights *h,
                               scree_error *error) {
    double g[6];
    h->nx = gdal->GDALGetRasterXSize(file);
    h->ny = gdal->GDALGetRasterYSize(file);
    if (gdal->GDALGetRasterCount(file) < 1 || h->nx < 2 || h->ny < 2 ||
        (double)h->nx * h->ny > MOST_HEIGHTS)
        return scree_fail(
            error, SCREE_BAD_INPUT,
            "%.400s: %d x %d heights cannot be a terrain (2 x 2 to "
            "%g in all)",
            path, h->nx, h->ny, MOST_HEIGHTS);
    if (gdal->GDALGetGeoTransform(file, g) != CE_None)
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%.400s: it does not say where it lies (no "
                          "georeference)",
                          path);
    TRY(check_cells(g, path, error));
    h->cell = g[1];
    h->x0 = g[0] + 0.5 * g[1];
    h->y0 = g[3] + g[5] * (h->ny - 0.5);
    return scree_gdal_check_metres(gdal, gdal->GDALGetSpatialRef(file), path,
                                   error);
}

/* The file's first row is the northernmost; holes become NAN. */
static scree_status read_rows(const scree_gdal *gdal, GDALDatasetH file,
                              const char *path, scree_heights *h,
                              scree_error *error) {
    int has_none = 0;
    const GDALRasterBandH band = gdal->GDALGetRasterBand(file, 1);
    const double none = gdal->GDALGetRasterNoDataValue(band, &has_none);
    for (int j = 0; j < h->ny; j++) {
        double *row = h->z + (size_t)(h->ny - 1 - j) * (size_t)h->nx;
        if (gdal->GDALRasterIO(band, GF_Read, 0, j, h->nx, 1, row, h->nx, 1,
                               GDT_Float64, 0, 0) != CE_None)
            return scree_gdal_fail(gdal, path, "cannot be read", error);
        for (int i = 0; i < h->nx; i++)
            if ((has_none && row[i] == none) || !isfinite(row[i])) row[i] = NAN;
    }
    return SCREE_OK;
}

/* As a .prj file has it. */
static scree_status read_crs(const scree_gdal *gdal, GDALDatasetH file,
                             char **crs) {
    const OGRSpatialReferenceH given = gdal->GDALGetSpatialRef(file);
    char *text = NULL;
    if (!given) return SCREE_OK;
    const OGRSpatialReferenceH srs = gdal->OSRClone(given);
    gdal->OSRMorphToESRI(srs);
    if (gdal->OSRExportToWkt(srs, &text) == OGRERR_NONE && text)
        *crs = strdup(text);
    gdal->VSIFree(text);
    gdal->OSRDestroySpatialReference(srs);
    return *crs ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

static scree_status read_all(const scree_gdal *gdal, GDALDatasetH file,
                             const char *path, scree_heights *h, char **crs,
                             scree_error *error) {
    TRY(read_frame(gdal, file, path, h, error));
    h->z = malloc((size_t)h->nx * (size_t)h->ny * sizeof *h->z);
    if (!h->z || read_crs(gdal, file, crs) != SCREE_OK)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "%.400s: no memory for its heights", path);
    return read_rows(gdal, file, path, h, error);
}

scree_status scree_gdal_read_terrain(const char *path, scree_heights *heights,
                                     char **crs, scree_error *error) {
    const scree_gdal *gdal;
    GDALDatasetH file;
    *heights = (scree_heights){0};
    *crs = NULL;
    TRY(scree_gdal_open(&gdal, error));
    TRY(scree_gdal_open_file(gdal, path, GDAL_OF_RASTER, drivers, &file,
                             error));
    const scree_status status = read_all(gdal, file, path, heights, crs, error);
    gdal->GDALClose(file);
    if (status == SCREE_OK) return SCREE_OK;
    free(heights->z);
    free(*crs);
    *heights = (scree_heights){0};
    *crs = NULL;
    return status;
}

/* ---- writing --------------------------------------------------------------- */

typedef struct writing {
    const scree_gdal *gdal;
    const scree_raster_file *raster;
    const char *path; /* for messages */
} writing;

/* What GDAL does not know of coordinates is left out. */
static void put_crs(const writing *w, GDALDatasetH file) {
    const scree_gdal *gdal = w->gdal;
    if (!w->raster->crs) return;
    const OGRSpatialReferenceH srs = gdal->OSRNewSpatialReference(NULL);
    if (gdal->OSRSetFromUserInput(srs, w->raster->crs) == OGRERR_NONE)
        gdal->GDALSetSpatialRef(file, srs);
    gdal->OSRDestroySpatialReference(srs);
}

static bool put_row(const writing *w, GDALRasterBandH band, int j,
                    double *row) {
    const scree_raster_file *r = w->raster;
    const double *from = r->values + (size_t)(r->ny - 1 - j) * (size_t)r->nx;
    for (int i = 0; i < r->nx; i++) row[i] = isnan(from[i]) ? -9999 : from[i];
    return w->gdal->GDALRasterIO(band, GF_Write, 0, j, r->nx, 1, row, r->nx, 1,
                                 GDT_Float64, 0, 0) == CE_None;
}

static bool put_rows(const writing *w, GDALDatasetH file) {
    const scree_raster_file *r = w->raster;
    const GDALRasterBandH band = w->gdal->GDALGetRasterBand(file, 1);
    double *row = malloc((size_t)r->nx * sizeof *row);
    bool ok = row && w->gdal->GDALSetRasterNoDataValue(band, -9999) == CE_None;
    for (int j = 0; j < r->ny && ok; j++) ok = put_row(w, band, j, row);
    free(row);
    return ok;
}

static scree_status cannot_write(const writing *w, scree_error *error) {
    const scree_status status =
        scree_gdal_fail(w->gdal, w->path, "cannot be written", error);
    (void)status;
    if (error) error->status = SCREE_IO_ERROR;
    return SCREE_IO_ERROR;
}

static scree_status write_tiff(void *context, const char *temporary,
                               scree_error *error) {
    const writing *w = context;
    const scree_gdal *gdal = w->gdal;
    const scree_raster_file *r = w->raster;
    char *name = scree_file_name(temporary);
    const char *const options[] = {"COMPRESS=DEFLATE", NULL};
    double frame[] = {r->x0, r->cell, 0, r->y0 + r->ny * r->cell, 0, -r->cell};
    if (!name)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%.400s: out of memory",
                          w->path);
    const GDALDatasetH file =
        gdal->GDALCreate(gdal->GDALGetDriverByName("GTiff"), name, r->nx, r->ny,
                         1, GDT_Float32, (char **)options);
    free(name);
    if (!file) return cannot_write(w, error);
    gdal->GDALSetGeoTransform(file, frame);
    put_crs(w, file);
    const bool ok = put_rows(w, file);
    gdal->GDALClose(file);
    return ok ? SCREE_OK : cannot_write(w, error);
}

scree_status scree_gdal_write_raster(const char *path,
                                     const scree_raster_file *raster,
                                     scree_error *error) {
    writing w = {.raster = raster, .path = path};
    TRY(scree_gdal_open(&w.gdal, error));
    return scree_file_replace_by(path, write_tiff, &w, error);
}
