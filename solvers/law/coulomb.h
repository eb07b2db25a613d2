/* coulomb.h: friction by Coulomb's law, isotropic: P_T in D(mu P_N), the disc in the
 * tangent plane, -xi_T in its normal cone. The law of rows without bits.
 *
 * Fields: mu, and rho_t for the length of a prox step. */
#ifndef SCREE_LAW_COULOMB_H
#define SCREE_LAW_COULOMB_H

#include "engine/base/simd.h"
#include "solvers/problem/row.h"
#include "solvers/problem/sets.h"

/* Friction before it is cut to the disc, with a step of length r. */
static inline scree_vec3 coulomb_step(const scree_row *k, scree_vec3 xi_t,
                                      double r) {
    return add_scaled(k->P_t, -r, xi_t);
}

static inline scree_vec3 coulomb_prox(const scree_row *k, double P_n,
                                      scree_vec3 y) {
    return prox_disc(k->mu * P_n, y);
}

/* |F_T|^2 of a contact with p = P / rho. While p_T - xi_T lies in the disc it is
 * |xi_T|^2: no cancellation. wide_saxce_map2 below is the other map of the same law. */
static inline double coulomb_map2(double mu, double p_n, scree_vec3 p_t,
                                  scree_vec3 xi_t) {
    const double limit = mu * prox_half_line(p_n);
    const scree_vec3 x_t = sub(p_t, xi_t);
    const double x2 = dot(x_t, x_t);
    if (x2 <= limit * limit) return dot(xi_t, xi_t);
    const scree_vec3 F_t = add_scaled(p_t, -limit / sqrt(x2), x_t);
    return dot(F_t, F_t);
}

/* ---- four contacts at a time, operation by operation the same ---------------- */

/* P_t cut to the disc of radius `limit`. */
SCREE_INLINE scree_v4x3 wide_disc(scree_v4 limit, scree_v4x3 P_t) {
    const scree_v4 length2 = v4_dot(P_t, P_t);
    const scree_m4 outside = ~(length2 <= limit * limit);
    if (!v4_any(outside)) return P_t;
    const scree_v4 shrink =
        v4_select(outside, limit / v4_sqrt(length2), v4_set(1));
    return (scree_v4x3){shrink * P_t.x, shrink * P_t.y, shrink * P_t.z};
}

/* The points of the cones |x_T| <= mu x_N nearest to (n, tangent): its normal part, and
 * what the tangential one shrinks by. All go to the boundary, but those that lie in the
 * cone or its polar. */
typedef struct wide_point {
    scree_v4 n, shrink;
} wide_point;

SCREE_INLINE wide_point wide_cone(scree_v4 mu, scree_v4 n, scree_v4 tangent) {
    const scree_v4 zero = v4_set(0), one = v4_set(1);
    const scree_m4 polar = mu * tangent <= -n;
    const scree_m4 inside = (tangent <= mu * n) & ~polar; /* mu may be 0 */
    const scree_v4 to = (n + mu * tangent) / (one + mu * mu);
    const scree_v4 cut =
        v4_select(polar | ~(tangent > zero), zero, mu * to / tangent);
    return (wide_point){v4_select(inside, n, v4_select(polar, zero, to)),
                        v4_select(inside, one, cut)};
}

SCREE_INLINE scree_v4 wide_coulomb_map2(scree_v4 mu, scree_v4 p_n,
                                        scree_v4x3 p_t, scree_v4x3 xi_t) {
    const scree_v4 zero = v4_set(0);
    const scree_v4 limit = mu * v4_select(p_n < zero, zero, p_n);
    const scree_v4x3 x_t = v4_sub(p_t, xi_t);
    const scree_v4 x2 = v4_dot(x_t, x_t);
    const scree_v4x3 F_t = v4_add_scaled(p_t, -limit / v4_sqrt(x2), x_t);
    return v4_select(x2 <= limit * limit, v4_dot(xi_t, xi_t), v4_dot(F_t, F_t));
}

/* |F|^2 by De Saxce's map on the friction cone K, F = p - P_K(p - xi - mu |xi_T| n), in
 * the frame (n, t1, t2): that which others measure problems from files with. Where a
 * contact slips it counts an approach divided by mu. */
SCREE_INLINE scree_v4 wide_saxce_map2(scree_v4 mu, scree_v4x3 p,
                                      scree_v4x3 xi) {
    const scree_v4 slip = v4_sqrt(xi.y * xi.y + xi.z * xi.z);
    const scree_v4 n = p.x - (xi.x + mu * slip);
    const scree_v4 t1 = p.y - xi.y, t2 = p.z - xi.z;
    const wide_point x = wide_cone(mu, n, v4_sqrt(t1 * t1 + t2 * t2));
    const scree_v4x3 F =
        v4_sub(p, (scree_v4x3){x.n, x.shrink * t1, x.shrink * t2});
    return v4_dot(F, F);
}

#endif
