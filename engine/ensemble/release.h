/* release.h: where and how the rocks of an ensemble start.
 *
 * Trajectory k belongs to the release that has place k mod C in a round of all of them,
 * C the sum of their counts, and is drawn from (seed, k) alone: whichever others run, and
 * on whichever ranks and threads, it is the same. Place, form, orientation, velocity and
 * spin have streams of their own, so that a change of one leaves the others.
 *
 *     points     in turn, each as often as the next one
 *     line       uniform along its length
 *     polygon    uniform over its area; any that does not cross itself
 *
 * Lines and polygons may have parts: the lines of a file, or the rings of its areas, of
 * which a point is inside if it is in an odd number of them. */
#ifndef SCREE_ENSEMBLE_RELEASE_H
#define SCREE_ENSEMBLE_RELEASE_H

#include "engine/base/error.h"
#include "engine/base/vec.h"
#include "engine/scree_generate.h"

typedef enum scree_release_kind {
    SCREE_RELEASE_POINTS,
    SCREE_RELEASE_LINE,
    SCREE_RELEASE_POLYGON,
} scree_release_kind;

typedef struct scree_release {
    scree_release_kind kind;
    int n_point, n_part;
    const double *points; /* (n_point x 3) x, y, 0 [m] */
    const int *begin; /* (n_part + 1) points of each part; NULL: all are one */
    double height;    /* of the centre of mass above the ground [m] */
    int64_t count;    /* trajectories in a round of all releases */
    double velocity_deviation[3]; /* standard one, of each component [m/s] */
    double spin_deviation[3];     /* the same [rad/s] */
    scree_grain grain;
} scree_release;

/* How a trajectory starts, but for the ground below it. */
typedef struct scree_launch {
    int release;
    int shape;     /* -1: a sphere */
    double radius; /* of the ball around it [m] */
    double x, y;   /* of the centre of mass [m] */
    double height; /* above the ground [m] */
    double orientation[4];
    scree_vec3 v, w; /* [m/s], [rad/s] in the inertial frame */
    int material;
} scree_launch;

/* NULL, or why the release cannot be. */
const char *scree_release_fault(const scree_release *release);

/* Trajectories in a round of all releases. */
int64_t scree_release_round(const scree_release *list, int n);

/* Fails if a polygon is so thin that no place in it is found. */
scree_status scree_release_draw(const scree_release *list, int n, uint64_t seed,
                                int64_t k, scree_launch *start,
                                scree_error *error);

#endif
