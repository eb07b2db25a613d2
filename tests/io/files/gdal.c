/* gdal.c: rasters that GDAL writes, and reads again as terrain. Without it: the words. */
#include "io/gdal/gdal.h"

#include <stdlib.h>
#include <string.h>

#include "tests/io/files/scratch_file.h"

static const double heights[] = {1, 2, 3, 4.5, 5, 6};

static scree_raster_file raster_with(const char *crs) {
    return (scree_raster_file){.nx = 3,
                               .ny = 2,
                               .x0 = 2600000,
                               .y0 = 1200000,
                               .cell = 2,
                               .values = heights,
                               .crs = crs};
}

static void write_raster(const char *path, const scree_raster_file *raster) {
    scree_error error = {0};
    if (scree_gdal_write_raster(path, raster, &error))
        fail_msg("%s", error.text);
}

static void raster__comes_back(void **state) {
    (void)state;
    const char *path = scratch_path(".tif");
    const scree_raster_file raster = raster_with("EPSG:2056");
    scree_heights h;
    scree_error error = {0};
    char *crs;
    if (!scree_gdal_version()) skip();
    write_raster(path, &raster);
    if (scree_gdal_read_terrain(path, &h, &crs, &error))
        fail_msg("%s", error.text);
    assert_int_equal(h.nx, 3);
    assert_int_equal(h.ny, 2);
    assert_near(h.x0, 2600001, 0); /* in the middle of its cell */
    assert_near(h.y0, 1200001, 0);
    assert_near(h.cell, 2, 0);
    assert_memory_equal(h.z, heights, sizeof heights);
    assert_non_null(strstr(crs, "LV95"));
    free(h.z);
    free(crs);
    unlink(path);
}

static void holes__are_nan(void **state) {
    (void)state;
    const char *path = scratch_path(".tif");
    double values[6];
    scree_raster_file raster = raster_with(NULL);
    scree_heights h;
    char *crs;
    if (!scree_gdal_version()) skip();
    memcpy(values, heights, sizeof values);
    values[1] = NAN;
    raster.values = values;
    write_raster(path, &raster);
    assert_ok(scree_gdal_read_terrain(path, &h, &crs, NULL));
    for (int i = 0; i < 6; i++) assert_int_equal(isnan(h.z[i]), i == 1);
    assert_null(crs);
    free(h.z);
    unlink(path);
}

static void refuse(const char *crs, const char *sentence) {
    const char *path = scratch_path(".tif");
    const scree_raster_file raster = raster_with(crs);
    scree_heights h;
    scree_error error = {0};
    char *text;
    write_raster(path, &raster);
    assert_int_equal(scree_gdal_read_terrain(path, &h, &text, &error),
                     SCREE_BAD_INPUT);
    if (!strstr(error.text, sentence)) fail_msg("%s", error.text);
    assert_null(h.z);
    assert_null(text);
    unlink(path);
}

static void degrees_and_feet__are_refused(void **state) {
    (void)state;
    if (!scree_gdal_version()) skip();
    refuse("EPSG:4326", "its coordinates are degrees; project it to metres");
    refuse("EPSG:2263", "its coordinates are in units of 0.3048");
}

static void other_formats__are_refused(void **state) {
    (void)state;
    const char *path = scratch_path(".tif");
    static const char vrt[] =
        "<VRTDataset rasterXSize=\"2\" rasterYSize=\"2\"/>";
    scree_heights h;
    scree_error error = {0};
    char *crs;
    if (!scree_gdal_version()) skip();
    write_file(path, vrt, strlen(vrt));
    assert_int_equal(scree_gdal_read_terrain(path, &h, &crs, &error),
                     SCREE_BAD_INPUT);
    assert_int_equal(scree_gdal_read_terrain("/vsicurl/http://localhost/a.tif",
                                             &h, &crs, &error),
                     SCREE_IO_ERROR);
    unlink(path);
}

static void absence__is_named(void **state) {
    (void)state;
    const scree_raster_file raster = raster_with(NULL);
    scree_error error = {0};
    if (scree_gdal_version()) skip();
    assert_int_equal(scree_gdal_write_raster("none.tif", &raster, &error),
                     SCREE_UNSUPPORTED);
    assert_non_null(strstr(error.text, "libgdal-dev"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raster__comes_back),
        cmocka_unit_test(holes__are_nan),
        cmocka_unit_test(degrees_and_feet__are_refused),
        cmocka_unit_test(other_formats__are_refused),
        cmocka_unit_test(absence__is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
