/* scree_generate.h: many bodies at once: lattices, random fills, pours, pyramids.
 *
 * A generator draws from its own random stream (seed, index in the case), so
 * adding one generator does not change the bodies of another. Bodies of any
 * shape are placed by the ball around them: no ball of a lattice, a fill or a
 * pour overlaps another one, and none overlaps a wall.
 *
 * On several ranks a world is spread first (scree_world_distribute) and filled
 * then: all ranks call the generators, which are collective, and each keeps about
 * n / R of the n bodies. They are the same for any R. Each body draws from streams of
 * its own, (seed, index in the case, number), and a rank makes a share of them alone.
 * Beyond its share it needs
 *     lattice  nothing if its balls cannot touch, spacing >= 2 (r_max + jitter), and
 *              no body stands in its region; else as a fill
 *     fill     the bodies around its part of the region (scatter.h)
 *     pour     the same
 *     pyramid  nothing */
#ifndef SCREE_GENERATE_PUBLIC_H
#define SCREE_GENERATE_PUBLIC_H

#include <scree.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A stream of random numbers: one for each generator, by a number of its own. */
typedef struct scree_random {
    uint64_t state;
} scree_random;
scree_random scree_random_begin(uint64_t seed, uint64_t number);

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

/* Balls lie wholly inside their region. */
typedef struct scree_region {
    scree_region_kind kind;
    bool planar;           /* a box in the plane z = 0: z does not count */
    double min[3], max[3]; /* box */
    double base[3];        /* cylinder: centre of its base */
    double axis[3];        /* cylinder: direction, any length */
    double radius, height; /* cylinder */
} scree_region;

/* Shapes of the world of which each body takes one at random. */
typedef struct scree_shape_set {
    int name;              /* number of the name that they share, for callers */
    int first, n;          /* ids first .. first + n - 1; n = 0: spheres */
    const double *bounds;  /* (n) radii of the balls around them [m] */
    const double *volumes; /* (n) [m^3], in the plane [m^2] */
} scree_shape_set;

typedef enum scree_turn {
    SCREE_TURN_NONE = -1, /* spheres */
    SCREE_TURN_RANDOM,    /* uniform on SO(3), in the plane about z */
    SCREE_TURN_ALIGNED,   /* as the shape is given */
} scree_turn;

/* What all bodies of one generator share. */
typedef struct scree_grain {
    scree_radius_law radius; /* of spheres */
    scree_shape_set shapes;  /* or shapes */
    scree_turn turn;
    double velocity[3];
    double angular_velocity[3];
    int material;
} scree_grain;

/* n = counts[0] counts[1] counts[2] bodies, x running first, centres at
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
 * fractions of about 0.35 for equal spheres; beyond that SCREE_NO_ROOM. Sizes
 * follow their law evenly: each body stands for an equal share of it (sizes.h). */
typedef struct scree_fill {
    scree_region region;
    int64_t count;
    double solid_fraction;
    scree_grain grain;
} scree_fill;

/* Spheres enter the region at `rate` per second from `start` on, until `count`
 * are in or the time is `stop`. A sphere that finds no free place waits, and with
 * it all that come after. */
typedef struct scree_pour {
    scree_region region;
    double rate;        /* [1/s] */
    int64_t count;      /* INT64_MAX: no bound */
    double start, stop; /* [s] */
    scree_grain grain;
} scree_pour;

/* Layers of aligned bodies, each on the gaps of the one below: n x n,
 * (n - 1) x (n - 1), ..., 1 in space, rows of n, n - 1, ..., 1 along x in the
 * plane. Bodies of a layer stand `spacing` sizes apart, layers touch. `origin`
 * is the middle of the base's underside; up is z, in the plane y. */
typedef struct scree_pyramid {
    double origin[3];
    int base;
    double spacing;
    double size[3]; /* of the box around a body, from its centre of mass [m] */
    bool planar;
    scree_grain grain;
} scree_pyramid;

/* One body; of several shapes it takes one at random. */
typedef struct scree_single {
    double position[3], orientation[4];
    scree_grain grain;
} scree_single;

/* Progress of a pour: all that its future depends on. */
typedef struct scree_pour_state {
    int64_t inserted;
    uint64_t seed;  /* of its bodies and of their places */
    uint64_t calls; /* that had bodies to insert: each tries other places */
} scree_pour_state;

/* ---- what they do -------------------------------------------------------- */

/* Numbers that cannot be are SCREE_BAD_ARGUMENT, and the sentence names them. */
scree_status scree_lattice_make(const scree_lattice *lattice, scree_random rng,
                                scree_world *world, scree_error *error);
scree_status scree_fill_make(const scree_fill *fill, scree_random rng,
                             scree_world *world, scree_error *error);

scree_status scree_pyramid_make(const scree_pyramid *pyramid, scree_random rng,
                                scree_world *world, scree_error *error);
scree_status scree_single_make(const scree_single *single, scree_random rng,
                               scree_world *world, scree_error *error);

/* Inserts what is due at the world's time; call before each step. */
scree_status scree_pour_advance(const scree_pour *pour, scree_pour_state *state,
                                scree_world *world, scree_error *error);

/* Starts the progress of a pour. */
scree_pour_state scree_pour_begin(scree_random rng);

/* The ball around a shape and its volume, for a set of shapes; or why no world
 * would take it. */
scree_status scree_shape_weigh(const scree_shape_def *def, bool planar,
                               double *bound, double *volume,
                               scree_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
