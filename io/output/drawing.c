#include "io/output/drawing.h"

#include <stdlib.h>

#include "engine/base/arena.h"

enum { VTK_LINE = 3, VTK_POLYGON = 7 };

/* HDF5 takes a field out of the labels by striding over whole elements. */
_Static_assert(sizeof(scree_label) % sizeof(int64_t) == 0 &&
                   sizeof(scree_vec3) == 3 * sizeof(double),
               "labels and points are whole numbers of elements");

scree_status scree_drawing_clear(scree_drawing *d) {
    d->n_point = d->cells.n = 0;
    if (d->cells.offsets) d->cells.offsets[0] = 0; /* not so after a frame */
    return scree_drawing_reserve(d, 0, 0, 0);
}

void scree_drawing_free(scree_drawing *d) {
    free(d->points);
    free(d->cells.types);
    free(d->cells.offsets);
    free(d->cells.connectivity);
    free(d->labels);
    *d = (scree_drawing){0};
}

scree_status scree_drawing_reserve(scree_drawing *d, int64_t points,
                                   int64_t polygons, int64_t corners) {
    scree_series_cells *c = &d->cells;
    const int64_t n = c->n + polygons;
    /* New bytes are zero: the offset of the first polygon is there. */
    TRY(scree_reserve(&c->offsets, &d->offset_room, n + 1, sizeof *c->offsets));
    TRY(scree_reserve(&c->types, &d->type_room, n, sizeof *c->types));
    TRY(scree_reserve(&d->labels, &d->label_room, n + 1, sizeof *d->labels));
    TRY(scree_reserve(&d->points, &d->point_room, d->n_point + points,
                      sizeof *d->points));
    return scree_reserve(&c->connectivity, &d->corner_room,
                         c->offsets[c->n] + corners, sizeof *c->connectivity);
}

void scree_drawing_point(scree_drawing *d, scree_vec3 x) {
    d->points[d->n_point++] = x;
}

void scree_drawing_polygon(scree_drawing *d, int64_t first, int n,
                           const int32_t *corners, const scree_label *label) {
    scree_series_cells *c = &d->cells;
    int64_t *ids = c->connectivity + c->offsets[c->n];
    for (int k = 0; k < n; k++) ids[k] = first + corners[k];
    c->types[c->n] = n == 2 ? VTK_LINE : VTK_POLYGON;
    d->labels[c->n] = *label;
    c->offsets[c->n + 1] = c->offsets[c->n] + n;
    c->n++;
}

scree_hdf5_file *scree_drawing_begin(scree_drawing *d, scree_series *series,
                                     const scree_output_context *context) {
    const scree_comm *comm = scree_output_comm(context);
    scree_series_shift(&d->cells, comm, scree_comm_before(comm, d->n_point));
    const scree_hdf5_rows points = {H5T_NATIVE_DOUBLE, d->n_point, 3, 0,
                                    d->points};
    return scree_series_begin_cells(series, context, &points, 0, &d->cells);
}

void scree_drawing_data(const scree_drawing *d, scree_hdf5_file *file,
                        const char *name, hid_t type, size_t offset) {
    const int stride = (int)(sizeof(scree_label) / H5Tget_size(type));
    const char *first = (const char *)d->labels + offset;
    const scree_hdf5_rows rows = {type, d->cells.n, 1, stride, first};
    scree_series_cell_data(file, name, &rows);
}
