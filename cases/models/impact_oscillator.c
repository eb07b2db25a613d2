/* impact_oscillator.c: a mass on a spring that hits a wall.
 *
 *          c    m            q = (x),  u = qdot
 *     |--/\/\/--[ ]    |     M = m,  h = -c (x - x_s)
 *     |                |     g_N = -x
 *     +---------+------+-- x
 *              x_s     0
 *
 * Paper 002, 10.3; the wall is at x = 0. Between impacts the mass swings with
 * sqrt(c / m) about the unstressed position x_s. */
#include "cases/models/formula.h"

enum { MASS, STIFFNESS, UNSTRESSED, E_N, X0, U0 };

static const scree_parameter parameters[] = {
    [MASS] = {"mass", 0.1, "kg", "mass", &positive},
    [STIFFNESS] = {"stiffness", 20, "N/m", "stiffness of the spring",
                   &not_negative},
    [UNSTRESSED] = {"unstressed", -0.15, "m",
                    "x where the spring is unstressed", &any_number},
    [E_N] = {"e_n", 0.6, "1", "normal restitution", &restitution},
    [X0] = {"x0", -0.5, "m", "initial position", &any_number},
    [U0] = {"u0", 0.2, "m/s", "initial velocity", &any_number},
};
static const char *const q_names[] = {"x"};
static const char *const u_names[] = {"u_x"};

static void laws(const double *p, scree_law *law) {
    law[0] =
        (scree_law){.name = "wall", .kind = SCREE_LAW_CONTACT, .e_n = p[E_N]};
}

static void start(const double *p, double *q, double *u) {
    q[0] = p[X0];
    u[0] = p[U0];
}

static void mass(const double *p, double t, const double *q, double *M) {
    (void)t, (void)q;
    M[0] = p[MASS];
}

static void force(const double *p, double t, const double *q, const double *u,
                  double *h) {
    (void)t, (void)u;
    h[0] = -p[STIFFNESS] * (q[0] - p[UNSTRESSED]);
}

static void gaps(const double *p, double t, const double *q, double *g) {
    (void)p, (void)t;
    g[0] = -q[0];
}

static void rows(const double *p, double t, const double *q, double *Wt,
                 double *chi) {
    (void)p, (void)t, (void)q;
    Wt[0] = -1;
    chi[0] = 0;
}

static double energy(const double *p, double t, const double *q,
                     const double *u) {
    (void)t;
    const double stretch = q[0] - p[UNSTRESSED];
    return 0.5 * p[MASS] * u[0] * u[0] + 0.5 * p[STIFFNESS] * stretch * stretch;
}

const scree_model_ops scree_model_impact_oscillator = {
    .name = "impact-oscillator",
    .about = "a mass on a spring that hits a wall (Studer et al. 2008, 10.3)",
    .n_q = 1,
    .n_u = 1,
    .n_law = 1,
    .n_row = 1,
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
