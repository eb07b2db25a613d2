/* belt.h: the block on a belt, whatever its friction law: parameters and the forces beside
 * Coulomb's. */
#ifndef SCREE_MODELS_BELT_H
#define SCREE_MODELS_BELT_H

#include <math.h>

#include "cases/models/formula.h"

enum {
    MASS,
    STIFFNESS,
    DAMPING,
    BELT,
    RADIUS,
    SMOOTH,
    X0,
    U0,
    BELT_PARAMETERS
};

#define SCREE_BELT_PARAMETERS                                                  \
    [MASS] = {"mass", 1, "kg", "mass of the block", &positive},                \
    [STIFFNESS] = {"stiffness", 1, "N/m", "stiffness k of the spring",         \
                   &not_negative},                                             \
    [DAMPING] = {"damping", 0, "N s/m", "viscosity c of the damper",           \
                 &not_negative},                                               \
    [BELT] = {"v_dr", 3, "m/s", "velocity of the belt", &any_number},          \
    [RADIUS] = {"a", 5, "N", "radius of the Coulomb friction", &not_negative}, \
    [SMOOTH] = {"smooth", 0, "1", "smooth part of the friction: 0 = A, 1 = B", \
                &share},                                                       \
    [X0] = {"x0", 0.2, "m", "initial position", &any_number},                  \
    [U0] = {"u0", 0.2, "m/s", "initial velocity", &any_number}

/* F_D(gamma), which takes from the friction. */
static inline double belt_smooth_part(const double *p, double gamma) {
    if (p[SMOOTH] < 0.5) return 2 * (2 / SCREE_PI) * scree_atan(3 * gamma);
    return copysign(1 - 1 / (1 + 3 * fabs(gamma)), gamma);
}

/* All forces but Coulomb's. */
static inline double belt_force(const double *p, double x, double u) {
    return -p[DAMPING] * u - p[STIFFNESS] * x +
           belt_smooth_part(p, u - p[BELT]);
}

#endif
