/* flight.h: steps of a rock that is far from all walls, for a third of the time.
 *
 * A step of moreau in which nothing is near is
 *
 *     q_M = q_B + u_B dt/2,   u_E = u_B + g dt,   q_E = q_M + u_E dt/2
 *
 * with the turns of engine/world/shapes.c, and laws that forget (slippage). That is all
 * such a step does here: no list of pairs, no problem without contacts. A flight has the
 * bits of whole steps (tests/unit/ensemble). The list of pairs is built later than whole
 * steps would have built it: contacts of a rock that rests may then be solved in another
 * order, to the same tolerance.
 *
 * How far the rock is from the ground is bounded from below: heights that rise by no more
 * than L a metre are no nearer to a point h above them than  h / sqrt(1 + L^2). */
#ifndef SCREE_ENSEMBLE_FLIGHT_H
#define SCREE_ENSEMBLE_FLIGHT_H

#include "engine/ensemble/ensemble.h"

/* The most that the terrain rises a metre, L; at least a thousandth. */
double scree_ensemble_steepness(const scree_ensemble *e);

/* Does the world take such steps at all: moreau, steps of one size, walls that are planes
 * at rest and the ground? */
bool scree_flight_is_known(const scree_ensemble *e, const scree_world *world);

/* May the next step be one? `height` as in a sample. Two whole steps without contacts
 * must have come before. */
bool scree_flight_is_clear(const scree_ensemble *e, const scree_world *world,
                           double height);

/* A step, as scree_world_step. */
scree_status scree_flight_step(scree_world *world);

#endif
