/* run_broken.h: the state with which a run broke off, because it is no longer
 * finite or a body runs away: broken-000000000601.hdf of a world, .hdf5 of a
 * model, a sealed file of its own. The outputs of the run do not get such a
 * state: what reads them would have to live with it. */
#ifndef SCREE_IO_RUN_BROKEN_H
#define SCREE_IO_RUN_BROKEN_H

#include "io/output/output.h"

typedef struct scree_broken_name {
    char text[48];
} scree_broken_name;

/* The name in the folder; `ending` with its dot. */
scree_broken_name scree_broken_file(int64_t step, const char *ending);

/* Removes those that an earlier part or run left: this one may pass there. */
void scree_broken_clear(const char *folder);

/* Adds to `error` where the state was written to, or why it was not: it is what
 * the user has to look at. */
void scree_broken_tell(scree_error *error, scree_status written,
                       const char *folder, const scree_broken_name *name,
                       const scree_error *failure);

/* Writes the bodies of a world, and adds what became of it. Collective. */
void scree_broken_save(const scree_output_context *context, scree_error *error);

#endif
