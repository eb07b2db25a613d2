/* generalized_alpha.h: what the files of the nonsmooth generalized-alpha scheme share. */
#ifndef SCREE_STEPPERS_GENERALIZED_ALPHA_H
#define SCREE_STEPPERS_GENERALIZED_ALPHA_H

#include "engine/system/dense_system.h"

/* Chung and Hulbert 1993 by the spectral radius at infinite frequency. */
typedef struct scree_alpha {
    double m, f, gamma, beta;
    double share; /* (1 - f) / (1 - m): of a_{n+1} in its mean */
} scree_alpha;

scree_alpha scree_alpha_of(double rho_inf);

/* At t_n, in scree_dense.history: the accelerations and force densities of the laws, and
 * their means. */
typedef struct scree_alpha_history {
    double *a, *a_mean;           /* (n_u) [m/s^2] */
    double *lambda, *lambda_mean; /* (n_row) [N] */
} scree_alpha_history;

/* False: there is no room for it. */
bool scree_alpha_find_history(scree_dense *s, scree_alpha_history *history);
/* It is that of the state; or, kept = false, the next step is to find its own. */
void scree_alpha_mark_history(scree_dense *s, bool kept);

/* Everything at one (u, v): u the velocity at t_{n+1}, v that over the step. */
typedef struct scree_alpha_point {
    double t;
    double *q; /* (n_q) that v leads to */
    scree_frame frame;
    double *free;  /* (n_u) M^-1 h [m/s^2] */
    double *gamma; /* (n_row) of u [m/s] */
    double *g;     /* (n_law) [m] */
} scree_alpha_point;

typedef struct scree_alpha_step {
    scree_dense *s;
    const scree_dense_options *options;
    scree_error *error;
    double dt;
    scree_alpha alpha;

    scree_alpha_history kept; /* at t_n */
    double *gamma_n;          /* (n_row) */
    double *g_n;              /* (n_law) */

    /* What of the step is known: velocities without a_{n+1} and the percussions, and
     * the share of the forces at t_n in the percussions. */
    double *u_known, *v_known; /* (n_u) */
    double *P_known, *K_known; /* (n_row) [N s] */

    /* The iterate. */
    double *u, *v; /* (n_u) */
    double *P;     /* (n_row) percussions of the step [N s] */
    double *K;     /* (n_row) of positions, kappa / dt [N s]: rows of gaps */
    double *L;     /* (n_row) lambda_{n+1} dt [N s] */
    scree_alpha_point at;
    scree_set *sets; /* (n_row) room */
    int *mode;    /* (n_row) of the velocity laws: 0 holds, 1 open or slips */
    bool *closed; /* (n_law) the position laws hold it */
    int round;    /* of Newton's method */

    /* midslip: laws whose friction is a force that turns with the slip. */
    bool *tied, *ties; /* (n_law) asked for; in the layer that is solved */
    double *slip;      /* (n_row) direction of slip */
} scree_alpha_step;

/* First row of the friction of a law. */
static inline int scree_alpha_friction_row(const scree_law *law) {
    return law->kind == SCREE_LAW_CONTACT ? law->row + 1 : law->row;
}

/* Row of a gap: contact and holonomic laws. */
static inline bool scree_alpha_is_gap(const scree_law *law, int row) {
    return scree_law_has_gap(law) && row == law->row;
}

/* Weight of the mean of what the step knows and of x_{n+1} = 0, both at t_n:
 * (f x_n - m x_mean) / (1 - m). */
static inline double scree_alpha_known(const scree_alpha *alpha, double x,
                                       double mean) {
    return (alpha->f * x - alpha->m * mean) / (1 - alpha->m);
}

/* ---- generalized_alpha_newton.c ------------------------------------------------ */

bool scree_alpha_push_point(scree_dense *s, scree_alpha_point *at);
/* Everything of the point at its time and position. False: M is singular. */
bool scree_alpha_see(scree_alpha_step *w, const double *u,
                     scree_alpha_point *at);
/* From the iterate to the solution. */
scree_status scree_alpha_solve(scree_alpha_step *w, scree_report *total);
scree_status scree_alpha_singular(const scree_alpha_step *w);
/* x += sign X^T P for m rows of n. */
void scree_alpha_add(double *x, const double *X, const double *P, int m, int n,
                     double sign);

/* ---- generalized_alpha_laws.c ------------------------------------------------- */

/* The three layers. Sets of positions and of velocities; the latter with tied friction
 * rows that take no part. Return how many. */
int scree_alpha_position_sets(scree_alpha_step *w);
int scree_alpha_velocity_sets(scree_alpha_step *w);

/* Directions of slip of the iterate. */
void scree_alpha_directions(scree_alpha_step *w);
/* Adds (sign 1) to the rows X of tied normals what their friction does; takes it away
 * (sign -1). */
void scree_alpha_tie(const scree_alpha_step *w, double *X, double sign);
/* The friction that ties leave to P. */
void scree_alpha_tied_friction(scree_alpha_step *w);
/* The part of it that no P_N of the step changes [N s]. */
double scree_alpha_turned(const scree_alpha_step *w, const scree_law *law,
                          int i);

/* L: the forces that hold the closed laws at w->at, on the level of accelerations. */
scree_status scree_alpha_accelerate(scree_alpha_step *w, const double *u);
/* What is closed and what slips there, before the first step of all. */
void scree_alpha_guess_modes(scree_alpha_step *w, const double *u);

/* Marks laws in smooth slip; false: there are none. */
bool scree_alpha_mark_slip(scree_alpha_step *w);
/* Takes back the marks that the iterate contradicts; true: there were some. */
bool scree_alpha_unmark_slip(scree_alpha_step *w);

#endif
