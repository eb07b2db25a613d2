/* load.h: the contacts that bear load, one after the other, as measures see them.
 *
 * Percussions are those of the last step; a contact whose percussion is 0 touches
 * nothing and is left out. Each contact is on one rank. */
#ifndef SCREE_MEASURE_LOAD_H
#define SCREE_MEASURE_LOAD_H

#include "engine/world/view.h"

typedef struct scree_load {
    int64_t a, b;       /* ids, a > b; b < 0 is wall -1 - b */
    int32_t at_a, at_b; /* places of the bodies; at_b < 0: wall */
    bool first;         /* of the contacts of its pair that bear load */
    scree_vec3 n;       /* from b into a */
    scree_vec3 P;       /* percussion on a [N s] */
    double P_n, P_t;    /* its part along n, and the size of the rest [N s] */
    scree_vec3 arm_a,
        arm_b;       /* from the centres to the contact point; arm_b of a
                                body only [m] */
    double friction; /* mu [-]; 0 of contacts that attract */
} scree_load;

/* From centre to centre, or from a's to the point on the wall [m]. */
static inline scree_vec3 scree_load_branch(const scree_load *load) {
    return load->b < 0 ? load->arm_a : sub(load->arm_a, load->arm_b);
}

typedef struct scree_load_walk {
    const scree_world *world;
    int64_t next;
    uint8_t *seen; /* a bit for each pair of the Verlet list */
} scree_load_walk;

/* A walk that is only given its world needs no memory, and does not know which are the
 * first of their pairs. */
scree_status scree_load_begin(scree_load_walk *walk, const scree_world *world);
/* False: there are no more. */
bool scree_load_next(scree_load_walk *walk, scree_load *load);
void scree_load_end(scree_load_walk *walk);

#endif
