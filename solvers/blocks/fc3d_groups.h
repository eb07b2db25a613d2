/* fc3d_groups.h: contacts in groups of four that have no block of W in common,
 * so that a sweep may solve the four at once. */
#ifndef SCREE_SOLVERS_FC3D_GROUPS_H
#define SCREE_SOLVERS_FC3D_GROUPS_H

#include "solvers/blocks/fc3d.h"

typedef struct scree_fc3d_groups {
    int n;            /* groups of four slots */
    int32_t *slot;    /* (nc) of a contact */
    int32_t *contact; /* (4 n) of a slot, -1: none */
} scree_fc3d_groups;

/* Order 0 stays close to that of the contacts as given; every other one is a walk
 * through their neighbours from another contact. */
scree_status scree_fc3d_group(scree_fc3d_groups *g, const scree_fc3d *p,
                              int order, scree_arena *scratch);

#endif
