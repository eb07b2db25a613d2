/* model_hdf5.c: model.hdf5, the run as arrays.
 *
 *     time [n], dt [n], order [n], energy [n], residual [n]
 *     q [n, n_q], u, g, P, P_first, mode, iterations   attribute `columns`
 *     /scree                                           build, case, state
 *
 * The rows are kept in memory; the file is written whole now and then and at
 * the end, so it is complete at any time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "io/file/safe_file.h"
#include "io/hdf5/hdf5_file.h"
#include "io/output/model/model_output.h"

/* ---- channels: what a row holds ------------------------------------------ */

typedef scree_output_context context_t;

enum { MOST_CHANNELS = 12 };

typedef struct channel {
    const char *name;
    int columns;              /* 0: a one-dimensional array */
    const char *const *names; /* (columns) */
    bool whole;               /* int instead of double */
    /* Where a row comes from: the system's own numbers, or a copy of them. */
    const void *(*at)(const context_t *context, double *scratch);
    char *data;
} channel;

static const void *at_time(const context_t *c, double *scratch) {
    (void)scratch;
    return &c->system->t;
}
static const void *at_dt(const context_t *c, double *scratch) {
    (void)scratch;
    return &c->system->dt;
}
static const void *at_order(const context_t *c, double *scratch) {
    (void)scratch;
    return &c->system->order;
}
static const void *at_q(const context_t *c, double *scratch) {
    (void)scratch;
    return c->system->q;
}
static const void *at_u(const context_t *c, double *scratch) {
    (void)scratch;
    return c->system->u;
}
static const void *at_P(const context_t *c, double *scratch) {
    (void)scratch;
    return c->system->P;
}
static const void *at_P_first(const context_t *c, double *scratch) {
    (void)scratch;
    return c->system->P_first;
}
static const void *at_mode(const context_t *c, double *scratch) {
    (void)scratch;
    return c->system->mode;
}
static const void *at_iterations(const context_t *c, double *scratch) {
    (void)scratch;
    return c->system->iterations;
}
static const void *at_residual(const context_t *c, double *scratch) {
    (void)scratch;
    return &c->system->residual;
}
static const void *at_energy(const context_t *c, double *scratch) {
    *scratch = scree_model_energy(c->system);
    return scratch;
}
static const void *at_gaps(const context_t *c, double *scratch) {
    for (int i = 0; i < c->columns->n_gap; i++)
        scratch[i] = c->system->g[c->columns->laws[i]];
    return scratch;
}

typedef struct frames {
    context_t context; /* that it was opened with, for its end */
    char *path;
    channel channels[MOST_CHANNELS];
    int n_channel;
    int64_t n, room;      /* rows */
    double *scratch;      /* a row of gaps, or one number */
    double stored, pause; /* [s] of scree_clock; least between files */
} frames;

/* A table without columns is left out. */
static void add_table(frames *f, channel table) {
    if (table.columns > 0) f->channels[f->n_channel++] = table;
}

static void add_array(frames *f, channel array) {
    f->channels[f->n_channel++] = array;
}

static void list_channels(frames *f, const context_t *c) {
    static const char *const stages[] = {"stage_1", "stage_2"};
    const scree_model_ops *m = c->source->model;
    const scree_columns *k = c->columns;
    add_array(f, (channel){"time", .at = at_time});
    add_array(f, (channel){"dt", .at = at_dt});
    add_array(f, (channel){"order", .whole = true, .at = at_order});
    add_table(f, (channel){"q", m->n_q, m->q_names, .at = at_q});
    add_table(f, (channel){"u", m->n_u, m->u_names, .at = at_u});
    add_table(f, (channel){"g", k->n_gap, k->gaps, .at = at_gaps});
    add_table(f, (channel){"P", m->n_row, k->rows, .at = at_P});
    add_table(f, (channel){"P_first", m->n_row, k->rows, .at = at_P_first});
    add_table(f, (channel){"mode", m->n_row, k->rows, true, at_mode, NULL});
    add_table(f, (channel){"iterations", 2, stages, true, at_iterations, NULL});
    add_array(f, (channel){"residual", .at = at_residual});
    if (m->energy) add_array(f, (channel){"energy", .at = at_energy});
}

static size_t row_size(const channel *c) {
    const size_t columns = c->columns > 0 ? (size_t)c->columns : 1;
    return columns * (c->whole ? sizeof(int) : sizeof(double));
}

/* ---- rows in memory ------------------------------------------------------ */

static bool make_room(frames *f) {
    if (f->n < f->room) return true;
    const int64_t room = f->n < 128 ? 256 : 2 * f->n;
    for (int i = 0; i < f->n_channel; i++) {
        channel *c = &f->channels[i];
        char *data = realloc(c->data, (size_t)room * row_size(c));
        if (!data) return false;
        c->data = data;
    }
    f->room = room;
    return true;
}

