/* tippedisk.c: an eccentric disk that, spun fast, lifts its centre of gravity.
 *
 *        e_z                  G: centre of the disk of radius r
 *         |    .-'-.          S: centre of gravity, G + e e_x^K
 *         |  /   G   \        C: lowest point of the rim
 *         | |    .S   |       e_z^K: normal of the disk
 *         |  \   |   /        n_z = e_z^K . e_z
 *     ----+----'-C-'------
 *
 *     q = (r_OS, p): centre of gravity, unit quaternion (w, x, y, z) that turns
 *         the body frame K into the inertial frame I
 *     u = (v_S, omega): in the frames I and K
 *     rdot = v_S,  pdot = 1/2 p (0, omega)
 *     M = diag(m, m, m, Theta),  h = (0, 0, -m g, -omega x Theta omega)
 *
 *     r_SC = -e e_x^K - r e_y^G,  e_y^G = (e_z - n_z e_z^K) / sqrt(1 - n_z^2)
 *     g_N = z + r_SC . e_z
 *     gamma_N = v_C . e_z,  v_C = v_S + omega x r_SC
 *     gamma_F = (v_C . e_x, v_C . e_y, (3 pi R / 16) omega . e_z)
 *
 * C moves along the rim, but perpendicular to e_z: so gamma_N is the derivative
 * of g_N although v_C is the velocity of the material point. The third friction
 * component is the drilling velocity times its lever: Coulomb-Contensou
 * friction of a contact area of radius R. A disk that lies flat (n_z = 1) has
 * no lowest point; the model does not cover it.
 *
 * Paper 000, 5.4. The eccentricity is that of a hole of radius a at distance b,
 * e = b a^2 / (r^2 - a^2). mu is not given there. */
#include "cases/models/formula.h"

enum {
    MASS,
    RADIUS,
    HOLE,
    HOLE_AT,
    THETA_X,
    THETA_Y,
    THETA_Z,
    GRAVITY,
    MU,
    E_N,
    AREA,
    OMEGA_X,
    OMEGA_Y,
    OMEGA_Z
};

static const scree_parameter parameters[] = {
    [MASS] = {"mass", 0.435, "kg", "mass of the disk", &positive},
    [RADIUS] = {"radius", 0.045, "m", "radius r of the disk", &positive},
    [HOLE] = {"hole", 0.015, "m", "radius a of the hole", &not_negative},
    [HOLE_AT] = {"hole_at", 0.02, "m", "distance b of the hole from G",
                 &not_negative},
    [THETA_X] = {"theta_x", 2.49e-4, "kg m^2", "inertia about e_x^K",
                 &positive},
    [THETA_Y] = {"theta_y", 2.2972e-4, "kg m^2", "inertia about e_y^K",
                 &positive},
    [THETA_Z] = {"theta_z", 4.7072e-4, "kg m^2", "inertia about the normal",
                 &positive},
    [GRAVITY] = {"gravity", 9.81, "m/s^2", "acceleration of gravity",
                 &any_number},
    [MU] = {"mu", 0.3, "1", "friction coefficient", &friction},
    [E_N] = {"e_n", 0, "1", "normal restitution", &restitution},
    [AREA] = {"area", 1e-3, "m", "radius R of the contact area", &not_negative},
    [OMEGA_X] = {"omega_x", -60, "rad/s", "initial omega about e_x^K",
                 &any_number},
    [OMEGA_Y] = {"omega_y", 0, "rad/s", "initial omega about e_y^K",
                 &any_number},
    [OMEGA_Z] = {"omega_z", 1, "rad/s", "initial omega about the normal",
                 &any_number},
};
static const char *const q_names[] = {"x",   "y",   "z",  "p_w",
                                      "p_x", "p_y", "p_z"};
static const char *const u_names[] = {"v_x",     "v_y",     "v_z",
                                      "omega_x", "omega_y", "omega_z"};

static double eccentricity(const double *p) {
    const double a2 = p[HOLE] * p[HOLE];
    return p[HOLE_AT] * a2 / (p[RADIUS] * p[RADIUS] - a2);
}

