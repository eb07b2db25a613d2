/* painleve_rod.c: a rod that slides with its tip on a rough plane.
 *
 *        \                q = (x, y, phi): centre, angle from +x to the
 *      y  \ phi               direction from the tip to the upper end; u = qdot
 *      |   \---           M = diag(m, m, J),  J = m l^2 / 3,  h = (0, -m g, 0)
 *      |    \  --> slip   tip = (x - l cos phi, y - l sin phi)
 *     -+-----C------- x   g_N = y - l sin phi
 *                         gamma_N = u_y - l cos phi u_phi
 *                         gamma_F = u_x + l sin phi u_phi
 *
 * Painleve's example. While the tip slips forward, lambda_F = -mu lambda_N, and
 *
 *     g_N'' = A lambda_N / m + b,
 *         A = 1 + 3 cos^2 phi + 3 mu sin phi cos phi,
 *         b = l u_phi^2 sin phi - g.
 *
 * When the tip leads (cos phi < 0) and mu is large, A is negative: a contact
 * force pulls the tip into the plane. With b < 0 there is then no force that
 * keeps the tip out (inconsistent), with b > 0 there are two motions
 * (indeterminate). A < 0 needs mu > 4/3, the least value, at tan phi = -2. On
 * the level of percussions the inconsistent case has an answer: an impact
 * without collision, which stops the slip in an instant.
 *
 * The defaults start in it: mu = 1.5 and tan phi = -2, where A = -0.2, slip
 * 1 m/s, no rotation. With mu below 4/3 the same start slides regularly. */
#include "cases/models/formula.h"

enum { MASS, HALF_LENGTH, GRAVITY, MU, E_N, PHI0, SLIP, OMEGA0 };

static const scree_parameter parameters[] = {
    [MASS] = {"mass", 1, "kg", "mass of the homogeneous rod", &positive},
    [HALF_LENGTH] = {"l", 0.5, "m", "half length of the rod", &positive},
    [GRAVITY] = {"gravity", 9.81, "m/s^2", "acceleration of gravity",
                 &any_number},
    [MU] = {"mu", 1.5, "1", "friction coefficient; the paradox needs > 4/3",
            &friction},
    [E_N] = {"e_n", 0, "1", "normal restitution", &restitution},
    [PHI0] = {"phi0", 2.0344439357957027, "rad",
              "initial angle: pi - atan(2), the tip leads", &any_number},
    [SLIP] = {"slip", 1, "m/s", "initial velocity of the tip", &any_number},
    [OMEGA0] = {"omega0", 0, "rad/s",
                "initial angular velocity; the tip stays on the plane",
                &any_number},
};
static const char *const q_names[] = {"x", "y", "phi"};
static const char *const u_names[] = {"u_x", "u_y", "u_phi"};

static void laws(const double *p, scree_law *law) {
    law[0] = (scree_law){.name = "tip",
                         .kind = SCREE_LAW_CONTACT,
                         .n_f = 1,
                         .mu = p[MU],
                         .e_n = p[E_N]};
}

/* The tip in the origin, moving along the plane. */
static void start(const double *p, double *q, double *u) {
    const double l = p[HALF_LENGTH], c = scree_cos(p[PHI0]),
                 s = scree_sin(p[PHI0]);
    q[0] = l * c, q[1] = l * s, q[2] = p[PHI0];
    u[0] = p[SLIP] - l * s * p[OMEGA0];
    u[1] = l * c * p[OMEGA0];
    u[2] = p[OMEGA0];
}

static double inertia(const double *p) {
    return p[MASS] * p[HALF_LENGTH] * p[HALF_LENGTH] / 3;
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
    g[0] = q[1] - p[HALF_LENGTH] * scree_sin(q[2]);
}

static void rows(const double *p, double t, const double *q, double *Wt,
                 double *chi) {
    (void)t;
    const double l = p[HALF_LENGTH];
    memcpy(Wt,
           (double[]){0, 1, -l * scree_cos(q[2]), 1, 0, l * scree_sin(q[2])},
           6 * sizeof *Wt);
    chi[0] = chi[1] = 0;
}

static double energy(const double *p, double t, const double *q,
                     const double *u) {
    (void)t;
    return planar_energy(p[MASS], inertia(p), p[GRAVITY], q, u);
}

const scree_model_ops scree_model_painleve_rod = {
    .name = "painleve-rod",
    .about = "a rod that slides on a rough plane: Painleve's paradox",
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
