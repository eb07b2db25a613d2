/* bond.h: contacts that are glued: they bear tension, and neither slip nor, with a limit of
 * the moment, roll or drill, until a step asks for more than the limits allow:
 *
 *     xi = 0,  omega = 0      while   -P_N / dt <= F_N,  |P_T| / dt <= F_T,  |M| / dt <= M_B;
 *
 * the step that passes one of them breaks the bond for good, and the contact is what its
 * other laws make of it. Compression breaks none, but a hit does that passes F_T or M_B: the
 * percussion of a step counts as a force over dt.
 *
 * The points of a pair that are glued at once have a share of its limits each, and break one
 * by one. How much each of many bears rigid bodies leave open.
 *
 * No set of its own. With a constant attraction of 2 F_N (engine/laws/cohesion.h) the
 * solver's percussion is P' = P_N + 2 F_N dt, and within the limits P' >= F_N dt. So a
 * contact with the coefficients
 *     mu = 2 |(F_T, M_B / drill)| / F_N,    roll = 2 M_B / F_N
 * lies inside its cone, disc and ball wherever the limits hold: |M_T| <= roll P' / 2, and
 * |(P_T, M_N / drill)| <= mu P' / 2, for any lever drill: that of the arms makes one step of
 * both as good as two. There the inclusion says xi = 0 and omega = 0, exactly, and kernels in
 * lanes solve it like any other contact.
 *
 * State, numbers 4 and 5: the share of the limits that the bond has, one over the points of
 * the pair that were glued with it (0: none; < 0: it is broken); the gap that it was made
 * at, which it keeps [m]. */
#ifndef SCREE_LAW_BOND_H
#define SCREE_LAW_BOND_H

#include <stdbool.h>

#include "engine/base/law_state.h"

enum { SCREE_BOND_SHARE = 4, SCREE_BOND_GAP = 5 };

/* Attraction of a bond over its normal limit. */
#define SCREE_GLUE 2.0

static inline bool scree_bond_holds(const scree_contact_state *s) {
    return s->x[SCREE_BOND_SHARE] > 0;
}
/* Neither made nor broken. */
static inline bool scree_bond_is_new(const scree_contact_state *s) {
    return s->x[SCREE_BOND_SHARE] == 0;
}
static inline void scree_bond_make(scree_contact_state *s, double share,
                                   double gap) {
    s->x[SCREE_BOND_SHARE] = share;
    s->x[SCREE_BOND_GAP] = gap;
}

#endif
