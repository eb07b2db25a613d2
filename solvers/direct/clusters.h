/* clusters.h: small clusters of contacts, solved directly where sweeps end short.
 *
 * A heavy body on a light one is out of reach of sweeps: the light one passes on
 * some m_light / m_heavy of what is missing per sweep. Contacts that are connected by
 * bodies that move form a cluster, which knows nothing of the others. Where a solve
 * ends without success, each cluster of few contacts that misses what was asked for
 * is written out as a dense problem (delassus.h), with all its laws, and solved by
 * Newton's method; its percussions are taken if they are better than those of the
 * sweeps. Next step starts from them.
 *
 * Clusters that reach over several ranks are put together on one of them, and so are
 * those of ordered problems, in the order of ids (clusters_apart.c), if bodies have ids.
 * Threads do not matter: clusters are solved one after the other. Cost: of a solve that
 * succeeded nothing, else a pass over the contacts, and n^3 for n rows of a cluster, some
 * ten times. */
#ifndef SCREE_SOLVERS_CLUSTERS_H
#define SCREE_SOLVERS_CLUSTERS_H

#include "solvers/problem/problem.h"

/* What a cluster must keep to, as the whole problem does. */
typedef struct scree_cluster_goal {
    int most;         /* contacts of a cluster */
    double tolerance; /* of its residual */
    double approach;  /* [m/s] */
    double balance;
    double speed; /* v of problem.h [m/s] */
} scree_cluster_goal;

/* `solved`: how many clusters got new percussions, which u follows. */
scree_status scree_problem_solve_clusters(scree_problem *p,
                                          const scree_cluster_goal *goal,
                                          scree_arena *scratch,
                                          int64_t *solved);

#endif
