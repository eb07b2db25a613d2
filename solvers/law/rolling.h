/* rolling.h: resistance to rolling: M_T in D(roll P_N), against omega_T, with the arm
 * `roll` [m].
 *
 * Fields: roll, c_m, M, rho_m. State: M, from which the next solve starts; in the
 * inertial frame, so that what a contact frame does from step to step does not touch
 * it. Rows are general. */
#ifndef SCREE_LAW_ROLLING_H
#define SCREE_LAW_ROLLING_H

#include "solvers/law/coulomb.h"

static inline scree_vec3 rolling_prox(const scree_row *k, double P_n,
                                      scree_vec3 M_t, scree_vec3 omega_t,
                                      double r_m) {
    return prox_disc(k->roll * P_n, add_scaled(M_t, -r_m, omega_t));
}

static inline scree_vec3 scree_state_moment(const scree_contact_state *s) {
    return vec(s->x[0], s->x[1], s->x[2]);
}
static inline void scree_state_set_moment(scree_contact_state *s,
                                          scree_vec3 M) {
    s->x[0] = M.x, s->x[1] = M.y, s->x[2] = M.z;
}

/* The moment acts on a: the other way round it has the other sign. */
#define SCREE_MOMENT_STATE                                                     \
    { .name = "moment_percussion", .first = 0, .n = 3, .odd = true }

#endif
