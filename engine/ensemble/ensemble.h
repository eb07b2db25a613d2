/* ensemble.h: many rocks on one terrain, each alone: rockfall as hazard maps want it.
 *
 *     release.c     trajectory k, drawn from its number
 *     trajectory.c  one rock in a world of its own, from its release to its stop
 *     flight.c      its steps while it is far from all walls
 *     trace.c       what is kept of its way: samples, cells of a grid
 *     ensemble.c    trajectories over threads, each taken by who is free
 *     maps.c        statistics of the cells
 *
 * A world is made for each trajectory, of the materials, forms and walls of a common
 * scene, which are not copied. It costs some 10 us, begins with nothing of the one
 * before, and so gives the same bits whoever runs it and whatever ran there first. */
#ifndef SCREE_ENSEMBLE_H
#define SCREE_ENSEMBLE_H

#include "engine/ensemble/release.h"
#include "engine/scree.h"

/* Why a trajectory ended. */
typedef enum scree_end {
    SCREE_END_REST, /* slow for long enough */
    SCREE_END_LEFT, /* its centre of mass is beside the terrain */
    SCREE_END_TIME, /* the longest time is over */
    SCREE_END_LOST, /* its state was no longer finite */
    SCREE_ENDS
} scree_end;
const char *scree_end_name(scree_end end);

/* Square cells, from their lower left corner. */
typedef struct scree_raster {
    int nx, ny;          /* 0: none */
    double x0, y0, cell; /* [m] */
} scree_raster;

/* A rock at one time. Heights are those of the centre of mass, straight above the
 * ground. */
typedef struct scree_sample {
    double t, x[3], v[3], w[3];           /* [s] [m] [m/s] [rad/s] */
    double translation, rotation, height; /* [J] [J] [m] */
    double slippage;                      /* s [m] */
    double touches; /* 1: something bore it in the last step */
} scree_sample;

/* The largest values of a trajectory in a cell that it came to. */
typedef struct scree_visit {
    int32_t cell;
    float speed, kinetic, height; /* [m/s] [J] [m] */
} scree_visit;

/* What became of one; all numbers, so that it goes to other ranks as it is. */
typedef struct scree_trajectory {
    int64_t k, steps, unconverged;
    int64_t flying; /* steps in which nothing bore it */
    int64_t release, shape, end;
    double residual; /* of the worst step that did not converge [m/s] */
    double mass, volume;
    double start[3], stop[3];           /* [m] */
    double time;                        /* [s] */
    double way;                         /* of the centre of mass [m] */
    double speed, spin;                 /* largest [m/s] [rad/s] */
    double kinetic;                     /* the same, of the sum of both [J] */
    double height;                      /* the same [m] */
    double start_kinetic, stop_kinetic; /* [J] */
    double fall;                        /* potential energy that it gave [J] */
    double dissipated_normal, dissipated_friction, dissipated_turning;
    double recovery_work, scheme_error; /* [J] */
} scree_trajectory;

/* One with its way. */
typedef struct scree_track {
    scree_trajectory it;
    int64_t n_sample, sample_room, n_visit, visit_room;
    scree_sample *samples; /* (n_sample) */
    scree_visit *visits;   /* (n_visit) in the order of coming there */
} scree_track;
void scree_track_free(scree_track *track);

typedef struct scree_ensemble {
    const scree_world *scene; /* materials, forms, walls, and no bodies */
    int ground;               /* its wall that is the terrain */
    int threads;
    uint64_t seed;
    int n_release;
    const scree_release *releases;
    double
        steepness; /* of the ground (flight.h); 0: not known, all steps are whole */
    double end;                  /* longest time [s] */
    double rest_speed, rest_for; /* [m/s] [s] */
    double every;        /* between samples [s]; 0: every step; < 0: none */
    scree_raster raster; /* nx = 0: no visits */
} scree_ensemble;

/* The cells of the terrain: a height is in the middle of each. */
scree_raster scree_ensemble_cells(const scree_ensemble *e, double cell);

/* Are all places on the terrain, and do trajectories first, first + stride, ... < last
 * start clear of it? The sentence names the first that does not. */
scree_status scree_ensemble_check(const scree_ensemble *e, int64_t first,
                                  int64_t last, int64_t stride,
                                  scree_error *error);

/* Trajectories first + i stride, to tracks[i] (n), which are zero or of an earlier call.
 * Fails only for want of memory, or if one starts where it cannot. */
scree_status scree_ensemble_run(const scree_ensemble *e, int64_t first,
                                int64_t stride, int64_t n, scree_track *tracks,
                                scree_error *error);

#endif
