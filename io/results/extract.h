/* extract.h: a frame as a table for other programs. */
#ifndef SCREE_IO_EXTRACT_H
#define SCREE_IO_EXTRACT_H

#include <stdio.h>

#include "io/output/frame_file.h"

/* One frame as CSV: a row per point, or per cell if the fields are on cells,
 * with x, y, z (of cells: of their middle) and the fields. `fields` is a list
 * of names with commas, NULL: all on points, or if there are none, on cells. */
scree_status scree_extract(const scree_frame_file *file, int frame,
                           const char *fields, FILE *out, scree_error *error);

#endif
