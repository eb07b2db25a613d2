/* slider_crank.c: a slider-crank mechanism whose slider has clearance.
 *
 *            ___o___            ----------------  y = d/2
 *       l_1 /       ---___ l_2   1 +--------+ 2
 *          /              ---______|__o S_3 |
 *       O o                      3 +--------+ 4
 *                               ----------------  y = -d/2
 *
 *     q = (x_1, y_1, phi_1, x_2, y_2, phi_2, x_3, y_3, phi_3): the centres and
 *         angles of crank, rod and slider, three free bodies in the plane;
 *     u = qdot
 *     M = diag(m_i, m_i, theta_i),  h = (0, -m_i g, 0)
 *
 * Six holonomic rows: crank at O, crank at rod, rod at the slider's centre S_3
 * (each in x and y). Four contacts: the corners of the slider, at
 * (-+a, +-b) from S_3 in the order upper left, upper right, lower left, lower
 * right, touch the guides at y = +-d/2:
 *
 *     g_N     = d/2 -+ (y_3 + X sin phi_3 + Y cos phi_3)
 *     gamma_F = u_x3 - (X sin phi_3 + Y cos phi_3) u_phi3      corner (X, Y)
 *
 * a and b are half the length and half the height of the slider.
 * Paper 000, 5.2, equations (45) to (49) and Table 2. */
#include "cases/models/formula.h"

enum {
    L_1,
    L_2,
    HALF_LENGTH,
    HALF_HEIGHT,
    GUIDE,
    MASS_1,
    MASS_2,
    MASS_3,
    THETA_1,
    THETA_2,
    THETA_3,
    GRAVITY,
    MU,
    E_N,
    OMEGA_1,
    PHI_3
};

static const scree_parameter parameters[] = {
    [L_1] = {"l_1", 0.153, "m", "length of the crank", &positive},
    [L_2] = {"l_2", 0.306, "m", "length of the rod", &positive},
    [HALF_LENGTH] = {"a", 0.05, "m", "half length of the slider", &positive},
    [HALF_HEIGHT] = {"b", 0.025, "m", "half height of the slider", &positive},
    [GUIDE] = {"d", 0.052, "m", "distance of the guides", &positive},
    [MASS_1] = {"mass_1", 0.038, "kg", "mass of the crank", &positive},
    [MASS_2] = {"mass_2", 0.038, "kg", "mass of the rod", &positive},
    [MASS_3] = {"mass_3", 0.076, "kg", "mass of the slider", &positive},
    [THETA_1] = {"theta_1", 7.4e-5, "kg m^2", "inertia of the crank",
                 &positive},
    [THETA_2] = {"theta_2", 5.9e-4, "kg m^2", "inertia of the rod", &positive},
    [THETA_3] = {"theta_3", 2.7e-6, "kg m^2", "inertia of the slider",
                 &positive},
    [GRAVITY] = {"gravity", 9.81, "m/s^2", "acceleration of gravity",
                 &any_number},
    [MU] = {"mu", 0.01, "1", "friction coefficient of the guides", &friction},
    [E_N] = {"e_n", 0.4, "1", "normal restitution of the guides", &restitution},
    [OMEGA_1] = {"omega_1", 150, "rad/s", "initial velocity of the crank",
                 &any_number},
    [PHI_3] = {"phi_3", 0.017, "rad", "initial angle of the slider",
               &any_number},
};
static const char *const q_names[] = {"x_1",   "y_1", "phi_1", "x_2",  "y_2",
                                      "phi_2", "x_3", "y_3",   "phi_3"};
static const char *const u_names[] = {"u_x1", "u_y1", "u_phi1",
                                      "u_x2", "u_y2", "u_phi2",
                                      "u_x3", "u_y3", "u_phi3"};
enum { N_U = 9, N_JOINT = 6, N_CORNER = 4 };

/* Corner k of the slider in its own frame. */
static double corner_x(const double *p, int k) {
    return k % 2 ? p[HALF_LENGTH] : -p[HALF_LENGTH];
}
static double corner_y(const double *p, int k) {
    return k < 2 ? p[HALF_HEIGHT] : -p[HALF_HEIGHT];
}

static void laws(const double *p, scree_law *law) {
    static const char *const names[] = {
        "ground-x", "ground-y",   "crank-x",     "crank-y",    "slider-x",
        "slider-y", "upper-left", "upper-right", "lower-left", "lower-right"};
    for (int i = 0; i < N_JOINT; ++i)
        law[i] = (scree_law){
            .name = names[i], .kind = SCREE_LAW_HOLONOMIC, .row = i};
    for (int k = 0; k < N_CORNER; ++k)
        law[N_JOINT + k] = (scree_law){.name = names[N_JOINT + k],
                                       .kind = SCREE_LAW_CONTACT,
                                       .row = N_JOINT + 2 * k,
                                       .n_f = 1,
                                       .mu = p[MU],
                                       .e_n = p[E_N]};
}

