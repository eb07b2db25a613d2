/* describe.h: what results hold, in words. */
#ifndef SCREE_IO_DESCRIBE_H
#define SCREE_IO_DESCRIBE_H

#include <stdio.h>

#include "io/results/results.h"

/* Each series with its times and counts, and the fields of the chosen frame
 * with their ranges; then where all of it comes from. */
scree_status scree_describe(const scree_results *results,
                            const scree_frame_choice *choice, FILE *out,
                            scree_error *error);

#endif
