/* ellipse.h: anisotropic friction. An ellipse in place of Coulomb's disc: semi-axes
 * mu P_N along e and ratio mu P_N along f = n x e. The stretch
 *     S = 1 + (ratio - 1) f f^T,
 * symmetric, takes the disc D to it, so that
 *     -xi_T in N_{S D}(P_T)   is   -S xi_T in N_D(S^-1 P_T):
 * stretched by S, the contact is Coulomb's with the rows W S in place of W. Prox
 * steps, step sizes, residual and the problem written out (explicit.h) all speak of
 * that contact; P_T and W stay what they are. With drilling S^-1 P_T takes the place
 * of P_T in the ball.
 *
 * Fields: ratio and across, which is f. Rows are general. */
#ifndef SCREE_LAW_ELLIPSE_H
#define SCREE_LAW_ELLIPSE_H

#include "solvers/law/coulomb.h"

/* S x and S^-1 x of tangential vectors: from the disc to the ellipse, and back. */
static inline scree_vec3 scree_row_stretch(const scree_row *row, scree_vec3 x) {
    return add_scaled(x, (row->ratio - 1) * dot(row->across, x), row->across);
}
static inline scree_vec3 scree_row_shrink(const scree_row *row, scree_vec3 x) {
    return add_scaled(x, (1 / row->ratio - 1) * dot(row->across, x),
                      row->across);
}

/* Friction before it is cut to the disc, stretched. */
static inline scree_vec3 ellipse_step(const scree_row *k, scree_vec3 xi_t,
                                      double r) {
    return add_scaled(scree_row_shrink(k, k->P_t), -r,
                      scree_row_stretch(k, xi_t));
}

static inline scree_vec3 ellipse_prox(const scree_row *k, double P_n,
                                      scree_vec3 y) {
    return scree_row_stretch(k, coulomb_prox(k, P_n, y));
}

/* ---- four contacts at a time, of which some are anisotropic -------------------- */

/* S x by s = ratio, S^-1 x by its inverse. */
SCREE_INLINE scree_v4x3 wide_stretch(scree_v4 s, scree_v4x3 across,
                                     scree_v4x3 x) {
    return v4_add_scaled(x, (s - v4_set(1)) * v4_dot(across, x), across);
}

SCREE_INLINE scree_v4x3 wide_choose(scree_m4 mask, scree_v4x3 a, scree_v4x3 b) {
    return (scree_v4x3){v4_select(mask, a.x, b.x), v4_select(mask, a.y, b.y),
                        v4_select(mask, a.z, b.z)};
}

/* Friction after a step of length r from P_t; given: ratio, 0 for a disc. */
SCREE_INLINE scree_v4x3 wide_ellipse(scree_v4 given, scree_v4x3 across,
                                     scree_v4 limit, scree_v4x3 P_t, scree_v4 r,
                                     scree_v4x3 xi_t) {
    const scree_m4 oval = given > v4_set(0);
    const scree_v4 ratio = v4_select(oval, given, v4_set(1));
    const scree_v4x3 shrunk = wide_stretch(v4_set(1) / ratio, across, P_t);
    const scree_v4x3 cut = wide_disc(
        limit, v4_add_scaled(
                   wide_choose(oval, shrunk, P_t), -r,
                   wide_choose(oval, wide_stretch(ratio, across, xi_t), xi_t)));
    return wide_choose(oval, wide_stretch(ratio, across, cut), cut);
}

#endif
