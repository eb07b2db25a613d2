/* scree_fc3d.h: frictional contact problems with their Delassus matrix in a file or
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
 * velocities are roundings. A problem without a solution drives r to infinity and so the
 * residual to zero: a residual within the tolerance is a solution only if |F| is as
 * small beside max(|q|, |u|) alone, or still falls; in this case no contact
 * may close faster than half the largest entry of q.
 *
 * For solvers of one's own: a problem from a file, or one of a step (saver), with the
 * products and projections that such a solver is made of. */
#ifndef SCREE_FC3D_H
#define SCREE_FC3D_H

#include <scree.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

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

/* All arrays in one allocation, all zero but rho = 1. */
scree_status scree_fc3d_create(scree_fc3d *p, int nc, int64_t n_block);
void scree_fc3d_free(scree_fc3d *p);

/* ---- where problems come from --------------------------------------------- */

/* An FCLIB file; the file's solution is in r, if it has one. */
scree_status scree_fc3d_read(scree_fc3d *p, const char *path,
                             scree_error *error);
/* With r and u as the solution. */
scree_status scree_fc3d_write(const scree_fc3d *p, const char *path,
                              const char *title, scree_error *error);

/* Told of the problems that solver.dump asks for, right after their solve; a status
 * that is not SCREE_OK ends the step with it. */
typedef scree_status scree_problem_saver(void *context,
                                         const scree_world *world,
                                         scree_error *error);

/* Only one at a time; NULL: nobody is told. */
void scree_world_set_saver(scree_world *world, scree_problem_saver *saver,
                           void *context);

/* Called by a saver: the problem that was solved, with the solution in r. Contacts
 * with rolling or drilling, and rattle's midslip law, have no such form. */
scree_status scree_world_read_problem(const scree_world *world, scree_fc3d *p,
                                      scree_error *error);

/* ---- what solvers are made of ---------------------------------------------- */

/* u = W r + q of contact i. */
void scree_fc3d_row(const scree_fc3d *p, int i, double u[3]);

/* Nearest point of K, in place. */
void scree_fc3d_project(double mu, double x[3]);

/* Solves the problem of one contact, W r + b with its block W alone. */
void scree_fc3d_contact(const double W[9], const double b[3], double mu,
                        double r[3]);

/* The residual above, with u = W r + q; sets u. */
double scree_fc3d_residual(scree_fc3d *p);

/* What problems from files are solved with unless told otherwise. */
scree_solver_options scree_blocks_options(void);

/* A method of the library, options.method, which starts from r. Not reaching the
 * tolerance is SCREE_OK with converged = false in the report. */
scree_status scree_fc3d_solve(scree_fc3d *p,
                              const scree_solver_options *options,
                              scree_report *report, scree_error *error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
