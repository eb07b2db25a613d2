/* bisection.h: partition.h twice in one program: by Zoltan under the names that it has,
 * and by engine/domain/partition_bisect.c under those of this table. */
#ifndef SCREE_TESTS_MPI_BISECTION_H
#define SCREE_TESTS_MPI_BISECTION_H

#include "engine/domain/partition.h"

typedef struct scree_partitioner {
    const char *(*method)(void);
    scree_status (*create)(const scree_comm *comm, scree_partition **partition);
    void (*destroy)(scree_partition *partition);
    scree_status (*cut)(scree_partition *partition, int32_t n,
                        const scree_ball *points, const float *weights,
                        scree_error *error);
    int (*rank_of)(const scree_partition *partition, scree_vec3 x);
    bool (*has)(const scree_partition *partition, const scree_ball *ball);
    int (*ranks_near)(const scree_partition *partition, const scree_ball *ball,
                      int *ranks);
} scree_partitioner;

extern const scree_partitioner scree_bisection;
/* Of this rank [m]. */
void scree_bisection_box(const scree_partition *partition, double lo[3],
                         double hi[3]);

#endif
