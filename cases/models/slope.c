/* slope.c: a point mass that falls and slides on an exponential slope.
 *
 *     y |*                q = (x, y),  u = qdot
 *       | .               M = diag(m, m),  h = (0, -m g)
 *       |  ' .            f(x) = (x, E),  E = exp(-x),  s = sqrt(1 + E^2)
 *       |      ' - ._     t = (1, -E) / s,  n = (E, 1) / s
 *       +-------------- x
 *
 *     g_N     = n^T (q - f(x)) = (y - E) / s
 *     gamma_N = (E/s + (y - E) E^2/s^3) u_x + u_y / s
 *     gamma_F = t^T u
 *
 * The normal is taken below the mass, not at the nearest point of the slope:
 * its derivative is part of gamma_N, and vanishes in contact.
 *
 * Paper 000, 5.3. Its cases: 1: u0 = 0; 2: u0 = 1; 3: u0 = -1, which turns
 * back; 4: y0 = 1.5, u0 = 0, one inelastic impact. */
#include "cases/models/formula.h"

enum { MASS, GRAVITY, MU, E_N, X0, Y0, U0 };

static const scree_parameter parameters[] = {
    [MASS] = {"mass", SCREE_PI, "kg", "mass", &positive},
    [GRAVITY] = {"gravity", 10, "m/s^2", "acceleration of gravity",
                 &any_number},
    [MU] = {"mu", 0.3, "1", "friction coefficient", &friction},
    [E_N] = {"e_n", 0, "1", "normal restitution", &restitution},
    [X0] = {"x0", 0, "m", "initial x", &any_number},
    [Y0] = {"y0", 1, "m", "initial y; the slope is at exp(-x0)", &any_number},
    [U0] = {"u0", 0, "m/s", "initial speed along the tangent, down positive",
            &any_number},
};
static const char *const q_names[] = {"x", "y"};
static const char *const u_names[] = {"u_x", "u_y"};

static void laws(const double *p, scree_law *law) {
    law[0] = (scree_law){.name = "slope",
                         .kind = SCREE_LAW_CONTACT,
                         .n_f = 1,
                         .mu = p[MU],
                         .e_n = p[E_N]};
}

static void start(const double *p, double *q, double *u) {
    const double E = scree_exp(-p[X0]), s = sqrt(1 + E * E);
    q[0] = p[X0], q[1] = p[Y0];
    u[0] = p[U0] / s, u[1] = -p[U0] * E / s;
}

static void mass(const double *p, double t, const double *q, double *M) {
    (void)t, (void)q;
    diagonal(2, (double[]){p[MASS], p[MASS]}, M);
}

static void force(const double *p, double t, const double *q, const double *u,
                  double *h) {
    (void)t, (void)q, (void)u;
    h[0] = 0, h[1] = -p[MASS] * p[GRAVITY];
}

static void gaps(const double *p, double t, const double *q, double *g) {
    (void)p, (void)t;
    const double E = scree_exp(-q[0]);
    g[0] = (q[1] - E) / sqrt(1 + E * E);
}

static void rows(const double *p, double t, const double *q, double *Wt,
                 double *chi) {
    (void)p, (void)t;
    const double E = scree_exp(-q[0]), s = sqrt(1 + E * E);
    Wt[0] = E / s + (q[1] - E) * E * E / (s * s * s);
    Wt[1] = 1 / s;
    Wt[2] = 1 / s;
    Wt[3] = -E / s;
    chi[0] = chi[1] = 0;
}

static double energy(const double *p, double t, const double *q,
                     const double *u) {
    (void)t;
    return p[MASS] * (0.5 * (u[0] * u[0] + u[1] * u[1]) + p[GRAVITY] * q[1]);
}

const scree_model_ops scree_model_slope = {
    .name = "slope",
    .about = "a point mass on an exponential slope (Breuling et al. 2024, 5.3)",
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
