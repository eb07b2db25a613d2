/* contensou.h: drilling, by Coulomb and Contensou. Friction and the moment about the
 * normal share a ball of R^3,
 *     (P_T, M_N / drill) in the ball of radius mu P_N, against (xi_T, drill omega_N),
 * with the lever drill = 3 pi R / 16 of a patch of radius R (000, equation (59)): a patch
 * with the pressure of Hertz that turns on the spot resists with mu P_N drill. Of
 * anisotropic contacts S^-1 P_T and S xi_T take the places of P_T and xi_T (ellipse.h).
 *
 * Fields: drill, c_m, M, rho_m. State: M, which rolling has too. Rows are general. */
#ifndef SCREE_LAW_CONTENSOU_H
#define SCREE_LAW_CONTENSOU_H

#include "solvers/law/rolling.h"

static inline double contensou_lever(double patch) {
    return 3 * SCREE_PI / 16 * patch;
}

/* One step for all that lies in one ball, in N s per m/s, from those of friction and
 * moments. */
static inline double contensou_step(const scree_row *k, double r_t,
                                    double r_m) {
    return fmin(r_t, r_m / (k->drill * k->drill));
}

/* Friction s->P_t = y before it is cut, and M_N after a step of length r_m, both cut to
 * the ball; the moment joins s->M. */
static inline void contensou_prox(const scree_row *k, double M_n,
                                  double omega_n, double r_m, row_step *s) {
    const double q = (M_n - r_m * omega_n) / k->drill;
    const double limit = k->mu * s->P_n;
    const double size2 = dot(s->P_t, s->P_t) + q * q;
    const double shrink = size2 <= limit * limit ? 1 : limit / sqrt(size2);
    s->P_t = scale(shrink, s->P_t);
    s->M = add_scaled(s->M, shrink * q * k->drill, k->n);
}

#endif
