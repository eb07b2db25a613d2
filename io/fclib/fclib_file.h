/* fclib_file.h: arrays of an FCLIB file, checked. */
#ifndef SCREE_IO_FCLIB_FILE_H
#define SCREE_IO_FCLIB_FILE_H

#include "io/fclib/fclib.h"
#include "io/fclib/fclib_reader.h"

typedef struct fclib_file {
    fclib_reader reader;
    const char *path;
    scree_arena *arena; /* all that is read lives here */
    scree_error *error;
} fclib_file;

/* Entries of a matrix, every index inside m x n and every value finite. */
typedef struct fclib_matrix {
    int64_t m, n, count;
    scree_entry *entries; /* (count) */
} fclib_matrix;

scree_status fclib_open(fclib_file *file, const char *path, scree_arena *arena,
                        scree_error *error);
/* What came of it: `status`, or that the file has made HDF5 crash, whatever
 * else was found wrong. */
scree_status fclib_close(fclib_file *file, scree_status status);
bool fclib_has(fclib_file *file, const char *name);

/* Fails with file and dataset named. */
scree_status fclib_bad(const fclib_file *file, const char *name,
                       const char *reason);
/* Room in the file's arena. */
scree_status fclib_room(fclib_file *file, size_t bytes, void *pointer);

scree_status fclib_read_int(fclib_file *file, const char *name, int64_t *value);
/* Exactly n finite numbers, or any number of them with n = -1. */
scree_status fclib_read_numbers(fclib_file *file, const char *name, int64_t n,
                                double **values, int64_t *found);
scree_status fclib_read_matrix(fclib_file *file, const char *name,
                               fclib_matrix *matrix);
/* A text; empty if it is not there. */
void fclib_read_text(fclib_file *file, const char *name, char *text,
                     size_t size);

/* What a global problem is read into, spacedim not yet padded. */
typedef struct fclib_global {
    fclib_matrix M, H, G; /* G.n = 0: none */
    const double *f, *w, *b;
} fclib_global;

/* W and q of the local problem; entries of W in the file's arena. */
scree_status fclib_reduce(fclib_file *file, const fclib_global *g,
                          fclib_matrix *W, double *q);

#endif
