/* lobatto.h: one step of the Lobatto pair, shared by its motion (lobatto.c) and
 * its laws (lobatto_laws.c). lobatto.c says what the scheme is. */
#ifndef SCREE_STEPPERS_LOBATTO_H
#define SCREE_STEPPERS_LOBATTO_H

#include "engine/steppers/tableau.h"
#include "engine/system/dense.h"

#define SCREE_LOBATTO_CLOSED 1e-10 /* [m] gap of a closed contact */

typedef struct scree_lobatto_stage {
    double t;
    bool known;           /* the arrays below belong to (t, Q) */
    bool regular;         /* M is */
    double *Q, *M;        /* (n_q), (n_u x n_u) factored */
    int *pivot;           /* (n_u) */
    double *Wt, *chi, *g; /* (n_row x n_u), (n_row), (n_law) */
    double *qdot;         /* (n_q) */
    double *A;            /* (n_u) M^-1 F, or F where momenta are advanced */
    double *gamma;        /* (n_row) W^T V + chi */
} scree_lobatto_stage;

typedef struct scree_lobatto {
    scree_dense *s;
    const scree_dense_options *options;
    scree_tableau table;
    int n_q, n_u, n_row, n_law, n_stage;
    double dt;
    double r; /* of the branches [1]: percussion against weight^-1 velocity */
    scree_lobatto_stage stages[SCREE_TABLEAU_MOST];
    double *Q_new, *M_near;        /* (n_q), (n_u x n_u) beside a stage */
    bool momenta;                  /* M depends on t or q */
    double *pi;                    /* (n_u) M_n u_n */
    double *g_start, *gamma_start; /* (n_law), (n_row) at t_n */
    double *P, *gamma_end, *xi;    /* (n_row) of the iterate */
    double *weight;                /* (n_row) percussion -> velocity */
    double *G_bound;               /* (n_law) >= spectral norm of G_F */
    bool *collocated;              /* (n_law) */
    int *branch;                   /* (2 n_law per slot): normal, friction */
    int at_end, at_Q, at_R, n;     /* unknowns: V at 0, u_{n+1}, Q, R */
} scree_lobatto;

/* y += f x */
static inline void scree_lobatto_add(double *y, double f, const double *x,
                                     int n) {
    for (int i = 0; i < n; ++i) y[i] += f * x[i];
}

/* R^{i+1} of the unknowns x */
static inline const double *scree_lobatto_R(const scree_lobatto *w,
                                            const double *x, int i) {
    return &x[w->at_R + i * w->n_row];
}

/* First friction row of a law. */
static inline int scree_lobatto_friction_row(const scree_law *law) {
    return law->row + (law->kind == SCREE_LAW_CONTACT);
}

/* gamma = W^T u + chi at a stage */
void scree_lobatto_gamma(const scree_lobatto *w,
                         const scree_lobatto_stage *stage, const double *u,
                         double *gamma);

/* Rows at_R .. n of the residual, from the stages of x; sets P, gamma_end, xi.
 */
void scree_lobatto_law_residual(scree_lobatto *w, const double *x, double *F,
                                int *active, bool frozen);

/* Is law l in smooth slip throughout the step that ends at x? */
bool scree_lobatto_resolved(const scree_lobatto *w, int l, const double *x);

/* Did a contact close in the step? */
bool scree_lobatto_impact(const scree_lobatto *w);

/* 002 section 4: 0 constraint, 1 impressed, by the branch of the last slot. */
int scree_lobatto_mode(const scree_lobatto *w, int l, int row);

#endif
