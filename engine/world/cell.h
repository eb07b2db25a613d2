/* cell.h: the periodic cell of a world.
 *
 * Edges are (l, 0, 0), (o, w, 0), (0, 0, h). By Lees and Edwards (J. Phys. C 5, 1921, 1972)
 * images above move with the velocity gamma w along x, and o = gamma w t less whole
 * edges, |o| <= l/2. A cell that stretches has edges l (1 + rate t), and images that move
 * away with that. Edges that hold a pressure move as stress.h of the step says, and keep
 * their velocities here. A body that leaves by one side comes in by the other, with the velocity
 * of the image that it becomes. That is done between steps; on its way a body may
 * be outside by a little.
 *
 * Positions along edges are whole multiples of a length of the size of rounding, and so
 * are the edges: what is a whole number of edges away is so to the last bit, and pairs
 * measure the same gaps through any image. `turns` counts edges that a body has gone
 * on: its position without wrapping is x + sum of turns times edges.
 *
 * Cost: a look at all bodies in a step, and one at all pairs when some are wrapped. */
#ifndef SCREE_WORLD_CELL_H
#define SCREE_WORLD_CELL_H

#include "contact/narrow/period.h"
#include "engine/base/error.h"
#include "engine/scree.h"

/* Edges that a body has gone on by. */
typedef struct scree_turns {
    int32_t along[3];
} scree_turns;

typedef struct scree_cell_state {
    scree_cell_def def;
    scree_period now, begin; /* begin: of a step of rattle */
    scree_vec3 low;
    scree_vec3 round; /* adding and subtracting it rounds to what positions are
                         multiples of [m] */
    int64_t slid;     /* edges along x that o is less by */

    /* Of a cell that holds a pressure (engine/step/stress.h), whose edges have no formula: */
    bool held;
    double length[3];         /* now, without rounding, as o [m] */
    double offset;            /* o [m] */
    scree_vec3 speed_b[3];    /* before the solve [m/s] */
    scree_vec3 speed_last[3]; /* by the one before it */
    scree_vec3 followed;      /* what bodies got of grad v since then [1/s] */
    double followed_shear;
    double mass;       /* of all bodies [kg] */
    scree_vec3 flight; /* sum of m w w [J] */
    double pull;       /* what p does to a grain [m/s^2] */
} scree_cell_state;

/* Edges of a cell that holds a pressure go on with their velocities. */
void scree_world_move_cell(scree_world *world, double dt);

/* Brings the edges to now. */
void scree_world_place_cell(scree_world *world);

/* Bodies that are outside come in again. Collective. */
scree_status scree_world_wrap(scree_world *world);

/* Where a body at x would be had it never been wrapped; x without a cell. */
scree_vec3 scree_cell_unwrap(const scree_period *cell, scree_vec3 x,
                             const scree_turns *turns);

/* NULL, or along which edge a ball is too near to its own image ("x"); then what that must
 * be. */
const char *scree_cell_too_small(const scree_cell_state *cell, double r,
                                 double *edge, double *needed);

/* The edge ("x") that a direction has a part along, or NULL. */
const char *scree_cell_crossed_by(const scree_cell_state *cell, scree_vec3 n);

#endif
