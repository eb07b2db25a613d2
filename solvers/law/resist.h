/* resist.h: how the laws of a row go together.
 *
 *     friction    tied:      along its direction, for the P_N that there is
 *                 else:      a step, of an ellipse stretched; cut to the disc, or with
 *                            drilling, together with M_N, to the ball; stretched back
 *     moments     rolling:   a step, cut to its disc */
#ifndef SCREE_LAW_RESIST_H
#define SCREE_LAW_RESIST_H

#include "solvers/law/contensou.h"
#include "solvers/law/ellipse.h"
#include "solvers/law/tied.h"

/* Friction before it is cut to the disc: of an anisotropic contact, stretched. */
static inline scree_vec3 row_friction_step(const scree_row *k, scree_vec3 xi,
                                           double r) {
    const scree_vec3 xi_t = add_scaled(xi, -dot(k->n, xi), k->n);
    return scree_row_is_oval(k) ? ellipse_step(k, xi_t, r)
                                : coulomb_step(k, xi_t, r);
}

/* Friction inside the set that the normal percussion P_n allows. */
static inline scree_vec3 row_friction(const scree_row *k, double P_n,
                                      scree_vec3 xi, double r_t) {
    if (scree_row_is_tied(k)) return tied_friction(k, P_n);
    const scree_vec3 y = row_friction_step(k, xi, r_t);
    return scree_row_is_oval(k) ? ellipse_prox(k, P_n, y)
                                : coulomb_prox(k, P_n, y);
}

/* Rolling and drilling moments for a normal percussion s->P_n; drilling shares
 * its ball with friction, which has taken its step s->P_t = y (stretched) before
 * it is cut to the ball. */
static inline void row_moments(const scree_row *k, scree_vec3 omega, double r_m,
                               row_step *s) {
    const double omega_n = dot(k->n, omega), M_n = dot(k->n, k->M);
    const scree_vec3 omega_t = add_scaled(omega, -omega_n, k->n);
    const scree_vec3 M_t = add_scaled(k->M, -M_n, k->n);
    s->M = rolling_prox(k, s->P_n, M_t, omega_t, r_m);
    if (scree_row_drills(k)) contensou_prox(k, M_n, omega_n, r_m, s);
}

/* Friction and moments for the normal percussion s->P_n, with steps of lengths r_t
 * and r_m. */
static inline void row_resist(const scree_row *k, scree_vec3 xi,
                              scree_vec3 omega, double r_t, double r_m,
                              row_step *s) {
    s->M = vec(0, 0, 0);
    if (scree_row_drills(k)) {
        const double r = contensou_step(k, r_t, r_m);
        s->P_t = row_friction_step(k, xi, r);
        row_moments(k, omega, r * k->drill * k->drill, s);
        if (scree_row_is_oval(k)) s->P_t = scree_row_stretch(k, s->P_t);
        return;
    }
    s->P_t = row_friction(k, s->P_n, xi, r_t);
    if (scree_row_turns(k)) row_moments(k, omega, r_m, s);
}

/* ---- the natural map (problem.h) ----------------------------------------------- */

/* |xi|^2 as the residual counts it: how fast a contact without friction slips does
 * not matter. */
static inline double row_size2(const scree_row *k, scree_vec3 xi) {
    const bool rubs = scree_row_rubs(k), oval = scree_row_is_oval(k);
    if (rubs && !oval) return dot(xi, xi);
    const double xi_n = dot(k->n, xi);
    if (!rubs) return xi_n * xi_n;
    const scree_vec3 xi_t = scree_row_stretch(k, add_scaled(xi, -xi_n, k->n));
    return xi_n * xi_n + dot(xi_t, xi_t);
}

/* P_T as the map counts it: of an ellipse, shrunk to the disc. */
static inline scree_vec3 row_on_disc(const scree_row *k, scree_vec3 P_t) {
    return scree_row_is_oval(k) ? scree_row_shrink(k, P_t) : P_t;
}

/* What friction and moments of a contact add to the sums of the residual. */
typedef struct row_map {
    double F2, P2,
        xi2;     /* |F|^2, |P / rho|^2, |xi|^2 without their normal parts */
    double cone; /* how far friction lies outside its set [N s] */
} row_map;

/* Of contacts that resist turning: moments over their lengths, angular velocities
 * times them. */
static inline row_map turning_map(const scree_row *k, scree_vec3 xi,
                                  scree_vec3 omega) {
    const double rho = k->rho_n, length = fmax(k->roll, k->drill);
    row_step s = {.P_n = k->P_n};
    row_resist(k, xi, omega, rho, rho * length * length, &s);
    const scree_vec3 P_t = row_on_disc(k, k->P_t);
    const scree_vec3 F_t = scale(1 / rho, sub(P_t, row_on_disc(k, s.P_t)));
    const scree_vec3 F_m = scale(1 / (rho * length), sub(k->M, s.M));
    return (row_map){.F2 = dot(F_t, F_t) + dot(F_m, F_m),
                     .P2 =
                         (dot(P_t, P_t) + dot(k->M, k->M) / (length * length)) /
                         (rho * rho)};
}

/* Of contacts with friction alone. */
static inline row_map sliding_map(const scree_row *k, scree_vec3 xi) {
    const double xi_n = dot(k->n, xi), p_n = k->P_n / k->rho_n;
    scree_vec3 xi_t = add_scaled(xi, -xi_n, k->n);
    if (scree_row_is_oval(k)) xi_t = scree_row_stretch(k, xi_t);
    const scree_vec3 P_t = row_on_disc(k, k->P_t);
    const scree_vec3 p_t = scale(1 / k->rho_n, P_t);
    return (row_map){.F2 = coulomb_map2(k->mu, p_n, p_t, xi_t),
                     .P2 = dot(p_t, p_t),
                     .xi2 = k->mu > 0 ? dot(xi_t, xi_t) : 0,
                     .cone = norm(P_t) - k->mu * k->P_n};
}

#endif
