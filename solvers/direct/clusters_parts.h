/* clusters_parts.h: what clusters.c and clusters_apart.c have in common. */
#ifndef SCREE_SOLVERS_CLUSTERS_PARTS_H
#define SCREE_SOLVERS_CLUSTERS_PARTS_H

#include "solvers/direct/clusters.h"

/* Clusters as one rank sees them. */
typedef struct scree_parted {
    const int32_t *root;  /* (n_body) the body that stands for its cluster */
    const int32_t *count; /* (n_body) contacts here, at the root */
    const bool *wanted;   /* (n_body) at the root: is it to be put together? */
} scree_parted;

/* Do the rows of a cluster, of `mass` [kg], miss what is asked for? */
bool scree_rows_miss(const scree_row *rows, int32_t n, const scree_twist *u,
                     double mass, const scree_cluster_goal *goal);

/* Puts clusters together from all ranks, and solves those that miss it. Collective;
 * p->id is there. */
scree_status scree_clusters_solve_apart(scree_problem *p, const scree_parted *c,
                                        const scree_cluster_goal *goal,
                                        scree_arena *scratch, int64_t *solved);

#endif
