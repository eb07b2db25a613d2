/* run_broken.h: the state with which a run broke off, because it is no longer
 * finite or a body runs away: broken-000000000601.hdf of a world, .hdf5 of a
 * model, a sealed file of its own. The outputs of the run do not get such a
 * state: what reads them would have to live with it. */
#ifndef SCREE_IO_RUN_BROKEN_H
#define SCREE_IO_RUN_BROKEN_H

#include "io/output/output.h"

/* Removes those that an earlier part or run left: this one may pass there. */
void scree_broken_clear(const char *folder);

/* Writes the state, and adds to `error` where it was written to, or why it was not:
 * it is what the user has to look at. Collective. */
void scree_broken_save(const scree_output_context *context, scree_error *error);

#endif
