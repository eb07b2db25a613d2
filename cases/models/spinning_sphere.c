/* spinning_sphere.c: a sphere with spin on a rough plane, pushed sideways.
 *
 *       z            q = (r, alpha): centre, integral of the spin
 *       |  .-.       u = (v, omega), both in the inertial frame; qdot = u
 *       | ( + )--> F M = diag(m, m, m, J, J, J),  J = 2/5 m R^2
 *     --+--'-'--- x  h = (0, F, -m g, 0, 0, 0)
 *                    g_N = z - R
 *                    gamma_F = (v_x - R omega_y, v_y + R omega_x)
 *
 * A homogeneous sphere looks the same in every orientation: alpha only counts
 * turns. Without the force the slip keeps its direction and the sphere rolls
 * from t = 2 |gamma_F(0)| / (7 mu g), here 0.2868460 s. The force along y turns
 * the slip direction, for the study of friction laws that follow it to second
 * order (`friction: midslip`); the sphere can roll in
 * the end while |F| < 7/2 mu m g. */
#include "cases/models/formula.h"

enum {
    MASS,
    RADIUS,
    GRAVITY,
    MU,
    E_N,
    FORCE,
    V_X0,
    V_Y0,
    OMEGA_X0,
    OMEGA_Y0,
    OMEGA_Z0
};

static const scree_parameter parameters[] = {
    [MASS] = {"mass", 1, "kg", "mass of the homogeneous sphere", &positive},
    [RADIUS] = {"radius", 0.1, "m", "radius", &positive},
    [GRAVITY] = {"gravity", 9.81, "m/s^2", "acceleration of gravity",
                 &any_number},
    [MU] = {"mu", 0.2, "1", "friction coefficient", &friction},
    [E_N] = {"e_n", 0, "1", "normal restitution", &restitution},
    [FORCE] = {"force", 2, "N", "force on the centre, along y", &any_number},
    [V_X0] = {"v_x0", 1, "m/s", "initial velocity along x", &any_number},
    [V_Y0] = {"v_y0", 0.5, "m/s", "initial velocity along y", &any_number},
    [OMEGA_X0] = {"omega_x0", 3, "rad/s", "initial spin about x", &any_number},
    [OMEGA_Y0] = {"omega_y0", -8, "rad/s", "initial spin about y", &any_number},
    [OMEGA_Z0] = {"omega_z0", 5, "rad/s", "initial spin about z", &any_number},
};
static const char *const q_names[] = {"x",       "y",       "z",
                                      "alpha_x", "alpha_y", "alpha_z"};
static const char *const u_names[] = {"v_x",     "v_y",     "v_z",
                                      "omega_x", "omega_y", "omega_z"};

static void laws(const double *p, scree_law *law) {
    law[0] = (scree_law){.name = "plane",
                         .kind = SCREE_LAW_CONTACT,
                         .n_f = 2,
                         .mu = p[MU],
                         .e_n = p[E_N]};
}

static void start(const double *p, double *q, double *u) {
    memset(q, 0, 6 * sizeof *q);
    q[2] = p[RADIUS];
    u[0] = p[V_X0], u[1] = p[V_Y0], u[2] = 0;
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
    h[1] = p[FORCE];
    h[2] = -p[MASS] * p[GRAVITY];
}

static void gaps(const double *p, double t, const double *q, double *g) {
    (void)t;
    g[0] = q[2] - p[RADIUS];
}

static void rows(const double *p, double t, const double *q, double *Wt,
                 double *chi) {
    (void)t, (void)q;
    const scree_vec3 arm = vec(0, 0, -p[RADIUS]);
    point_row(vec(0, 0, 1), arm, Wt);
    point_row(vec(1, 0, 0), arm, Wt + 6);
    point_row(vec(0, 1, 0), arm, Wt + 12);
    memset(chi, 0, 3 * sizeof *chi);
}

static double energy(const double *p, double t, const double *q,
                     const double *u) {
    (void)t;
    const scree_vec3 v = vec_from(u), w = vec_from(u + 3);
    return 0.5 * p[MASS] * dot(v, v) + 0.5 * inertia(p) * dot(w, w) +
           p[MASS] * p[GRAVITY] * q[2] - p[FORCE] * q[1];
}

const scree_model_ops scree_model_spinning_sphere = {
    .name = "spinning-sphere",
    .about = "a sphere with spin on a rough plane, under a lateral force",
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
