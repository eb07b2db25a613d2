/* output_fields.c: coarse-grained fields (engine/measure/fields.h) as ParaView series,
 * fields_000000.hdf, ..., and of grids with cells along one coordinate alone as
 * profile.csv: a line for each cell and time.
 *
 * The grid is drawn as hexahedra, in plane worlds as quadrilaterals, of rank 0. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/measure/fields.h"
#include "io/hdf5/hdf5_file.h"
#include "io/output/csv_file.h"
#include "io/output/sampling.h"

/* In this order a case numbers them. */
static const struct column {
    const char *name;
    int first, columns;
} table[] = {{"solid_fraction", SCREE_MEAN_SOLID, 1},
             {"density", SCREE_MEAN_DENSITY, 1},
             {"velocity", SCREE_MEAN_VELOCITY, 3},
             {"temperature", SCREE_MEAN_TEMPERATURE, 1},
             {"kinetic_stress", SCREE_MEAN_KINETIC, 6},
             {"contact_stress", SCREE_MEAN_CONTACT, 9},
             {"pressure", SCREE_MEAN_PRESSURE, 1},
             {"fabric", SCREE_MEAN_FABRIC, 6},
             {"coordination", SCREE_MEAN_TOUCHES, 1},
             {"strain_rate", SCREE_MEAN_STRAIN, 6},
             {"force", SCREE_MEAN_FORCE, 1}};
enum { FIELDS = sizeof table / sizeof *table };
static const char *const names[FIELDS + 1] = {
    "solid_fraction", "density",        "velocity", "temperature",
    "kinetic_stress", "contact_stress", "pressure", "fabric",
    "coordination",   "strain_rate",    "force"};

typedef struct fields {
    scree_series series;
    scree_csv csv; /* of a profile */
    int along;     /* the coordinate of a profile, -1: none */
    scree_bins grid;
    int64_t n; /* cells */
    scree_sampling sampling;
    double *sums, *smooth; /* (n x SCREE_SUM_WIDTH) */
    double *values;        /* (n x SCREE_MEAN_WIDTH) */
    double *points;        /* corners of cells, of rank 0 */
    int64_t n_point;
    scree_series_cells cells; /* the same */
} fields;

/* ---- the grid ---------------------------------------------------------------- */

static scree_bins grid_of(const scree_output_context *context) {
    const scree_case_fields *wanted = &context->output->mean;
    const scree_region *r = &wanted->region;
    const bool planar = context->source->world.planar;
    return r->kind == SCREE_REGION_BOX
               ? scree_bins_box(r->min, r->max, wanted->cells, planar)
               : scree_bins_cylinder(r->base, r->axis, r->radius, r->height,
                                     wanted->cells);
}

/* The only coordinate with more than one cell, or the first of all; -1: several. */
static int find_profile(const scree_bins *grid) {
    int along = -1, n = 0;
    for (int k = 0; k < 3; k++)
        if (grid->n[k] > 1) along = k, n++;
    return n == 0 ? 0 : n == 1 ? along : -1;
}

static void place_points(fields *f) {
    const scree_bins *g = &f->grid;
    double *x = f->points;
    const int top = g->planar ? 0 : g->n[2];
    for (int k = 0; k <= top; k++)
        for (int j = 0; j <= g->n[1]; j++)
            for (int i = 0; i <= g->n[0]; i++, x += 3)
                vec_to(scree_bins_corner(g, (int[]){i, j, k}), x);
}

/* Corners of a quadrilateral, or of a hexahedron, in VTK's order. */
static void join_points(fields *f) {
    enum { VTK_QUAD = 9, VTK_HEXAHEDRON = 12 };
    static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0},
                                     {0, 1, 0}, {0, 0, 1}, {1, 0, 1},
                                     {1, 1, 1}, {0, 1, 1}};
    const scree_bins *g = &f->grid;
    const int corners = g->planar ? 4 : 8;
    const int64_t row = g->n[0] + 1, layer = row * (g->n[1] + 1);
    scree_series_cells *c = &f->cells;
    c->n = f->n;
    for (int64_t cell = 0; cell < f->n; cell++) {
        const int64_t i = cell % g->n[0], j = cell / g->n[0] % g->n[1],
                      k = cell / g->n[0] / g->n[1];
        c->types[cell] = g->planar ? VTK_QUAD : VTK_HEXAHEDRON;
        c->offsets[cell + 1] = corners * (cell + 1);
        for (int m = 0; m < corners; m++)
            c->connectivity[corners * cell + m] = i + corner[m][0] +
                                                  row * (j + corner[m][1]) +
                                                  layer * (k + corner[m][2]);
    }
}

