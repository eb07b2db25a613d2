/* fc3d_lu.h: sparse LU of 3 x 3 blocks for the Newton steps on contact problems.
 *
 *     (I + W C) x = b,     C block diagonal, one 3 x 3 block per contact
 *
 * Where C_j = 0, x_j does not enter the other equations, so only contacts with
 * C_j != 0 ("active") are factored; the rest follows from one product with W.
 * Ordering: approximate minimum degree. Pivots: the diagonal blocks, which is
 * safe where W C is near a positive semidefinite matrix; a pivot that is not
 * invertible is reported. */
#ifndef SCREE_SOLVERS_FC3D_LU_H
#define SCREE_SOLVERS_FC3D_LU_H

#include "solvers/blocks/fc3d.h"

/* Of the Newton steps: the first kappa (newton_blocks.c); blocks of U beyond which they
 * give up. */
static const double SCREE_NEWTON_KAPPA = 100;
enum { SCREE_NEWTON_FILL = 4000000 };

typedef enum scree_lu_result {
    SCREE_LU_OK,
    SCREE_LU_SINGULAR,
    SCREE_LU_TOO_LARGE, /* more than `most` blocks in U, or no memory */
} scree_lu_result;

/* x: in b, out the solution (3 nc). C: (9 nc) row-major. *work grows by the
 * block products that it took. */
scree_lu_result scree_fc3d_lu(const scree_fc3d *p, const double *C,
                              const bool *active, int64_t most, double *x,
                              int64_t *work, scree_arena *scratch);

/* Factors of E + W D that stay, of all contacts, in one order for all numbers. E
 * and D: (9 nc) block diagonal, row-major. */
typedef struct scree_factors scree_factors;

/* In `scratch`; NULL: more than `most` blocks in U, or no memory. */
scree_factors *scree_factors_create(const scree_fc3d *p, int64_t most,
                                    scree_arena *scratch);
/* False if a pivot is singular. */
bool scree_factors_compute(scree_factors *f, const double *E, const double *D);
/* The sign of the determinant of what was factored last. */
bool scree_factors_are_negative(const scree_factors *f);
/* Block products of all factors so far. */
int64_t scree_factors_work(const scree_factors *f);
/* x: in the right hand side, out the solution (3 nc). */
void scree_factors_solve(scree_factors *f, double *x);

#endif
