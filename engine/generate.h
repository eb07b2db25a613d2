/* generate.h: many bodies at once: lattices, random fills, pours.
 *
 * A generator draws from its own random stream (seed, index in the case), so
 * adding one generator does not change the bodies of another. No generated
 * sphere overlaps another sphere, and none overlaps a wall. */
#ifndef SCREE_GENERATE_H
#define SCREE_GENERATE_H

#include "engine/base/error.h"
#include "engine/base/random.h"
#include "engine/scree.h"

/* ---- what the generators are told --------------------------------------- */

typedef enum scree_radius_kind {
    SCREE_RADIUS_CONSTANT, /* value */
    SCREE_RADIUS_UNIFORM,  /* in [min, max] */
    SCREE_RADIUS_NORMAL,   /* mean, deviation, redrawn outside [min, max] */
    SCREE_RADIUS_LIST,     /* values with weights */
} scree_radius_kind;

typedef struct scree_radius_law {
    scree_radius_kind kind;
    double value;           /* constant */
    double min, max;        /* uniform, normal */
    double mean, deviation; /* normal */
    int n;                  /* list */
    const double *values;   /* (n) */
    const double *weights;  /* (n), NULL: all equal */
} scree_radius_law;

typedef enum scree_region_kind {
    SCREE_REGION_BOX,
    SCREE_REGION_CYLINDER
} scree_region_kind;

/* Spheres lie wholly inside their region. */
typedef struct scree_region {
    scree_region_kind kind;
    double min[3], max[3];  /* box */
    double base[3];         /* cylinder: centre of its base */
    double axis[3];         /* cylinder: direction, any length */
    double radius, height;  /* cylinder */
} scree_region;

/* What all bodies of one generator share. */
typedef struct scree_grain {
    scree_radius_law radius;
    double velocity[3];
    double angular_velocity[3];
    int material;
} scree_grain;

/* n = counts[0] counts[1] counts[2] spheres, x running first, centres at
 * origin + index * spacing, each coordinate moved by at most `jitter`. */
typedef struct scree_lattice {
    double origin[3];
    int64_t counts[3];
    double spacing[3];
    double jitter;
    scree_grain grain;
} scree_lattice;

/* Random sequential addition until `count` spheres lie in the region or, if
 * count is 0, until they take up `solid_fraction` of its volume. Reaches
 * fractions of about 0.35 for equal spheres; beyond that SCREE_NO_ROOM. */
typedef struct scree_fill {
    scree_region region;
    int64_t count;
    double solid_fraction;
    scree_grain grain;
} scree_fill;

/* Spheres enter the region at `rate` per second from `start` on, until `count`
 * are in or the time is `stop`. A sphere that finds no free place waits. */
typedef struct scree_pour {
    scree_region region;
    double rate;        /* [1/s] */
    int64_t count;      /* INT64_MAX: no bound */
    double start, stop; /* [s] */
    scree_grain grain;
} scree_pour;

/* Progress of a pour: all that its future depends on. */
typedef struct scree_pour_state {
    int64_t inserted;
    scree_random rng;
    double waiting; /* radius of the sphere that waits for a place, or 0 */
} scree_pour_state;

/* ---- what they do -------------------------------------------------------- */

double scree_radius_draw(const scree_radius_law *law, scree_random *rng);
double scree_radius_largest(const scree_radius_law *law);
double scree_region_volume(const scree_region *region);

scree_status scree_lattice_make(const scree_lattice *lattice, scree_random rng,
                                scree_world *world, scree_error *error);
scree_status scree_fill_make(const scree_fill *fill, scree_random rng,
                             scree_world *world, scree_error *error);

/* Inserts what is due at the world's time; call before each step. */
scree_status scree_pour_advance(const scree_pour *pour, scree_pour_state *state,
                                scree_world *world, scree_error *error);

#endif
