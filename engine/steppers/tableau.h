/* tableau.h: coefficients of the Lobatto IIIA-IIIB pair with s stages.
 *
 *     c        Lobatto nodes on [0, 1]: 0, 1 and the roots of P'_{s-1}(2c - 1)
 *     b        weights; exact for polynomials of degree 2 s - 3
 *     a        IIIA, collocation: a_ij = integral of l_j over [0, c_i]
 *     a_hat    IIIB, 001 (46): a_hat_ij = b_j - b_j a_ji / b_i
 *
 * Exactly, not only to rounding: a_1j = 0, a_sj = b_j, a_hat_i1 = b_1,
 * a_hat_is = 0. So Q^1 = q_n and Q^s = q_{n+1}, and the force of the last stage
 * moves no position. */
#ifndef SCREE_STEPPERS_TABLEAU_H
#define SCREE_STEPPERS_TABLEAU_H

#include <stdbool.h>

enum { SCREE_TABLEAU_LEAST = 2, SCREE_TABLEAU_MOST = 5 };

typedef struct scree_tableau {
    int s;
    double c[SCREE_TABLEAU_MOST], b[SCREE_TABLEAU_MOST];
    double a[SCREE_TABLEAU_MOST][SCREE_TABLEAU_MOST];
    double a_hat[SCREE_TABLEAU_MOST][SCREE_TABLEAU_MOST];
} scree_tableau;

/* False if s is out of range. */
bool scree_tableau_lobatto(int s, scree_tableau *tableau);

#endif
