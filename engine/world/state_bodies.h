/* state_bodies.h: what state.c takes from state_bodies.c. Each works in the group of the
 * bodies. */
#ifndef SCREE_WORLD_STATE_BODIES_H
#define SCREE_WORLD_STATE_BODIES_H

#include "engine/base/archive.h"
#include "engine/domain/rows.h"
#include "engine/world/world.h"

/* All bodies of one rank, and where they lie in memory. */
void scree_state_bodies(scree_world *world, scree_archive *a);
/* n rows of a rank that is one of several. */
void scree_state_rows(const scree_world *world, scree_body_row *rows, int64_t n,
                      scree_archive *a);
/* Ids of bodies that left; n: bodies that are there. */
void scree_state_removed(scree_removed *r, int64_t n, scree_archive *a);
/* Numbers that no body can have are named. */
void scree_state_check_bodies(const scree_world *world, scree_archive *a);

#endif
