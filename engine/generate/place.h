/* place.h: finding free places for new bodies; shared by fill, lattice, pour.
 *
 * A scree_place is a snapshot of what stands in and around a region (walls that
 * exist now, bodies) plus the balls placed since. It answers "is this ball
 * free?" in O(1): balls are hashed into cells, by level. Level l has cells of
 * side h_l = h_0 / 2^l with h_0 = 2 r_max, and holds the radii in
 * (h_l / 4, h_l / 2], so that a ball finds all that could touch it on a level
 * not finer than its own in at most 3^3 cells, and a boulder does not make the
 * cells of the pebbles coarse. Where the cells in question outnumber the balls
 * (a boulder that looks for room among pebbles) all balls are scanned instead.
 *
 * A rank has what stands in and around its part of a region (scatter.h). */
#ifndef SCREE_PLACE_H
#define SCREE_PLACE_H

#include "engine/base/vec.h"
#include "engine/generate/generate.h"

enum { SCREE_PLACE_LEVELS = 16 };

typedef struct scree_place {
    int n_wall;
    double (*walls)[6]; /* (n_wall) point, unit normal */
    int n_surface;
    struct scree_plane
        *surfaces; /* (n_surface) meshes, terrain, segments, as now */
    int64_t n, capacity;
    scree_ball *balls; /* (n) bodies of the world first, then placed ones */
    int64_t *next;     /* (n) next ball of the same bucket, or -1 */
    int64_t *bucket;   /* (mask + 1) first ball of a bucket, or -1 */
    uint64_t mask;
    double side[SCREE_PLACE_LEVELS];        /* h_l of the cells [m] */
    int64_t population[SCREE_PLACE_LEVELS]; /* balls per level */
} scree_place;

/* A snapshot of the walls alone, for balls of radius up to r_max, with room for n
 * of them; and room for more. To be freed if they fail as well. */
scree_status scree_place_start(scree_place *place, const scree_world *world,
                               double r_max, int64_t n);
scree_status scree_place_reserve(scree_place *place, int64_t more);
void scree_place_free(scree_place *place);

bool scree_ball_reaches(const scree_ball *ball, const double min[3],
                        const double max[3]);

/* Touching counts as free, up to rounding (1e-9 r). */
bool scree_place_is_free(const scree_place *place, scree_ball ball);
void scree_place_add(scree_place *place, scree_ball ball);

/* A uniformly drawn centre such that the whole ball is in the region. */
scree_vec3 scree_region_sample(const scree_region *region, double r,
                               scree_random *rng);

/* The box around a region that turns with it: a corner, unit vectors, sizes. */
void scree_region_frame(const scree_region *region, scree_vec3 *base,
                        scree_vec3 axes[3], double extent[3]);

/* Corners of the box around a region. */
void scree_region_bounds(const scree_region *region, double min[3],
                         double max[3]);

/* Fails if the region is void, or too small for a sphere of this radius. */
scree_status scree_region_check(const scree_region *region, double radius,
                                scree_error *error);

/* ---- pieces (generate.c, sizes.c) ---------------------------------------- */

/* A body to be placed: the ball around it and what is in it. */
typedef struct scree_piece {
    scree_ball ball;
    int shape; /* id of a shape, -1: a sphere */
} scree_piece;

/* Draws a shape or a radius; ball.x is left at 0. */
scree_piece scree_piece_draw(const scree_grain *grain, scree_random *rng);

/* Adds one body to the world, turned as `orientation` says or, if that is NULL,
 * as the grain does; passes on the world's sentence if it fails. */
scree_status scree_piece_add(const scree_grain *grain, scree_piece piece,
                             const double *orientation, scree_random *rng,
                             scree_world *world, scree_error *error);

/* Adds n bodies, each rank those that are its own, or none: body k is what
 * `piece_of` says, with random numbers for its turn. Collective. */
typedef scree_piece scree_piece_of(const void *of, int64_t k,
                                   scree_random *turn);
scree_status scree_pieces_add(const scree_grain *grain, int64_t n,
                              scree_piece_of *piece_of, const void *of,
                              scree_world *world, scree_error *error);
/* Passes the status on, and says so if there was no memory for the n bodies of
 * a `what`. */
scree_status scree_pieces_end(scree_status status, const char *what, int64_t n,
                              scree_error *error);

#endif
