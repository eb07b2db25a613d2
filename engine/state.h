/* state.h: all that the future of a world or a model depends on, saved and
 * loaded (engine/base/archive.h).
 *
 * A world is loaded into one that has the materials, shapes and walls of its
 * case and no bodies. It then goes on with the same bits as if it had never
 * stopped, with any number of threads. Bodies are saved in the order of their
 * ids.
 *
 * A world that is spread over ranks is saved by all of them together, and
 * loaded before it is spread, whatever the number of ranks is then. It goes on
 * from the same bits, but not with the same: the Verlet list is not saved, and
 * is built anew in the first step. */
#ifndef SCREE_STATE_H
#define SCREE_STATE_H

#include "engine/base/archive.h"
#include "engine/dense.h"
#include "engine/generate.h"

scree_status scree_world_archive(scree_world *world, scree_archive *archive);

/* Loads all but the bodies and their contacts: of a world that is going to be
 * spread over ranks only the first needs them. */
scree_status scree_world_load_numbers(scree_world *world,
                                      scree_archive *archive);

/* The pours of a case, n of them. */
void scree_pours_archive(scree_pour_state *pours, int n,
                         scree_archive *archive);

void scree_dense_archive(scree_dense *system, scree_archive *archive);

/* The time at the end of a step. */
double scree_world_time_of(const scree_world *world, int64_t step);

#endif
