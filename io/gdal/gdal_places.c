/* gdal_places.c: points, lines and polygons of all layers of a file (gdal.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "io/gdal/gdal.h"
#include "io/gdal/gdal_library.h"

static const char *const drivers[] = {"GeoJSON", "ESRI Shapefile", NULL};

/* Of one file. */
enum { MOST_POINTS = 1000000 };

void scree_places_free(scree_places *places) {
    free(places->points);
    free(places->begin);
    *places = (scree_places){0};
}

typedef struct reading {
    const scree_gdal *gdal;
    const char *path;
    scree_places *to;
    int64_t point_room, begin_room;
    bool any;
    scree_error *error;
} reading;

static scree_status no_memory(const reading *r) {
    return scree_fail(r->error, SCREE_OUT_OF_MEMORY, "%.400s: out of memory",
                      r->path);
}

/* All of a file are of one kind. */
static scree_status note_kind(reading *r, scree_place_kind kind) {
    if (r->any && r->to->kind != kind)
        return scree_fail(r->error, SCREE_BAD_INPUT,
                          "%.400s: points, lines and polygons are mixed; a "
                          "release has one of them",
                          r->path);
    r->to->kind = kind;
    r->any = true;
    return SCREE_OK;
}

static scree_status add_point(reading *r, OGRGeometryH from, int i) {
    scree_places *to = r->to;
    const double x = r->gdal->OGR_G_GetX(from, i),
                 y = r->gdal->OGR_G_GetY(from, i);
    if (to->n_point >= MOST_POINTS || !isfinite(x) || !isfinite(y))
        return scree_fail(r->error, SCREE_BAD_INPUT,
                          "%.400s: more than %d points, or one that is not "
                          "finite",
                          r->path, MOST_POINTS);
    if (scree_reserve(&to->points, &r->point_room, 3 * (to->n_point + 1),
                      sizeof *to->points) != SCREE_OK)
        return no_memory(r);
    double *point = to->points + 3 * to->n_point++;
    point[0] = x, point[1] = y, point[2] = 0;
    return SCREE_OK;
}

static scree_status add_part(reading *r, OGRGeometryH from, bool ring) {
    scree_places *to = r->to;
    const int n = r->gdal->OGR_G_GetPointCount(from) - ring;
    for (int i = 0; i < n; i++) TRY(add_point(r, from, i));
    if (scree_reserve(&to->begin, &r->begin_room, to->n_part + 2,
                      sizeof *to->begin) != SCREE_OK)
        return no_memory(r);
    to->begin[++to->n_part] = to->n_point;
    return SCREE_OK;
}

static scree_status add_polygon(reading *r, OGRGeometryH from) {
    const int rings = r->gdal->OGR_G_GetGeometryCount(from);
    TRY(note_kind(r, SCREE_PLACES_POLYGONS));
    for (int i = 0; i < rings; i++)
        TRY(add_part(r, r->gdal->OGR_G_GetGeometryRef(from, i), true));
    return SCREE_OK;
}

static scree_status add_simple(reading *r, OGRGeometryH from,
                               OGRwkbGeometryType type) {
    switch (type) {
    case wkbPoint:
        TRY(note_kind(r, SCREE_PLACES_POINTS));
        return add_part(r, from, false);
    case wkbLineString:
        TRY(note_kind(r, SCREE_PLACES_LINES));
        return add_part(r, from, false);
    case wkbPolygon:
        return add_polygon(r, from);
    default:
        return scree_fail(r->error, SCREE_BAD_INPUT,
                          "%.400s: it has geometry that is no point, line or "
                          "polygon",
                          r->path);
    }
}

/* Collections of collections are none that the two formats hold. */
static scree_status add_geometry(reading *r, OGRGeometryH from) {
    const OGRwkbGeometryType type =
        r->gdal->OGR_GT_Flatten(r->gdal->OGR_G_GetGeometryType(from));
    const bool several = type == wkbMultiPoint || type == wkbMultiLineString ||
                         type == wkbMultiPolygon;
    if (!several) return add_simple(r, from, type);
    const int n = r->gdal->OGR_G_GetGeometryCount(from);
    for (int i = 0; i < n; i++) {
        const OGRGeometryH part = r->gdal->OGR_G_GetGeometryRef(from, i);
        TRY(add_simple(
            r, part,
            r->gdal->OGR_GT_Flatten(r->gdal->OGR_G_GetGeometryType(part))));
    }
    return SCREE_OK;
}

static scree_status read_layer(reading *r, OGRLayerH layer) {
    const scree_gdal *gdal = r->gdal;
    OGRFeatureH feature;
    scree_status status = scree_gdal_check_metres(
        gdal, gdal->OGR_L_GetSpatialRef(layer), r->path, r->error);
    gdal->OGR_L_ResetReading(layer);
    while (status == SCREE_OK &&
           (feature = gdal->OGR_L_GetNextFeature(layer)) != NULL) {
        const OGRGeometryH geometry = gdal->OGR_F_GetGeometryRef(feature);
        if (geometry) status = add_geometry(r, geometry);
        gdal->OGR_F_Destroy(feature);
    }
    return status;
}

static scree_status read_layers(reading *r, GDALDatasetH file) {
    const int n = r->gdal->GDALDatasetGetLayerCount(file);
    r->to->begin = NULL;
    if (scree_reserve(&r->to->begin, &r->begin_room, 1, sizeof(int)) !=
        SCREE_OK)
        return no_memory(r);
    for (int i = 0; i < n; i++)
        TRY(read_layer(r, r->gdal->GDALDatasetGetLayer(file, i)));
    if (r->to->n_point > 0) return SCREE_OK;
    return scree_fail(r->error, SCREE_BAD_INPUT,
                      "%.400s: it has no points, lines or polygons", r->path);
}

scree_status scree_gdal_read_places(const char *path, scree_places *places,
                                    scree_error *error) {
    reading r = {.path = path, .to = places, .error = error};
    GDALDatasetH file;
    *places = (scree_places){0};
    TRY(scree_gdal_open(&r.gdal, error));
    TRY(scree_gdal_open_file(r.gdal, path, GDAL_OF_VECTOR, drivers, &file,
                             error));
    const scree_status status = read_layers(&r, file);
    r.gdal->GDALClose(file);
    if (status != SCREE_OK) scree_places_free(places);
    return status;
}
