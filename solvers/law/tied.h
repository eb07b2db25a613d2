/* tied.h: friction that is no law of its own but follows the normal percussion,
 *     P_T = -mu P_N d,
 * with the direction d, of unit length if friction is isotropic (RATTLE's midslip
 * law). What the slip is does not matter, nor does the tangential part of c. It makes
 * G unsymmetric. F_T = P_T + mu P_N d is zero after each step: such a contact counts
 * with its normal part alone.
 *
 * Fields: mu and tie, which is d. Room for d is made where scree_problem.ties asks. */
#ifndef SCREE_LAW_TIED_H
#define SCREE_LAW_TIED_H

#include "solvers/problem/row.h"

static inline scree_vec3 tied_friction(const scree_row *k, double P_n) {
    return scale(-k->mu * P_n, k->tie);
}

/* The same for a unit of P_N, with it: the direction that the percussion acts in. */
static inline scree_vec3 tied_push(const scree_row *k) {
    return add_scaled(k->n, -k->mu, k->tie);
}

#endif
