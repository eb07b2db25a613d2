/* run_done.h: the mark of a finished run, the file finished.txt of its folder.
 *
 * A run that comes to its end leaves it, and one that begins or goes on there takes
 * it away. So results that are whole are not replaced by mistake: a run that begins
 * in their folder is refused, unless it is told to with --force. The mark tells of
 * the state alone, so that runs with the same bits leave the same files; when they
 * finished is the time of the file. */
#ifndef SCREE_IO_RUN_DONE_H
#define SCREE_IO_RUN_DONE_H

#include "io/run/run.h"

/* For a run that is to write into the folder: SCREE_BAD_INPUT if it would replace a
 * finished run's results. Nothing is changed. */
scree_status scree_done_check(const char *folder,
                              const scree_run_options *options,
                              scree_error *error);

/* The run that is in the folder is not finished from now on. */
void scree_done_clear(const char *folder);

/* It is: so many steps, up to a simulated time, a hash of the state. */
scree_status scree_done_mark(const char *folder, const scree_case *c,
                             int64_t steps, double time, uint64_t hash,
                             scree_error *error);

#endif
