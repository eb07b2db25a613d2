/* output_frames.c: the bodies as a ParaView series, bodies_000000.hdf, ... */
#include <math.h>
#include <stdlib.h>

#include "engine/measure/bodies.h"
#include "engine/world/view.h"
#include "io/hdf5/hdf5_file.h"

enum {
    KEPT = SCREE_BODY_STATE_WIDTH,
    DOUBLES_PER_BODY = 3 + 4 + 3 + 3 + 1 + 1 + 1 + 1 + KEPT
};

/* In this order a case numbers them. */
enum {
    RADIUS,
    VELOCITY,
    SPEED,
    ANGULAR_VELOCITY,
    ORIENTATION,
    MATERIAL,
    SHAPE,
    ID,
    MASS,
    VOLUME,
    ALWAYS, /* those below must be asked for: columns of scree_measure_bodies */
    KINETIC = ALWAYS,
    ROTATION,
    POTENTIAL,
    TOUCHES,
    STRESS,
    FIELDS
};
static const char *const fields[FIELDS + 1] = {"radius",
                                               "velocity",
                                               "speed",
                                               "angular_velocity",
                                               "orientation",
                                               "material",
                                               "shape",
                                               "id",
                                               "mass",
                                               "volume",
                                               "kinetic_energy",
                                               "rotational_energy",
                                               "potential_energy",
                                               "coordination",
                                               "stress"};
/* What each of those that must be asked for is there. */
static const struct measure {
    int first, columns;
} measures[FIELDS - ALWAYS] = {{SCREE_BODY_KINETIC, 1},
                               {SCREE_BODY_ROTATION, 1},
                               {SCREE_BODY_POTENTIAL, 1},
                               {SCREE_BODY_TOUCHES, 1},
                               {SCREE_BODY_STRESS, 9}};

typedef struct frames {
    scree_series series;
    int64_t room;
    double *values;  /* (room x DOUBLES_PER_BODY), cut into arrays by `cut` */
    int32_t *labels; /* (room x 2) material, then shape */
    int64_t *ids;    /* (room) */
    int64_t measured_room;
    double *measured; /* (n x SCREE_BODY_WIDTH) if it is asked for */
} frames;

static scree_status open_frames(const scree_output_context *context,
                                void **self, scree_error *error) {
    frames *f = calloc(1, sizeof *f);
    if (!f)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "frames: out of memory");
    const scree_status status =
        scree_series_open(&f->series, context, "bodies", error);
    if (status == SCREE_OK)
        *self = f;
    else
        free(f);
    return status;
}

static scree_status close_frames(void *self, scree_error *error) {
    (void)error;
    frames *f = self;
    scree_series_close(&f->series);
    free(f->values);
    free(f->labels);
    free(f->ids);
    free(f->measured);
    free(f);
    return SCREE_OK;
}

static scree_status no_memory(scree_error *error, int64_t n) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY,
                      "frames: out of memory for %lld bodies", (long long)n);
}

/* Half as much again, so that a pour does not grow the buffers each time. */
static scree_status reserve_rows(frames *f, int64_t n, scree_error *error) {
    if (f->values && n <= f->room) return SCREE_OK;
    const size_t room = (size_t)n + (size_t)n / 2 + 1;
    double *values =
        realloc(f->values, room * DOUBLES_PER_BODY * sizeof *values);
    if (values) f->values = values;
    int32_t *labels = realloc(f->labels, 2 * room * sizeof *labels);
    if (labels) f->labels = labels;
    int64_t *ids = realloc(f->ids, room * sizeof *ids);
    if (ids) f->ids = ids;
    if (!values || !labels || !ids) return no_memory(error, n);
    f->room = (int64_t)room;
    return SCREE_OK;
}

/* Cuts the next (n x columns) array off the buffer. */
static double *cut_array(double **rest, int64_t n, int columns) {
    double *array = *rest;
    *rest += n * columns;
    return array;
}

static void measure_speed(const scree_state_view *view, double *speed,
                          int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        const double *v = view->velocity + 3 * i;
        speed[i] = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
}

/* By the densities of the materials. */
static void measure_volume(const scree_state_view *view,
                           const scree_world *world, double *volume,
                           int64_t n) {
    const scree_material_def *materials = scree_world_view_of(world).materials;
    for (int64_t i = 0; i < n; i++)
        volume[i] = view->mass[i] / materials[view->material[i]].density;
}

/* The arrays of all fields, row i is that of body i of the block. What laws keep lies at
 * the end. */
