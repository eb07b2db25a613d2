/* state.h: all that the future of a world or a model depends on, saved and
 * loaded (engine/base/archive.h).
 *
 * A world is loaded into one that has the materials, shapes and walls of its
 * case and no bodies. It then goes on with the same bits as if it had never
 * stopped, with any number of threads. Bodies are saved in the order of their
 * ids.
 *
 * A world that is spread over ranks is saved by all of them together, and
 * loaded by all of them, whatever their number is then: first the numbers, then
 * it is spread, and each takes a block of ids with their contacts. It goes on
 * from the same bits, but not with the same unless it is reproducible: the
 * Verlet list is not saved, and is built anew in the first step. */
#ifndef SCREE_STATE_H
#define SCREE_STATE_H

#include "engine/base/archive.h"
#include "engine/generate/generate.h"
#include "engine/system/dense.h"

scree_status scree_world_archive(scree_world *world, scree_archive *archive);

/* A step of state.dt is done. */
void scree_world_count_step(scree_world *world);
/* Counts steps from here on. */
void scree_world_begin_epoch(scree_world *world, double t);

/* Of a world that is going to be spread over ranks: loads all but the bodies and
 * their contacts. */
scree_status scree_world_load_numbers(scree_world *world,
                                      scree_archive *archive);
/* Then, when it is spread: loads those of this rank. Collective. */
scree_status scree_world_load_part(scree_world *world, scree_archive *archive);

/* The pours of a case, n of them. */
void scree_pours_archive(scree_pour_state *pours, int n,
                         scree_archive *archive);

void scree_dense_archive(scree_dense *system, scree_archive *archive);

#endif