/* Other ranks have no part of the grid in files. */
static scree_status draw_grid(fields *f, bool here) {
    const scree_bins *g = &f->grid;
    const size_t n = here ? (size_t)f->n : 0;
    const size_t corners = g->planar ? 4 : 8;
    f->n_point = here ? (int64_t)(g->n[0] + 1) * (g->n[1] + 1) *
                            (g->planar ? 1 : g->n[2] + 1)
                      : 0;
    f->points = calloc(3 * (size_t)f->n_point + 1, sizeof *f->points);
    f->cells.types = calloc(n + 1, sizeof *f->cells.types);
    f->cells.offsets = calloc(n + 1, sizeof *f->cells.offsets);
    f->cells.connectivity =
        calloc(corners * n + 1, sizeof *f->cells.connectivity);
    if (!f->points || !f->cells.types || !f->cells.offsets ||
        !f->cells.connectivity)
        return SCREE_OUT_OF_MEMORY;
    if (!here) return SCREE_OK;
    place_points(f);
    join_points(f);
    return SCREE_OK;
}

/* ---- the profile ------------------------------------------------------------- */

static void add_field_names(scree_csv *csv, const struct column *c) {
    static const char *const of3[] = {"x", "y", "z"};
    static const char *const of6[] = {"xx", "yy", "zz", "xy", "yz", "xz"};
    static const char *const of9[] = {"xx", "xy", "xz", "yx", "yy",
                                      "yz", "zx", "zy", "zz"};
    const char *const *behind = c->columns == 3   ? of3
                                : c->columns == 6 ? of6
                                                  : of9;
    for (int k = 0; k < c->columns; k++)
        if (c->columns == 1)
            scree_csv_add(csv, ",%s", c->name);
        else
            scree_csv_add(csv, ",%s_%s", c->name, behind[k]);
}

static void add_head(fields *f, const scree_output_context *context) {
    static const char *const box[] = {"x", "y", "z"};
    static const char *const round[] = {"r", "theta", "height"};
    scree_csv_add(&f->csv, "step,time,%s",
                  (f->grid.round ? round : box)[f->along]);
    for (int i = 0; i < FIELDS; i++)
        if (scree_output_wants(context, i)) add_field_names(&f->csv, &table[i]);
}

static void add_cell(fields *f, const scree_output_context *context,
                     int64_t cell) {
    double middle[3];
    scree_bins_middle(&f->grid, cell, middle);
    scree_csv_add(&f->csv, "%s%" PRId64 ",%.17g,%.17g", cell > 0 ? "\n" : "",
                  scree_world_steps(context->world),
                  scree_world_time(context->world), middle[f->along]);
    for (int i = 0; i < FIELDS; i++)
        if (scree_output_wants(context, i))
            scree_csv_numbers(
                &f->csv, f->values + cell * SCREE_MEAN_WIDTH + table[i].first,
                table[i].columns);
}

static scree_status write_profile(fields *f,
                                  const scree_output_context *context,
                                  scree_error *error) {
    if (f->along < 0) return SCREE_OK;
    for (int64_t cell = 0; cell < f->n; cell++) add_cell(f, context, cell);
    return scree_csv_end_row(&f->csv, error);
}

/* ---- frames ------------------------------------------------------------------ */

static scree_status write_frame(fields *f, const scree_output_context *context,
                                scree_error *error) {
    const hid_t real = H5T_NATIVE_DOUBLE;
    const scree_hdf5_rows points = {real, f->n_point, 3, 0, f->points};
    const int64_t n = f->cells.n;
    scree_hdf5_file *file =
        scree_series_begin_cells(&f->series, context, &points, 0, &f->cells);
    for (int i = 0; i < FIELDS; i++) {
        const scree_hdf5_rows rows = {real, n, table[i].columns,
                                      SCREE_MEAN_WIDTH,
                                      f->values + table[i].first};
        if (scree_output_wants(context, i))
            scree_series_cell_data(file, table[i].name, &rows);
    }
    return scree_series_end(&f->series, file, scree_world_time(context->world),
                            error);
}

