/* colours.h: which contacts are worked on at once, and where they lie.
 *
 * Two contacts of one colour share no body that moves, so all of a colour can be
 * worked on at once, by lanes and by threads, in any order with the same bits. A
 * contact takes the least colour that neither of its bodies has; bodies with more
 * contacts than there are colours send the rest to an overflow colour, which is
 * worked on one by one. Where bodies are shared with other ranks (coupling.h),
 * contacts that touch such a body have colours of their own, which come first. In an
 * ordered problem colours depend on the bodies' ids alone (ordered.h).
 *
 * Contacts that were there before keep their colours: contacts that had different
 * ones still have, whichever of them have gone, and only new ones choose. So
 *
 *     each contact is looked at: has it a colour that it can keep?
 *     bodies of those that have none learn the colours of their other contacts
 *     those that have none choose, one after another
 *     all get their places: colour after colour, in each in the order of contacts
 *
 * of which all but the third go in threads, with the same colours and places for any
 * number of them. In a bed at rest a few contacts of a thousand choose. Whoever keeps
 * the contacts makes all of them choose now and then (contact detection does when it
 * lists its pairs anew): colours that were chosen one by one while others came and
 * went are a few more than those chosen together. */
#ifndef SCREE_SOLVERS_COLOURS_H
#define SCREE_SOLVERS_COLOURS_H

#include "solvers/problem/problem.h"

/* A contact before it has a place. */
typedef struct scree_spot {
    int32_t a, b; /* bodies; n_body is the static one */
    bool general;
} scree_spot;

/* Gives all contacts of an empty problem their places. colour[i] is the colour that
 * contact i had in a problem before, 255 if it was in none; then the one that it
 * has. */
scree_status scree_problem_place_all(scree_problem *p, const scree_spot *spots,
                                     uint8_t *colour, int64_t n,
                                     scree_arena *scratch);

/* The least colour that is free for a contact, which takes it. */
int scree_problem_choose_colour(scree_problem *p, int32_t a, int32_t b);

#endif
