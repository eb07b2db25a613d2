#include "io/file/terrain_work.h"

#include <math.h>
#include <stdlib.h>

static scree_status no_memory(const char *path, scree_error *error) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY,
                      "%.400s: no memory for its heights", path);
}

static size_t count_of(const scree_heights *h) {
    return (size_t)h->nx * (size_t)h->ny;
}

static double *point_of(const scree_heights *h, int i, int j) {
    return &h->z[(size_t)j * (size_t)h->nx + (size_t)i];
}

static void take_heights(scree_heights *h, scree_heights *made) {
    free(h->z);
    *h = *made;
}

/* ---- crop ------------------------------------------------------------------ */

/* Points first ... last of an axis are in the box; none: last < first. */
static void range_of(double x0, double cell, int n, double low, double high,
                     int *first, int *last) {
    const double play = 1e-9;
    *first = (int)fmax(0, fmin(ceil((low - x0) / cell - play), n));
    *last = (int)fmin(n - 1, fmax(floor((high - x0) / cell + play), -1));
}

static scree_status crop_heights(scree_heights *h,
                                 const scree_terrain_work *work,
                                 const char *path, scree_error *error) {
    int i0, i1, j0, j1;
    range_of(h->x0, h->cell, h->nx, work->low[0], work->high[0], &i0, &i1);
    range_of(h->y0, h->cell, h->ny, work->low[1], work->high[1], &j0, &j1);
    if (i1 <= i0 || j1 <= j0)
        return scree_fail(
            error, SCREE_BAD_INPUT,
            "%.400s: the box of crop holds less than 2 x 2 of its "
            "heights; they lie from (%.10g, %.10g) to (%.10g, "
            "%.10g)",
            path, h->x0, h->y0, h->x0 + (h->nx - 1) * h->cell,
            h->y0 + (h->ny - 1) * h->cell);
    scree_heights part = {.nx = i1 - i0 + 1,
                          .ny = j1 - j0 + 1,
                          .x0 = h->x0 + i0 * h->cell,
                          .y0 = h->y0 + j0 * h->cell,
                          .cell = h->cell};
    part.z = malloc(count_of(&part) * sizeof *part.z);
    if (!part.z) return no_memory(path, error);
    for (int j = 0; j < part.ny; j++)
        for (int i = 0; i < part.nx; i++)
            *point_of(&part, i, j) = *point_of(h, i0 + i, j0 + j);
    take_heights(h, &part);
    return SCREE_OK;
}

/* ---- holes ----------------------------------------------------------------- */

static scree_status refuse_holes(const scree_heights *h, const char *path,
                                 scree_error *error) {
    for (int j = 0; j < h->ny; j++)
        for (int i = 0; i < h->nx; i++)
            if (isnan(*point_of(h, i, j)))
                return scree_fail(error, SCREE_BAD_INPUT,
                                  "%.400s: no height at (%.10g, %.10g): crop "
                                  "the terrain to its part without holes, or "
                                  "fill them (gdal_fillnodata.py)",
                                  path, h->x0 + i * h->cell,
                                  h->y0 + j * h->cell);
    return SCREE_OK;
}

/* ---- other cells ------------------------------------------------------------ */

static double height_at(const scree_heights *h, double a, double b) {
    const int i = (int)fmin(floor(a), h->nx - 2),
              j = (int)fmin(floor(b), h->ny - 2);
    const double s = a - i, t = b - j;
    return (1 - t) *
               ((1 - s) * *point_of(h, i, j) + s * *point_of(h, i + 1, j)) +
           t * ((1 - s) * *point_of(h, i, j + 1) +
                s * *point_of(h, i + 1, j + 1));
}

static scree_status resample_heights(scree_heights *h, double cell,
                                     const char *path, scree_error *error) {
    const double ratio = cell / h->cell, most = 1e8;
    const double nx = floor((h->nx - 1) / ratio + 1e-9) + 1,
                 ny = floor((h->ny - 1) / ratio + 1e-9) + 1;
    if (!(nx >= 2 && ny >= 2 && nx * ny <= most))
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%.400s: cells of %g m would make it %.0f x %.0f "
                          "heights (2 x 2 to %g in all)",
                          path, cell, nx, ny, most);
    scree_heights made = {
        .nx = (int)nx, .ny = (int)ny, .x0 = h->x0, .y0 = h->y0, .cell = cell};
    made.z = malloc(count_of(&made) * sizeof *made.z);
    if (!made.z) return no_memory(path, error);
    for (int j = 0; j < made.ny; j++)
        for (int i = 0; i < made.nx; i++)
            *point_of(&made, i, j) = height_at(h, fmin(i * ratio, h->nx - 1),
                                               fmin(j * ratio, h->ny - 1));
    take_heights(h, &made);
    return SCREE_OK;
}

/* ---- smooth ----------------------------------------------------------------- */

static int within_grid(int i, int n) {
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/* One pass along x or y. */
static void smooth_along(const scree_heights *from, scree_heights *to, int di,
                         int dj) {
    for (int j = 0; j < from->ny; j++)
        for (int i = 0; i < from->nx; i++) {
            const double before = *point_of(from, within_grid(i - di, from->nx),
                                            within_grid(j - dj, from->ny)),
                         after = *point_of(from, within_grid(i + di, from->nx),
                                           within_grid(j + dj, from->ny));
            *point_of(to, i, j) =
                0.25 * (before + 2 * *point_of(from, i, j) + after);
        }
}

static scree_status smooth_heights(scree_heights *h, int passes,
                                   const char *path, scree_error *error) {
    scree_heights half = *h;
    half.z = malloc(count_of(h) * sizeof *half.z);
    if (!half.z) return no_memory(path, error);
    for (int k = 0; k < passes; k++) {
        smooth_along(h, &half, 1, 0);
        smooth_along(&half, h, 0, 1);
    }
    free(half.z);
    return SCREE_OK;
}

scree_status scree_terrain_work_on(scree_heights *heights,
                                   const scree_terrain_work *work,
                                   const char *path, scree_error *error) {
    if (work->crops) TRY(crop_heights(heights, work, path, error));
    TRY(refuse_holes(heights, path, error));
    if (work->cell > 0) TRY(resample_heights(heights, work->cell, path, error));
    return smooth_heights(heights, work->passes, path, error);
}
