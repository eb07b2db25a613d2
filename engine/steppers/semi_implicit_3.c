/* semi_implicit_3.c: the semi-implicit index-3 scheme of 003, of the inelastic
 * Schatzman-Paoli type.
 *
 *     M (u_{i+1} - u_i) = dt h(q_i, u_i) + W_i P
 *     q_{i+1} = q_i + dt qdot(q_i, u_{i+1})
 *     0 <= g_N(q_{i+1})  perp  P_N >= 0,       friction against gamma(u_{i+1})
 *
 * First order, no restitution whatever e says (cases with e > 0 are warned of it), no
 * penetration. On worlds the gap
 * is linear over the step, g_i + dt gamma_N(u_{i+1}): what curvature leaves is
 * corrected by the next step. On models g(q_{i+1}) is met to the tolerance. */
#include <string.h>

#include "engine/steppers/linear_gap.h"
#include "engine/steppers/position_stage.h"

static scree_law_entry law_rule(const void *context,
                                const scree_law_state *law) {
    const double dt = *(const double *)context;
    return (scree_law_entry){.acts = true, .c_n = law->g / dt};
}

static scree_status step_semi_3(const scree_system *system,
                                const scree_step_options *options) {
    return step_with_linear_gap(system, options->dt, law_rule);
}

static scree_status dense_step(scree_dense *s,
                               const scree_dense_options *options,
                               scree_error *error) {
    const double dt = options->dt;
    const size_t u_bytes = (size_t)s->ops->n_u * sizeof(double);
    double *u_n = scree_dense_push(s, s->ops->n_u);
    double *q = scree_dense_push(s, s->ops->n_q);
    scree_frame frame;
    if (!u_n || !q) return SCREE_OUT_OF_MEMORY;
    memcpy(u_n, s->u, u_bytes);
    TRY(scree_dense_frame(s, s->t, s->q, &frame));
    const scree_position_stage stage = {.dt = dt,
                                        .tau = dt,
                                        .set_dt = dt,
                                        .u_n = u_n,
                                        .u = s->u,
                                        .q = q,
                                        .P = s->P};
    TRY(scree_position_stage_solve(s, &stage, &frame, options, error));
    memcpy(s->q, q, (size_t)s->ops->n_q * sizeof *q);
    if (s->ops->normalise) s->ops->normalise(s->p, s->q);
    s->t += dt;
    s->dt = dt;
    scree_dense_gaps(s, s->t, s->q, s->g);
    return SCREE_OK;
}

const scree_stepper_ops scree_stepper_semi_implicit_3 = {
    .name = "semi-implicit-3",
    .about = "semi-implicit index-3 scheme (Schatzman-Paoli, e = 0)",
    .inelastic = true,
    .step = step_semi_3,
    .dense_step = dense_step,
};
