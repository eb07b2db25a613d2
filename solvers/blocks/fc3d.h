/* fc3d.h: frictional contact problems with their Delassus matrix in a file or
 * written out by blocks.
 *
 *     u = W r + q,    contact by contact in its frame (n, t1, t2):
 *     0 <= u_N  _|_  r_N >= 0,   |r_T| <= mu r_N,   u_T opposes r_T when it slips
 *
 * which de Saxce writes as one cone condition, with s = mu |u_T|:
 *
 *     K* contains u + s n  _|_  r in K,       K = { |r_T| <= mu r_N }
 *
 * W is symmetric (its numbers to the digits of who wrote it, its block pattern
 * exactly), positive semidefinite and sparse: block rows of 3 x 3 blocks.
 * Problems in the plane have no second tangent: its rows and columns of W and q
 * are zero, which leaves r_T2 = u_T2 = 0.
 *
 * Residual, with a mass rho_i [kg] for each contact:
 *
 *     F_i = r_i / rho_i - P_K(r_i / rho_i - (u_i + s_i n)),
 *     residual = |F| / max(|q|, |u|, |r / rho|)      over all contacts
 *
 * P_K is the Euclidean projection on the cone. Residual 0 means solved. rho = 1
 * is the number that Siconos measures, which depends on the units of r and u;
 * rho_i = 1 / W_NN,i makes every term a velocity, and the residual the same in
 * all units. Problems that come from a step have a least divisor (least2), below which
 * velocities are roundings (problem.h). A problem without a solution drives r to infinity and so the
 * residual to zero: a residual within the tolerance is a solution only if |F| is as
 * small beside max(|q|, |u|) alone, or still falls (trend.h); in this case no contact
 * may close faster than half the largest entry of q. */
#ifndef SCREE_SOLVERS_FC3D_H
#define SCREE_SOLVERS_FC3D_H

#include "engine/base/arena.h"
#include "engine/base/elementary/elementary.h"
#include "engine/base/error.h"
#include "solvers/problem/loop.h"

typedef struct scree_fc3d {
    int nc;  /* contacts */
    int dim; /* 3, or 2: the second tangent is padding */
    int64_t n_block;
    int64_t *row;    /* (nc + 1) block row i is row[i] .. row[i + 1] - 1; its
                        first block is the diagonal one */
    int32_t *column; /* (n_block) */
    double *W;       /* (n_block x 9) row-major blocks */
    double *q;       /* (3 nc) */
    double *mu;      /* (nc) */
    double *rho;     /* (nc) of the residual, > 0 [kg] */
    double *r;       /* (3 nc) in: first guess, out: solution */
    double *u;       /* (3 nc) out: W r + q */
    double least2;   /* of |q|^2 and |u|^2, that the residual is relative to
                        [m^2/s^2]; 0: none */
} scree_fc3d;

/* All arrays in memory of so many bytes, all zero but rho = 1. Those by contact go on to
 * whole lanes of four, which stay so. */
size_t scree_fc3d_bytes(int nc, int64_t n_block);
void scree_fc3d_lay_out(scree_fc3d *p, void *memory, int nc, int64_t n_block);
/* The same in an allocation of its own. */
scree_status scree_fc3d_create(scree_fc3d *p, int nc, int64_t n_block);
void scree_fc3d_free(scree_fc3d *p);

/* An entry of W by scalar row and column, both in 0 .. 3 nc - 1. */
typedef struct scree_entry {
    int32_t row, column;
    double value;
} scree_entry;

/* Creates the problem with W from its entries, in any order; entries of one
 * place add up, and blocks without a mirror image get one of zeros. */
scree_status scree_fc3d_assemble(scree_fc3d *p, int nc, int64_t n,
                                 const scree_entry *entries,
                                 scree_arena *scratch);

/* Sets u = W r + q and measures. */
scree_residual scree_fc3d_measure(scree_fc3d *p);
/* Measures with the u that is there. */
scree_residual scree_fc3d_measure_at(const scree_fc3d *p);

/* u = W r + q of contact i. */
void scree_fc3d_row(const scree_fc3d *p, int i, double u[3]);

/* ---- solving ------------------------------------------------------------- */

/* What problems from files are solved with unless told otherwise. */
scree_solver_options scree_blocks_options(void);

/* A method works on p->r. Not reaching the tolerance is SCREE_OK with
 * converged = false; a problem that the method cannot take is
 * SCREE_UNSUPPORTED. Methods never return a worse r than their best measured
 * one, unless they are told to keep the last. What they take of `scratch` is given back
 * by who calls them. */
typedef scree_status scree_blocks_solver(scree_fc3d *p,
                                         const scree_solver_options *options,
                                         scree_arena *scratch,
                                         scree_report *report);

/* Calls one, and gives scratch back. */
scree_status scree_blocks_call(scree_blocks_solver *solve, scree_fc3d *p,
                               const scree_solver_options *options,
                               scree_arena *scratch, scree_report *report);

/* The first sweeps of auto on at most this many contacts. */
enum { SCREE_FC3D_SMALL = 16 };
scree_blocks_solver scree_blocks_small;
/* The stages of auto that follow its sweeps, from an r that others swept. */
scree_blocks_solver scree_blocks_after_sweeps;

/* ---- for the methods ----------------------------------------------------- */

/* The largest eigenvalue of W_TT of a diagonal block. */
static inline double scree_fc3d_tangent(const double W[9]) {
    return 0.5 * (W[4] + W[8]) + scree_hypot(0.5 * (W[4] - W[8]), W[5]);
}

/* Nearest point of K, in place. */
void scree_fc3d_project(double mu, double x[3]);

/* Solves the problem of one contact, W r + b with its block W alone. */
void scree_fc3d_contact(const double W[9], const double b[3], double mu,
                        double r[3]);

/* The loop of loop.h on r; p->u belongs to it where the method says so. */
scree_status scree_fc3d_begin(scree_loop *g, const char *by, scree_fc3d *p,
                              const scree_solver_options *options,
                              scree_arena *scratch, scree_report *report);

#endif
