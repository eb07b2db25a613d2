/* ahead.h: contacts found at the end of a way, which stay over the rounds of a step.
 * See ahead.c. */
#ifndef SCREE_STEP_AHEAD_H
#define SCREE_STEP_AHEAD_H

#include "engine/world/world.h"

/* One of them, by the ids of its bodies. */
typedef struct scree_foreseen {
    int64_t a, b; /* a wall is a negative number as in scree_pair */
    scree_image image;
    int64_t number;
    scree_contact c;
    scree_arms arms;
} scree_foreseen;

typedef struct scree_foresight {
    int64_t n;
    scree_foreseen *list;
} scree_foresight;

/* Takes those of now, in memory of the world's scratch. */
scree_status scree_world_take_foresight(scree_world *world, scree_foresight *f);
/* In the order of pairs. `rebuilt`: the list is another one since; collective then, and
 * empty where the world is not reproducible. */
scree_status scree_world_round_of(scree_world *world, scree_foresight *f,
                                  bool rebuilt, scree_round *round);

#endif
