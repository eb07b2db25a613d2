/* series.c: rows of numbers in memory, which become a CSV file. */
#include <stdlib.h>
#include <string.h>

#include "cases/studies/study.h"
#include "io/output/csv_file.h"

static bool reserve(study *st, series *s) {
    if (s->n < s->room) return true;
    const size_t room = s->room ? 2 * s->room : 256;
    double *values =
        realloc(s->values, room * (size_t)s->columns * sizeof *values);
    if (!values) {
        scree_fail(&st->error, SCREE_OUT_OF_MEMORY, "study '%s': out of memory",
                   st->name);
        return false;
    }
    s->values = values;
    s->room = room;
    return true;
}

void series_put(study *st, series *s, const double *row, int columns) {
    if (st->error.status != SCREE_OK) return;
    s->columns = columns;
    if (!reserve(st, s)) return;
    const size_t n = (size_t)columns;
    memcpy(&s->values[s->n++ * n], row, n * sizeof *row);
}

const double *series_row(const series *s, size_t i) {
    return &s->values[i * (size_t)s->columns];
}

void series_free(series *s) {
    free(s->values);
    *s = (series){0};
}

static scree_status write_row(scree_csv *csv, const double *row, int columns,
                              scree_error *error) {
    for (int k = 0; k < columns; ++k)
        scree_csv_add(csv, k ? ",%.12g" : "%.12g", row[k]);
    return scree_csv_write(csv, error);
}

static scree_status write_all(scree_csv *csv, const series *s,
                              const char *header, scree_error *error) {
    scree_csv_add(csv, "%s", header);
    TRY(scree_csv_write(csv, error));
    for (size_t i = 0; i < s->n; ++i)
        TRY(write_row(csv, series_row(s, i), s->columns, error));
    return SCREE_OK;
}

/* scree_fail records; the first failure is the one to keep. */
void series_write(study *st, series *s, const char *file, const char *header) {
    scree_csv csv;
    scree_error late = {0};
    if (st->error.status == SCREE_OK) {
        if (scree_csv_open(&csv, st->folder, file, &st->error) == SCREE_OK)
            write_all(&csv, s, header, &st->error);
        scree_csv_close(&csv, st->error.status ? &late : &st->error);
    }
    series_free(s);
}
