/* substeps.h: the time-stepping module of 002 section 9.1.
 *
 * A main time step [t, t + dt] is run as n steps of Moreau's midpoint rule of
 * size dt/n. Each yields a discrete state sigma, one entry per row: 0 where the
 * law enforces its constraint, 1 where it impresses a percussion (section 4).
 */
#ifndef SCREE_STEPPERS_SUBSTEPS_H
#define SCREE_STEPPERS_SUBSTEPS_H

#include "engine/system/dense.h"

typedef struct scree_main_step {
    double t, dt;        /* where it begins, its size [s] */
    const double *y;     /* (n_q + n_u) q, then u, at t */
    const double *sigma; /* (n_row) the accepted discrete state; NULL: any */
} scree_main_step;

/* Leaves the end of the main step in s->t, s->q, s->u, the sum of the
 * percussions in s->P and the last discrete state in s->mode. The first substep
 * whose state is not `sigma` ends the work early with *same = false: what lies
 * behind a switching point is of no use to the extrapolation. */
scree_status scree_substeps(scree_dense *s, const scree_dense_options *options,
                            const scree_main_step *step, int n, bool *same,
                            scree_error *error);

#endif
