/* coarse.h: corrections for what sweeps are slow at, between the sweeps of pgs and
 * jacobi.
 *
 * A sweep takes percussions from body to body. In a deep bed the load of the whole
 * has to go down to the floor: the error left after some sweeps is a bed that sinks
 * as a whole, which the residual hardly sees, and the sweeps that it takes grow with
 * the depth. In a stack bending is as slow. Two corrections find such errors:
 *
 * Layers (coarse_layers.c), for many bodies. The percussions there are have the right
 * pattern but too little weight. They are scaled by a factor that depends on the
 * height alone,
 *     dP_i = s(z_i) P_i,     s piecewise linear, one unknown s_k per node,
 * such that the layers' mean velocities along the axis close no contact. With
 *     b_k   the percussions times hat function k,
 *     t_j   the same where contacts stick, their normal parts where they slide,
 *     phi_L the hat functions at the bodies' heights, D_L the mass they weigh,
 * the coarse equations are
 *     sum_k (t_j^T W^T phi) D^-1 (phi^T W b_k) s_k = -t_j^T xi.
 * The right side is zero at a solution: sticking contacts do not move, and sliding
 * ones neither approach nor part, though friction works. That is why the test columns
 * are not the percussions themselves. Velocities enter by the means of layers: were
 * bodies to move one by one (t^T W^T M^-1 W b), the unbalanced rest of each of them,
 * which sweeps remove at once, would make the equations stiff and s too small. Factors
 * are taken only where they agree: all loads too small, or all too large.
 * A factor keeps every percussion inside its cone, whatever the law. Where there are no
 * percussions yet the same equations find a first guess (coarse_seed.c).
 *
 * Bodies (coarse_bodies.c), for problems that are small and narrow: stacks. One
 * proximal step of Newton's method, with contacts frozen as they are:
 *     sticking  dP = -kappa rho (xi + W^T du),
 *     sliding   the same for the normal part, friction stays,
 *     open      dP = 0,
 * and M du = W dP give (M + kappa W rho W^T) du = -kappa W rho xi, symmetric positive
 * definite, with an envelope as narrow as the stack if bodies are sorted by height.
 * Joints take part with the bars that are within their bounds, where they are a quarter
 * of the rows or more; layers know of none.
 * P + dP is cut to the cones, and kept if the residual fell.
 *
 * When. Only at checks of the residual, not in the first sweeps, not while sweeps alone
 * do well, not near the end and not near the tolerance: after scaling the residual
 * rises, and falls within some ten sweeps. A correction that changes little, or whose
 * residual has not come down by the next check, makes the next ones wait, each time twice as long.
 *
 * Threads and ranks. Sums go over a fixed number of chunks; in an ordered problem
 * (ordered.h) they are sums of integers, so that neither the order of contacts nor the
 * number of ranks changes a bit. Bodies are for one rank without an order only.
 * Cost: layers about as much as two sweeps, bodies n_body times the square of the
 * envelope. */
#ifndef SCREE_SOLVERS_COARSE_H
#define SCREE_SOLVERS_COARSE_H

#include "solvers/problem/kernel.h"
#include "solvers/problem/method.h"

/* Nodes at most, and nodes that a body's layer reaches to either side. */
enum { SCREE_COARSE_NODES = 64, SCREE_COARSE_REACH = 2 };
/* Parts of all sums over contacts, whatever the number of threads. */
enum { SCREE_COARSE_CHUNKS = 8 };
enum { SCREE_COARSE_BAND = 2 * SCREE_COARSE_REACH + 1 };

/* A sum, or in an ordered problem a sum of integers. */
typedef union scree_coarse_sum {
    double real;
    int64_t fixed;
} scree_coarse_sum;

/* What the contacts add to a node: in[k - node + REACH] of phi^T W b_k and of
 * phi^T W t_k, and t^T xi. */
typedef struct scree_coarse_node {
    scree_coarse_sum in[SCREE_COARSE_BAND][2];
    scree_coarse_sum power;
} scree_coarse_node;

typedef struct scree_layers {
    bool made;
    int n;            /* nodes; 0: too flat for layers */
    double low, per;  /* height of node 0 [m], nodes per metre */
    double *height;   /* (n_body + 1) of bodies, in nodes */
    uint8_t *touched; /* (n_body + 1) does the body have contacts here? */
    double *mass;     /* (n) D */
    double *matrix;   /* (n x n) */
    int *pivot;       /* (n) */
    double *s;        /* (n) */
    bool fixed;       /* sums are of integers */
    double force_unit, power_unit; /* of one [1/(N s)], [1/J] */
    scree_coarse_node *sums;       /* (chunks x nodes) */
} scree_layers;

typedef struct scree_bodies_step {
    bool made, fits;
    int32_t n;        /* bodies with contacts */
    int32_t *rank;    /* (n_body + 1) of a body by height, -1: not among them */
    int32_t *body;    /* (n) the other way round */
    int32_t *first;   /* (n) the lowest that shares a contact, by rank */
    int64_t *row;     /* (6 n + 1) envelope: row i ends before row[i + 1] */
    double *entries;  /* lower triangle by rows, up to the diagonal */
    double *du;       /* (6 n) */
    double kappa;     /* of the next step */
    scree_twist *u;   /* (n) before the step */
    row_step *change; /* (contacts) by the step */
    int32_t *head, *next; /* (n_body + 1), (2 contacts) rows of each body */
} scree_bodies_step;

typedef struct scree_coarse {
    scree_problem *p;
    bool on, small;
    bool cold;        /* there was no percussion at the start */
    bool seeded;      /* but there is a guess (coarse_seed.c) */
    int sweeps, most; /* so far, and at most */
    int pace;         /* sweeps that do what one of pgs does */
    int at;           /* sweeps before the last correction */
    double tolerance;
    double first, last,
        prior;       /* residual at the start, at the last check and at the
                                  one before it */
    double before;   /* at the last correction; INFINITY: it was judged */
    int fails, wait; /* checks to pass over */
    scree_size free; /* of the problem, for its residual */
    scree_arena *scratch;
    scree_layers layers;
    scree_bodies_step bodies;
} scree_coarse;

/* Before the solve, while u = u_free. Slower methods than pgs correct less often, by
 * `pace`. Memory comes from `scratch`, to be popped by the
 * caller. */
scree_status scree_coarse_begin(scree_coarse *c, scree_problem *p,
                                const scree_solver_options *options, int pace,
                                scree_arena *scratch);
/* After a check of the residual. */
void scree_coarse_watch(scree_coarse *c, double residual);
/* Before `count` sweeps. Percussions, those of one sweep ago, u and u_last (NULL: no
 * momentum) change by the same amount, so that momentum goes on. Returns whether they
 * did. */
bool scree_coarse_improve(scree_coarse *c, scree_twist *u_last, int count);

#endif
