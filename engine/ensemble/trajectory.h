/* trajectory.h: one rock of an ensemble, in a world of its own. */
#ifndef SCREE_ENSEMBLE_TRAJECTORY_H
#define SCREE_ENSEMBLE_TRAJECTORY_H

#include "engine/ensemble/trace.h"

/* The ground straight below or above a place; -INFINITY: beside the terrain [m]. */
double scree_ensemble_ground(const scree_ensemble *e, double x, double y);

/* How trajectory k starts, which must be clear of all walls. */
scree_status scree_trajectory_start(const scree_ensemble *e, int64_t k,
                                    scree_launch *start, scree_error *error);

/* From there to its end. */
scree_status scree_trajectory_run(const scree_ensemble *e, int64_t k,
                                  scree_tracer *tracer, scree_track *track,
                                  scree_error *error);

#endif
