/* double_pendulum.c: two rods in a chain, whose end may strike a wall.
 *
 *      O o                   ||
 *         \ phi_1            ||        phi_i: angle of rod i from the downward
 *      l_1 \                 ||        vertical, counter-clockwise
 *           o m_1            ||
 *            | phi_2         ||        a wall at x = w, the end is left of it
 *        l_2 |               ||
 *            o m_2  - - g_N -||
 *
 *     q = (phi_1, phi_2),  u = qdot,  d = phi_1 - phi_2
 *     M = | (m_1 + m_2) l_1^2      m_2 l_1 l_2 cos d |
 *         | m_2 l_1 l_2 cos d      m_2 l_2^2         |
 *     h = (-m_2 l_1 l_2 sin d u_2^2 - (m_1 + m_2) g l_1 sin phi_1,
 *           m_2 l_1 l_2 sin d u_1^2 - m_2 g l_2 sin phi_2)
 *
 *     g_N     = w - l_1 sin phi_1 - l_2 sin phi_2
 *     gamma_F = l_1 sin phi_1 u_1 + l_2 sin phi_2 u_2       upward speed of the end
 *
 * The mass matrix depends on q, and so do all rows. With w < 0 gravity presses the end
 * against the wall, along which it slides. */
#include "cases/models/formula.h"

enum {
    MASS_1,
    MASS_2,
    L_1,
    L_2,
    GRAVITY,
    WALL,
    MU,
    E_N,
    PHI_1,
    PHI_2,
    OMEGA_1,
    OMEGA_2
};

static const scree_parameter parameters[] = {
    [MASS_1] = {"mass_1", 1, "kg", "mass at the joint", &positive},
    [MASS_2] = {"mass_2", 0.5, "kg", "mass at the end", &positive},
    [L_1] = {"l_1", 1, "m", "length of the first rod", &positive},
    [L_2] = {"l_2", 0.8, "m", "length of the second rod", &positive},
    [GRAVITY] = {"gravity", 9.81, "m/s^2", "acceleration of gravity",
                 &any_number},
    [WALL] = {"wall", 0.3, "m", "place x of the wall", &any_number},
    [MU] = {"mu", 0.2, "1", "friction coefficient of the wall", &friction},
    [E_N] = {"e_n", 0.5, "1", "normal restitution of the wall", &restitution},
    [PHI_1] = {"phi_1", -1, "rad", "initial angle of the first rod",
               &any_number},
    [PHI_2] = {"phi_2", -0.5, "rad", "initial angle of the second rod",
               &any_number},
    [OMEGA_1] = {"omega_1", 0, "rad/s", "initial speed of the first rod",
                 &any_number},
    [OMEGA_2] = {"omega_2", 0, "rad/s", "initial speed of the second rod",
                 &any_number},
};
static const char *const q_names[] = {"phi_1", "phi_2"};
static const char *const u_names[] = {"omega_1", "omega_2"};

static void laws(const double *p, scree_law *law) {
    law[0] = (scree_law){.name = "wall",
                         .kind = SCREE_LAW_CONTACT,
                         .n_f = 1,
                         .mu = p[MU],
                         .e_n = p[E_N]};
}

static void start(const double *p, double *q, double *u) {
    memcpy(q, p + PHI_1, 2 * sizeof *q);
    memcpy(u, p + OMEGA_1, 2 * sizeof *u);
}

/* m_2 l_1 l_2, which couples the rods */
static double coupling(const double *p) {
    return p[MASS_2] * p[L_1] * p[L_2];
}

static void mass(const double *p, double t, const double *q, double *M) {
    (void)t;
    M[0] = (p[MASS_1] + p[MASS_2]) * p[L_1] * p[L_1];
    M[1] = M[2] = coupling(p) * scree_cos(q[0] - q[1]);
    M[3] = p[MASS_2] * p[L_2] * p[L_2];
}

static void force(const double *p, double t, const double *q, const double *u,
                  double *h) {
    (void)t;
    const double turn = coupling(p) * scree_sin(q[0] - q[1]);
    h[0] = -turn * u[1] * u[1] -
           (p[MASS_1] + p[MASS_2]) * p[GRAVITY] * p[L_1] * scree_sin(q[0]);
    h[1] =
        turn * u[0] * u[0] - p[MASS_2] * p[GRAVITY] * p[L_2] * scree_sin(q[1]);
}

static void gaps(const double *p, double t, const double *q, double *g) {
    (void)t;
    g[0] = p[WALL] - p[L_1] * scree_sin(q[0]) - p[L_2] * scree_sin(q[1]);
}

static void rows(const double *p, double t, const double *q, double *Wt,
                 double *chi) {
    (void)t;
    for (int i = 0; i < 2; ++i) {
        Wt[i] = -p[L_1 + i] * scree_cos(q[i]);
        Wt[2 + i] = p[L_1 + i] * scree_sin(q[i]);
    }
    chi[0] = chi[1] = 0;
}

static double energy(const double *p, double t, const double *q,
                     const double *u) {
    double M[4];
    mass(p, t, q, M);
    const double height_1 = -p[L_1] * scree_cos(q[0]);
    const double height_2 = height_1 - p[L_2] * scree_cos(q[1]);
    return 0.5 * (M[0] * u[0] * u[0] + M[3] * u[1] * u[1]) +
           M[1] * u[0] * u[1] +
           p[GRAVITY] * (p[MASS_1] * height_1 + p[MASS_2] * height_2);
}

const scree_model_ops scree_model_double_pendulum = {
    .name = "double-pendulum",
    .about = "a double pendulum that strikes a wall: its mass matrix turns "
             "with it",
    .n_q = 2,
    .n_u = 2,
    .n_law = 1,
    .n_row = 2,
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
    .energy = energy,
};