static size_t size_of_sums(const fields *f) {
    return (size_t)f->n * SCREE_SUM_WIDTH;
}

static scree_status add_sample(fields *f, const scree_output_context *context,
                               scree_error *error) {
    const scree_status status =
        scree_fields_add(&f->grid, context->world, f->sums);
    return status == SCREE_OK
               ? status
               : scree_fail(error, status,
                            "fields: out of memory for %" PRId64 " cells",
                            f->n);
}

static scree_status write_fields(void *self,
                                 const scree_output_context *context,
                                 scree_error *error) {
    fields *f = self;
    const double width = context->output->mean.width;
    if (scree_sampling_begin(&f->sampling, context, f->sums, size_of_sums(f)))
        TRY(add_sample(f, context, error));
    if (width > 0)
        scree_bins_smooth(&f->grid, width, SCREE_SUM_WIDTH, f->sums, f->smooth);
    scree_fields_read(&f->grid, width > 0 ? f->smooth : f->sums, f->sampling.n,
                      f->values);
    scree_sampling_end(&f->sampling, context, f->sums, size_of_sums(f));
    TRY(write_frame(f, context, error));
    return write_profile(f, context, error);
}

static scree_status watch_fields(void *self,
                                 const scree_output_context *context,
                                 scree_error *error) {
    fields *f = self;
    if (!scree_sampling_is_due(context)) return SCREE_OK;
    f->sampling.n += 1;
    return add_sample(f, context, error);
}

/* ---- the sink ---------------------------------------------------------------- */

static scree_status close_fields(void *self, scree_error *error) {
    fields *f = self;
    const scree_status status = scree_csv_close(&f->csv, error);
    scree_series_close(&f->series);
    void *const rooms[] = {f->sums,
                           f->smooth,
                           f->values,
                           f->points,
                           f->cells.types,
                           f->cells.offsets,
                           f->cells.connectivity};
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) free(rooms[i]);
    free(f);
    return status;
}

static scree_status make_room(fields *f, const scree_output_context *context,
                              scree_error *error) {
    f->grid = grid_of(context);
    f->along = find_profile(&f->grid);
    f->n = scree_bins_cells(&f->grid);
    f->sums = calloc(size_of_sums(f), sizeof *f->sums);
    f->smooth = calloc(size_of_sums(f), sizeof *f->smooth);
    f->values = calloc((size_t)f->n * SCREE_MEAN_WIDTH, sizeof *f->values);
    if (f->sums && f->smooth && f->values &&
        draw_grid(f, scree_output_comm(context)->rank == 0) == SCREE_OK)
        return SCREE_OK;
    return scree_fail(error, SCREE_OUT_OF_MEMORY,
                      "fields: out of memory for %" PRId64 " cells", f->n);
}

static scree_status start_fields(fields *f, const scree_output_context *context,
                                 scree_error *error) {
    TRY(make_room(f, context, error));
    TRY(scree_series_open(&f->series, context, "fields", error));
    if (f->along < 0) return SCREE_OK;
    TRY(scree_csv_start(&f->csv, context, "profile.csv", error));
    if (context->resumes) return SCREE_OK;
    add_head(f, context);
    return scree_csv_end_row(&f->csv, error);
}

static scree_status open_fields(const scree_output_context *context,
                                void **self, scree_error *error) {
    fields *f = calloc(1, sizeof *f);
    if (!f)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "fields: out of memory");
    f->csv.fd = -1;
    const scree_status status = start_fields(f, context, error);
    if (status == SCREE_OK)
        *self = f;
    else
        close_fields(f, NULL);
    return status;
}

static void archive_fields(void *self, scree_archive *a) {
    fields *f = self;
    scree_series_archive(&f->series, a);
    if (f->along >= 0) scree_csv_archive_part(&f->csv, a);
    scree_sampling_archive(&f->sampling, f->sums, f->n, SCREE_SUM_WIDTH, a);
}

const scree_output_ops scree_output_fields = {
    .name = "fields",
    .about = "means on a grid for ParaView: fields.hdf.series; of one row of "
             "cells profile.csv",
    .fields = names,
    .counts = true,
    .open = open_fields,
    .write = write_fields,
    .watch = watch_fields,
    .close = close_fields,
    .archive = archive_fields};
