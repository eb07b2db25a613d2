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
 * all units. A problem without a solution drives r to infinity and so the
 * residual to zero: a residual within the tolerance is a solution only if |F| is as
 * small beside max(|q|, |u|) alone, or still falls (trend.h); in this case no contact
 * may close faster than half the largest entry of q. */
#ifndef SCREE_SOLVERS_FC3D_H
#define SCREE_SOLVERS_FC3D_H

#include "engine/base/arena.h"
#include "engine/base/error.h"
#include "solvers/problem/trend.h"

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
} scree_fc3d;

/* One allocation for all arrays, all zero but rho = 1. */
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

typedef struct scree_fc3d_error {
    double residual; /* as above; NaN when r or u are not finite */
    double normal;   /* worst max(0, -u_N) [m/s] */
    double cone;     /* worst max(0, |r_T| - mu r_N, -r_N) [N s] */
    double velocity; /* |F| over max(|q|, |u|) alone [-] */
    double loaded;   /* |F| of the contacts that bear: trend.h [m/s] */
} scree_fc3d_error;

/* Sets u = W r + q and measures. */
scree_fc3d_error scree_fc3d_measure(scree_fc3d *p);
/* Measures with the u that is there. */
scree_fc3d_error scree_fc3d_measure_at(const scree_fc3d *p);

/* Within the tolerance without the help of r, which may have grown without end? */
static inline bool scree_fc3d_is_small(const scree_fc3d_error *e,
                                       double tolerance) {
    return e->residual <= tolerance && e->velocity <= SCREE_BESIDE * tolerance;
}

/* u = W r + q of contact i. */
void scree_fc3d_row(const scree_fc3d *p, int i, double u[3]);

/* ---- solving ------------------------------------------------------------- */

/* Told of every residual measured. */
typedef void scree_fc3d_watch(void *context, int64_t iteration,
                              const scree_fc3d_error *error);

typedef struct scree_fc3d_options {
    double tolerance;   /* on the residual */
    int64_t iterations; /* at most: sweeps, gradient or Newton steps */
    double seconds;     /* at most, looked at with every residual; 0: any */
    double momentum;    /* pgs: in [0, 1), 0 is plain Gauss-Seidel */
    bool adaptive;      /* pgs: let a momentum > 0 follow the progress */
    scree_local local;  /* pgs */
    int order;          /* pgs: of the sweep; 0: as given, else one of many */
    int64_t stall;      /* give up when the best residual fell by less than
                               a third in the last half of the iterations, if
                               they are more than twice this; 0: never */
    bool keep_last;     /* pgs: return the last r, not the best */
    bool on_the_way;    /* others go on from here: the residual is enough, r may
                               still grow (trend.h) */
    int feedback;       /* apgd: iterations with one slip; 0: as many as the
                               progress of the residual tells */
    double kappa;       /* newton: the first step over 1 / W_ii */
    int64_t newton_sweeps;   /* newton: sweeps of pgs after a failed step */
    int64_t fill;            /* newton: give up beyond this many blocks of U */
    scree_fc3d_watch *watch; /* or NULL */
    void *context;
} scree_fc3d_options;

scree_fc3d_options scree_fc3d_options_default(void);

typedef struct scree_fc3d_report {
    int64_t iterations;
    scree_fc3d_error error; /* of the r that is returned */
    scree_stop stop;
    bool converged;
    const char *by; /* the method that made the last step */
} scree_fc3d_report;

/* A method works on p->r. Not reaching the tolerance is SCREE_OK with
 * converged = false; a problem that the method cannot take is
 * SCREE_UNSUPPORTED. Methods never return a worse r than their best measured
 * one, unless they are told to keep the last. */
typedef scree_status scree_fc3d_solver(scree_fc3d *p,
                                       const scree_fc3d_options *options,
                                       scree_arena *scratch,
                                       scree_fc3d_report *report);

scree_fc3d_solver scree_fc3d_auto, scree_fc3d_pgs, scree_fc3d_jacobi,
    scree_fc3d_apgd, scree_fc3d_newton, scree_fc3d_path, scree_fc3d_prox,
    scree_fc3d_lemke;

/* The dense methods take at most this many rows of W. */
enum { SCREE_FC3D_DENSE = 1500 };

/* The first sweeps of auto on at most this many contacts. */
enum { SCREE_FC3D_SMALL = 16 };
scree_fc3d_solver scree_fc3d_small;
/* The stages of auto that follow its sweeps, from an r that others swept. */
scree_fc3d_solver scree_fc3d_after_sweeps;

typedef struct scree_fc3d_method {
    const char *name, *about;
    scree_fc3d_solver *solve;
    bool plane_friction; /* friction is SCREE_UNSUPPORTED unless dim = 2 */
} scree_fc3d_method;

const scree_fc3d_method *scree_fc3d_get(int i); /* NULL past the end */
const scree_fc3d_method *scree_fc3d_find(const char *name);

/* ---- for the methods ----------------------------------------------------- */

/* Nearest point of K, in place. */
void scree_fc3d_project(double mu, double x[3]);

/* Solves the problem of one contact, W r + b with its block W alone. */
void scree_fc3d_contact(const double W[9], const double b[3], double mu,
                        double r[3]);

/* Which iterate is the best so far, when to measure, when to stop. */
typedef struct scree_fc3d_progress {
    scree_fc3d *p;
    const scree_fc3d_options *options;
    scree_fc3d_report *report;
    double *best;            /* (3 nc) */
    scree_fc3d_error error;  /* of `best` */
    int64_t iteration, next; /* next: when to measure */
    double first, last;      /* residuals measured */
    double start;            /* [s] */
    bool has_u;              /* p->u belongs to p->r: only this once */
    bool exact_u;            /* with has_u: it has not drifted by rounding */
    double mark;             /* residual that the stall is judged by */
    int64_t marked;          /* iteration of the mark */
    scree_trend trend;
    bool leaps;      /* the method's steps are large: no trend tells that a
                               problem has a solution */
    int64_t doubted; /* iteration at which a residual within the tolerance
                               was no solution for the first time, or -1 */
} scree_fc3d_progress;

scree_status scree_fc3d_begin(scree_fc3d_progress *g, const char *by,
                              scree_fc3d *p, const scree_fc3d_options *options,
                              scree_arena *scratch, scree_fc3d_report *report);
/* True if the next advance measures. */
bool scree_fc3d_is_due(const scree_fc3d_progress *g);
/* Counts an iteration; measures now and then. True: stop. */
bool scree_fc3d_advance(scree_fc3d_progress *g);
/* Keeps p->r if its error is the least so far. */
void scree_fc3d_keep_best(scree_fc3d_progress *g, const scree_fc3d_error *e);
/* Puts the best iterate into p->r and its u into p->u. */
void scree_fc3d_end(scree_fc3d_progress *g);

/* A method inside a method: options that end with those of the outer one and
 * watch with iterations counted from its first on. */
typedef struct scree_fc3d_relay {
    const scree_fc3d_options *outer;
    double start;   /* [s] of the outer method */
    int64_t before; /* its iterations so far */
} scree_fc3d_relay;

double scree_fc3d_now(void); /* [s] */
scree_fc3d_options scree_fc3d_inner(scree_fc3d_relay *relay);

#endif
