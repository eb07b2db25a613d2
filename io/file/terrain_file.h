/* terrain_file.h: heights from an ESRI ASCII grid (.asc).
 *
 *     ncols 87
 *     nrows 61
 *     xllcorner 0         or xllcenter
 *     yllcorner 0         or yllcenter
 *     cellsize 10
 *     NODATA_value -9999  (may be left out)
 *     61 lines of 87 heights, the northernmost first
 *
 * A height belongs to the middle of its cell: with xllcorner the first one
 * stands at x0 = xllcorner + cellsize / 2. Grids with holes are refused: a rock
 * that reaches one would have nothing to fall on.
 *
 * The coordinate reference is the text (WKT) of the file hill.prj beside hill.asc, if it
 * is there. Cells that are no squares and coordinates in degrees are refused: heights
 * and ways are in metres. */
#ifndef SCREE_IO_TERRAIN_FILE_H
#define SCREE_IO_TERRAIN_FILE_H

#include "contact/surface/heights.h"
#include "engine/base/error.h"

scree_status scree_terrain_read(const char *path, scree_heights *heights,
                                scree_error *error);
/* The same with NAN in holes, for a part without them (terrain_work.h). */
scree_status scree_terrain_read_holes(const char *path, scree_heights *heights,
                                      scree_error *error);
/* *crs: NULL, or new memory that the caller frees. */
scree_status scree_terrain_crs(const char *path, char **crs,
                               scree_error *error);
void scree_heights_free(scree_heights *heights);

#endif
