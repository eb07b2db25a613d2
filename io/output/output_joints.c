/* output_joints.c: joints.hdf.series, a line from end to end for each joint, and joints.csv,
 * sums over the joints of the case and of each net.
 *
 * Columns of the table, after step and time, for `joints` and each net by its name:
 *     dissipated, stored, work   energy absorbed, in springs, given by motors [J]
 *     force, anchor_force        largest of a joint now, and of those with the ground [N]
 *     most_force                 largest so far of those with the ground [N]
 *     stretch                    largest so far of a cable over its length at rest
 *     broken                     joints */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/scree_joints.h"
#include "engine/world/view.h"
#include "io/hdf5/hdf5_file.h"
#include "io/output/csv_file.h"
#include "io/output/joint_sums.h"

enum { VTK_LINE = 3 };

/* A joint as HDF5 takes its fields out of it: all of eight bytes. */
typedef struct row {
    double ends[6], percussion[3], moment[3];
    double force, position, length, drift, dissipated, work, stored;
    int64_t a, b, kind, group, broken;
} row;
enum { STRIDE = sizeof(row) / sizeof(double) };

typedef struct joints {
    scree_series series;
    scree_csv csv;
    row *rows;      /* (n) */
    double *points; /* (2 n x 3) */
    scree_series_cells cells;
    int64_t n, row_room, point_room, type_room, offset_room, end_room;
} joints;

static scree_status close_joints(void *self, scree_error *error) {
    joints *s = self;
    scree_series_close(&s->series);
    const scree_status status = scree_csv_close(&s->csv, error);
    free(s->rows);
    free(s->points);
    free(s->cells.types);
    free(s->cells.offsets);
    free(s->cells.connectivity);
    free(s);
    return status;
}

/* ---- the table ------------------------------------------------------------- */

static int group_count(const scree_output_context *context) {
    return 1 + context->source->n_net;
}

static void name_group(scree_csv *csv, const char *name) {
    static const char *const columns[] = {
        "_dissipated",   "_stored",     "_work",    "_force",
        "_anchor_force", "_most_force", "_stretch", "_broken"};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
        scree_csv_name(csv, ",", name, columns[k]);
}

static scree_status start_table(joints *s, const scree_output_context *context,
                                scree_error *error) {
    TRY(scree_csv_start(&s->csv, context, "joints.csv", error));
    if (context->resumes) return SCREE_OK;
    scree_csv_add(&s->csv, "step,time");
    name_group(&s->csv, "joints");
    for (int i = 0; i < context->source->n_net; i++)
        name_group(&s->csv, context->source->nets[i].name);
    return scree_csv_end_row(&s->csv, error);
}

static void add_groups(joints *s, const scree_output_context *context) {
    for (int group = 0; group < group_count(context); group++) {
        const scree_joint_sums t = scree_joint_sums_of(context->world, group);
        const double x[] = {t.dissipated,   t.stored,     t.work,   t.force,
                            t.anchor_force, t.most_force, t.stretch};
        scree_csv_numbers(&s->csv, x, sizeof x / sizeof *x);
        scree_csv_add(&s->csv, ",%" PRId64, t.broken);
    }
}

static scree_status write_row(joints *s, const scree_output_context *context,
                              scree_error *error) {
    const scree_world *world = context->world;
    const double time = scree_world_time(world);
    scree_csv_add(&s->csv, "%" PRId64, scree_world_steps(world));
    scree_csv_numbers(&s->csv, &time, 1);
    add_groups(s, context);
    return scree_csv_end_row(&s->csv, error);
}

/* ---- the series --------------------------------------------------------------- */

static scree_status reserve_all(joints *s, int64_t n) {
    scree_series_cells *c = &s->cells;
    TRY(scree_reserve(&s->rows, &s->row_room, n + 1, sizeof *s->rows));
    TRY(scree_reserve(&s->points, &s->point_room, 2 * n + 1,
                      3 * sizeof *s->points));
    TRY(scree_reserve(&c->types, &s->type_room, n + 1, sizeof *c->types));
    TRY(scree_reserve(&c->offsets, &s->offset_room, n + 1, sizeof *c->offsets));
    return scree_reserve(&c->connectivity, &s->end_room, 2 * n + 1,
                         sizeof *c->connectivity);
}

