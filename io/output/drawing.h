/* drawing.h: polygons in space, gathered for one file of a series. */
#ifndef SCREE_IO_DRAWING_H
#define SCREE_IO_DRAWING_H

#include "engine/base/vec.h"
#include "io/hdf5/hdf5_file.h"

/* What a polygon is a part of. */
typedef struct scree_label {
    int64_t id;    /* of the body or wall */
    double speed;  /* of the body's centre of mass [m/s] */
    int32_t shape; /* of the body; -1: disc */
    int32_t material;
} scree_label;

/* Rooms only grow, so that the next frame finds them ready. */
typedef struct scree_drawing {
    int64_t n_point;
    scree_vec3 *points; /* (n_point) [m] */
    scree_series_cells cells;
    scree_label *labels; /* (cells.n) */
    int64_t point_room, type_room, offset_room, corner_room, label_room;
} scree_drawing;

/* Forgets what was drawn. */
scree_status scree_drawing_clear(scree_drawing *drawing);
void scree_drawing_free(scree_drawing *drawing);

/* Makes room for as much more; the two functions below need it. */
scree_status scree_drawing_reserve(scree_drawing *drawing, int64_t points,
                                   int64_t polygons, int64_t corners);
void scree_drawing_point(scree_drawing *drawing, scree_vec3 x);
/* Corner k is point first + corners[k]. */
void scree_drawing_polygon(scree_drawing *drawing, int64_t first, int n,
                           const int32_t *corners, const scree_label *label);

/* Starts a frame with all polygons, of all ranks; nothing can be added to the
 * drawing then. A field of the labels, `offset` bytes from their beginning,
 * becomes data of the cells. */
scree_hdf5_file *scree_drawing_begin(scree_drawing *drawing,
                                     scree_series *series,
                                     const scree_output_context *context);
void scree_drawing_data(const scree_drawing *drawing, scree_hdf5_file *file,
                        const char *name, hid_t type, size_t offset);

#endif
