/* belt_lugre.c: the block on a belt (belt.c) with the LuGre model of friction, Leine 2024:
 * bristles of mean deflection z,
 *
 *     -lambda = sigma_0 z + sigma_1 zdot,
 *     zdot    = gamma - sigma_0 / a |gamma| z,   gamma = u - v_dr
 *
 *     q = (x, z),  u = (u_x): z has a rate, but no velocity of its own, and no mass.
 *
 * Stiff in stick, where the block swings on its bristles with sqrt(sigma_0 / m), and in
 * slip, where z follows with the rate sigma_0 |gamma| / a. qdot is not affine in u. */
#include "cases/models/belt.h"

enum { SIGMA_0 = BELT_PARAMETERS, SIGMA_1 };

static const scree_parameter parameters[] = {
    SCREE_BELT_PARAMETERS,
    [SIGMA_0] = {"sigma_0", 100, "N/m", "stiffness of the bristles", &positive},
    [SIGMA_1] = {"sigma_1", 10, "N s/m", "their damping", &not_negative},
};
static const char *const q_names[] = {"x", "z"};
static const char *const u_names[] = {"u_x"};

static void laws(const double *p, scree_law *law) {
    (void)p, (void)law;
}

static void start(const double *p, double *q, double *u) {
    q[0] = p[X0], q[1] = 0, u[0] = p[U0];
}

static void mass(const double *p, double t, const double *q, double *M) {
    (void)t, (void)q;
    M[0] = p[MASS];
}

static double bristle_rate(const double *p, double z, double gamma) {
    return gamma - p[SIGMA_0] / p[RADIUS] * fabs(gamma) * z;
}

static void force(const double *p, double t, const double *q, const double *u,
                  double *h) {
    (void)t;
    const double rate = bristle_rate(p, q[1], u[0] - p[BELT]);
    h[0] = belt_force(p, q[0], u[0]) - p[SIGMA_0] * q[1] - p[SIGMA_1] * rate;
}

static void kinematics(const double *p, double t, const double *q,
                       const double *u, double *qdot) {
    (void)t;
    qdot[0] = u[0];
    qdot[1] = bristle_rate(p, q[1], u[0] - p[BELT]);
}

const scree_model_ops scree_model_belt_lugre = {
    .name = "belt-lugre",
    .about = "the block on a belt with friction by bristles (LuGre; Leine "
             "2024)",
    .n_q = 2,
    .n_u = 1,
    .n_parameter = COUNT(parameters),
    .parameters = parameters,
    .q_names = q_names,
    .u_names = u_names,
    .laws = laws,
    .start = start,
    .mass = mass,
    .force = force,
    .kinematics = kinematics,
};
