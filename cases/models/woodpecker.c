/* woodpecker.c: the woodpecker toy, which hammers and jams its way down a pole.
 *
 *        | |  P__               q = (y, phi_M, phi_S): height and angle of the
 *       I|=|==|  \                  sleeve, angle of the woodpecker; u = qdot
 *       _| |_ \ S )
 *      | | | |-G\/              contacts: 1 beak - pole, 2 lower and 3 upper
 *      |_| |_|                            edge of the sleeve - pole
 *        | |
 *
 *         [ m_S + m_M   m_S l_M            m_S l_G         ]
 *     M = [ m_S l_M     J_M + m_S l_M^2    m_S l_M l_G     ]   (linearised)
 *         [ m_S l_G     m_S l_M l_G        J_S + m_S l_G^2 ]
 *
 *     h = (-(m_S + m_M) g,
 *          -c (phi_M - phi_S) - m_S l_M g,
 *          -c (phi_S - phi_M) - m_S l_G g)
 *
 *     g_N1 = (l_M + l_G - l_S - r_O) - h_S phi_S
 *     g_N2 = (r_M - r_O) + h_M phi_M
 *     g_N3 = (r_M - r_O) - h_M phi_M
 *     gamma_F1 = v + l_M omega_M + (l_G - l_S) omega_S
 *     gamma_F2 = gamma_F3 = v + r_M omega_M
 *
 * Paper 004, section 4 and Table I; also 002, 10.4, and the code in 003. The
 * initial phi_M of the table is rounded: contact 2 starts 8.8e-7 m inside. */
#include "cases/models/formula.h"

enum {
    R_O,
    R_M,
    H_M,
    L_M,
    L_G,
    H_S,
    L_S,
    MASS_M,
    MASS_S,
    J_M,
    J_S,
    STIFFNESS,
    GRAVITY,
    MU,
    E_N1,
    E_N2,
    E_N3,
    PHI_M0,
    PHI_S0,
    V0,
    OMEGA_M0,
    OMEGA_S0
};

static const scree_parameter parameters[] = {
    [R_O] = {"r_o", 0.0025, "m", "radius of the pole", &positive},
    [R_M] = {"r_m", 0.0031, "m", "inner radius of the sleeve", &positive},
    [H_M] = {"h_m", 0.0058, "m", "half height of the sleeve", &positive},
    [L_M] = {"l_m", 0.010, "m", "distance M-G, sleeve to joint", &positive},
    [L_G] = {"l_g", 0.015, "m", "distance G-S, joint to woodpecker", &positive},
    [H_S] = {"h_s", 0.02, "m", "distance S-P, height of the beak", &positive},
    [L_S] = {"l_s", 0.0201, "m", "length of the beak P-I", &positive},
    [MASS_M] = {"mass_m", 0.0003, "kg", "mass of the sleeve", &positive},
    [MASS_S] = {"mass_s", 0.0045, "kg", "mass of the woodpecker", &positive},
    [J_M] = {"inertia_m", 5e-9, "kg m^2", "moment of inertia of the sleeve",
             &positive},
    [J_S] = {"inertia_s", 7e-7, "kg m^2", "moment of inertia of the woodpecker",
             &positive},
    [STIFFNESS] = {"stiffness", 0.0056, "N m/rad", "stiffness of the spring",
                   &not_negative},
    [GRAVITY] = {"gravity", 9.81, "m/s^2", "acceleration of gravity",
                 &any_number},
    [MU] = {"mu", 0.3, "1", "friction coefficient of all contacts", &friction},
    [E_N1] = {"e_n1", 0.5, "1", "normal restitution of the beak", &restitution},
    [E_N2] = {"e_n2", 0, "1", "normal restitution of the lower edge",
              &restitution},
    [E_N3] = {"e_n3", 0, "1", "normal restitution of the upper edge",
              &restitution},
    [PHI_M0] = {"phi_m0", -0.1036, "rad", "initial angle of the sleeve",
                &any_number},
    [PHI_S0] = {"phi_s0", -0.2788, "rad", "initial angle of the woodpecker",
                &any_number},
    [V0] = {"v0", -0.3411, "m/s", "initial velocity of the sleeve",
            &any_number},
    [OMEGA_M0] = {"omega_m0", 0, "rad/s",
                  "initial angular velocity of the sleeve", &any_number},
    [OMEGA_S0] = {"omega_s0", -7.4583, "rad/s",
                  "initial angular velocity of the woodpecker", &any_number},
};
static const char *const q_names[] = {"y", "phi_M", "phi_S"};
static const char *const u_names[] = {"v", "omega_M", "omega_S"};

