/* gdal_library.h: the functions of GDAL, from its library once that is open. */
#ifndef SCREE_IO_GDAL_LIBRARY_H
#define SCREE_IO_GDAL_LIBRARY_H

#include <cpl_error.h>
#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#include "engine/base/error.h"

#define SCREE_GDAL_LIST(X)                                                     \
    X(CPLGetLastErrorMsg)                                                      \
    X(CPLQuietErrorHandler)                                                    \
    X(CPLSetErrorHandler)                                                      \
    X(VSIFree)                                                                 \
    X(GDALAllRegister)                                                         \
    X(GDALOpenEx)                                                              \
    X(GDALClose)                                                               \
    X(GDALGetRasterXSize)                                                      \
    X(GDALGetRasterYSize)                                                      \
    X(GDALGetRasterCount)                                                      \
    X(GDALGetGeoTransform)                                                     \
    X(GDALGetSpatialRef)                                                       \
    X(GDALGetRasterBand)                                                       \
    X(GDALGetRasterNoDataValue)                                                \
    X(GDALRasterIO)                                                            \
    X(GDALGetDriverByName)                                                     \
    X(GDALCreate)                                                              \
    X(GDALSetGeoTransform)                                                     \
    X(GDALSetSpatialRef)                                                       \
    X(GDALSetRasterNoDataValue)                                                \
    X(GDALDatasetGetLayerCount)                                                \
    X(GDALDatasetGetLayer)                                                     \
    X(OSRNewSpatialReference)                                                  \
    X(OSRDestroySpatialReference)                                              \
    X(OSRClone)                                                                \
    X(OSRSetFromUserInput)                                                     \
    X(OSRIsGeographic)                                                         \
    X(OSRGetLinearUnits)                                                       \
    X(OSRMorphToESRI)                                                          \
    X(OSRExportToWkt)                                                          \
    X(OGR_L_ResetReading)                                                      \
    X(OGR_L_GetNextFeature)                                                    \
    X(OGR_L_GetSpatialRef)                                                     \
    X(OGR_F_GetGeometryRef)                                                    \
    X(OGR_F_Destroy)                                                           \
    X(OGR_G_GetGeometryType)                                                   \
    X(OGR_G_GetGeometryCount)                                                  \
    X(OGR_G_GetGeometryRef)                                                    \
    X(OGR_G_GetPointCount)                                                     \
    X(OGR_G_GetX)                                                              \
    X(OGR_G_GetY)                                                              \
    X(OGR_GT_Flatten)

typedef struct scree_gdal {
#define X(name) __typeof__(&name) name;
    SCREE_GDAL_LIST(X)
#undef X
} scree_gdal;

/* Opened once, for good; NULL after a failure. By the main thread alone. */
scree_status scree_gdal_open(const scree_gdal **gdal, scree_error *error);

/* SCREE_BAD_INPUT with the file and what GDAL said. */
scree_status scree_gdal_fail(const scree_gdal *gdal, const char *path,
                             const char *what, scree_error *error);

/* Opens a regular file that is there, by these drivers alone. */
scree_status scree_gdal_open_file(const scree_gdal *gdal, const char *path,
                                  unsigned flags, const char *const *drivers,
                                  GDALDatasetH *out, scree_error *error);

/* Is it in metres? `srs` may be NULL: nobody knows. */
scree_status scree_gdal_check_metres(const scree_gdal *gdal,
                                     OGRSpatialReferenceH srs, const char *path,
                                     scree_error *error);

#endif
