/* run_model.h: the run of a case that describes a model. */
#ifndef SCREE_IO_RUN_MODEL_H
#define SCREE_IO_RUN_MODEL_H

#include "io/run/run.h"

/* Like scree_run, which calls it. */
scree_status scree_run_model(const scree_case *c,
                             const scree_run_options *options,
                             scree_error *error);

/* The size of the step that follows t: the step of the case, and for the last
 * one what is left; 0 when nothing is. Rounding of the sum t makes no step of
 * its own: the last step may be a thousandth longer. */
double scree_run_next_dt(double t, double end, double step);

#endif
