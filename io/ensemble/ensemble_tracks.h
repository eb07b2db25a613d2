/* ensemble_tracks.h: some trajectories, run by all ranks and gathered by the first one.
 * Rank r of R runs every R-th of them. */
#ifndef SCREE_IO_ENSEMBLE_TRACKS_H
#define SCREE_IO_ENSEMBLE_TRACKS_H

#include "engine/base/comm.h"
#include "engine/ensemble/ensemble.h"

typedef struct scree_ensemble_tracks {
    const scree_comm *comm;
    scree_mail mail;
    scree_track *mine; /* (n_mine) */
    int64_t n_mine, mine_room;
} scree_ensemble_tracks;

void scree_ensemble_tracks_free(scree_ensemble_tracks *tracks);

/* Told of each, in the order of trajectories, on the first rank. */
typedef scree_status scree_track_take(void *context, const scree_track *track,
                                      scree_error *error);

/* Trajectories first ... first + n - 1. Collective. */
scree_status scree_ensemble_run_some(const scree_ensemble *e,
                                     scree_ensemble_tracks *tracks,
                                     int64_t first, int64_t n,
                                     scree_track_take *take, void *context,
                                     scree_error *error);

#endif