/* r_SC in the inertial frame */
static scree_vec3 contact_arm(const double *p, scree_quat A) {
    const scree_vec3 ex = quat_rotate(A, vec(1, 0, 0));
    const scree_vec3 ez = quat_rotate(A, vec(0, 0, 1));
    const scree_vec3 up = add_scaled(vec(0, 0, 1), -ez.z, ez);
    return add_scaled(scale(-eccentricity(p), ex), -p[RADIUS] / norm(up), up);
}

static void laws(const double *p, scree_law *law) {
    law[0] = (scree_law){.name = "table",
                         .kind = SCREE_LAW_CONTACT,
                         .n_f = 3,
                         .mu = p[MU],
                         .e_n = p[E_N]};
}

/* Upright, S below G, the contact point at rest in the origin. */
static void start(const double *p, double *q, double *u) {
    const double q0[] = {0,   0,   p[RADIUS] - eccentricity(p), 0.5, 0.5,
                         0.5, -0.5};
    memcpy(q, q0, sizeof q0);
    memcpy(u + 3, p + OMEGA_X, 3 * sizeof *u);
    const scree_vec3 omega = quat_rotate(orientation(q + 3), vec_from(u + 3));
    vec_to(cross(omega, vec_from(q)), u);
}

static void mass(const double *p, double t, const double *q, double *M) {
    (void)t, (void)q;
    diagonal(6,
             (double[]){p[MASS], p[MASS], p[MASS], p[THETA_X], p[THETA_Y],
                        p[THETA_Z]},
             M);
}

static void force(const double *p, double t, const double *q, const double *u,
                  double *h) {
    (void)t, (void)q;
    h[0] = h[1] = 0, h[2] = -p[MASS] * p[GRAVITY];
    gyroscopic(p + THETA_X, u + 3, h + 3);
}

static void kinematics(const double *p, double t, const double *q,
                       const double *u, double *qdot) {
    (void)p, (void)t;
    memcpy(qdot, u, 3 * sizeof *qdot);
    quaternion_rate(q + 3, u + 3, qdot + 3);
}

static void gaps(const double *p, double t, const double *q, double *g) {
    (void)t;
    g[0] = q[2] + contact_arm(p, orientation(q + 3)).z;
}

static void rows(const double *p, double t, const double *q, double *Wt,
                 double *chi) {
    (void)t;
    const scree_quat A = orientation(q + 3);
    const scree_vec3 arm = contact_arm(p, A);
    const scree_vec3 t_of_row[] = {vec(0, 0, 1), vec(1, 0, 0), vec(0, 1, 0)};
    const scree_vec3 drilling = vec(0, 0, 3 * SCREE_PI * p[AREA] / 16);
    memset(Wt, 0, 24 * sizeof *Wt);
    for (int i = 0; i < 3; ++i) {
        point_row(t_of_row[i], arm, Wt + 6 * i);
        vec_to(to_body(A, vec_from(Wt + 6 * i + 3)), Wt + 6 * i + 3);
    }
    vec_to(to_body(A, drilling), Wt + 6 * 3 + 3);
    memset(chi, 0, 4 * sizeof *chi);
}

static void normalise(const double *p, double *q) {
    (void)p;
    normalise_quaternion(q + 3);
}

static double energy(const double *p, double t, const double *q,
                     const double *u) {
    (void)t;
    const scree_vec3 v = vec_from(u);
    return p[MASS] * (0.5 * dot(v, v) + p[GRAVITY] * q[2]) +
           spin_energy(p + THETA_X, u + 3);
}

const scree_model_ops scree_model_tippedisk = {
    .name = "tippedisk",
    .about =
        "an eccentric disk that inverts when spun (Breuling et al. 2024, 5.4)",
    .n_q = 7,
    .n_u = 6,
    .n_law = 1,
    .n_row = 4,
    .n_parameter = COUNT(parameters),
    .parameters = parameters,
    .q_names = q_names,
    .u_names = u_names,
    .laws = laws,
    .start = start,
    .mass = mass,
    .force = force,
    .kinematics = kinematics,
    .gaps = gaps,
    .rows = rows,
    .normalise = normalise,
    .energy = energy,
};
