/* domain.h: a world over several ranks.
 *
 * Every rank has a box of space (partition.h) and the bodies whose centres were in
 * it when the Verlet list was built: it owns them. A body whose ball, grown by its
 * margin (contact/broad/broad.h), reaches into other boxes has a copy on their ranks.
 *
 * A pair of bodies belongs to the rank in whose box they meet: a point in the
 * middle of the lens in which the two grown balls overlap. Both balls reach into
 * that box, so that its rank has both bodies, even if it owns neither. So a
 * boulder is copied to all boxes that it reaches into, while a grain next to it is
 * not copied farther than its own size; no halo as wide as the largest body is
 * needed. A pair with a wall belongs to the owner of the body; walls, terrain and
 * meshes are on every rank.
 *
 * Copies are whole bodies. They move as their originals do, bit by bit, since
 * their velocities are made equal in every solve (solvers/ranks/coupling.h): positions
 * are never sent between rebuilds. When the list of any rank must be built anew,
 * all build theirs: bodies go to their new owners and to where copies are needed,
 * percussions to the new owners of their pairs. Cuts are renewed then as well, if
 * the load has become uneven. In a periodic cell a body is where its images are needed,
 * too (reach.h).
 *
 * Reference: the rule of pairs is that of Preclik and Ruede (2015). */
#ifndef SCREE_DOMAIN_DOMAIN_H
#define SCREE_DOMAIN_DOMAIN_H

#include "contact/broad/broad.h"
#include "engine/domain/partition.h"
#include "engine/world/world.h"
#include "solvers/ranks/coupling.h"

struct scree_domain {
    const scree_comm *comm;
    scree_partition *partition;
    scree_mail bodies, burdens; /* on their way, in a rebuild */
    scree_coupling coupling;

    scree_share *shares; /* by rank */
    int n_share;
    int64_t share_capacity;
    int32_t *lists; /* memory of the shares */
    int64_t lists_capacity;
    int *ranks, *near; /* (size) for lists of ranks */
    scree_box all;     /* around all balls, in a cell (reach.h) */
    uint8_t *border;   /* (n) by place: has copies, or is one */
    int64_t border_capacity;
    float *weights; /* (n) load that a body is */
    int64_t weights_capacity;

    int64_t copies;   /* on this rank */
    double imbalance; /* largest load of a rank over the mean, last time */
    double best;      /* what it was after the last cuts */
    int64_t cuts;     /* so far */
    int since_cut;    /* rebuilds */
    bool blind;       /* no body touched any when the last cuts were made */

    /* When the world was spread; ranks have their own figures only since then. */
    int64_t first_step, first_contacts;
    double first_clock, first_waited; /* [s] */
};

/* Before the list is built: gives bodies and percussions to their ranks. */
scree_status scree_domain_renew(scree_world *world, const scree_scene *scene,
                                double skin);
/* When the bodies have found their order in memory: who shares what with whom. */
scree_status scree_domain_share(scree_world *world, const scree_scene *scene,
                                double skin);

/* Which pairs are this rank's, for contact/broad/broad.h. */
scree_claim scree_domain_claim(const scree_world *world);

void scree_domain_free(scree_domain *domain);
/* Memory that it holds, without the tree of cuts; 0 for NULL. */
size_t scree_domain_bytes(const scree_domain *domain);

#endif
