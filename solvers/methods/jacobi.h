/* jacobi.h: how long the steps of jacobi are, in every layout.
 *
 * Safe steps bound the coupling of G by its diagonal: the normal problem descends with
 * them, and with all below twice as long. While the residual falls, all steps grow
 * together towards that; when it rises they are halved again, friction being no
 * descent. */
#ifndef SCREE_SOLVERS_JACOBI_H
#define SCREE_SOLVERS_JACOBI_H

#include <math.h>
#include <stdbool.h>

/* Longest step that descends over the safe one, with a little to spare; growth per
 * check. */
static const double SCREE_JACOBI_BOLD = 1.9, SCREE_JACOBI_GROW = 1.1;

/* After a check of the residual: how many safe steps are the next ones? */
static inline double scree_jacobi_stretch(double stretch, bool grew,
                                          double most) {
    return grew ? fmax(1, 0.5 * stretch)
                : fmin(most, SCREE_JACOBI_GROW * stretch);
}

#endif
