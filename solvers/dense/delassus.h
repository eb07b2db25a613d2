/* delassus.h: the inclusion problem with its Delassus matrix written out, for
 * small systems.
 *
 *     xi = G P + b,     -xi in N_C(P),     C a product of sets
 *
 * equivalently P = prox_C(P - r xi) for any r > 0. G need not be symmetric
 * (RATTLE's first stage measures at q_{n+1} what acts at q_n), and may be
 * singular (redundant contacts): then P is not unique, W P is. */
#ifndef SCREE_SOLVERS_DELASSUS_H
#define SCREE_SOLVERS_DELASSUS_H

#include "solvers/problem/loop.h"

typedef enum scree_set_kind {
    SCREE_SET_FREE,     /* R: a bilateral constraint; xi = 0. One row. */
    SCREE_SET_ZERO,     /* {0}: the row does not act; P = 0. One row. */
    SCREE_SET_HALFLINE, /* R0+. One row. */
    SCREE_SET_INTERVAL, /* [lo, hi]. One row. */
    SCREE_SET_BALL,     /* ball of radius mu P[normal] + radius, n rows */
} scree_set_kind;

typedef struct scree_set {
    scree_set_kind kind;
    int row, n;    /* rows row .. row + n - 1 */
    double lo, hi; /* INTERVAL [N s] */
    int normal;    /* BALL: row of the normal percussion, -1: none */
    double mu;     /* BALL [-] */
    double radius; /* BALL: fixed part [N s] */
} scree_set;

typedef struct scree_delassus {
    int n;     /* rows */
    double *G; /* (n x n) row-major */
    double *b; /* (n) */
    double *P; /* (n) in: first guess, out: solution */
    int n_set;
    scree_set *sets; /* (n_set) every row is in exactly one set */
} scree_delassus;

/* Room for G, b and P of d->n rows. */
bool scree_delassus_reserve(scree_delassus *d, scree_arena *scratch);

/* xi of the P in d. */
void scree_delassus_xi(const scree_delassus *d, double *xi);

/* The natural-map residual of d->P, max_i |P - prox_C(P - rho xi)| / rho [m/s] with
 * rho = 1 / G_ii. */
double scree_delassus_residual(const scree_delassus *d, scree_arena *scratch);

/* Mode of each set for the solution in d (002 section 4): 1 where the prox projects (slip, open,
 * end of the interval), 0 where it does not (stick, closed). Written to mode. */
void scree_delassus_modes(const scree_delassus *d, int *mode,
                          scree_arena *scratch);

/* The methods. Of the options count tolerance (on the residual above, in m/s) and
 * iterations. report->singular: newton met a singular Jacobian and took the least-norm
 * step or fell back to prox. */
typedef scree_status scree_dense_solver(scree_delassus *d,
                                        const scree_solver_options *options,
                                        scree_arena *scratch,
                                        scree_report *report);
#endif
