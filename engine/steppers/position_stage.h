/* position_stage.h: the half of a step in which laws act on positions.
 *
 * Find u and P with
 *
 *     M_n (u - u_n) = tau h(t_n, q_n, u) + W_n P                    (000, 25a)
 *     q(u) = q_n + dt/2 (qdot(t_n, q_n, u) + qdot(t_n + dt, q(u), u))    (27)
 *     position laws:  g(t_n + dt, q(u)) / dt   against P           (28a), (33)
 *     velocity laws:  gamma(t_n + dt, q(u), u) against P           (29a), (36)
 *
 * tau = dt/2 is the first stage of RATTLE; the semi-implicit index-3 scheme of
 * 003 is the same with tau = dt, the force at u_n and q(u) = q_n + dt qdot(q_n).
 *
 * Newton's method on the smooth functions, with the set-valued laws kept whole:
 * each iteration linearises h(u), q(u), g, gamma about the iterate and solves
 * the linear inclusion problem that results (Josephy-Newton; quadratic once near
 * the solution, and redundant laws are the inner solver's business). The
 * Jacobians are by forward differences: n_u evaluations each. */
#ifndef SCREE_POSITION_STAGE_H
#define SCREE_POSITION_STAGE_H

#include "engine/system/dense_system.h"

typedef struct scree_position_stage {
    double dt;         /* from q_n to q(u) */
    double tau;        /* share of the force */
    double set_dt;     /* time that force reservoirs [N] are open for */
    bool implicit;     /* RATTLE: force and kinematics implicit as above */
    const double *u_n; /* (n_u) */
    double *u;         /* (n_u) out */
    double *q;         /* (n_q) out: q(u); s->q is q_n */
    double *P;         /* (n_row) in: guess, out */
} scree_position_stage;

scree_status scree_position_stage_solve(scree_dense *s,
                                        const scree_position_stage *stage,
                                        const scree_frame *frame_n,
                                        const scree_dense_options *options,
                                        scree_error *error);

#endif