static void keep_row(frames *f, const context_t *context) {
    for (int i = 0; i < f->n_channel; i++) {
        channel *c = &f->channels[i];
        const size_t size = row_size(c);
        memcpy(c->data + (size_t)f->n * size, c->at(context, f->scratch), size);
    }
    f->n++;
}

/* ---- the file ------------------------------------------------------------ */

static void put_channel(scree_hdf5_file *file, const channel *c, int64_t n) {
    const scree_hdf5_rows rows = {c->whole ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE,
                                  n, c->columns > 0 ? c->columns : 1, 0,
                                  c->data};
    if (c->columns == 0) {
        scree_hdf5_write(file, c->name, &rows);
        return;
    }
    scree_hdf5_write_table(file, c->name, &rows);
    scree_hdf5_attribute_texts(file, c->name, "columns", c->columns, c->names);
}

static void put_origin(scree_hdf5_file *file, const context_t *context) {
    const scree_case *c = context->source;
    const scree_dense *s = context->system;
    scree_hdf5_origin(file, c,
                      &(scree_hdf5_state){s->t, s->steps, scree_model_hash(s)});
    scree_hdf5_attribute_text(file, "scree", "model", c->model->name);
    scree_hdf5_attribute_text(file, "scree", "stepper", c->world.stepper);
}

/* Writing all rows again must stay a small part of the run, whatever their
 * number. */
static scree_status store_rows(frames *f, const context_t *context,
                               scree_error *error) {
    const double begun = scree_clock();
    scree_hdf5_file *file = scree_hdf5_create();
    for (int i = 0; i < f->n_channel; i++)
        put_channel(file, &f->channels[i], f->n);
    put_origin(file, context);
    const scree_status status = scree_hdf5_close(file, f->path, error);
    f->stored = scree_clock();
    f->pause = fmax(5.0, 20.0 * (f->stored - begun));
    return status;
}

/* ---- the output ---------------------------------------------------------- */

static const char file_name[] = "model.hdf5";

static void free_frames(frames *f) {
    for (int i = 0; i < f->n_channel; i++) free(f->channels[i].data);
    free(f->scratch);
    free(f->path);
    free(f);
}

static frames *make_frames(const context_t *context, const char *name) {
    frames *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->context = *context;
    list_channels(f, context);
    f->scratch =
        calloc((size_t)context->columns->n_gap + 1, sizeof *f->scratch);
    if (asprintf(&f->path, "%s/%s", context->folder, name) < 0) f->path = NULL;
    if (f->path && f->scratch) return f;
    free_frames(f);
    return NULL;
}

static scree_status no_memory(scree_error *error) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                      file_name);
}

static scree_status open_frames(const context_t *context, void **self,
                                scree_error *error) {
    frames *f = make_frames(context, file_name);
    if (!f) return no_memory(error);
    if (!context->resumes) scree_file_remove(f->path); /* of an earlier run */
    f->stored = scree_clock();
    f->pause = 5.0;
    *self = f;
    return SCREE_OK;
}

static scree_status write_frames(void *self, const context_t *context,
                                 scree_error *error) {
    frames *f = self;
    if (!make_room(f)) return no_memory(error);
    keep_row(f, context);
    if (scree_clock() - f->stored < f->pause) return SCREE_OK;
    return store_rows(f, context, error);
}

static scree_status close_frames(void *self, scree_error *error) {
    frames *f = self;
    const scree_status status = store_rows(f, &f->context, error);
    free_frames(self);
    return status;
}

/* All rows, because the file on disk may be older than they are. */
static void archive_frames(void *self, scree_archive *a) {
    frames *f = self;
    f->n = scree_archive_count(a, f->channels[0].name, f->n);
    if (!make_room(f))
        scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                           file_name);
    for (int i = 0; i < f->n_channel; i++) {
        channel *c = &f->channels[i];
        scree_archive_array(a, c->name, c->whole ? SCREE_I32 : SCREE_F64, f->n,
                            c->columns > 0 ? c->columns : 1, c->data);
    }
}

scree_status scree_model_write_state(const scree_output_context *context,
                                     const char *name, scree_error *error) {
    frames *f = make_frames(context, name);
    if (!f) return no_memory(error);
    scree_status status = make_room(f) ? SCREE_OK : no_memory(error);
    if (status == SCREE_OK) {
        keep_row(f, context);
        status = store_rows(f, context, error);
    }
    free_frames(f);
    return status;
}

const scree_output_ops scree_model_hdf5 = {.name = "frames",
                                           .file = file_name,
                                           .open = open_frames,
                                           .write = write_frames,
                                           .close = close_frames,
                                           .archive = archive_frames};
