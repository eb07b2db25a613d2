/* formula.h: what several models write in the same way. */
#ifndef SCREE_MODELS_FORMULA_H
#define SCREE_MODELS_FORMULA_H

#include <string.h>

#include "engine/base/vec.h"
#include "engine/scree_model.h"

/* The number of entries of an array, as the counts of a model. */
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* ---- ranges of parameters ------------------------------------------------ */

/* Wide enough for any use, far enough from where double precision ends: products
 * and quotients of a few such numbers are finite. */
static const scree_range any_number = {-1e9, 1e9, false, false};
static const scree_range not_negative = {0, 1e9, false, false};
static const scree_range positive = {1e-15, 1e9, false, false};
static const scree_range restitution = {0, 1, false, false};
static const scree_range share = {0, 1, false, false};
static const scree_range friction = {0, 1000, false, false};

/* ---- matrices and energies ----------------------------------------------- */

/* M = diag(d), (n x n) */
static inline void diagonal(int n, const double *d, double *M) {
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    for (int i = 0; i < n; ++i) M[i * n + i] = d[i];
}

/* Energy of a body in the plane, q = (x, y, phi), gravity along -y. */
static inline double planar_energy(double mass, double theta, double gravity,
                                   const double *q, const double *u) {
    return 0.5 * mass * (u[0] * u[0] + u[1] * u[1]) +
           0.5 * theta * u[2] * u[2] + mass * gravity * q[1];
}

/* ---- velocity (v, omega) of a body in space ------------------------------ */

/* The row of t . (v + omega x arm), with everything in the inertial frame. */
static inline void point_row(scree_vec3 t, scree_vec3 arm, double row[6]) {
    vec_to(t, row);
    vec_to(cross(arm, t), row + 3);
}

/* ---- orientation by a unit quaternion, omega in the body frame ----------- */

/* The orientation does not depend on the length of p: a solver may leave the
 * unit sphere while it iterates. */
static inline scree_quat orientation(const double p[4]) {
    return quat_unit((scree_quat){p[0], p[1], p[2], p[3]});
}

static inline void normalise_quaternion(double p[4]) {
    const scree_quat q = orientation(p);
    p[0] = q.w, p[1] = q.x, p[2] = q.y, p[3] = q.z;
}

static inline scree_vec3 to_body(scree_quat q, scree_vec3 a) {
    return quat_rotate((scree_quat){q.w, -q.x, -q.y, -q.z}, a);
}

/* pdot = 1/2 p (0, omega): linear in p and perpendicular to it, so that the
 * midpoint and trapezoidal rules keep its length. */
static inline void quaternion_rate(const double p[4], const double omega[3],
                                   double pdot[4]) {
    const scree_quat r =
        quat_mul((scree_quat){p[0], p[1], p[2], p[3]},
                 (scree_quat){0, omega[0], omega[1], omega[2]});
    pdot[0] = 0.5 * r.w, pdot[1] = 0.5 * r.x;
    pdot[2] = 0.5 * r.y, pdot[3] = 0.5 * r.z;
}

/* -omega x (Theta omega), Theta = diag(theta) */
static inline void gyroscopic(const double theta[3], const double omega[3],
                              double h[3]) {
    const scree_vec3 w = vec_from(omega);
    const scree_vec3 L = vec(theta[0] * w.x, theta[1] * w.y, theta[2] * w.z);
    vec_to(cross(L, w), h);
}

static inline double spin_energy(const double theta[3], const double omega[3]) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += theta[i] * omega[i] * omega[i];
    return 0.5 * sum;
}

#endif
