/* bisection.c: the file as it is, under other names. */
#define scree_partition_create bisection_create
#define scree_partition_destroy bisection_destroy
#define scree_partition_cut bisection_cut
#define scree_partition_method bisection_method
#define scree_partition_is_cut bisection_is_cut
#define scree_partition_rank_of bisection_rank_of
#define scree_partition_has bisection_has
#define scree_partition_ranks_near bisection_ranks_near
#include "engine/domain/partition_bisect.c"

#include "tests/mpi/bisection.h"

const scree_partitioner scree_bisection = {
    bisection_method,  bisection_create, bisection_destroy,   bisection_cut,
    bisection_rank_of, bisection_has,    bisection_ranks_near};

void scree_bisection_box(const scree_partition *p, double lo[3], double hi[3]) {
    memcpy(lo, p->lo, sizeof p->lo);
    memcpy(hi, p->hi, sizeof p->hi);
}
