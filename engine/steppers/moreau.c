/* moreau.c: Moreau's midpoint rule, 002 section 3.
 *
 *     q_M = q_B + u_B dt/2
 *     M (u_E - u_B) = h_M dt + W_M P                                      (15)
 *     -(gamma_E + eps gamma_B) in N_C(P)   for laws closed at q_M         (17)
 *     q_E = q_B + (u_B + u_E) dt/2 = q_M + u_E dt/2                       (21)
 *
 * Order 1 in general, 2 in q while no law changes its mode. Conserves momentum
 * and, since percussions act at one common point at q_M, angular momentum about
 * any point, both to rounding. laws.h says what gap control changes. */
#include "engine/base/error.h"
#include "engine/system/stepper.h"

static scree_status step_midpoint(const scree_system *system,
                                  const scree_step_options *options) {
    const scree_system_ops *ops = system->ops;
    void *self = system->self;
    const double dt = options->dt, reach = options->control.dt;
    const bool control = options->control.on;

    if (control) TRY(ops->begin(self, 0.5 * dt));
    ops->move(self, 0.5 * dt);
    TRY(ops->detect(self, reach, control));
    if (control) TRY(ops->meet(self, reach));
    TRY(ops->assemble(self, scree_law_enter, &options->control));
    ops->kick(self, dt);
    TRY(ops->solve(self));
    if (control) TRY(ops->complete(self, &options->control));
    TRY(ops->account(self));
    if (control) {
        TRY(ops->part(self, reach));
        TRY(ops->recover(self, options->recovery_velocity, reach));
    }
    ops->move(self, 0.5 * dt);
    return SCREE_OK;
}

const scree_stepper_ops scree_stepper_moreau = {
    .name = "moreau",
    .about = "Moreau's midpoint rule, one inclusion problem per step",
    .in_parts = true,
    .poisson = true,
    .drag = true,
    .forces = true,
    .cohesion = true,
    .drives = true,
    .step = step_midpoint,
};
