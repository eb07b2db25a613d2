/* belt.c: a block on a moving belt: stick-slip by falling friction.
 *
 *        k, c   m            q = (x),  u = qdot
 *     |--/\/\--[ ]           M = m,  h = -c u - k x + F_D(gamma)
 *     |=========---> v_dr    gamma = u - v_dr
 *     |--> x                 -lambda in [-a, a], the fixed ball of Coulomb
 *
 * The Stribeck friction law is split into Coulomb friction of radius a, which
 * is set-valued, and a smooth part. The smooth part has the sign of gamma and
 * stands on the right-hand side with a plus: it takes away from the friction
 * a sgn(gamma), the more the faster the block slips.
 *
 *     smooth = 0, set A:  F_D = 2 (2/pi) atan(3 gamma)
 *     smooth = 1, set B:  F_D = sgn(gamma) (1 - 1/(1 + 3 |gamma|))
 *
 * Paper 003, block on belt. The defaults are set A: m = k = 1, c = 0, v_dr = 3,
 * a = 5, x0 = u0 = 0.2. Set B: smooth = 1, v_dr = 0.2, a = 1, x0 = u0 = 0. */
#include "cases/models/belt.h"

static const scree_parameter parameters[] = {SCREE_BELT_PARAMETERS};
static const char *const q_names[] = {"x"};
static const char *const u_names[] = {"u_x"};

static void laws(const double *p, scree_law *law) {
    law[0] = (scree_law){
        .name = "belt", .kind = SCREE_LAW_FRICTION, .n_f = 1, .a = p[RADIUS]};
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
    (void)t;
    h[0] = belt_force(p, q[0], u[0]);
}

static void rows(const double *p, double t, const double *q, double *Wt,
                 double *chi) {
    (void)t, (void)q;
    Wt[0] = 1;
    chi[0] = -p[BELT];
}

const scree_model_ops scree_model_belt = {
    .name = "belt",
    .about = "a block on a moving belt, stick-slip (Leine 2024)",
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
    .rows = rows,
};