static row row_of(const scree_joint_view *v) {
    row r = {.force = v->force,
             .position = v->position,
             .length = v->length,
             .drift = v->drift,
             .dissipated = v->dissipated,
             .work = v->work,
             .stored = v->stored,
             .a = v->a,
             .b = v->b,
             .kind = v->kind,
             .group = v->group,
             .broken = v->broken};
    memcpy(r.ends, v->point_a, sizeof v->point_a);
    memcpy(r.ends + 3, v->point_b, sizeof v->point_b);
    memcpy(r.percussion, v->percussion, sizeof r.percussion);
    memcpy(r.moment, v->moment_percussion, sizeof r.moment);
    return r;
}

/* Broken joints are no lines any more. */
static void gather_rows(joints *s, const scree_world *world) {
    scree_series_cells *c = &s->cells;
    s->n = 0;
    c->offsets[0] = 0;
    for (int64_t k = 0; k < scree_world_joint_count(world); k++) {
        scree_joint_view v;
        if (scree_world_read_joint(world, k, &v) != SCREE_OK || v.broken)
            continue;
        const int64_t n = s->n++;
        s->rows[n] = row_of(&v);
        memcpy(&s->points[6 * n], s->rows[n].ends, sizeof s->rows[n].ends);
        c->types[n] = VTK_LINE;
        c->connectivity[2 * n] = 2 * n, c->connectivity[2 * n + 1] = 2 * n + 1;
        c->offsets[n + 1] = 2 * n + 2;
    }
    c->n = s->n;
}

static void write_fields(const joints *s, scree_hdf5_file *file) {
    const hid_t real = H5T_NATIVE_DOUBLE, id = H5T_NATIVE_INT64;
    const row *r = s->rows;
    const struct {
        const char *name;
        scree_hdf5_rows rows;
    } all[] = {{"percussion", {real, s->n, 3, STRIDE, r->percussion}},
               {"moment_percussion", {real, s->n, 3, STRIDE, r->moment}},
               {"force", {real, s->n, 1, STRIDE, &r->force}},
               {"position", {real, s->n, 1, STRIDE, &r->position}},
               {"length", {real, s->n, 1, STRIDE, &r->length}},
               {"drift", {real, s->n, 1, STRIDE, &r->drift}},
               {"dissipated", {real, s->n, 1, STRIDE, &r->dissipated}},
               {"work", {real, s->n, 1, STRIDE, &r->work}},
               {"stored", {real, s->n, 1, STRIDE, &r->stored}},
               {"a", {id, s->n, 1, STRIDE, &r->a}},
               {"b", {id, s->n, 1, STRIDE, &r->b}},
               {"kind", {id, s->n, 1, STRIDE, &r->kind}},
               {"group", {id, s->n, 1, STRIDE, &r->group}}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        scree_series_cell_data(file, all[k].name, &all[k].rows);
}

static scree_status write_lines(joints *s, const scree_output_context *context,
                                scree_error *error) {
    const int64_t n = scree_world_joint_count(context->world);
    if (reserve_all(s, n) != SCREE_OK)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "joints: out of memory for %" PRId64 " joints", n);
    gather_rows(s, context->world);
    const scree_hdf5_rows points = {H5T_NATIVE_DOUBLE, 2 * s->n, 3, 0,
                                    s->points};
    scree_hdf5_file *file =
        scree_series_begin_cells(&s->series, context, &points, 0, &s->cells);
    write_fields(s, file);
    return scree_series_end(&s->series, file, scree_world_time(context->world),
                            error);
}

/* ---- the sink -------------------------------------------------------------------- */

static scree_status open_joints(const scree_output_context *context,
                                void **self, scree_error *error) {
    joints *s = calloc(1, sizeof *s);
    if (!s)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "joints: out of memory");
    s->csv.fd = -1;
    scree_status status =
        scree_series_open(&s->series, context, "joints", error);
    if (status == SCREE_OK) status = start_table(s, context, error);
    if (status == SCREE_OK)
        *self = s;
    else
        close_joints(s, NULL);
    return status;
}

static scree_status write_joints(void *self,
                                 const scree_output_context *context,
                                 scree_error *error) {
    TRY(write_row(self, context, error));
    return write_lines(self, context, error);
}

static void archive_joints(void *self, scree_archive *a) {
    joints *s = self;
    scree_series_archive(&s->series, a);
    scree_csv_archive_part(&s->csv, a);
}

const scree_output_ops scree_output_joints = {
    .name = "joints",
    .about = "joints, cables and nets: joints.hdf.series, joints.csv",
    .open = open_joints,
    .write = write_joints,
    .close = close_joints,
    .archive = archive_joints};