/* Stretched along x, the end of the rod at rest. */
static void start(const double *p, double *q, double *u) {
    const double joint = p[L_1] * p[OMEGA_1];
    memset(q, 0, N_U * sizeof *q);
    memset(u, 0, N_U * sizeof *u);
    q[0] = p[L_1] / 2;
    q[3] = p[L_1] + p[L_2] / 2;
    q[6] = p[L_1] + p[L_2];
    q[8] = p[PHI_3];
    u[1] = u[4] = joint / 2;
    u[2] = p[OMEGA_1];
    u[5] = -joint / p[L_2];
}

static void mass(const double *p, double t, const double *q, double *M) {
    (void)t, (void)q;
    double d[N_U];
    for (int i = 0; i < 3; ++i) {
        d[3 * i] = d[3 * i + 1] = p[MASS_1 + i];
        d[3 * i + 2] = p[THETA_1 + i];
    }
    diagonal(N_U, d, M);
}

static void force(const double *p, double t, const double *q, const double *u,
                  double *h) {
    (void)t, (void)q, (void)u;
    memset(h, 0, N_U * sizeof *h);
    for (int i = 0; i < 3; ++i) h[3 * i + 1] = -p[MASS_1 + i] * p[GRAVITY];
}

/* The joints: difference of two body points at +-L/2 along their bodies. */
static void joint_gaps(const double *p, const double *q, double *g) {
    const double a = p[L_1] / 2, b = p[L_2] / 2;
    const double ax = a * scree_cos(q[2]), ay = a * scree_sin(q[2]);
    const double bx = b * scree_cos(q[5]), by = b * scree_sin(q[5]);
    g[0] = q[0] - ax;
    g[1] = q[1] - ay;
    g[2] = q[0] + ax - (q[3] - bx);
    g[3] = q[1] + ay - (q[4] - by);
    g[4] = q[3] + bx - q[6];
    g[5] = q[4] + by - q[7];
}

static void gaps(const double *p, double t, const double *q, double *g) {
    (void)t;
    joint_gaps(p, q, g);
    const double s = scree_sin(q[8]), c = scree_cos(q[8]);
    for (int k = 0; k < N_CORNER; ++k) {
        const double y = q[7] + corner_x(p, k) * s + corner_y(p, k) * c;
        g[N_JOINT + k] = p[GUIDE] / 2 + (k < 2 ? -y : y);
    }
}

static void joint_rows(const double *p, const double *q, double (*W)[N_U]) {
    const double a = p[L_1] / 2, b = p[L_2] / 2;
    const double ax = a * scree_cos(q[2]), ay = a * scree_sin(q[2]);
    const double bx = b * scree_cos(q[5]), by = b * scree_sin(q[5]);
    W[0][0] = 1, W[0][2] = ay;
    W[1][1] = 1, W[1][2] = -ax;
    W[2][0] = 1, W[2][2] = -ay, W[2][3] = -1, W[2][5] = -by;
    W[3][1] = 1, W[3][2] = ax, W[3][4] = -1, W[3][5] = bx;
    W[4][3] = 1, W[4][5] = -by, W[4][6] = -1;
    W[5][4] = 1, W[5][5] = bx, W[5][7] = -1;
}

/* Normal and friction row of corner k, whose arm from S_3 is (x, y). */
static void corner_rows(const double *p, const double *q, int k,
                        double (*W)[N_U]) {
    const double s = scree_sin(q[8]), c = scree_cos(q[8]);
    const double x = corner_x(p, k) * c - corner_y(p, k) * s;
    const double y = corner_x(p, k) * s + corner_y(p, k) * c;
    const double sign = k < 2 ? -1 : 1;
    W[0][7] = sign, W[0][8] = sign * x;
    W[1][6] = 1, W[1][8] = -y;
}

static void rows(const double *p, double t, const double *q, double *Wt,
                 double *chi) {
    (void)t;
    enum { N_ROW = N_JOINT + 2 * N_CORNER };
    double W[N_ROW][N_U] = {0};
    joint_rows(p, q, W);
    for (int k = 0; k < N_CORNER; ++k)
        corner_rows(p, q, k, W + N_JOINT + 2 * k);
    memcpy(Wt, W, sizeof W);
    memset(chi, 0, N_ROW * sizeof *chi);
}

static double energy(const double *p, double t, const double *q,
                     const double *u) {
    (void)t;
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        const double *v = u + 3 * i;
        sum += 0.5 * p[MASS_1 + i] * (v[0] * v[0] + v[1] * v[1]) +
               0.5 * p[THETA_1 + i] * v[2] * v[2] +
               p[MASS_1 + i] * p[GRAVITY] * q[3 * i + 1];
    }
    return sum;
}

const scree_model_ops scree_model_slider_crank = {
    .name = "slider-crank",
    .about =
        "a slider-crank mechanism with clearance (Breuling et al. 2024, 5.2)",
    .n_q = N_U,
    .n_u = N_U,
    .n_law = N_JOINT + N_CORNER,
    .n_row = N_JOINT + 2 * N_CORNER,
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
