/* push.h: what forces do to a body in a step, and its groups: arrays that go with the
 * bodies of worlds that want them (engine/world/body.h). */
#ifndef SCREE_FORCES_PUSH_H
#define SCREE_FORCES_PUSH_H

#include "engine/base/vec.h"

/* By a program, for the next step. */
typedef struct scree_applied {
    scree_vec3 force, torque;  /* [N], [N m] */
    scree_vec3 impulse, twist; /* [N s], [N m s] */
} scree_applied;

typedef struct scree_body_push {
    scree_applied applied;
    /* In the step that is under way. */
    scree_velocity first, second; /* what velocities get; rattle: per stage */
    scree_velocity begin;         /* velocities before */
    scree_vec3 braked;            /* what drag did of that to v [m/s] */
    scree_vec3 turned; /* angular percussion of torques [N m s], and of drag */
    scree_vec3 unspun;
    scree_vec3 wind; /* velocity of the fluid [m/s] */
} scree_body_push;

/* Bits of groups; group 0: those of the material hold. */
typedef struct scree_groups {
    uint32_t group, collides;
} scree_groups;

/* What checkpoints keep of them, on its way to the rank that saves it. */
typedef struct scree_trait_row {
    int64_t id;
    scree_applied applied;
    scree_groups groups;
} scree_trait_row;

#endif
