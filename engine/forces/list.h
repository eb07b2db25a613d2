/* list.h: forces, kinematic bodies, groups and callbacks as a world has them. */
#ifndef SCREE_FORCES_LIST_H
#define SCREE_FORCES_LIST_H

#include "engine/forces/push.h"
#include "engine/scree_forces.h"

typedef struct scree_force {
    scree_force_def def; /* materials: its own */
    bool flows;          /* it is a fluid */
} scree_force;

typedef struct scree_kinematic {
    int64_t id;
    scree_kinematic_motion *motion; /* NULL: it keeps its velocity */
    void *context;
} scree_kinematic;

typedef struct scree_forces {
    scree_force *list; /* (n) */
    int n;
    int64_t capacity;
    scree_vec3 steady; /* accelerations of all bodies everywhere [m/s^2] */
    double typical;    /* rattle: what bodies get in this step [m/s^2] */
    bool resting;      /* nothing acts: rattle works off overlap */
    bool applied;      /* something waits for the next step */
    bool own_gravity;  /* a program has set it */
    scree_kinematic *kinematic; /* (n_kinematic) by id, on all ranks */
    int64_t n_kinematic, kinematic_capacity;
    scree_groups *materials; /* NULL: they have none */
    int64_t material_capacity;
    scree_callbacks callbacks;
    scree_contact_view *views; /* those of the last call */
    int64_t view_capacity;
} scree_forces;

#endif
