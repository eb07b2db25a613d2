/* strain.h: contacts in a frame that strains: the edges of a periodic cell that percussions
 * move (engine/world/cell_stress.h).
 *
 *     xi = W^T u + c + eta l,              eta l by components, l: branch of the contact,
 *     eta = eta_free + (1/I) sum of P l    I = M L^2 [kg m^2], of directions that move
 *
 * which is one more body with columns diag(l) in W: G = W^T M^-1 W + l I^-1 l^T. It
 * touches all contacts, so no colour could have it, and it is not swept with them. c holds
 * the frame as it is, so that all that looks at a problem sees it with the frame held, and
 * after each sweep the frame follows the percussions.
 *
 * This is the splitting G = (D + L) + (L^T + l I^-1 l^T) of sweeps. It converges if
 * D - l I^-1 l^T is positive (P-regular), and so if
 *
 *     sum of l^2 rho_n / I < 1;
 *
 * with M as heavy as all bodies that is some (d / L)^2. Pushed by momentum the frame goes
 * on as velocities do.
 *
 * Cost: nothing without a frame; with one two passes over the contacts a sweep. */
#ifndef SCREE_SOLVERS_STRAIN_H
#define SCREE_SOLVERS_STRAIN_H

#include "engine/base/exact_sum.h"
#include "engine/base/simd.h"
#include "engine/base/vec.h"

/* Branches of four contacts. */
typedef struct scree_branches {
    double l[3][SCREE_LANES]; /* centre of a from that of b [m] */
} scree_branches;

typedef struct scree_strain {
    bool on;
    double inv_I[3];   /* 0: the frame does not move along it [1/(kg m^2)] */
    scree_vec3 free;   /* eta without percussions [1/s] */
    double free_shear; /* d v_x / d y, which no percussion changes [1/s] */
    scree_vec3 eta;    /* by the percussions [1/s] */
    scree_vec3 before; /* a sweep ago */
    scree_vec3 in_c;   /* what c holds */
    scree_branches *branches; /* (blocks) round ones first */
    int64_t capacity;
    double *partial; /* (chunks x 3) */
    int64_t partial_capacity;
} scree_strain;

struct scree_problem;

/* Room for the branches of all blocks, 0 for now; after contacts have their places. */
scree_status scree_strain_begin(struct scree_problem *p);
void scree_strain_set_branch(struct scree_problem *p, int64_t contact,
                             scree_vec3 l);

/* The shear enters c, which has nothing else of the frame yet; and all leaves it. */
void scree_strain_enter(struct scree_problem *p);
void scree_strain_leave(struct scree_problem *p);

/* As if there were no percussions; as those that are there have it; and on by b times
 * what the last sweep did. */
void scree_strain_release(struct scree_problem *p);
void scree_strain_follow(struct scree_problem *p);
void scree_strain_extrapolate(struct scree_problem *p, double b);

void scree_strain_free(scree_strain *frame);
size_t scree_strain_bytes(const scree_strain *frame);

#endif
