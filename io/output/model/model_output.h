/* model_output.h: what a run of a model writes.
 *
 *     scalars   model.csv    a row per writing
 *     frames    model.hdf5   the same as arrays, with the case
 */
#ifndef SCREE_IO_MODEL_OUTPUT_H
#define SCREE_IO_MODEL_OUTPUT_H

#include "io/case/yaml/case_pool.h"
#include "io/output/output.h"

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

/* The sinks of models, by the key in `outputs`. */
const scree_output_ops *scree_model_output_find(const char *name);

/* The state alone, as a file of one row like those of `frames`. */
scree_status scree_model_write_state(const scree_output_context *context,
                                     const char *name, scree_error *error);

/* Kinetic plus potential energy; NAN where the model has none. */
double scree_model_energy(const scree_dense *system);
/* Hash over t, q and u: equal bits give equal hashes. */
uint64_t scree_model_hash(const scree_dense *system);

#endif