static scree_status gather_fields(frames *f,
                                  const scree_output_context *context,
                                  int64_t n, scree_hdf5_rows *points,
                                  scree_hdf5_rows data[FIELDS]) {
    const scree_world *world = context->world;
    const bool unwrapped = context->output && context->output->unwrapped;
    double *rest = f->values, *position = cut_array(&rest, n, 3);
    const scree_state_view view = {.position = unwrapped ? NULL : position,
                                   .unwrapped = unwrapped ? position : NULL,
                                   .orientation = cut_array(&rest, n, 4),
                                   .velocity = cut_array(&rest, n, 3),
                                   .angular_velocity = cut_array(&rest, n, 3),
                                   .radius = cut_array(&rest, n, 1),
                                   .mass = cut_array(&rest, n, 1),
                                   .id = f->ids,
                                   .kept = f->values +
                                           n * (DOUBLES_PER_BODY - KEPT),
                                   .material = f->labels,
                                   .shape = f->labels + n};
    double *speed = cut_array(&rest, n, 1), *volume = cut_array(&rest, n, 1);
    TRY(scree_world_read_state(world, &view));
    measure_speed(&view, speed, n);
    measure_volume(&view, world, volume, n);

    const hid_t real = H5T_NATIVE_DOUBLE, label = H5T_NATIVE_INT32,
                number = H5T_NATIVE_INT64;
    *points = (scree_hdf5_rows){real, n, 3, 0, position};
    data[RADIUS] = (scree_hdf5_rows){real, n, 1, 0, view.radius};
    data[VELOCITY] = (scree_hdf5_rows){real, n, 3, 0, view.velocity};
    data[SPEED] = (scree_hdf5_rows){real, n, 1, 0, speed};
    data[ANGULAR_VELOCITY] =
        (scree_hdf5_rows){real, n, 3, 0, view.angular_velocity};
    data[ORIENTATION] = (scree_hdf5_rows){real, n, 4, 0, view.orientation};
    data[MATERIAL] = (scree_hdf5_rows){label, n, 1, 0, view.material};
    data[SHAPE] = (scree_hdf5_rows){label, n, 1, 0, view.shape};
    data[ID] = (scree_hdf5_rows){number, n, 1, 0, view.id};
    data[MASS] = (scree_hdf5_rows){real, n, 1, 0, view.mass};
    data[VOLUME] = (scree_hdf5_rows){real, n, 1, 0, volume};
    return SCREE_OK;
}

/* What the laws of the world keep of bodies, under their names. */
static void write_kept(const frames *f, const scree_output_context *context,
                       int64_t n, scree_hdf5_file *file) {
    const scree_state_fields k = scree_world_body_fields(context->world);
    const double *kept = f->values + n * (DOUBLES_PER_BODY - KEPT);
    for (int i = 0; i < k.n; i++) {
        const scree_hdf5_rows rows = {H5T_NATIVE_DOUBLE, n, k.list[i].columns,
                                      KEPT,
                                      kept + k.list[i].offset / sizeof(double)};
        scree_series_data(file, k.list[i].name, &rows);
    }
}

static bool is_asked_for(const scree_output_context *context, int field) {
    const scree_case_output *output = context->output;
    return output && (output->fields >> field & 1);
}

/* Those that must be asked for, if one is. Collective. */
static scree_status gather_measures(frames *f,
                                    const scree_output_context *context,
                                    int64_t n, scree_hdf5_rows data[FIELDS]) {
    bool any = false;
    for (int i = ALWAYS; i < FIELDS; i++) any = any || is_asked_for(context, i);
    if (!any) return SCREE_OK;
    TRY(scree_comm_agree(scree_output_comm(context),
                         scree_reserve(&f->measured, &f->measured_room, n + 1,
                                       SCREE_BODY_WIDTH * sizeof(double)),
                         NULL));
    for (int i = ALWAYS; i < FIELDS; i++)
        data[i] = (scree_hdf5_rows){
            H5T_NATIVE_DOUBLE, n, measures[i - ALWAYS].columns,
            SCREE_BODY_WIDTH, f->measured + measures[i - ALWAYS].first};
    return scree_measure_bodies(context->world, f->measured);
}

static bool is_written(const scree_output_context *context, int field) {
    return field < ALWAYS ? scree_output_wants(context, field)
                          : is_asked_for(context, field);
}

/* A frame with all that the case wants of it, still open. */
static scree_status fill_frame(frames *f, const scree_output_context *context,
                               scree_hdf5_file **file, scree_error *error) {
    const int64_t n = scree_world_block(context->world).n;
    const scree_comm *comm = scree_output_comm(context);
    TRY(scree_comm_agree(comm, reserve_rows(f, n, error), error));
    scree_hdf5_rows points, data[FIELDS];
    scree_status status = gather_fields(f, context, n, &points, data);
    if (status == SCREE_OK) status = gather_measures(f, context, n, data);
    if (status != SCREE_OK) no_memory(error, n);
    TRY(scree_comm_agree(comm, status, error));
    *file = scree_series_begin(&f->series, context, &points);
    for (int i = 0; i < FIELDS; i++)
        if (is_written(context, i))
            scree_series_data(*file, fields[i], &data[i]);
    if (!context->output || !context->output->fields) /* all */
        write_kept(f, context, n, *file);
    return SCREE_OK;
}

static scree_status write_frames(void *self,
                                 const scree_output_context *context,
                                 scree_error *error) {
    frames *f = self;
    scree_hdf5_file *file;
    TRY(fill_frame(f, context, &file, error));
    return scree_series_end(&f->series, file, scree_world_time(context->world),
                            error);
}

static scree_status close_alone(const scree_comm *comm, scree_hdf5_file *file,
                                const char *path, scree_error *error) {
    if (!scree_comm_any(comm, !file))
        return scree_hdf5_close(file, path, error);
    scree_hdf5_drop(file);
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", path);
}

scree_status scree_output_frame(const scree_output_context *context,
                                const char *path, scree_error *error) {
    frames f = {.series = {.comm = scree_output_comm(context)}};
    scree_hdf5_file *file;
    scree_status status = fill_frame(&f, context, &file, error);
    if (status == SCREE_OK)
        status = close_alone(f.series.comm, file, path, error);
    scree_series_close(&f.series);
    free(f.values);
    free(f.labels);
    free(f.ids);
    free(f.measured);
    return status;
}

static void archive_frames(void *self, scree_archive *a) {
    scree_series_archive(&((frames *)self)->series, a);
}

const scree_output_ops scree_output_frames = {
    .name = "frames",
    .about = "bodies for ParaView: bodies.hdf.series, one VTKHDF file a frame",
    .fields = fields,
    .open = open_frames,
    .write = write_frames,
    .close = close_frames,
    .archive = archive_frames};
