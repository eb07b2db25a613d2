/* fclib_file.h: arrays of an FCLIB file, checked. */
#ifndef SCREE_IO_FCLIB_FILE_H
#define SCREE_IO_FCLIB_FILE_H

#include "io/fclib/fclib.h"
#include "io/fclib/fclib_reader.h"

typedef struct scree_fclib_file {
    scree_fclib_reader reader;
    const char *path;
    scree_arena *arena; /* all that is read lives here */
    scree_error *error;
} scree_fclib_file;

/* Entries of a matrix, every index inside m x n and every value finite. */
typedef struct scree_fclib_matrix {
    int64_t m, n, count;
    scree_entry *entries; /* (count) */
} scree_fclib_matrix;

scree_status scree_fclib_open(scree_fclib_file *file, const char *path,
                              scree_arena *arena, scree_error *error);
/* What came of it: `status`, or that the file has made HDF5 crash, whatever
 * else was found wrong. */
scree_status scree_fclib_close(scree_fclib_file *file, scree_status status);
bool scree_fclib_has(scree_fclib_file *file, const char *name);

/* Fails with file and dataset named. */
scree_status scree_fclib_bad(const scree_fclib_file *file, const char *name,
                             const char *reason);
/* Room in the file's arena. */
scree_status scree_fclib_room(scree_fclib_file *file, size_t bytes,
                              void *pointer);

scree_status scree_fclib_read_int(scree_fclib_file *file, const char *name,
                                  int64_t *value);
/* Exactly n finite numbers, or any number of them with n = -1. */
scree_status scree_fclib_read_numbers(scree_fclib_file *file, const char *name,
                                      int64_t n, double **values,
                                      int64_t *found);
scree_status scree_fclib_read_matrix(scree_fclib_file *file, const char *name,
                                     scree_fclib_matrix *matrix);
/* A text; empty if it is not there. */
void scree_fclib_read_text(scree_fclib_file *file, const char *name, char *text,
                           size_t size);

/* What a global problem is read into, spacedim not yet padded. */
typedef struct scree_fclib_global {
    scree_fclib_matrix M, H, G; /* G.n = 0: none */
    const double *f, *w, *b;
} scree_fclib_global;

/* W and q of the local problem; entries of W in the file's arena. */
scree_status scree_fclib_reduce(scree_fclib_file *file,
                                const scree_fclib_global *g,
                                scree_fclib_matrix *W, double *q);

#endif
