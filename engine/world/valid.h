/* valid.h: what must hold of a world between steps, for asserts
 * (engine/base/assert.h). The lists of contacts: contact/narrow/valid.h; the problem:
 * solvers/problem/problem_valid.h. */
#ifndef SCREE_WORLD_VALID_H
#define SCREE_WORLD_VALID_H

#include "engine/world/world.h"

/* Every id is where `place` says; radii and inverse masses are positive. */
bool scree_bodies_is_valid(const scree_bodies *bodies);

/* Copies of a body have the bits of the original: places, velocities, orientations.
 * Collective; false on one of the ranks that differ, at least. */
bool scree_copies_is_valid(scree_world *world);

/* No body has two contacts of one colour, as they were given for the last solve. */
bool scree_world_colours_is_valid(scree_world *world);

/* Bodies, copies, colours and the problem of the last solve are valid, nothing is split
 * over ranks, and contacts are those of bodies and walls that there are. Collective. */
bool scree_world_is_valid(scree_world *world);

#endif
