/* main_step.h: one main step of a world by extrapolation, 002 sections 8 and 9.2.
 *
 * The time-stepping module is Moreau's step as worlds have it (engine/steppers/moreau.c),
 * with gap control or without. Row i of the tableau makes the step from the same state
 * with n_i = 1, 3, 5, ... substeps (or 1, 2, 3, ... with restitution that fades, the second
 * remedy of section 8.2), and (42) goes over rows (extrapolation.h), of
 *     y   x, q, v, omega of each body, by id
 *         the accounts of energy, which are sums over the run
 *         percussions of walls, sums over the step
 * Quaternions are brought back to unit length. Contacts, their percussions, and what
 * laws keep are those of the last substep of the finest row; percussions as the whole
 * step has them.
 *
 * Error of a result: the largest difference to the one of an order less, of positions
 * and r q in m, velocities and r omega in m/s. */
#ifndef SCREE_ADAPTIVE_MAIN_STEP_H
#define SCREE_ADAPTIVE_MAIN_STEP_H

#include "engine/adaptive/snapshot.h"
#include "engine/steppers/extrapolation.h"

/* What is needed to make one. */
typedef struct scree_tableau_room {
    double *T; /* (order x n_y) */
    int64_t capacity;
    double *last; /* (n_y) the result of an order less */
    int64_t last_capacity;
} scree_tableau_room;

typedef struct scree_main_trial {
    const scree_snapshot *from;
    double dt;      /* of the main step [s] */
    double dt_min;  /* [s] */
    bool any_modes; /* of the first step of all */
    uint64_t modes; /* that are accepted */
    /* out */
    scree_extrapolation_flag flag;
    int order; /* how many rows the result is made of */
    bool converged;
} scree_main_trial;

/* Leaves the end of the step in the world, but for state.ticks and steps. After
 * SCREE_SWITCH_DETECTED what is in the world means nothing. */
scree_status scree_world_main_step(scree_world *world, scree_listing *listing,
                                   scree_tableau_room *room,
                                   scree_main_trial *trial);

void scree_tableau_room_free(scree_tableau_room *room);

#endif
