#include "io/report/csv_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/text_file.h"

static size_t count_byte(const char *text, char byte) {
    size_t n = 0;
    for (; (text = strchr(text, byte)); text++) n++;
    return n;
}

static double number_of(const char *field) {
    char *end;
    const double x = strtod(field, &end);
    return end != field && !*end ? x : NAN;
}

static bool make_room(scree_csv_table *t, const char *head, size_t lines) {
    t->n_column = (int)count_byte(head, ',') + 1;
    t->names = calloc((size_t)t->n_column, sizeof *t->names);
    t->values = calloc(lines + 1, (size_t)t->n_column * sizeof *t->values);
    return t->names && t->values;
}

/* Fields that are missing are NAN; more than there are columns do not count. */
static void read_row(scree_csv_table *t, char *line) {
    double *row = &t->values[t->n_row * (size_t)t->n_column];
    for (int c = 0; c < t->n_column; c++) {
        const char *field = strsep(&line, ",");
        row[c] = field ? number_of(field) : NAN;
    }
    t->n_row++;
}

static bool read_lines(scree_csv_table *t) {
    char *rest = t->text, *head = strsep(&rest, "\n");
    if (!make_room(t, head, rest ? count_byte(rest, '\n') : 0)) return false;
    for (int c = 0; c < t->n_column; c++) t->names[c] = strsep(&head, ",");
    while (rest) {
        char *line = strsep(&rest, "\n");
        if (rest) read_row(t, line); /* a newline ends it: it is whole */
    }
    return true;
}

scree_status scree_csv_table_read(scree_csv_table *table, const char *path,
                                  scree_error *error) {
    scree_text text;
    *table = (scree_csv_table){0};
    TRY(scree_text_read(&text, path, error));
    table->text = text.bytes; /* as far as a NUL, which no run writes */
    if (read_lines(table)) return SCREE_OK;
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "%.400s: out of memory",
                      path);
}

void scree_csv_table_free(scree_csv_table *table) {
    free(table->names);
    free(table->values);
    free(table->text);
    *table = (scree_csv_table){0};
}

int scree_csv_table_find(const scree_csv_table *table, const char *name) {
    for (int c = 0; c < table->n_column; c++)
        if (strcmp(table->names[c], name) == 0) return c;
    return -1;
}
