/* run_log.h: restarts.log of a folder: from which checkpoints a run went on,
 * and what of its case was changed there. What a result came from must be
 * known. */
#ifndef SCREE_IO_RUN_LOG_H
#define SCREE_IO_RUN_LOG_H

#include "io/hdf5/checkpoint.h"
#include "io/run/run.h"

/* Is the case another one than that of the checkpoint? */
bool scree_run_changes(const scree_checkpoint *from, const scree_case *c);

/* How it was changed: "--set a=b --set c=d", "another case text", ...; "" if it
 * was not. The caller frees it, NULL: no memory. */
char *scree_run_list_changes(const scree_checkpoint *from, const scree_case *c);

/* On the first rank of `ranks`, in a folder that is taken: a run that begins
 * removes the log of an earlier one; one that goes on, there or as a branch,
 * adds a line, and below it the lines of the resolved case that differ. */
scree_status scree_run_log(const char *folder, const scree_case *c,
                           const scree_run_options *options, int ranks,
                           scree_error *error);

#endif
