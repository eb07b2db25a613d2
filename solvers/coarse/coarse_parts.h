/* coarse_parts.h: the corrections of coarse.h and what they share, for coarse.c. */
#ifndef SCREE_SOLVERS_COARSE_PARTS_H
#define SCREE_SOLVERS_COARSE_PARTS_H

#include "solvers/coarse/coarse.h"

typedef enum scree_coarse_result {
    SCREE_COARSE_UNFIT,  /* the problem is none for this correction */
    SCREE_COARSE_SMALL,  /* nothing was changed: it would change little */
    SCREE_COARSE_CHANGED /* percussions and u were changed */
} scree_coarse_result;

scree_coarse_result scree_coarse_scale_layers(scree_coarse *c);
/* At a cold start, while u = u_free (coarse_seed.c). */
scree_coarse_result scree_coarse_seed(scree_coarse *c);
scree_coarse_result scree_coarse_move_bodies(scree_coarse *c);
/* May the problem be small enough? Then there must be room for the step. */
bool scree_coarse_is_small(const scree_problem *p);
scree_status scree_coarse_make_bodies(scree_coarse *c);
/* Fills body, rank and n of the step (coarse_order.c). */
void scree_coarse_order(scree_coarse *c);

/* Work on the blocks [first, last) of both kinds, the round ones first, chunk by chunk. */
typedef void scree_coarse_work(scree_coarse *c, int chunk, int64_t first,
                               int64_t last);
void scree_coarse_for_chunks(scree_coarse *c, scree_coarse_work *work);

/* Normal percussions of block i, counted as there. */
static inline double *scree_coarse_loads(const scree_problem *p, int64_t i) {
    const int64_t round = p->round.n_block;
    return i < round ? p->blocks[i].P_n : p->generals[i - round].P_n;
}

/* Is the problem high enough for layers? Makes their grid at the first call. */
bool scree_coarse_has_layers(scree_coarse *c);
/* Solves the coarse equations for the percussions as they are. False: there are no
 * factors, or none that are worth a pass. */
bool scree_coarse_find_factors(scree_coarse *c, double least, double most);
/* s at the contact. */
double scree_coarse_factor(const scree_coarse *c, const scree_row *row);

#endif
