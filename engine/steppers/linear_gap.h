/* linear_gap.h: a step whose laws see gaps that are linear over it, and then move with the
 * velocities of its end: of Schatzman-Paoli type. */
#ifndef SCREE_STEPPERS_LINEAR_GAP_H
#define SCREE_STEPPERS_LINEAR_GAP_H

#include "engine/base/error.h"
#include "engine/system/stepper.h"

/* The context of the rule is dt. */
static inline scree_status step_with_linear_gap(const scree_system *system,
                                                double dt,
                                                scree_law_rule rule) {
    const scree_system_ops *ops = system->ops;
    void *self = system->self;
    TRY(ops->detect(self, dt, true));
    TRY(ops->assemble(self, rule, &dt));
    ops->kick(self, dt);
    TRY(ops->solve(self));
    TRY(ops->account(self));
    ops->move(self, dt);
    return SCREE_OK;
}

#endif
