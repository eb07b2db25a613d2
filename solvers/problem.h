/* problem.h: the inclusion problem, the only thing that solvers see.
 *
 *     u   = u_free + M^-1 W P
 *     xi  = W^T u + c                  (c: restitution, wall motion, gap)
 *     -xi_N in N_{R0+}(P_N),   -xi_T in N_{D(mu P_N)}(P_T)
 *
 * equivalently P = prox_C(P - r xi) for any r > 0, where D(R) is the disc of
 * radius R in the tangent plane (solvers/sets.h). The Delassus operator
 * G = W^T M^-1 W is never formed: it acts through the bodies' velocities u.
 *
 * Contacts between round bodies. The arms lie along the normal n, so the
 * velocity of a contact is W^T u = v_a - v_b - (arm_a w_a + arm_b w_b) x n, and
 * the diagonal block of G is diag(G_N, G_T, G_T) with
 *     G_N = 1/m_a + 1/m_b,   G_T = G_N + arm_a^2/theta_a + arm_b^2/theta_b.
 * Tangential vectors are kept in the inertial frame, perpendicular to n: no
 * tangent frame is stored, and none has to be carried from step to step.
 *
 * Tied contacts. mu < 0 says that friction is not a law of its own but follows
 * the normal percussion, P_T = mu P_N d = -|mu| P_N d, with the unit direction d
 * in the tangential part of c (RATTLE's midslip law). Its F_T is P_T - mu P_N d.
 *
 * Residual. With rho = 1/G_ii and the natural map of contact i
 *     F_N = P_N - prox_{R0+}(P_N - rho_N xi_N),
 *     F_T = P_T - prox_{D(mu P_N)}(P_T - rho_T xi_T),
 * the violation of contact i is e_i = |(F_N / rho_N, F_T / rho_T)| in m/s, and
 *     residual = |e|_2 / max(|P / rho|_2, |xi(P = 0)|_2),
 * which is 0 only at a solution and does not depend on units. */
#ifndef SCREE_SOLVERS_PROBLEM_H
#define SCREE_SOLVERS_PROBLEM_H

#include "engine/base/arena.h"
#include "engine/base/vec.h"

enum { SCREE_LANES = 4 };

/* Four contacts, one lane each, 8 cache lines. A lane that is not used has
 * a = b = the static body and zeros: it moves nothing. */
typedef struct scree_block {
    int32_t a[SCREE_LANES], b[SCREE_LANES];     /* bodies */
    double n[3][SCREE_LANES];                   /* from b into a */
    double arm_a[SCREE_LANES], arm_b[SCREE_LANES]; /* [m] */
    double rho_n[SCREE_LANES], rho_t[SCREE_LANES]; /* 1/G_N, 1/G_T [kg] */
    double mu[SCREE_LANES];
    double c[3][SCREE_LANES];   /* inertial frame [m/s] */
    double P_n[SCREE_LANES];    /* normal percussion on a [N s] */
    double P_t[3][SCREE_LANES]; /* tangential percussion on a [N s] */
} scree_block;

typedef struct scree_problem {
    int32_t n_body;     /* body n_body is the static one: u = 0, inv_m = 0 */
    scree_twist *u;     /* (n_body + 1) in: u_free, out: u */
    int64_t n_contact;
    scree_block *blocks; /* P: in: first guess, out: solution */
    int64_t block_capacity;
    bool frictionless;  /* all mu = 0 and all c along n */
} scree_problem;

static inline int64_t scree_problem_block_count(const scree_problem *p) {
    return (p->n_contact + SCREE_LANES - 1) / SCREE_LANES;
}

void scree_problem_free(scree_problem *p);

/* Empties the problem and makes room for n contacts. */
scree_status scree_problem_clear(scree_problem *p, int64_t n_contact);

/* One contact by value, as assembling and tests write and read it. */
typedef struct scree_row {
    int32_t a, b;
    scree_vec3 n;
    double arm_a, arm_b;
    double mu;
    scree_vec3 c;
    double P_n;
    scree_vec3 P_t;
} scree_row;

/* 1/G_T of a row. */
double scree_problem_rho_t(const scree_problem *p, const scree_row *row);

/* u += M^-1 W_i P for a percussion P of contact i. */
void scree_problem_push(scree_problem *p, int64_t i, scree_vec3 P);

/* Appends a contact; rho follows from the bodies' inertia. */
void scree_problem_add(scree_problem *p, const scree_row *row);
scree_row scree_problem_row(const scree_problem *p, int64_t i);

/* xi of contact i for the velocities u. */
scree_vec3 scree_problem_xi(const scree_problem *p, int64_t i);

/* Sum over contacts of |xi|^2 for the velocities now in u. */
double scree_problem_xi_norm2(const scree_problem *p);

/* u += M^-1 W P with the percussions now in the blocks. */
void scree_problem_apply(scree_problem *p);

/* The residual above for the pair (P, u) of the problem. xi_free2 is the
 * squared norm of xi(P = 0), from scree_problem_xi_norm2 before the solve. */
typedef struct scree_residual {
    double residual;  /* [-] */
    double violation; /* max e_i [m/s] */
} scree_residual;

scree_residual scree_problem_residual(const scree_problem *p, double xi_free2);

#endif
