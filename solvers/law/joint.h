/* joint.h: what holds two bodies together: joints, motors, springs, cables.
 *
 * A row that obeys it has up to six bars. Bar k is a direction d_k of force or of moment
 * on a (b gets the opposite), of unit length, with a percussion p_k in an interval and
 * the velocity that it is tested against:
 *     xi_k = d_k . (W^T u) + c_k + s_k p_k    or with omega in place of W^T u,
 *     -xi_k in N_[lo_k, hi_k](p_k).
 * Without bounds it is bilateral, xi_k = 0; [0, inf) is a stop or a cable, [-R, R] dry
 * friction or, with c_k, a motor of limited strength. The softness s_k > 0 makes it an
 * implicit spring and damper (engine/joints/rows.c).
 *
 * Bars of force stand at right angles to each other, and so do those of moment: P and M
 * of the row tell all p_k, p_k = d_k . P or d_k . M. Bilateral bars come first.
 *
 * A prox step solves the row's own problem: with A = D^T G_ii D + diag(s) = L D L^T, the
 * bilateral bars eliminated first, what is left for the others is their Schur
 * complement S; with one of them its prox is exact, more are swept.
 *
 * Fields: bars, M; c, c_m, mu and P_T's set are not looked at. Rows are general. */
#ifndef SCREE_LAW_JOINT_H
#define SCREE_LAW_JOINT_H

#include <math.h>

#include "solvers/problem/row.h"

enum { SCREE_BARS = 6 };

typedef struct scree_bar {
    scree_vec3 d;
    bool turns;    /* a moment; else a force */
    double lo, hi; /* [N s], [N m s] */
    double soft;   /* s [1/kg], [1/(kg m^2)] */
    double c;      /* [m/s], [rad/s] */
    /* Written when the row is filled: */
    double G, A;   /* G_kk, and with s; 0: it moves nothing */
    double length; /* that makes angular velocities speeds; 1 of a force */
} scree_bar;

struct scree_bars {
    int n, fixed; /* bars, and how many of them are bilateral */
    scree_bar bar[SCREE_BARS];
    double A[SCREE_BARS][SCREE_BARS]; /* L, D and S, as above */
};

/* Adds a bar; bilateral ones must come first. */
static inline scree_bar *scree_bars_add(scree_bars *s, scree_vec3 d, bool turns,
                                        double lo, double hi) {
    scree_bar *b = &s->bar[s->n++];
    *b = (scree_bar){.d = d, .turns = turns, .lo = lo, .hi = hi};
    if (lo == -INFINITY && hi == INFINITY) s->fixed = s->n;
    return b;
}

/* G_ii by columns: what the percussion of bar k does to the velocities at the row. */
typedef struct scree_bar_response {
    scree_vec3 xi, omega;
} scree_bar_response;

/* Eliminates the bilateral bars. */
void scree_bars_factor(scree_bars *s,
                       const scree_bar_response response[SCREE_BARS],
                       double inv_mass);

/* Bars of a row whose percussion was changed from outside. */
static inline double bar_of(const scree_bar *b, scree_vec3 force,
                            scree_vec3 moment) {
    return dot(b->d, b->turns ? moment : force);
}

/* xi_k of all bars, for velocities without c. */
static inline void bars_xi(const scree_bars *s, scree_vec3 P, scree_vec3 M,
                           scree_vec3 xi, scree_vec3 omega,
                           double out[SCREE_BARS]) {
    for (int k = 0; k < s->n; ++k) {
        const scree_bar *b = &s->bar[k];
        out[k] = bar_of(b, xi, omega) + b->c + b->soft * bar_of(b, P, M);
    }
}

static inline double bar_clip(const scree_bar *b, double p) {
    return p < b->lo ? b->lo : p > b->hi ? b->hi : p;
}

/* The percussion that solves the row's own problem, a share `omega_r` of the way. */
row_step scree_bars_step(const scree_bars *s, scree_vec3 P, scree_vec3 M,
                         scree_vec3 xi, scree_vec3 omega, double omega_r);

/* What a row with bars adds to the residual (solvers/problem/problem.h): with
 * A_kk = G_kk + s_k and lengths that turn angular velocities into speeds
 *     F_k = G_kk length_k (p_k - clip(p_k - xi_k / A_kk)). */
typedef struct bars_map {
    double F2, P2, xi2, power, normal, cone;
} bars_map;
bars_map scree_bars_measure(const scree_bars *s, scree_vec3 P, scree_vec3 M,
                            scree_vec3 xi, scree_vec3 omega);

#endif
