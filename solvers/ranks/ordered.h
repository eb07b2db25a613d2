/* ordered.h: colours that depend on the ids of bodies alone.
 *
 * Contacts take their colours one after another, the least that neither body has, in
 * an order that is random but always the same: that of a hash of the two ids and of
 * the contact's number within its pair. So the colours, and with them every bit of a
 * sweep, depend neither on the order in memory nor on how contacts are spread over
 * ranks (solvers/ranks/coupling.h).
 *
 * Over ranks this is the algorithm of Jones and Plassmann (1993): a contact may
 * choose as soon as no contact of its bodies with an earlier turn is waiting,
 * here or elsewhere. Rounds: owners of shared bodies tell the copies the earliest
 * turn that waits on the other ranks, and the colours in use; then each rank goes
 * on as far as it can. The earliest of all can always choose, and with turns at
 * random the rounds are few.
 *
 * A body may have more contacts than a layer has colours, 63: those that find none
 * begin a new layer, whose colours come after. */
#ifndef SCREE_SOLVERS_ORDERED_H
#define SCREE_SOLVERS_ORDERED_H

#include "solvers/problem/problem.h"

/* A contact that wants a place. */
typedef struct scree_item {
    int32_t a, b;   /* bodies */
    int32_t number; /* within its pair */
    bool general;
    int64_t id_a, id_b; /* of the bodies; a wall has one below 0 */
} scree_item;

/* Gives all contacts of an empty problem their places; it is ordered from then on,
 * until it is cleared. */
scree_status scree_problem_place_ordered(scree_problem *p,
                                         const scree_item *items, int64_t n,
                                         scree_arena *scratch);

#endif
