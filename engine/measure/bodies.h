/* bodies.h: what contacts add up to on bodies, and energies of bodies. */
#ifndef SCREE_MEASURE_BODIES_H
#define SCREE_MEASURE_BODIES_H

#include "engine/world/view.h"

/* How many others, bodies and walls, each body touches that bear load on it: by place,
 * of this rank's bodies and of copies; *touches is new memory that the caller frees.
 * Collective. */
scree_status scree_measure_touches(const scree_world *world, double **touches);

/* Columns of a row. Stress is positive in compression,
 *     S = -(1/V) sum_c f_c (x) r_c      [Pa]
 * with the mean force f_c over the last step at the arm r_c from the centre, rows of
 * the tensor in turn. */
enum {
    SCREE_BODY_KINETIC,   /* m v^2 / 2 [J] */
    SCREE_BODY_ROTATION,  /* w . Theta w / 2 [J] */
    SCREE_BODY_POTENTIAL, /* -m g . x [J] */
    SCREE_BODY_TOUCHES,   /* as above [-] */
    SCREE_BODY_STRESS,    /* 9 of them */
    SCREE_BODY_WIDTH = SCREE_BODY_STRESS + 9
};

/* Rows of the bodies of this rank's block, in the order of ids (scree_world_block):
 * the same bits for any ranks. Collective. */
scree_status scree_measure_bodies(const scree_world *world, double *rows);

#endif
