#include "io/gdal/gdal_library.h"

#include <dlfcn.h>
#include <math.h>
#include <unistd.h>

#include "io/file/safe_file.h"
#include "io/gdal/gdal.h"

const char *scree_gdal_version(void) {
    return GDAL_RELEASE_NAME;
}

/* Its names are for it alone: they do not mix with those of the program. */
static scree_status load_library(scree_gdal *gdal, scree_error *error) {
    void *library = dlopen(SCREE_GDAL_SONAME, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return scree_fail(error, SCREE_UNSUPPORTED,
                          "GDAL cannot be opened: %.300s; install the package "
                          "that has " SCREE_GDAL_SONAME
                          " (Debian: libgdal-dev)",
                          dlerror());
    const char *lacks = NULL;
#define X(name)                                                                \
    *(void **)&gdal->name = dlsym(library, #name);                             \
    if (!gdal->name) lacks = #name;
    SCREE_GDAL_LIST(X)
#undef X
    if (lacks)
        return scree_fail(error, SCREE_UNSUPPORTED,
                          SCREE_GDAL_SONAME
                          " has no %s: it is not the GDAL that "
                          "the program was built with",
                          lacks);
    return SCREE_OK;
}

scree_status scree_gdal_open(const scree_gdal **gdal, scree_error *error) {
    static scree_gdal library;
    static bool is_open;
    *gdal = NULL;
    if (!is_open) {
        TRY(load_library(&library, error));
        library.GDALAllRegister();
        library.CPLSetErrorHandler(library.CPLQuietErrorHandler);
        is_open = true;
    }
    *gdal = &library;
    return SCREE_OK;
}

scree_status scree_gdal_fail(const scree_gdal *gdal, const char *path,
                             const char *what, scree_error *error) {
    const char *why = gdal->CPLGetLastErrorMsg();
    return scree_fail(error, SCREE_BAD_INPUT, "%.400s: %s%s%.300s", path, what,
                      *why ? ": " : "", why);
}

scree_status scree_gdal_open_file(const scree_gdal *gdal, const char *path,
                                  unsigned flags, const char *const *drivers,
                                  GDALDatasetH *out, scree_error *error) {
    int fd;
    size_t size;
    TRY(scree_file_open(path, "a map", &fd, &size, error));
    close(fd);
    *out =
        gdal->GDALOpenEx(path, flags | GDAL_OF_READONLY, drivers, NULL, NULL);
    return *out ? SCREE_OK
                : scree_gdal_fail(gdal, path, "cannot be read", error);
}

scree_status scree_gdal_check_metres(const scree_gdal *gdal,
                                     OGRSpatialReferenceH srs, const char *path,
                                     scree_error *error) {
    char *unit = NULL;
    if (!srs) return SCREE_OK;
    if (gdal->OSRIsGeographic(srs))
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%.400s: its coordinates are degrees; project it to "
                          "metres (gdalwarp or ogr2ogr -t_srs EPSG:2056, or "
                          "that of your country)",
                          path);
    const double metres = gdal->OSRGetLinearUnits(srs, &unit);
    if (fabs(metres - 1) < 1e-9) return SCREE_OK;
    return scree_fail(error, SCREE_BAD_INPUT,
                      "%.400s: its coordinates are in units of %g m (%.60s); "
                      "project it to metres (gdalwarp or ogr2ogr -t_srs)",
                      path, metres, unit ? unit : "");
}
