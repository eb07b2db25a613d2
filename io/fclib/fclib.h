/* fclib.h: frictional contact problems in FCLIB files (HDF5).
 *
 * /fclib_local holds u = W r + q: W, vectors/{mu,q}.
 * /fclib_global holds, with M, H, perhaps G, vectors/{f,w,mu} and perhaps b,
 *     M v = H r + G lambda + f,   G^T v + b = 0,   u = H^T v + w,
 * which reading reduces to a local problem. M is factored densely (Cholesky)
 * within each connected component of the graph of M and G, so bodies that do
 * not share entries cost their own size only. With M = L L^T and Z_X = L^-1 X,
 * Z_G^T Z_G = A A^T and T_X = A^-1 Z_G^T Z_X of a component:
 *     W = Z_H^T Z_H - T_H^T T_H,
 *     q = Z_H^T Z_f + w - T_H^T (T_f + A^-1 b).
 * M may be whole or one triangle of it.
 * A matrix is m, n, nz, p, i, x: nz >= 0 triplets (i rows, p columns), -1
 * compressed columns, -2 compressed rows.
 * /solution/{r,u} may hold a solution; in files of Siconos r is often all zero.
 * /guesses/1, /guesses/2 ... may hold others to start from, in the same form. */
#ifndef SCREE_IO_FCLIB_H
#define SCREE_IO_FCLIB_H

#include "solvers/blocks/fc3d.h"

typedef struct scree_fclib {
    scree_fc3d problem; /* r is the stored solution's, or 0 */
    double *solution_u; /* (3 nc) as stored, NULL if there is none */
    bool global;        /* was reduced */
    char title[200];
} scree_fclib;

/* A file that is not right is SCREE_BAD_INPUT, and the sentence names file and
 * dataset. Must be freed if SCREE_OK. */
scree_status scree_fclib_read(scree_fclib *f, const char *path,
                              scree_error *error);
void scree_fclib_free(scree_fclib *f);

/* r of the problem becomes that of a guess of the file, 1 being the first. */
scree_status scree_fclib_read_guess(scree_fclib *f, const char *path, int guess,
                                    scree_error *error);

/* The problem in local form with solution/{r,u}, whole or not at all. */
scree_status scree_fclib_write(const scree_fclib *f, const char *path,
                               scree_error *error);

#endif
