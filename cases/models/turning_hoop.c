/* turning_hoop.c: a bead on a hoop that is turned about its vertical diameter.
 *
 *            e_z |  psi' = omega + alpha t
 *             .-'|'-.
 *           /    |    \          hoop of radius R in the plane of e_z and
 *          |     O--s  |         e_s = (cos psi, sin psi, 0);
 *           \    |\   /          theta: angle of the bead from the lowest point
 *             '-.|_o'            a collar holds it back at theta = c
 *                  theta
 *
 *     q = (x, y, z),  u = qdot,  M = m I,  h = (0, 0, -m g)
 *     s = x cos psi + y sin psi,  n = -x sin psi + y cos psi
 *
 *     sphere  0 = (x^2 + y^2 + z^2 - R^2) / (2 R)
 *     plane   0 = n                                     rheonomic: chi = -psi' s
 *     collar  0 <= R (c - theta),  theta = atan2(s, -z)   rheonomic as well
 *
 * The bead runs without friction. With the coordinate theta alone,
 *
 *     theta'' = psi'^2 sin theta cos theta - (g / R) sin theta,
 *
 * so that it rests at cos theta = g / (omega^2 R) if alpha = 0; then
 * theta'^2 / 2 - omega^2 sin^2 theta / 2 - (g / R) cos theta is constant between hits.
 * The plane presses with m R (2 psi' theta' cos theta + alpha sin theta). */
#include "cases/models/formula.h"

enum { MASS, RADIUS, GRAVITY, OMEGA, ALPHA, COLLAR, E_N, THETA, THETA_RATE };

static const scree_parameter parameters[] = {
    [MASS] = {"mass", 0.1, "kg", "mass of the bead", &positive},
    [RADIUS] = {"radius", 0.5, "m", "radius R of the hoop", &positive},
    [GRAVITY] = {"gravity", 9.81, "m/s^2", "acceleration of gravity",
                 &any_number},
    [OMEGA] = {"omega", 6, "rad/s", "speed of the hoop at t = 0", &any_number},
    [ALPHA] = {"alpha", 0, "rad/s^2", "acceleration of the hoop", &any_number},
    [COLLAR] = {"collar", 1.2, "rad",
                "angle of the collar from the lowest point", &any_number},
    [E_N] = {"e_n", 0.5, "1", "restitution of the collar", &restitution},
    [THETA] = {"theta", 0.5, "rad", "initial angle of the bead", &any_number},
    [THETA_RATE] = {"theta_rate", 0, "rad/s", "initial speed along the hoop",
                    &any_number},
};
static const char *const q_names[] = {"x", "y", "z"};
static const char *const u_names[] = {"v_x", "v_y", "v_z"};

/* Where the hoop is, and the bead in its frame. */
typedef struct hoop {
    double c, s, rate;    /* cos psi, sin psi, psi' */
    double along, normal; /* of the bead: s and n above */
} hoop;

static hoop hoop_at(const double *p, double t, const double *q) {
    const double psi = t * (p[OMEGA] + 0.5 * p[ALPHA] * t);
    const double c = scree_cos(psi), s = scree_sin(psi);
    return (hoop){.c = c,
                  .s = s,
                  .rate = p[OMEGA] + p[ALPHA] * t,
                  .along = q[0] * c + q[1] * s,
                  .normal = q[1] * c - q[0] * s};
}

static void laws(const double *p, scree_law *law) {
    law[0] = (scree_law){.name = "sphere", .kind = SCREE_LAW_HOLONOMIC};
    law[1] =
        (scree_law){.name = "plane", .kind = SCREE_LAW_HOLONOMIC, .row = 1};
    law[2] = (scree_law){
        .name = "collar", .kind = SCREE_LAW_CONTACT, .row = 2, .e_n = p[E_N]};
}

static void start(const double *p, double *q, double *u) {
    const double s = scree_sin(p[THETA]), c = scree_cos(p[THETA]);
    const double along = p[RADIUS] * p[THETA_RATE];
    q[0] = p[RADIUS] * s, q[1] = 0, q[2] = -p[RADIUS] * c;
    u[0] = along * c, u[1] = p[OMEGA] * q[0], u[2] = along * s;
}

static void mass(const double *p, double t, const double *q, double *M) {
    (void)t, (void)q;
    diagonal(3, (double[]){p[MASS], p[MASS], p[MASS]}, M);
}

static void force(const double *p, double t, const double *q, const double *u,
                  double *h) {
    (void)t, (void)q, (void)u;
    h[0] = h[1] = 0, h[2] = -p[MASS] * p[GRAVITY];
}

static void gaps(const double *p, double t, const double *q, double *g) {
    const hoop at = hoop_at(p, t, q);
    const double R = p[RADIUS];
    g[0] = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - R * R) / (2 * R);
    g[1] = at.normal;
    g[2] = R * (p[COLLAR] - scree_atan2(at.along, -q[2]));
}

static void rows(const double *p, double t, const double *q, double *Wt,
                 double *chi) {
    const hoop at = hoop_at(p, t, q);
    const double R = p[RADIUS];
    /* d theta = (-z ds + s dz) / (s^2 + z^2),  ds = e_s . dq + n psi' dt */
    const double scale = R / (at.along * at.along + q[2] * q[2]);
    for (int i = 0; i < 3; ++i) Wt[i] = q[i] / R;
    Wt[3] = -at.s, Wt[4] = at.c, Wt[5] = 0;
    Wt[6] = scale * q[2] * at.c;
    Wt[7] = scale * q[2] * at.s;
    Wt[8] = -scale * at.along;
    chi[0] = 0;
    chi[1] = -at.rate * at.along;
    chi[2] = scale * q[2] * at.rate * at.normal;
}

const scree_model_ops scree_model_turning_hoop = {
    .name = "turning-hoop",
    .about = "a bead on a hoop that is turned: constraints that move with time",
    .n_q = 3,
    .n_u = 3,
    .n_law = 3,
    .n_row = 3,
    .n_parameter = COUNT(parameters),
    .parameters = parameters,
    .q_names = q_names,
    .u_names = u_names,
    .laws = laws,
    .start = start,
    .mass = mass,
    .force = force,
    .gaps = gaps,
    .rows = rows,
};
