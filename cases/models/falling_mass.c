/* falling_mass.c: a point mass that bounces on a table until it rests.
 *
 *      z |  o             q = (z),  u = qdot
 *        |  |             M = m,  h = -m g
 *     ---+--v---          g_N = z
 *
 * Paper 002, 10.1. Impacts at t_1 = sqrt(2 z0 / g) and, accumulating, at
 * t_1 (1 + 2 (e + e^2 + ... + e^k)); at rest from t_1 (1 + e) / (1 - e). */
#include "cases/models/formula.h"

enum { MASS, GRAVITY, E_N, HEIGHT };

static const scree_parameter parameters[] = {
    [MASS] = {"mass", 1, "kg", "mass", &positive},
    [GRAVITY] = {"gravity", 9.81, "m/s^2", "acceleration of gravity",
                 &any_number},
    [E_N] = {"e_n", 0.7, "1", "normal restitution", &restitution},
    [HEIGHT] = {"height", 0.07, "m", "initial height", &not_negative},
};
static const char *const q_names[] = {"z"};
static const char *const u_names[] = {"u_z"};

static void laws(const double *p, scree_law *law) {
    law[0] =
        (scree_law){.name = "table", .kind = SCREE_LAW_CONTACT, .e_n = p[E_N]};
}

static void start(const double *p, double *q, double *u) {
    q[0] = p[HEIGHT];
    u[0] = 0;
}

static void mass(const double *p, double t, const double *q, double *M) {
    (void)t, (void)q;
    M[0] = p[MASS];
}

static void force(const double *p, double t, const double *q, const double *u,
                  double *h) {
    (void)t, (void)q, (void)u;
    h[0] = -p[MASS] * p[GRAVITY];
}

static void gaps(const double *p, double t, const double *q, double *g) {
    (void)p, (void)t;
    g[0] = q[0];
}

static void rows(const double *p, double t, const double *q, double *Wt,
                 double *chi) {
    (void)p, (void)t, (void)q;
    Wt[0] = 1;
    chi[0] = 0;
}

static double energy(const double *p, double t, const double *q,
                     const double *u) {
    (void)t;
    return p[MASS] * (0.5 * u[0] * u[0] + p[GRAVITY] * q[0]);
}

const scree_model_ops scree_model_falling_mass = {
    .name = "falling-mass",
    .about = "a point mass that bounces on a table until it rests (Studer et "
             "al. 2008, 10.1)",
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
