/* bouncing_ball.c: a ball that falls on a rough plane, with spin.
 *
 *          y             q = (x, y, phi): centre, angle about +z
 *          |   .-.       u = qdot
 *          |  ( + ) phi
 *          |   '-'       M = diag(m, m, 2/5 m R^2),  h = (0, -m g, 0)
 *     -----+--------- x  g_N = y - R,  gamma_F = u_x + R u_phi
 *
 * Paper 000, 5.1. Its cases: 1: e_n = 0.5, omega = 0, accumulating impacts;
 * 2: e_n = 0, omega = 50, slides after the impact and then rolls; 3: e_n = 0,
 * omega = 10, rolls at once. A ball that spins with omega > 0 rolls to -x. */
#include "cases/models/formula.h"

enum { MASS, RADIUS, GRAVITY, MU, E_N, OMEGA, HEIGHT };

static const scree_parameter parameters[] = {
    [MASS] = {"mass", 1, "kg", "mass of the homogeneous ball", &positive},
    [RADIUS] = {"radius", 0.1, "m", "radius of the ball", &positive},
    [GRAVITY] = {"gravity", 9.81, "m/s^2", "acceleration of gravity",
                 &any_number},
    [MU] = {"mu", 0.2, "1", "friction coefficient", &friction},
    [E_N] = {"e_n", 0.5, "1", "normal restitution", &restitution},
    [OMEGA] = {"omega", 0, "rad/s", "initial spin", &any_number},
    [HEIGHT] = {"height", 1, "m", "initial height of the centre",
                &not_negative},
};
static const char *const q_names[] = {"x", "y", "phi"};
static const char *const u_names[] = {"u_x", "u_y", "u_phi"};

static void laws(const double *p, scree_law *law) {
    law[0] = (scree_law){.name = "plane",
                         .kind = SCREE_LAW_CONTACT,
                         .n_f = 1,
                         .mu = p[MU],
                         .e_n = p[E_N]};
}

static void start(const double *p, double *q, double *u) {
    q[0] = 0, q[1] = p[HEIGHT], q[2] = 0;
    u[0] = 0, u[1] = 0, u[2] = p[OMEGA];
}

static double inertia(const double *p) {
    return 0.4 * p[MASS] * p[RADIUS] * p[RADIUS];
}

static void mass(const double *p, double t, const double *q, double *M) {
    (void)t, (void)q;
    diagonal(3, (double[]){p[MASS], p[MASS], inertia(p)}, M);
}

static void force(const double *p, double t, const double *q, const double *u,
                  double *h) {
    (void)t, (void)q, (void)u;
    h[0] = 0, h[1] = -p[MASS] * p[GRAVITY], h[2] = 0;
}

static void gaps(const double *p, double t, const double *q, double *g) {
    (void)t;
    g[0] = q[1] - p[RADIUS];
}

static void rows(const double *p, double t, const double *q, double *Wt,
                 double *chi) {
    (void)t, (void)q;
    memcpy(Wt, (double[]){0, 1, 0, 1, 0, p[RADIUS]}, 6 * sizeof *Wt);
    chi[0] = chi[1] = 0;
}

static double energy(const double *p, double t, const double *q,
                     const double *u) {
    (void)t;
    return planar_energy(p[MASS], inertia(p), p[GRAVITY], q, u);
}

const scree_model_ops scree_model_bouncing_ball = {
    .name = "bouncing-ball",
    .about = "a ball with spin that falls on a rough plane (Breuling et al. "
             "2024, 5.1)",
    .n_q = 3,
    .n_u = 3,
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
