/* semismooth.h: semismooth Newton for a residual that is given by formula.
 *
 *     x <- x - J^-1 F(x),    J an element of the generalised Jacobian at x
 *
 * J is by forward differences of F, one column per unknown, with the active set
 * frozen: F writes which branch each of its prox functions took into `active`,
 * and while J is formed it is told to keep to those branches. So any regular
 * element is found although F has kinks, and the r of the prox functions only
 * decides between branches, never the accuracy. A singular J gets the
 * least-norm step. Ends when max |F| <= tolerance. */
#ifndef SCREE_SOLVERS_SEMISMOOTH_H
#define SCREE_SOLVERS_SEMISMOOTH_H

#include "engine/base/arena.h"

typedef struct scree_residual_function {
    int n;        /* unknowns and equations */
    int n_active; /* branches */
    /* F(x). frozen: keep to the branches in `active`; else choose and write. */
    void (*evaluate)(void *context, const double *x, double *F, int *active,
                     bool frozen);
    void *context;
} scree_residual_function;

typedef struct scree_newton_report {
    int iterations; /* Newton steps taken */
    double residual;
    bool converged;
    bool singular; /* a least-norm step was taken */
} scree_newton_report;

scree_status scree_semismooth_newton(const scree_residual_function *f,
                                     double *x, double tolerance,
                                     int iterations, scree_arena *scratch,
                                     scree_newton_report *report);

/* ---- dense linear algebra that it needs; row-major ------------------------ */

/* LU with partial pivoting, in place; false if singular to working precision. */
bool scree_lu_factor(double *A, int *pivot, int n);
void scree_lu_solve(const double *LU, const int *pivot, int n, double *b);
/* Least-norm solution of A x = b (A is destroyed): complete orthogonal
 * decomposition with column pivoting, rank at 1e-12 of the largest pivot. */
scree_status scree_least_norm(double *A, int n, double *b,
                              scree_arena *scratch);

#endif
