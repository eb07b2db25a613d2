/* partition_alone.c: partition.h in a build without MPI: one rank has it all. */
#include "engine/domain/partition.h"

scree_status scree_partition_create(const scree_comm *comm,
                                    scree_partition **partition) {
    (void)comm;
    *partition = NULL;
    return SCREE_OK;
}

void scree_partition_destroy(scree_partition *partition) {
    (void)partition;
}

scree_status scree_partition_cut(scree_partition *partition, int32_t n,
                                 const scree_ball *points, const float *weights,
                                 scree_error *error) {
    (void)partition, (void)n, (void)points, (void)weights, (void)error;
    return SCREE_OK;
}

const char *scree_partition_method(void) {
    return "none";
}

bool scree_partition_is_cut(const scree_partition *partition) {
    (void)partition;
    return false;
}

int scree_partition_rank_of(const scree_partition *partition, scree_vec3 x) {
    (void)partition, (void)x;
    return 0;
}

bool scree_partition_has(const scree_partition *partition,
                         const scree_ball *ball) {
    (void)partition, (void)ball;
    return true;
}

int scree_partition_ranks_near(const scree_partition *partition,
                               const scree_ball *ball, int *ranks) {
    (void)partition, (void)ball;
    ranks[0] = 0;
    return 1;
}
