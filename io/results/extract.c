#include "io/results/extract.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/case/yaml/case_message.h"

/* ---- a table ------------------------------------------------------------- */

/* One column group of the table. */
typedef struct column {
    const scree_frame_field *field; /* NULL: place */
    double *values;
    int64_t *integers;
} column;

typedef struct table {
    const scree_frame_file *file;
    int frame;
    bool on_cells;
    int64_t rows;
    int n;
    column *columns;
} table;

static const char *field_at(const void *from, int i) {
    const scree_frame_file *file = from;
    return i < file->n_field ? file->fields[i].name : NULL;
}

static scree_status unknown_field(const table *t, const char *name,
                                  scree_error *error) {
    const scree_names names = {field_at, t->file};
    scree_fail(error, SCREE_BAD_INPUT, "%.500s: no field '%s'", t->file->path,
               scree_quote(name).text);
    scree_hint_names(error, "there are", names);
    scree_hint_nearest(error, name, names);
    return SCREE_BAD_INPUT;
}

static scree_status add_field(table *t, const scree_frame_field *field,
                              scree_error *error) {
    if (t->n > 1 && field->on_cells != t->on_cells)
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%.500s: '%s' is on %s, the fields before it are not",
                          t->file->path, field->name,
                          field->on_cells ? "cells" : "points");
    t->on_cells = field->on_cells;
    t->columns[t->n++].field = field;
    return SCREE_OK;
}

static scree_status choose_all(table *t, scree_error *error) {
    const scree_frame_file *file = t->file;
    const bool on_cells = file->n_field > 0 && file->fields[0].on_cells;
    for (int i = 0; i < file->n_field; i++)
        if (file->fields[i].on_cells == on_cells)
            TRY(add_field(t, &file->fields[i], error));
    return SCREE_OK;
}

static scree_status choose_listed(table *t, char *list, scree_error *error) {
    char *rest;
    for (char *name = strtok_r(list, ",", &rest); name;
         name = strtok_r(NULL, ",", &rest)) {
        const scree_frame_field *field = scree_frame_find(t->file, name);
        if (!field) return unknown_field(t, name, error);
        TRY(add_field(t, field, error));
    }
    return SCREE_OK;
}

static scree_status no_memory(const table *t, scree_error *error) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "%.500s: out of memory",
                      t->file->path);
}

static scree_status choose_columns(table *t, const char *fields,
                                   scree_error *error) {
    const size_t most =
        (fields ? strlen(fields) : (size_t)t->file->n_field) + 2;
    t->columns = calloc(most, sizeof *t->columns);
    char *list = strdup(fields ? fields : "");
    if (!t->columns || !list) {
        free(list);
        return no_memory(t, error);
    }
    t->n = 1; /* the place */
    const scree_status status =
        fields ? choose_listed(t, list, error) : choose_all(t, error);
    free(list);
    const scree_frame_place *f = &t->file->frames[t->frame];
    t->rows = t->on_cells ? f->cells : f->points;
    return status;
}

/* The mean of the corners of each cell. */
static void average_corners(const scree_frame_place *f, const double *points,
                            const int64_t *offsets, const int64_t *connectivity,
                            double *middle) {
    for (int64_t i = 0; i < f->cells; i++) {
        const int64_t corners = offsets[i + 1] - offsets[i];
        for (int c = 0; c < 3; c++) {
            double sum = 0;
            for (int64_t k = offsets[i]; k < offsets[i + 1]; k++)
                sum += points[3 * connectivity[k] + c];
            middle[3 * i + c] = sum / (double)(corners > 0 ? corners : 1);
        }
    }
}

static bool cells_are_sound(const scree_frame_place *f, const int64_t *offsets,
                            const int64_t *connectivity) {
    bool sound = offsets[0] == 0 && offsets[f->cells] == f->ids;
    for (int64_t i = 0; i < f->cells && sound; i++)
        sound = offsets[i] <= offsets[i + 1];
    for (int64_t k = 0; k < f->ids && sound; k++)
        sound = connectivity[k] >= 0 && connectivity[k] < f->points;
    return sound;
}

static scree_status read_middles(const table *t, double *middle,
                                 scree_error *error) {
    const scree_frame_place *f = &t->file->frames[t->frame];
    double *points = calloc(3 * (size_t)f->points + 1, sizeof *points);
    int64_t *offsets = calloc((size_t)f->cells + 1, sizeof *offsets),
            *ids = calloc((size_t)f->ids + 1, sizeof *ids);
    uint8_t *types = calloc((size_t)f->cells + 1, 1);
    scree_status status =
        points && offsets && ids && types ? SCREE_OK : no_memory(t, error);
    if (status == SCREE_OK)
        status = scree_frame_read(t->file, t->frame, NULL, points, error);
    if (status == SCREE_OK)
        status = scree_frame_read_cells(t->file, t->frame, offsets, ids, types,
                                        error);
    if (status == SCREE_OK && !cells_are_sound(f, offsets, ids))
        status = scree_fail(error, SCREE_BAD_INPUT,
                            "%.500s: cells that join points that are not there",
                            t->file->path);
    if (status == SCREE_OK) average_corners(f, points, offsets, ids, middle);
    free(points);
    free(offsets);
    free(ids);
    free(types);
    return status;
}

static scree_status read_column(const table *t, column *c, scree_error *error) {
    const size_t n =
        (size_t)t->rows * (size_t)(c->field ? c->field->columns : 3) + 1;
    if (c->field && c->field->integer) {
        c->integers = calloc(n, sizeof *c->integers);
        if (!c->integers) return no_memory(t, error);
        return scree_frame_read_integers(t->file, t->frame, c->field,
                                         c->integers, error);
    }
    c->values = calloc(n, sizeof *c->values);
    if (!c->values) return no_memory(t, error);
    if (!c->field && t->on_cells) return read_middles(t, c->values, error);
    return scree_frame_read(t->file, t->frame, c->field, c->values, error);
}

static void print_head(const table *t, FILE *out) {
    char name[16];
    fprintf(out, "x,y,z");
    for (int i = 1; i < t->n; i++) {
        const scree_frame_field *f = t->columns[i].field;
        for (int c = 0; c < f->columns; c++)
            fprintf(out, ",%s%s", f->name,
                    scree_frame_column(f->columns, c, name));
    }
    fprintf(out, "\n");
}

static void print_cells(const column *c, int64_t row, FILE *out) {
    const int columns = c->field ? c->field->columns : 3;
    for (int k = 0; k < columns; k++) {
        const int64_t i = row * columns + k;
        if (c->field || k > 0) fputc(',', out);
        if (c->integers)
            fprintf(out, "%" PRId64, c->integers[i]);
        else
            fprintf(out, "%.17g", c->values[i]);
    }
}

static scree_status print_table(table *t, FILE *out, scree_error *error) {
    for (int i = 0; i < t->n; i++) TRY(read_column(t, &t->columns[i], error));
    print_head(t, out);
    for (int64_t row = 0; row < t->rows; row++) {
        for (int i = 0; i < t->n; i++) print_cells(&t->columns[i], row, out);
        fputc('\n', out);
    }
    return SCREE_OK;
}

scree_status scree_extract(const scree_frame_file *file, int frame,
                           const char *fields, FILE *out, scree_error *error) {
    table t = {.file = file, .frame = frame};
    TRY(scree_frame_want_grid(file, error));
    scree_status status = choose_columns(&t, fields, error);
    if (status == SCREE_OK) status = print_table(&t, out, error);
    for (int i = 0; i < t.n; i++) {
        free(t.columns[i].values);
        free(t.columns[i].integers);
    }
    free(t.columns);
    return status;
}
