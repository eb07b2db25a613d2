/* system.h: what a stepper sees of a mechanical system.
 *
 *     M (u_E - u_B) = h dt + W P,     qdot = B(q) u + beta,
 *
 * with set-valued laws near q. A stepper is written once against these
 * operations; the many-body world (engine/step/step.c) is one implementation, a model
 * (dense_system.h) the other, and a small world can be seen as a model
 * (world_dense.h). Each operation works on the system's own state q, u, t. */
#ifndef SCREE_SYSTEM_H
#define SCREE_SYSTEM_H

#include "engine/laws/laws.h"
#include "engine/scree.h"

/* A stepper's rule: how a law enters the step. */
typedef scree_law_entry (*scree_law_rule)(const void *context,
                                          const scree_law_state *law);

typedef struct scree_system_ops {
    /* q <- q + (B(q) u + beta) dt, t <- t + dt */
    void (*move)(void *self, double dt);
    /* the same with the velocity that the step began with */
    void (*drift)(void *self, double dt);
    /* finds the laws near q; `foresee`: also those that may close within dt */
    scree_status (*detect)(void *self, double dt, bool foresee);
    /* W, and c from gamma_B by the stepper's rule, at q and u_B */
    scree_status (*assemble)(void *self, scree_law_rule rule,
                             const void *context);
    /* u <- u + M^-1 h(t, q, u) dt */
    void (*kick)(void *self, double dt);
    /* u <- u + M^-1 W P with the P that solves the inclusion problem */
    scree_status (*solve)(void *self);
    /* books what the percussions of the step did */
    scree_status (*account)(void *self);
    /* With gap control; NULL for systems without it. What is new is kept from
     * closing on its first way, over dt; laws that close alone within dt are taken
     * where they do, and left again at the end; after the solve those that its
     * percussions close enter it. */
    scree_status (*begin)(void *self, double dt);
    scree_status (*meet)(void *self, double dt);
    scree_status (*part)(void *self, double dt);
    scree_status (*complete)(void *self, const scree_gap_control *control);
    /* moves q, not u, out of overlap by at most `velocity` dt */
    scree_status (*recover)(void *self, double velocity, double dt);
    /* The two stages of RATTLE for systems of many bodies. Small systems have their
     * own (engine/steppers/rattle.c), as they have of semi-implicit-3: the equations
     * are the same, the algorithms are not. There the laws are a fixed list, some of
     * them bilateral, and Newton's method has dense Jacobians of h, q(u) and g; here
     * contacts come and go between rounds, which solve linear inclusions without a
     * matrix, hold contacts, and stop bodies that would pass each other. What is one
     * formula is shared: the shares of a hit in both stages (steppers/hits.h). */
    scree_status (*position_stage)(void *self, double dt);
    scree_status (*velocity_stage)(void *self, double dt);
} scree_system_ops;

typedef struct scree_system {
    void *self;
    const scree_system_ops *ops;
} scree_system;

#endif
