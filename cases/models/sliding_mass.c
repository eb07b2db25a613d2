/* sliding_mass.c: a point mass on a table, turned round by a force.
 *
 *      y |    F <--o--> u      q = (x, y),  u = qdot
 *        |                     M = diag(m, m),  h = F until t_off, then 0
 *        +---------- x         gamma = u,  -lambda in the disk of radius a
 *
 * Paper 002, 10.2. The force turns the slip direction by almost 180 degrees; it
 * is switched off at t_off = 3 and the mass slides until it sticks.
 *
 * At the switch itself h is the mean of both sides: then a scheme that takes h
 * at the ends of its steps transmits the impulse of the force exactly. */
#include "cases/models/formula.h"

#define SAME_TIME 1e-9 /* [s] a time this near to the switch is the switch */

enum { MASS, RADIUS, F_X, F_Y, T_OFF, U_X0, U_Y0 };

static const scree_parameter parameters[] = {
    [MASS] = {"mass", 1, "kg", "mass", &positive},
    [RADIUS] = {"a", 2, "N", "greatest friction force mu m g", &not_negative},
    [F_X] = {"f_x", -2.5, "N", "force along x", &any_number},
    [F_Y] = {"f_y", -0.25, "N", "force along y", &any_number},
    [T_OFF] = {"t_off", 3, "s", "time at which the force is switched off",
               &not_negative},
    [U_X0] = {"u_x0", 2, "m/s", "initial velocity along x", &any_number},
    [U_Y0] = {"u_y0", -0.2, "m/s", "initial velocity along y", &any_number},
};
static const char *const q_names[] = {"x", "y"};
static const char *const u_names[] = {"u_x", "u_y"};

static void laws(const double *p, scree_law *law) {
    law[0] = (scree_law){
        .name = "table", .kind = SCREE_LAW_FRICTION, .n_f = 2, .a = p[RADIUS]};
}

static void start(const double *p, double *q, double *u) {
    q[0] = q[1] = 0;
    u[0] = p[U_X0], u[1] = p[U_Y0];
}

static void mass(const double *p, double t, const double *q, double *M) {
    (void)t, (void)q;
    diagonal(2, (double[]){p[MASS], p[MASS]}, M);
}

static void force(const double *p, double t, const double *q, const double *u,
                  double *h) {
    (void)q, (void)u;
    double on = t < p[T_OFF] ? 1 : 0;
    if (fabs(t - p[T_OFF]) <= SAME_TIME) on = 0.5;
    h[0] = on * p[F_X], h[1] = on * p[F_Y];
}

static void rows(const double *p, double t, const double *q, double *Wt,
                 double *chi) {
    (void)p, (void)t, (void)q;
    diagonal(2, (double[]){1, 1}, Wt);
    chi[0] = chi[1] = 0;
}

static double next_switch(const double *p, double t) {
    return t < p[T_OFF] - SAME_TIME ? p[T_OFF] : INFINITY;
}

const scree_model_ops scree_model_sliding_mass = {
    .name = "sliding-mass",
    .about = "a point mass on a table, turned round by a force (Studer et al. "
             "2008, 10.2)",
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
    .rows = rows,
    .next_switch = next_switch,
};
