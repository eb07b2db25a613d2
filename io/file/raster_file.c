#include "io/file/raster_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/memo.h"
#include "io/file/whole_file.h"

static void print_rows(FILE *out, const scree_raster_file *r) {
    for (int j = r->ny - 1; j >= 0; j--)
        for (int i = 0; i < r->nx; i++) {
            const double z = r->values[(size_t)j * (size_t)r->nx + (size_t)i];
            const char *end = i + 1 < r->nx ? " " : "\n";
            if (isnan(z))
                fprintf(out, "-9999%s", end);
            else
                fprintf(out, "%.9g%s", z, end);
        }
}

static void print_raster(FILE *out, const scree_raster_file *r) {
    fprintf(out, "ncols %d\nnrows %d\n", r->nx, r->ny);
    fprintf(out, "xllcorner %.15g\nyllcorner %.15g\n", r->x0, r->y0);
    fprintf(out, "cellsize %.15g\nNODATA_value -9999\n", r->cell);
    print_rows(out, r);
}

static scree_status no_memory(const char *path, scree_error *error) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "%.400s: out of memory",
                      path);
}

/* map.asc has map.prj beside it. */
static scree_status write_crs(const char *path, const char *crs,
                              scree_error *error) {
    char *name;
    const char *dot = strrchr(path, '.');
    if (!crs) return SCREE_OK;
    if (asprintf(&name, "%.*s.prj", (int)(dot - path), path) < 0)
        return no_memory(path, error);
    const scree_status status =
        scree_file_replace(name, crs, strlen(crs), error);
    free(name);
    return status;
}

scree_status scree_raster_write(const char *path, const scree_raster_file *r,
                                scree_error *error) {
    scree_memo memo;
    FILE *out = scree_memo_open(&memo);
    if (!out) return no_memory(path, error);
    print_raster(out, r);
    char *text = scree_memo_close(&memo);
    if (!text) return no_memory(path, error);
    const scree_status status =
        scree_file_replace(path, text, memo.size, error);
    free(text);
    return status == SCREE_OK ? write_crs(path, r->crs, error) : status;
}
