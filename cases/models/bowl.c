/* bowl.c: a sphere with spin that slides in a rough spherical bowl.
 *
 *     \      O      /   q = (r, alpha): centre from O, integral of the spin
 *      \     |\    /    u = (v, omega), both in the inertial frame; qdot = u
 *       '.   | (+)'     M = diag(m, m, m, J, J, J),  J = 2/5 m a^2
 *         '-.|.-'       h = (0, 0, -m g, 0, 0, 0)
 *
 *     n = -r / |r|                        normal of the bowl, towards O
 *     g_N = (R - a) - |r|,  gamma_N = n . v
 *     gamma_F = (t_1 . v_C, t_2 . v_C),  v_C = v + omega x (-a n)
 *     t_1 = e_x made perpendicular to n,  t_2 = n x t_1
 *
 * The tangents are smooth everywhere but where the normal is +-e_x, at the rim;
 * a frame that jumped would spoil the order of a scheme that mixes the frames
 * of two positions. The orientation of a homogeneous sphere does not matter:
 * alpha only counts turns.
 *
 * For the study of turning slip (`friction: midslip`): the sphere starts in
 * contact, inclined by `angle` from the lowest point towards +x, moves across
 * (along y) and spins; slip direction, normal force and frame all change. With
 * the defaults it slips until t = 2.68 s; the slip speed falls from 5 m/s to a
 * first minimum of 0.14 m/s at t = 0.61 s, where the direction swings round: up
 * to t = 0.5 s the slip turns slowly. */
#include "cases/models/formula.h"

enum {
    MASS,
    RADIUS,
    BOWL,
    GRAVITY,
    MU,
    E_N,
    ANGLE,
    SPEED,
    OMEGA_X0,
    OMEGA_Y0,
    OMEGA_Z0
};

static const scree_parameter parameters[] = {
    [MASS] = {"mass", 1, "kg", "mass of the homogeneous sphere", &positive},
    [RADIUS] = {"radius", 0.1, "m", "radius a of the sphere", &positive},
    [BOWL] = {"bowl", 1, "m", "radius R of the bowl", &positive},
    [GRAVITY] = {"gravity", 9.81, "m/s^2", "acceleration of gravity",
                 &any_number},
    [MU] = {"mu", 0.1, "1", "friction coefficient", &friction},
    [E_N] = {"e_n", 0, "1", "normal restitution", &restitution},
    [ANGLE] = {"angle", 0.5, "rad", "initial angle from the lowest point",
               &any_number},
    [SPEED] = {"speed", 1.5, "m/s", "initial speed along y", &any_number},
    [OMEGA_X0] = {"omega_x0", 30, "rad/s", "initial spin about x", &any_number},
    [OMEGA_Y0] = {"omega_y0", -20, "rad/s", "initial spin about y",
                  &any_number},
    [OMEGA_Z0] = {"omega_z0", 10, "rad/s", "initial spin about z", &any_number},
};
static const char *const q_names[] = {"x",       "y",       "z",
                                      "alpha_x", "alpha_y", "alpha_z"};
static const char *const u_names[] = {"v_x",     "v_y",     "v_z",
                                      "omega_x", "omega_y", "omega_z"};

static void laws(const double *p, scree_law *law) {
    law[0] = (scree_law){.name = "bowl",
                         .kind = SCREE_LAW_CONTACT,
                         .n_f = 2,
                         .mu = p[MU],
                         .e_n = p[E_N]};
}

static void start(const double *p, double *q, double *u) {
    const double reach = p[BOWL] - p[RADIUS];
    memset(q, 0, 6 * sizeof *q);
    q[0] = reach * scree_sin(p[ANGLE]), q[2] = -reach * scree_cos(p[ANGLE]);
    u[0] = u[2] = 0, u[1] = p[SPEED];
    u[3] = p[OMEGA_X0], u[4] = p[OMEGA_Y0], u[5] = p[OMEGA_Z0];
}

static double inertia(const double *p) {
    return 0.4 * p[MASS] * p[RADIUS] * p[RADIUS];
}

static void mass(const double *p, double t, const double *q, double *M) {
    (void)t, (void)q;
    const double m = p[MASS], J = inertia(p);
    diagonal(6, (double[]){m, m, m, J, J, J}, M);
}

static void force(const double *p, double t, const double *q, const double *u,
                  double *h) {
    (void)t, (void)q, (void)u;
    memset(h, 0, 6 * sizeof *h);
    h[2] = -p[MASS] * p[GRAVITY];
}

static void gaps(const double *p, double t, const double *q, double *g) {
    (void)t;
    g[0] = p[BOWL] - p[RADIUS] - norm(vec_from(q));
}

static void rows(const double *p, double t, const double *q, double *Wt,
                 double *chi) {
    (void)t;
    const scree_vec3 r = vec_from(q), n = scale(-1 / norm(r), r);
    const scree_vec3 flat = add_scaled(vec(1, 0, 0), -n.x, n);
    const scree_vec3 t_1 = scale(1 / norm(flat), flat);
    const scree_vec3 arm = scale(-p[RADIUS], n);
    point_row(n, arm, Wt);
    point_row(t_1, arm, Wt + 6);
    point_row(cross(n, t_1), arm, Wt + 12);
    memset(chi, 0, 3 * sizeof *chi);
}

static double energy(const double *p, double t, const double *q,
                     const double *u) {
    (void)t;
    const scree_vec3 v = vec_from(u), w = vec_from(u + 3);
    return 0.5 * p[MASS] * dot(v, v) + 0.5 * inertia(p) * dot(w, w) +
           p[MASS] * p[GRAVITY] * q[2];
}

const scree_model_ops scree_model_bowl = {
    .name = "bowl",
    .about = "a sphere with spin that slides in a spherical bowl",
    .n_q = 6,
    .n_u = 6,
    .n_law = 1,
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
    .energy = energy,
};