static void laws(const double *p, scree_law *law) {
    static const char *const names[] = {"beak", "lower-edge", "upper-edge"};
    for (int i = 0; i < 3; ++i)
        law[i] = (scree_law){.name = names[i],
                             .kind = SCREE_LAW_CONTACT,
                             .row = 2 * i,
                             .n_f = 1,
                             .mu = p[MU],
                             .e_n = p[E_N1 + i]};
}

static void start(const double *p, double *q, double *u) {
    q[0] = 0, q[1] = p[PHI_M0], q[2] = p[PHI_S0];
    u[0] = p[V0], u[1] = p[OMEGA_M0], u[2] = p[OMEGA_S0];
}

static void mass(const double *p, double t, const double *q, double *M) {
    (void)t, (void)q;
    const double m = p[MASS_S], a = p[L_M], b = p[L_G];
    M[0] = m + p[MASS_M];
    M[1] = M[3] = m * a;
    M[2] = M[6] = m * b;
    M[4] = p[J_M] + m * a * a;
    M[5] = M[7] = m * a * b;
    M[8] = p[J_S] + m * b * b;
}

static void force(const double *p, double t, const double *q, const double *u,
                  double *h) {
    (void)t, (void)u;
    const double torque = p[STIFFNESS] * (q[1] - q[2]);
    const double weight = p[MASS_S] * p[GRAVITY];
    h[0] = -weight - p[MASS_M] * p[GRAVITY];
    h[1] = -torque - weight * p[L_M];
    h[2] = torque - weight * p[L_G];
}

static void gaps(const double *p, double t, const double *q, double *g) {
    (void)t;
    const double clearance = p[R_M] - p[R_O];
    g[0] = p[L_M] + p[L_G] - p[L_S] - p[R_O] - p[H_S] * q[2];
    g[1] = clearance + p[H_M] * q[1];
    g[2] = clearance - p[H_M] * q[1];
}

static void rows(const double *p, double t, const double *q, double *Wt,
                 double *chi) {
    (void)t, (void)q;
    const double W[6][3] = {
        {0, 0, -p[H_S]}, {1, p[L_M], p[L_G] - p[L_S]}, /* beak */
        {0, p[H_M], 0},  {1, p[R_M], 0},               /* lower edge */
        {0, -p[H_M], 0}, {1, p[R_M], 0},               /* upper edge */
    };
    memcpy(Wt, W, sizeof W);
    memset(chi, 0, 6 * sizeof *chi);
}

static double energy(const double *p, double t, const double *q,
                     const double *u) {
    double M[9], kinetic = 0;
    mass(p, t, q, M);
    for (int i = 0; i < 9; ++i) kinetic += 0.5 * u[i / 3] * M[i] * u[i % 3];
    const double twist = q[1] - q[2];
    const double height = q[0] + p[L_M] * q[1] + p[L_G] * q[2];
    return kinetic + 0.5 * p[STIFFNESS] * twist * twist +
           p[GRAVITY] * (p[MASS_M] * q[0] + p[MASS_S] * height);
}

const scree_model_ops scree_model_woodpecker = {
    .name = "woodpecker",
    .about = "the woodpecker toy on its pole (Glocker and Studer 2005, 4; "
             "Studer et al. 2008, 10.4)",
    .n_q = 3,
    .n_u = 3,
    .n_law = 3,
    .n_row = 6,
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
