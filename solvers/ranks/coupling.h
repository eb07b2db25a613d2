/* coupling.h: one inclusion problem over several ranks.
 *
 * Every contact belongs to one rank. A body whose contacts belong to several has
 * a copy on each of them: one rank owns the body, the others hold copies of it.
 * Within a pass over its contacts a rank pushes its own copy; after the pass
 * (scree_problem_pass) the owner adds up what the copies gained and hands the sum
 * round, so that all copies have the same bits again. Contacts that touch a shared
 * body come first in a pass; those that touch none go on while the messages
 * travel.
 *
 * Gauss-Seidel needs mass splitting (Tonge, Benevolenski, Voroshilov 2012): were
 * each rank to push with the whole inertia, their pushes would add up to too much,
 * and the sweeps may diverge. So a copy with n_c of the body's n contacts has the
 * share w_c = n_c / n of its mass and inertia, and
 *
 *     u <- u_before + sum_c w_c (u_c - u_before),
 *
 * which is what the whole body gains from the sum of all percussions: momentum is
 * conserved to rounding, and u = u_free + M^-1 W P holds after every pass. Each
 * rank's contacts then solve the problem of the split bodies, which bounds the
 * coupling over the border by what a rank knows; accumulated corrections without
 * splitting (Preclik and Ruede 2015) need under-relaxation chosen by hand.
 *
 * Jacobi, and products with W, add up exactly: there w_c = 1, and pushes are those
 * of the whole body.
 *
 * In an ordered problem every colour is a pass of its own, in which at most one
 * copy of a body changes: the others take its bits. With colours that depend on
 * the bodies' ids alone the result is then that of one rank, to the bit.
 *
 * Lists: mine[k] of this rank's share with rank r is the same body as theirs[k]
 * of r's share with this rank. */
#ifndef SCREE_SOLVERS_COUPLING_H
#define SCREE_SOLVERS_COUPLING_H

#include "engine/base/arena.h"
#include "engine/base/comm.h"
#include "engine/base/vec.h"

/* What this rank shares with another: places of bodies. */
typedef struct scree_share {
    int rank;
    int32_t n_mine, n_theirs;
    int32_t *mine;   /* owned here, copied there */
    int32_t *theirs; /* the other way round */
} scree_share;

/* A body that has contacts here and elsewhere, or of which a copy has. */
typedef struct scree_shared {
    int32_t place;
    double weight;           /* w_c of the copy here */
    int64_t degree;          /* n */
    scree_velocity before;   /* u before the pass */
    double inv_m, inv_theta; /* of the whole body, while it is split */
    scree_sym3 inv_I;
} scree_shared;

/* The part of a share that the contacts of now need: indices of `shared`. */
typedef struct scree_active {
    int32_t n_mine, n_theirs;
    int32_t *mine, *theirs;
} scree_active;

typedef struct scree_coupling {
    const scree_comm *comm;
    int n_share;
    const scree_share *shares; /* (n_share) by rank */
    bool ordered;

    int64_t n_shared, n_owned, shared_capacity;
    scree_shared *shared; /* (n_shared) those owned here first */
    int32_t *slot;        /* (n_body) of a body in `shared`, -1: not there */
    int64_t slot_capacity;
    scree_active *active; /* (n_share) */
    int64_t active_capacity;
    int32_t *lists; /* memory of `active` */
    int64_t lists_capacity;
    double *buffers; /* memory of lanes */
    int64_t buffers_capacity;
    scree_lane *rise, *fall,
        *all; /* (n_share) copies to owners, owners to copies
                                      that have contacts, to all copies */
    int64_t rise_capacity, fall_capacity, all_capacity;
    scree_lanes rising, falling, whole;
    bool is_split;
    int64_t messages, bytes; /* sent so far */
} scree_coupling;

/* Doubles of a body that travel: its velocity. */
enum { SCREE_COUPLED = 6 };

void scree_coupling_free(scree_coupling *c);
size_t scree_coupling_bytes(const scree_coupling *c); /* of memory */

/* For contacts of which body i has degree[i] here: who is shared, with which
 * weights. The lists of `shares` may have changed since the last call. */
scree_status scree_coupling_prepare(scree_coupling *c, int32_t n_body,
                                    const int32_t *degree);

/* What must hold then: shared bodies know their slots, and weights are shares of one. */
bool scree_coupling_is_valid(const scree_coupling *c);

static inline bool scree_coupling_shares(const scree_coupling *c,
                                         int32_t body) {
    return c->slot[body] >= 0;
}

/* Gives copies their share of the inertia, and back. */
void scree_coupling_split(scree_coupling *c, scree_twist *u, scree_sym3 *inv_I);
void scree_coupling_join(scree_coupling *c, scree_twist *u, scree_sym3 *inv_I);

/* Before a pass; and after it in three parts, between which other bodies may be
 * worked on: copies to owners, owners to copies, arrival. */
void scree_coupling_mark(scree_coupling *c, const scree_twist *u);
void scree_coupling_begin(scree_coupling *c, const scree_twist *u);
void scree_coupling_turn(scree_coupling *c, scree_twist *u);
void scree_coupling_end(scree_coupling *c, scree_twist *u);

/* What was put into `rise` reaches the owners, and into `fall` the copies. */
void scree_coupling_rise(scree_coupling *c);
void scree_coupling_fall(scree_coupling *c);

/* flags[i], by place, becomes true where it is so on any rank. Between two solves:
 * it ends what was prepared. */
scree_status scree_coupling_share_flags(scree_coupling *c, bool *flags);

/* `width` values of each body, by place, six at most: every copy gets their sums over
 * all copies. With the same bits on any ranks if these sums are exact, as of whole
 * numbers, or where one copy alone has a value that is not 0. What was prepared stays. */
scree_status scree_coupling_share_sums(scree_coupling *c, double *values,
                                       int width);

/* The same, but every copy gets the values of the one whose first value is least. */
scree_status scree_coupling_share_least(scree_coupling *c, double *values,
                                        int width);

/* values[i], by place, of an owned body becomes the sum over all its copies.
 * Between two solves as well. */
scree_status scree_coupling_gather(scree_coupling *c, float *values);

/* All copies take the velocity of the owner, with contacts or not. */
void scree_coupling_spread(scree_coupling *c, scree_twist *u);

#endif
