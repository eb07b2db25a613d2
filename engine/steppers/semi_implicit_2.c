/* semi_implicit_2.c: the semi-implicit index-2 scheme of 003.
 *
 *     q_{i+1} = q_i + dt qdot(q_i, u_i)
 *     M (u_{i+1} - u_i) = dt h(q_i, u_i) + W P
 *     -gamma(u_{i+1}) in N_C(P)     for laws on velocities and closed contacts
 *
 * with M, h and W at q_i: explicit in positions, implicit in set-valued forces.
 * First order. Contacts close with the overlap that the step finds them with. */
#include "engine/base/error.h"
#include "engine/system/stepper.h"

static scree_status step_semi_2(const scree_system *system,
                                const scree_step_options *options) {
    const scree_system_ops *ops = system->ops;
    void *self = system->self;
    const scree_gap_control to_the_letter = {.dt = options->dt};
    TRY(ops->detect(self, options->dt, false));
    TRY(ops->assemble(self, scree_law_enter, &to_the_letter));
    ops->kick(self, options->dt);
    TRY(ops->solve(self));
    TRY(ops->account(self));
    ops->drift(self, options->dt);
    return SCREE_OK;
}

const scree_stepper_ops scree_stepper_semi_implicit_2 = {
    .name = "semi-implicit-2",
    .about = "semi-implicit index-2 scheme, laws on velocities",
    .step = step_semi_2,
};
