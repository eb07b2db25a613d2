/* csv_table.h: reading the tables that runs write (io/output/csv_file.h): names in the
 * first line, numbers below. What is no number (a word, nothing) is NAN. */
#ifndef SCREE_IO_CSV_TABLE_H
#define SCREE_IO_CSV_TABLE_H

#include <stddef.h>

#include "engine/base/error.h"

typedef struct scree_csv_table {
    int n_column;
    size_t n_row;
    char **names;   /* (n_column) */
    double *values; /* (n_row x n_column) */
    char *text;     /* holds the names */
} scree_csv_table;

/* A last line that is not whole, of a run that is going on, is left out. The caller
 * frees, also after a failure. */
scree_status scree_csv_table_read(scree_csv_table *table, const char *path,
                                  scree_error *error);
void scree_csv_table_free(scree_csv_table *table);

/* The column of that name, or -1. */
int scree_csv_table_find(const scree_csv_table *table, const char *name);

#endif
