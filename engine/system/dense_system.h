/* dense_system.h: a small system behind the system interface, so that steppers
 * written against it (moreau, semi-implicit) run models as they run worlds. */
#ifndef SCREE_DENSE_SYSTEM_H
#define SCREE_DENSE_SYSTEM_H

#include "engine/system/stepper.h"
#include "solvers/problem/method.h"

scree_status scree_dense_system_step(scree_dense *s,
                                     const scree_stepper_ops *stepper,
                                     const scree_dense_options *options,
                                     scree_error *error);

/* ---- pieces that dense steppers share --------------------------------------- */

/* The linear inclusion problem of a step: xi = Jt u + shift, u = u_free + X^T P,
 * with Jt (n_row x n_u) the rows that measure and X (n_row x n_u) the velocity
 * that a unit percussion of each row gives. Solves for P (in: first guess), adds
 * X^T P to u, and writes the mode of each row. */
typedef struct scree_dense_inclusion {
    const double *Jt;    /* (n_row x n_u) */
    const double *shift; /* (n_row) */
    const double *X;     /* (n_row x n_u) */
    scree_set *sets;     /* all rows covered */
    int n_set;
    double *u; /* in: u_free, out: u */
    double *P; /* (n_row) */
} scree_dense_inclusion;

scree_status scree_dense_solve(scree_dense *s, const scree_dense_inclusion *in,
                               const scree_dense_options *options,
                               scree_report *report, scree_error *error);

/* Sets of all laws for a step of length dt. acts[law] = false: the law's rows
 * are {0}; NULL: all act. Returns the number of sets; room for n_row. */
int scree_dense_sets(const scree_dense *s, double dt, const bool *acts,
                     scree_set *sets);

#endif
