/* vec.h: vectors, unit quaternions, and the 64-byte velocity record. */
#ifndef SCREE_BASE_VEC_H
#define SCREE_BASE_VEC_H

#include <math.h>

#include "engine/base/elementary/elementary.h"

#define SCREE_PI 3.14159265358979323846

typedef struct scree_vec3 {
    double x, y, z;
} scree_vec3;

/* A ball: centre and radius, 32 bytes, one half of a cache line. */
typedef struct scree_ball {
    scree_vec3 x; /* [m] */
    double r;     /* [m] */
} scree_ball;

typedef struct scree_quat {
    double w, x, y, z;
} scree_quat;

/* Velocity u and inverse inertia of one body, in one cache line: all that a
 * sweep of the solver touches. Spheres have Theta = theta I in every frame, so
 * omega is kept in the inertial frame. inv_m = inv_theta = 0: never moved. */
typedef struct scree_twist {
    scree_vec3 v;     /* [m/s] */
    double inv_m;     /* [1/kg] */
    scree_vec3 w;     /* omega [rad/s], inertial frame */
    double inv_theta; /* [1/(kg m^2)] */
} scree_twist;

/* A velocity alone. */
typedef struct scree_velocity {
    scree_vec3 v, w;
} scree_velocity;

/* A rotation: columns are the body's axes in the inertial frame. */
typedef struct scree_mat3 {
    scree_vec3 x, y, z;
} scree_mat3;

/* A symmetric tensor, one cache line. */
typedef struct scree_sym3 {
    double xx, yy, zz, xy, xz, yz, unused[2];
} scree_sym3;

static inline scree_vec3 vec(double x, double y, double z) {
    return (scree_vec3){x, y, z};
}
static inline scree_vec3 vec_from(const double a[3]) {
    return (scree_vec3){a[0], a[1], a[2]};
}
static inline void vec_to(scree_vec3 a, double out[3]) {
    out[0] = a.x, out[1] = a.y, out[2] = a.z;
}
static inline scree_vec3 add(scree_vec3 a, scree_vec3 b) {
    return vec(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline scree_vec3 sub(scree_vec3 a, scree_vec3 b) {
    return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline scree_vec3 scale(double s, scree_vec3 a) {
    return vec(s * a.x, s * a.y, s * a.z);
}
/* a + s b */
static inline scree_vec3 add_scaled(scree_vec3 a, double s, scree_vec3 b) {
    return vec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
static inline double dot(scree_vec3 a, scree_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline scree_vec3 cross(scree_vec3 a, scree_vec3 b) {
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
               a.x * b.y - a.y * b.x);
}
static inline double norm(scree_vec3 a) {
    return sqrt(dot(a, a));
}

/* Any unit vector perpendicular to the unit vector n. */
static inline scree_vec3 perpendicular(scree_vec3 n) {
    const scree_vec3 t =
        fabs(n.x) < 0.6 ? vec(0, n.z, -n.y) : vec(-n.z, 0, n.x);
    return scale(1.0 / norm(t), t);
}

static inline scree_vec3 mat3_mul(const scree_mat3 *R, scree_vec3 v) {
    return add_scaled(add_scaled(scale(v.x, R->x), v.y, R->y), v.z, R->z);
}
static inline scree_vec3 mat3_mul_back(const scree_mat3 *R, scree_vec3 v) {
    return vec(dot(R->x, v), dot(R->y, v), dot(R->z, v));
}
static inline scree_vec3 sym3_mul(const scree_sym3 *A, scree_vec3 b) {
    return vec(A->xx * b.x + A->xy * b.y + A->xz * b.z,
               A->xy * b.x + A->yy * b.y + A->yz * b.z,
               A->xz * b.x + A->yz * b.y + A->zz * b.z);
}

static inline scree_quat quat_mul(scree_quat p, scree_quat q) {
    return (scree_quat){p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z,
                        p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                        p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                        p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
}
static inline scree_quat quat_unit(scree_quat q) {
    const double s = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (scree_quat){s * q.w, s * q.x, s * q.y, s * q.z};
}
/* The rotation by the vector phi (angle |phi| about phi). Steps turn bodies by
 * small angles, where the series is exact to rounding and saves the sine. */
static inline scree_quat quat_from_vector(scree_vec3 phi) {
    const double h2 = 0.25 * dot(phi, phi); /* (angle / 2)^2 */
    double c, s;                            /* cos(h), sin(h) / (2 h) */
    if (h2 < 0.01) {
        c = 1 - h2 / 2 * (1 - h2 / 12 * (1 - h2 / 30 * (1 - h2 / 56)));
        s = 0.5 - h2 / 12 * (1 - h2 / 20 * (1 - h2 / 42 * (1 - h2 / 72)));
    } else {
        const double h = sqrt(h2);
        c = scree_cos(h);
        s = 0.5 * scree_sin(h) / h;
    }
    return (scree_quat){c, s * phi.x, s * phi.y, s * phi.z};
}
static inline scree_vec3 quat_rotate(scree_quat q, scree_vec3 a) {
    const scree_vec3 v = vec(q.x, q.y, q.z);
    const scree_vec3 t = scale(2.0, cross(v, a));
    return add(add_scaled(a, q.w, t), cross(v, t));
}
static inline scree_mat3 quat_matrix(scree_quat q) {
    return (scree_mat3){quat_rotate(q, vec(1, 0, 0)),
                        quat_rotate(q, vec(0, 1, 0)),
                        quat_rotate(q, vec(0, 0, 1))};
}

#endif
