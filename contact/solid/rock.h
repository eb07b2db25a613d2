/* rock.h: random convex polyhedra with the proportions of rocks.
 *
 * Points are drawn on an ellipsoid with the axes a >= b >= c along x, y, z,
 * moved in and out at random, and their hull is taken. Elongation and flatness
 * are those of Zingg: elongation = b / a, flatness = c / b. */
#ifndef SCREE_CONTACT_ROCK_H
#define SCREE_CONTACT_ROCK_H

#include "contact/solid/hull.h"

typedef struct scree_rock_def {
    double diameter;   /* of the sphere of the same volume, > 0 [m] */
    double elongation; /* b / a, in (0, 1] */
    double flatness;   /* c / b, in (0, 1] */
    double jitter; /* points lie at 1 - jitter .. 1 of the radius, in [0, 1) */
    int n_points;  /* at least 4 */
    uint64_t seed; /* the same seed, the same rock */
} scree_rock_def;

/* A rounded boulder of 1 m: 20 points, b / a = 0.8, c / b = 0.7. */
scree_rock_def scree_rock_default(void);

/* The origin is the centre of mass, the volume is as asked to rounding. */
scree_status scree_rock_make(const scree_rock_def *def, scree_hull *hull,
                             scree_error *error);

#endif
