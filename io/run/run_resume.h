/* run_resume.h: a run that goes on from a checkpoint.
 *
 * What the case says may change, as long as the state keeps its meaning:
 * solver, stepper, step size, end, outputs, friction ... Bodies, shapes, walls,
 * seed and what materials are made of must stay. */
#ifndef SCREE_IO_RUN_RESUME_H
#define SCREE_IO_RUN_RESUME_H

#include "io/run/run.h"

/* Goes on in `folder` from its newest whole checkpoint, with `sets` on top of
 * what the case was. */
scree_status scree_resume(const char *folder, int n_set,
                          const char *const *sets,
                          const scree_run_options *options, scree_error *error);

/* Runs the case from the checkpoint `path`. In the folder of the checkpoint
 * outputs go on; in another one they begin with the state of the checkpoint. */
scree_status scree_restart(const scree_case *c, const char *path,
                           const scree_run_options *options,
                           scree_error *error);

/* Opens a checkpoint whose state has a meaning in this case. Collective. *from is to be
 * closed, also after a failure. */
scree_status scree_resume_open(const scree_case *c, const scree_comm *comm,
                               const char *path, struct scree_checkpoint **from,
                               scree_error *error);

#endif
