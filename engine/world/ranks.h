/* ranks.h: what the files of a world need of other ranks (engine/domain): whose a
 * body is, agreement, sums. Each does the plain thing where there is one rank. */
#ifndef SCREE_WORLD_RANKS_H
#define SCREE_WORLD_RANKS_H

#include "engine/world/view.h"
#include "engine/world/world.h"

/* Copies of bodies have a share of the inertia only, from the placing of contacts
 * to the end of a solve (solvers/ranks/coupling.h). */
void scree_world_split(scree_world *world);
void scree_world_join(scree_world *world);
/* After a solve: all copies get the velocities that their originals have in u. */
void scree_world_spread(scree_world *world, scree_twist *u);
/* Whose is a new body at x to be? As long as space is not cut, by its id. */
int scree_world_taker(const scree_world *world, int64_t id, scree_vec3 x);
bool scree_world_takes(const scree_world *world, int64_t id, scree_vec3 x);
/* The first id from this one on that may be this rank's, then. */
int64_t scree_world_next_taken(const scree_world *world, int64_t id);
/* All ranks fail if one does, with its sentence: that of the world, or another. */
scree_status scree_world_agree(scree_world *world, scree_status status);
scree_status scree_world_agree_on(const scree_world *world, scree_status status,
                                  scree_error *error);
/* What is so on any rank, the largest over ranks, and the sum. */
bool scree_world_any(const scree_world *world, bool here);
double scree_world_most(const scree_world *world, double here);
double scree_world_total(const scree_world *world, double here);
/* The first of the ranks' ids. */
int64_t scree_world_first_id(const scree_world *world, int64_t here);
/* A body that is flagged on one rank is so on all. */
scree_status scree_world_share_flags(scree_world *world, bool *flags);
/* `width` values of each body, by place: their sums over all copies of it
 * (solvers/ranks/coupling.h). */
scree_status scree_world_share_sums(scree_world *world, double *values,
                                    int width);
/* The same, but each copy gets the values of the one whose first is least. */
scree_status scree_world_share_least(scree_world *world, double *values,
                                     int width);

/* A sum over all ranks, with the same bits for any number of them in a reproducible
 * world. */
typedef struct scree_sum {
    double plain;
    scree_exact_sum exact;
} scree_sum;
static inline void scree_sum_add(const scree_world *world, scree_sum *sum,
                                 double x) {
    if (world->accounts.books)
        scree_exact_add(&sum->exact, x);
    else
        sum->plain += x;
}
/* Collective; the same on all ranks. */
double scree_sum_total(const scree_world *world, scree_sum *sum);
/* Totals over ranks of a reproducible world, for the first of them; 0 for others. */
void scree_world_exact_totals(const scree_world *world, scree_exact_sum *sums,
                              int n, double *totals);

/* Kinetic plus potential energy of the bodies of this rank; in a reproducible world
 * of all bodies on the first rank, and 0 on others. Collective there. */
double scree_world_mechanical_energy(const scree_world *world);

#endif
