/* reach.h: which ranks need a body: those into whose boxes its grown ball reaches, or in a
 * periodic cell that of one of its images.
 *
 * Two bodies meet where the one of lesser id is itself (contact/broad/broad.c): the other
 * may be an image there. So the rank of that place must have both bodies, and images
 * matter that reach into the box around all balls; others meet nobody. A body has one
 * copy at most on a rank, at its own place, whichever of its images that rank needs:
 * pairs name the image. */
#ifndef SCREE_DOMAIN_REACH_H
#define SCREE_DOMAIN_REACH_H

#include "engine/domain/domain.h"

/* The box around all grown balls, on all ranks, of a world with a cell. Collective. */
void scree_domain_see_all(scree_world *world, const scree_scene *scene,
                          double skin);

/* Ranks that need the body, ascending, in domain->ranks; returns how many. */
int scree_domain_reached(const scree_domain *domain, const scree_period *cell,
                         const scree_ball *grown);

/* Only this one? */
static inline bool scree_domain_is_alone(const scree_domain *domain, int n) {
    return n == 1 && domain->ranks[0] == domain->comm->rank;
}

#endif
