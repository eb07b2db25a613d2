/* top.c: a torque-free asymmetric top, which tumbles about its middle axis.
 *
 *     q = p: unit quaternion (w, x, y, z), body frame to inertial frame
 *     u = omega, in the body frame
 *     pdot = 1/2 p (0, omega)
 *     M = Theta = diag(theta_1, theta_2, theta_3),  h = -omega x Theta omega
 *
 * No laws and no rows. Euler's equations: rotation about the axis of the middle
 * moment of inertia is unstable, so that a small disturbance turns omega_2
 * round again and again. Energy and the length of Theta omega are conserved. */
#include "cases/models/formula.h"

enum { THETA_1, THETA_2, THETA_3, OMEGA_1, OMEGA_2, OMEGA_3 };

static const scree_parameter parameters[] = {
    [THETA_1] = {"theta_1", 1, "kg m^2", "first moment of inertia", &positive},
    [THETA_2] = {"theta_2", 2, "kg m^2", "second moment of inertia", &positive},
    [THETA_3] = {"theta_3", 3, "kg m^2", "third moment of inertia", &positive},
    [OMEGA_1] = {"omega_1", 0.01, "rad/s", "initial omega_1", &any_number},
    [OMEGA_2] = {"omega_2", 2, "rad/s", "initial omega_2", &any_number},
    [OMEGA_3] = {"omega_3", 0.01, "rad/s", "initial omega_3", &any_number},
};
static const char *const q_names[] = {"p_w", "p_x", "p_y", "p_z"};
static const char *const u_names[] = {"omega_1", "omega_2", "omega_3"};

static void laws(const double *p, scree_law *law) {
    (void)p, (void)law;
}

static void start(const double *p, double *q, double *u) {
    q[0] = 1, q[1] = q[2] = q[3] = 0;
    memcpy(u, p + OMEGA_1, 3 * sizeof *u);
}

static void mass(const double *p, double t, const double *q, double *M) {
    (void)t, (void)q;
    diagonal(3, p + THETA_1, M);
}

static void force(const double *p, double t, const double *q, const double *u,
                  double *h) {
    (void)t, (void)q;
    gyroscopic(p + THETA_1, u, h);
}

static void kinematics(const double *p, double t, const double *q,
                       const double *u, double *qdot) {
    (void)p, (void)t;
    quaternion_rate(q, u, qdot);
}

static void rows(const double *p, double t, const double *q, double *Wt,
                 double *chi) {
    (void)p, (void)t, (void)q, (void)Wt, (void)chi;
}

static double energy(const double *p, double t, const double *q,
                     const double *u) {
    (void)t, (void)q;
    return spin_energy(p + THETA_1, u);
}

static void normalise(const double *p, double *q) {
    (void)p;
    normalise_quaternion(q);
}

const scree_model_ops scree_model_top = {
    .name = "top",
    .about = "a torque-free asymmetric top",
    .n_q = 4,
    .n_u = 3,
    .n_parameter = COUNT(parameters),
    .parameters = parameters,
    .q_names = q_names,
    .u_names = u_names,
    .laws = laws,
    .start = start,
    .mass = mass,
    .force = force,
    .kinematics = kinematics,
    .rows = rows,
    .normalise = normalise,
    .energy = energy,
};
