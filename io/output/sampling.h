/* sampling.h: states that a sink takes a mean of, between two writings.
 *
 * A sink with samples adds up what it finds in each, in its `watch`, and writes sums over
 * their number; without, it takes the state at hand. */
#ifndef SCREE_IO_SAMPLING_H
#define SCREE_IO_SAMPLING_H

#include "io/output/output.h"

typedef struct scree_sampling {
    double n; /* samples in the sums, 0: none */
} scree_sampling;

/* Is the state after this step a sample? */
bool scree_sampling_is_due(const scree_output_context *context);

/* Before a writing, with `sums` of `size` doubles. Must the state of now be added?
 * Clears the sums first where they hold it alone. */
bool scree_sampling_begin(scree_sampling *s,
                          const scree_output_context *context, double *sums,
                          size_t size);
/* After it: the next mean begins, or this one goes on. */
void scree_sampling_end(scree_sampling *s, const scree_output_context *context,
                        double *sums, size_t size);

/* Sums are the same on all ranks. */
void scree_sampling_archive(scree_sampling *s, double *sums, int64_t rows,
                            int columns, scree_archive *a);

#endif
