/* belt_arctan.c: the block on a belt (belt.c) with Coulomb's law smoothed, Leine 2024:
 *
 *     -lambda = a (2/pi) atan(eps gamma),   gamma = u - v_dr
 *
 * No set-valued law is left: an ordinary differential equation, stiff where the block
 * should stick, with the rate (2/pi) a eps / m. There the block creeps against the belt
 * with gamma = tan(pi F / 2 a) / eps under the force F. */
#include "cases/models/belt.h"

enum { EPS = BELT_PARAMETERS };

static const scree_parameter parameters[] = {
    SCREE_BELT_PARAMETERS,
    [EPS] = {"eps", 100, "s/m", "steepness of the smoothed law", &positive},
};
static const char *const q_names[] = {"x"};
static const char *const u_names[] = {"u_x"};

static void laws(const double *p, scree_law *law) {
    (void)p, (void)law;
}

static void start(const double *p, double *q, double *u) {
    q[0] = p[X0], u[0] = p[U0];
}

static void mass(const double *p, double t, const double *q, double *M) {
    (void)t, (void)q;
    M[0] = p[MASS];
}

static void force(const double *p, double t, const double *q, const double *u,
                  double *h) {
    (void)t;
    const double gamma = u[0] - p[BELT];
    h[0] = belt_force(p, q[0], u[0]) -
           p[RADIUS] * (2 / SCREE_PI) * scree_atan(p[EPS] * gamma);
}

const scree_model_ops scree_model_belt_arctan = {
    .name = "belt-arctan",
    .about = "the block on a belt with smoothed friction (Leine 2024)",
    .n_q = 1,
    .n_u = 1,
    .n_parameter = COUNT(parameters),
    .parameters = parameters,
    .q_names = q_names,
    .u_names = u_names,
    .laws = laws,
    .start = start,
    .mass = mass,
    .force = force,
};
