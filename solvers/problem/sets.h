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

/* C = ellipse with semi-axes a, b along the coordinates. Outside it the nearest
 * point is (a^2 x/(t + a^2), b^2 y/(t + b^2)) with the t > 0 that puts it on the
 * rim: the root of a function that is convex and falls, to which Newton's steps
 * from below come from one side. */
static inline void prox_ellipse(double a, double b, double *x, double *y) {
    if (a == 0 || b == 0) { /* mu or P_N are zero */
        *x = *y = 0;
        return;
    }
    const double u0 = *x / a, v0 = *y / b;
    if (u0 * u0 + v0 * v0 <= 1) return;
    double t = fmax(0, fmax(a * fabs(*x) - a * a, b * fabs(*y) - b * b));
    for (int round = 0; round < 50; ++round) {
        const double A = t + a * a, B = t + b * b;
        const double u = a * *x / A, v = b * *y / B;
        const double dt = 0.5 * (u * u + v * v - 1) / (u * u / A + v * v / B);
        t += dt;
        if (!(dt > 1e-16 * A)) break;
    }
    *x *= a * a / (t + a * a), *y *= b * b / (t + b * b);
}

#endif
