/* pendulum.c: a model in a library of its own, which the program loads. A pendulum strikes
 * a wall below its bearing, and returns with a share e_n of its speed:
 *
 *     m l^2 du = -m g l sin phi dt + dP,   phi <= 0,   start at phi_0 at rest
 *
 *   cmake -B build && cmake --build build
 *   scree run --model build/pendulum.so pendulum.yaml */
#include <math.h>
#include <scree_model.h>

enum { MASS, LENGTH, GRAVITY, PHI_0, E_N };
static const scree_range positive = {1e-9, 1e9, false, false};
static const scree_range share = {0, 1, false, false};
static const scree_parameter parameters[] = {
    [MASS] = {"mass", 1, "kg", "of the bob", &positive},
    [LENGTH] = {"length", 1, "m", "of the rod", &positive},
    [GRAVITY] = {"gravity", 9.81, "m/s^2", "acceleration", NULL},
    [PHI_0] = {"phi_0", -1.5, "rad", "angle at the start", NULL},
    [E_N] = {"e_n", 0.5, "1", "restitution at the wall", &share},
};
static const char *const q_names[] = {"phi"};
static const char *const u_names[] = {"omega"};

static void laws(const double *p, scree_law *law) {
    law[0] =
        (scree_law){.name = "wall", .kind = SCREE_LAW_CONTACT, .e_n = p[E_N]};
}
static void start(const double *p, double *q, double *u) {
    q[0] = p[PHI_0], u[0] = 0;
}
static void mass(const double *p, double t, const double *q, double *M) {
    (void)t, (void)q, M[0] = p[MASS] * p[LENGTH] * p[LENGTH];
}
static void force(const double *p, double t, const double *q, const double *u,
                  double *h) {
    (void)t, (void)u;
    h[0] = -p[MASS] * p[GRAVITY] * p[LENGTH] * sin(q[0]);
}
static void gaps(const double *p, double t, const double *q, double *g) {
    (void)t, g[0] = -p[LENGTH] * q[0];
}
static void rows(const double *p, double t, const double *q, double *Wt,
                 double *chi) {
    (void)t, (void)q, Wt[0] = -p[LENGTH], chi[0] = 0;
}
static double energy(const double *p, double t, const double *q,
                     const double *u) {
    (void)t;
    const double speed = p[LENGTH] * u[0];
    return p[MASS] *
           (0.5 * speed * speed + p[GRAVITY] * p[LENGTH] * (1 - cos(q[0])));
}

static const scree_model_ops pendulum = {
    .name = "pendulum",
    .about = "a pendulum that strikes a wall below its bearing",
    .n_q = 1,
    .n_u = 1,
    .n_law = 1,
    .n_row = 1,
    .n_parameter = 5,
    .parameters = parameters,
    .q_names = q_names,
    .u_names = u_names,
    .laws = laws,
    .start = start,
    .mass = mass,
    .force = force,
    .gaps = gaps,
    .rows = rows,
    .energy = energy};

SCREE_MODELS(&pendulum)
