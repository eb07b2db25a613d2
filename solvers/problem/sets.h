/* sets.h: convex sets of admissible percussions, and the nearest point in them.
 *
 *     prox_C(x) = argmin over y in C of |x - y|            (002, equation 20) */
#ifndef SCREE_SOLVERS_SETS_H
#define SCREE_SOLVERS_SETS_H

#include "engine/base/vec.h"

/* C = R0+, Signorini. A NaN stays one, so that the residual shows it. */
static inline double prox_half_line(double x) {
    return x < 0 ? 0 : x;
}

/* C = disc of the given radius in the plane that x lies in, Coulomb. */
static inline scree_vec3 prox_disc(double radius, scree_vec3 x) {
    const double length2 = dot(x, x);
    if (length2 <= radius * radius) return x;
    return scale(radius / sqrt(length2), x);
}

#endif
