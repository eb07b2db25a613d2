/* partition.h: which rank has which part of space.
 *
 * Recursive coordinate bisection: planes cut space in two, again and again, until
 * every rank has one box; outer boxes reach to infinity. A point belongs to one
 * rank, a point on a cut to the side below it. Finding the rank of a point, or the
 * ranks of a box, goes down the tree of cuts. One of two files has all of it, as
 * SCREE_ZOLTAN of the build says: partition_zoltan.c, or partition_bisect.c where
 * there is no Zoltan for the MPI. */
#ifndef SCREE_DOMAIN_PARTITION_H
#define SCREE_DOMAIN_PARTITION_H

#include "engine/base/comm.h"
#include "engine/base/error.h"
#include "engine/base/vec.h"

typedef struct scree_partition scree_partition;

/* Before the first cut all of space is rank 0's. */
scree_status scree_partition_create(const scree_comm *comm,
                                    scree_partition **partition);
void scree_partition_destroy(scree_partition *partition);

/* Cuts anew, so that all ranks get about the same weight. The points here are
 * this rank's; any distribution over ranks will do. Without any points nothing is
 * cut. Collective. */
scree_status scree_partition_cut(scree_partition *partition, int32_t n,
                                 const scree_ball *points, const float *weights,
                                 scree_error *error);

/* Who cuts: "Zoltan", "bisection", or "none" without MPI. */
const char *scree_partition_method(void);
bool scree_partition_is_cut(const scree_partition *partition);
int scree_partition_rank_of(const scree_partition *partition, scree_vec3 x);
/* Does the ball lie in this rank's box whole? */
bool scree_partition_has(const scree_partition *partition,
                         const scree_ball *ball);
/* Ranks whose boxes touch that of the ball, ascending; returns how many. There is
 * room for all ranks in `ranks`. */
int scree_partition_ranks_near(const scree_partition *partition,
                               const scree_ball *ball, int *ranks);

#endif
