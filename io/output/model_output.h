/* model_output.h: what a run of a model writes.
 *
 *     scalars   model.csv    a row per writing
 *     frames    model.hdf5   the same as arrays, with the case
 */
#ifndef SCREE_IO_MODEL_OUTPUT_H
#define SCREE_IO_MODEL_OUTPUT_H

#include "engine/base/archive.h"
#include "io/case/case.h"
#include "io/case/case_pool.h"

/* Names of the columns; rows are plane_N, plane_F1, ..., hinge. */
typedef struct scree_columns {
    int n_gap;               /* laws that have one */
    const int *laws;         /* (n_gap) their numbers */
    const char *const *gaps; /* (n_gap) */
    const char *const *rows; /* (n_row) */
} scree_columns;

/* False when there is no memory. The names live as long as the pool. */
bool scree_columns_make(const scree_dense *system, scree_pool *pool,
                        scree_columns *columns);

typedef struct scree_model_context {
    const char *folder; /* exists */
    const scree_case *source;
    const scree_dense *system;
    const scree_columns *columns;
    bool resumes; /* as in io/output/output.h */
} scree_model_context;

typedef struct scree_model_output_ops {
    const char *name; /* key in the case file's `outputs` */
    const char *file; /* in the folder */
    scree_status (*open)(const scree_model_context *context, void **self,
                         scree_error *error);
    scree_status (*write)(void *self, const scree_model_context *context,
                          scree_error *error);
    /* Closes and frees; also after a failed write. */
    scree_status (*close)(void *self, const scree_model_context *context,
                          scree_error *error);
    /* As in io/output/output.h. */
    void (*archive)(void *self, scree_archive *archive);
} scree_model_output_ops;

const scree_model_output_ops *scree_model_output_find(const char *name);

/* The state alone, as a file of one row like those of `frames`. */
scree_status scree_model_write_state(const scree_model_context *context,
                                     const char *name, scree_error *error);

/* Kinetic plus potential energy; NAN where the model has none. */
double scree_model_energy(const scree_dense *system);
/* Hash over t, q and u: equal bits give equal hashes. */
uint64_t scree_model_hash(const scree_dense *system);

#endif
