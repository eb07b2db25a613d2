/* results_read.c: fields of frames, for programs of others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/results/results.h"

static const char POSITION[] = "position";

const char *scree_results_series(const scree_results *results, int i) {
    return i >= 0 && i < results->n_series ? results->series[i].name : NULL;
}

int scree_results_count(const scree_results *results, const char *series) {
    const scree_result_series *found;
    const bool is =
        scree_results_find(results, series, &found, NULL) == SCREE_OK;
    return is ? found->n_frame : -1;
}

double scree_results_time(const scree_results *results, const char *series,
                          int frame) {
    const scree_result_series *found;
    if (scree_results_find(results, series, &found, NULL) != SCREE_OK ||
        frame < 0 || frame >= found->n_frame)
        return NAN;
    return found->frames[frame].time;
}

/* An open file, and what of it is meant. */
typedef struct place {
    scree_frame_file *file;
    int frame;
    const scree_frame_field *field; /* NULL: the points */
} place;

static scree_status find_field(place *at, const char *field,
                               scree_error *error) {
    at->field = NULL;
    if (strcmp(field, POSITION) == 0) return SCREE_OK;
    at->field = scree_frame_find(at->file, field);
    REQUIRE(at->field, "field: %.300s has no field '%.64s'", at->file->path,
            field);
    return SCREE_OK;
}

static scree_status open_place(const scree_results *results, const char *series,
                               int frame, const char *field, place *at,
                               scree_error *error) {
    const scree_result_series *found;
    REQUIRE(field, "field is NULL");
    TRY(scree_results_find(results, series, &found, error));
    REQUIRE(frame >= 0 && frame < found->n_frame,
            "frame: %.64s has no frame %d, but 0 to %d", found->name, frame,
            found->n_frame - 1);
    const scree_result_frame *f = &found->frames[frame];
    at->frame = f->index;
    TRY(scree_frame_open(f->path, &at->file, error));
    scree_status status = scree_frame_want_grid(at->file, error);
    if (status == SCREE_OK) status = find_field(at, field, error);
    if (status != SCREE_OK) scree_frame_close(at->file);
    return status;
}

static char *list_fields(const scree_frame_file *file) {
    const size_t each = SCREE_FIELD_NAME_BYTES + 1;
    char *text = calloc((size_t)file->n_field + 2, each);
    char *end = text;
    if (!text) return NULL;
    end += sprintf(end, "%s\n", POSITION);
    for (int i = 0; i < file->n_field; i++)
        end += sprintf(end, "%s\n", file->fields[i].name);
    return text;
}

scree_status scree_results_fields(const scree_results *results,
                                  const char *series, int frame, char **names,
                                  scree_error *error) {
    place at;
    TRY(open_place(results, series, frame, POSITION, &at, error));
    *names = list_fields(at.file);
    scree_frame_close(at.file);
    if (*names) return SCREE_OK;
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
}

scree_status scree_results_size(const scree_results *results,
                                const char *series, int frame,
                                const char *field, int64_t *rows, int *columns,
                                scree_error *error) {
    place at;
    TRY(open_place(results, series, frame, field, &at, error));
    *rows = at.field ? scree_frame_rows(at.file, at.frame, at.field)
                     : at.file->frames[at.frame].points;
    *columns = at.field ? at.field->columns : 3;
    scree_frame_close(at.file);
    return SCREE_OK;
}

scree_status scree_results_read(const scree_results *results,
                                const char *series, int frame,
                                const char *field, double *values,
                                scree_error *error) {
    place at;
    TRY(open_place(results, series, frame, field, &at, error));
    const scree_status status =
        scree_frame_read(at.file, at.frame, at.field, values, error);
    scree_frame_close(at.file);
    return status;
}
