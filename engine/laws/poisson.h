/* poisson.h: Poisson's impact law between the solves of a step. */
#ifndef SCREE_STEP_POISSON_H
#define SCREE_STEP_POISSON_H

#include "engine/step/step.h"

/* What the contacts of the last solve, which compressed them, are to give back. */
typedef struct scree_rebound {
    double *
        push; /* (contacts) e_N times what the contact stored [N s]; NULL: nothing */
} scree_rebound;

/* May any two materials meet with this law? */
bool scree_world_obeys_poisson(const scree_world *world);

/* After a solve, before its percussions are kept. in_turn: they act after others. Memory
 * comes from the scratch arena. Collective. */
scree_status scree_world_see_rebound(scree_world *world,
                                     scree_rebound *rebound);
/* Then, when they are kept: the second phase, in turn. */
scree_status scree_world_decompress(scree_world *world,
                                    const scree_rebound *rebound);

#endif
