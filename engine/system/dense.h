/* dense.h: the state of a small system under time stepping, and the pieces that
 * dense steppers share. Matrices are row-major; vectors live in the system's
 * arena-backed buffers or on the stepper's scratch. */
#ifndef SCREE_DENSE_H
#define SCREE_DENSE_H

#include "engine/base/arena.h"
#include "engine/base/error.h"
#include "engine/scree_model.h"

struct scree_dense {
    const scree_model_ops *ops;
    const double *p; /* parameters */
    scree_law *laws; /* (ops->n_law) */

    double t;
    double *q, *u; /* (n_q), (n_u) */

    /* What the last step did. */
    double dt;       /* its size [s] */
    double *P;       /* (n_row) percussions of the whole step [N s] */
    double *P_first; /* (n_row) rattle: those of the first stage */
    double *g;       /* (n_law) gaps at its end */
    int *mode;       /* (n_row) 0 constraint, 1 impressed (002 section 4) */
    int order;       /* adaptive: order used */
    int exit_flag;   /* moreau-adaptive: 002 section 9 */

    /* Newton (or prox) iterations: of the last step, and over all steps. */
    int iterations[2]; /* stage 1, stage 2 */
    int most_iterations[2];
    int64_t sum_iterations[2];
    int64_t steps, unconverged, singular;
    double residual; /* worst inner residual of the last step */
    char fallback
        [8]; /* of the last step: the method that went on where the one that
                         was asked for found no solution; empty: none */

    /* Stepper history: what a multi-step or adaptive method keeps. Owned by the
     * dense system, sized by the stepper's history_per_dof. */
    double *history;
    int64_t n_history;

    scree_arena scratch;
    void *memory;
};

/* ---- for steppers ---------------------------------------------------------- */

/* The formulas of the model at a given (t, q, u), with the defaults of
 * scree_model_ops filled in. */
void scree_dense_kinematics(const scree_dense *s, double t, const double *q,
                            const double *u, double *qdot);
void scree_dense_gaps(const scree_dense *s, double t, const double *q,
                      double *g);
/* Wt (n_row x n_u) and chi (n_row) */
void scree_dense_rows(const scree_dense *s, double t, const double *q,
                      double *Wt, double *chi);
/* gamma = W^T u + chi, (n_row); uses the scratch arena */
void scree_dense_gamma(scree_dense *s, double t, const double *q,
                       const double *u, double *gamma);
/* n doubles on the scratch arena, not cleared; NULL when memory is out */
double *scree_dense_push(scree_dense *s, int n);

/* Everything that is needed at one (t, q): arrays on the scratch arena. */
typedef struct scree_frame {
    double *M; /* (n_u x n_u), LU-factored in place with pivot */
    int *pivot;
    double *Wt;  /* (n_row x n_u) */
    double *chi; /* (n_row) */
    double *X;   /* (n_row x n_u): rows are M^-1 w_i */
} scree_frame;
scree_status scree_dense_frame(scree_dense *s, double t, const double *q,
                               scree_frame *frame);

/* Counts an inner solve of stage 0 or 1. */
void scree_dense_count(scree_dense *s, int stage, int iterations,
                       bool converged, bool singular, double residual);

#endif
