# GeoTIFF, GeoJSON and shapefiles, by GDAL. Its library is opened when a file asks for it,
# never before: it brings a hundred others along, among them the serial HDF5, whose names
# have versions of their own beside those of the parallel one. So nothing is linked, and
# a program that was built with GDAL runs where there is none.
set(SCREE_GDAL auto CACHE STRING
  "GeoTIFF, GeoJSON and shapefiles by GDAL: auto (where its headers are), on, off")
set_property(CACHE SCREE_GDAL PROPERTY STRINGS auto on off)

set(SCREE_GDAL_FOUND OFF)
if(NOT SCREE_GDAL STREQUAL off)
  pkg_check_modules(GDAL QUIET gdal)
  if(GDAL_FOUND)
    find_path(GDAL_HEADERS gdal.h HINTS ${GDAL_INCLUDE_DIRS} PATH_SUFFIXES gdal)
    find_library(GDAL_LIBRARY gdal HINTS ${GDAL_LIBRARY_DIRS})
  endif()
  if(GDAL_HEADERS AND GDAL_LIBRARY)
    set(SCREE_GDAL_FOUND ON)
    # The name that the linker would note, such as libgdal.so.32.
    get_filename_component(SCREE_GDAL_SONAME ${GDAL_LIBRARY} REALPATH)
    get_filename_component(SCREE_GDAL_SONAME ${SCREE_GDAL_SONAME} NAME)
    string(REGEX REPLACE "(\\.so\\.[0-9]+)\\..*$" "\\1" SCREE_GDAL_SONAME ${SCREE_GDAL_SONAME})
  elseif(SCREE_GDAL STREQUAL on)
    message(FATAL_ERROR "SCREE_GDAL=on cannot be had: no GDAL found (Debian: libgdal-dev)")
  else()
    message(STATUS "no GDAL found: no GeoTIFF, GeoJSON and shapefiles (Debian: libgdal-dev)")
  endif()
endif()

# scree_with_gdal(TARGET): its files know whether there is one.
function(scree_with_gdal target)
  if(SCREE_GDAL_FOUND)
    set_property(SOURCE io/gdal/gdal_library.c io/gdal/gdal_raster.c io/gdal/gdal_places.c
      APPEND PROPERTY COMPILE_OPTIONS -isystem ${GDAL_HEADERS})
    set_property(SOURCE io/gdal/gdal_library.c APPEND PROPERTY
      COMPILE_DEFINITIONS SCREE_GDAL_SONAME="${SCREE_GDAL_SONAME}")
    target_sources(${target} PRIVATE io/gdal/gdal_library.c io/gdal/gdal_raster.c
      io/gdal/gdal_places.c)
  else()
    target_sources(${target} PRIVATE io/gdal/gdal_none.c)
  endif()
endfunction()
