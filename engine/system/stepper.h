/* stepper.h: what a stepper is. One file and one line in steppers.def each. */
#ifndef SCREE_STEPPER_H
#define SCREE_STEPPER_H

#include "engine/system/dense.h"
#include "engine/system/system.h"

typedef struct scree_step_options {
    double dt;
    scree_gap_control control;
    double recovery_velocity; /* [m/s] */
} scree_step_options;

typedef struct scree_stepper_ops {
    const char *name;
    const char *about;
    bool in_parts;  /* worlds may take a step in parts (engine/step/parts.c) */
    bool inelastic; /* takes all e for 0: whoever asks for more is warned */
    bool poisson;   /* knows Poisson's impact law; else it is refused */
    bool drag;      /* knows drag of the ground; else it is refused */
    bool forces;    /* knows forces and kinematic bodies; else refused */
    bool cohesion;  /* knows cohesion and bonds; else they are refused */
    bool drives;    /* knows walls that forces drive; else they are refused */
    /* Against the system interface: runs worlds and models. NULL: only small
     * systems, by dense_step. */
    scree_status (*step)(const scree_system *system,
                         const scree_step_options *options);
    /* With full access to a small system; preferred there. NULL: by step. */
    scree_status (*dense_step)(scree_dense *system,
                               const scree_dense_options *options,
                               scree_error *error);
    /* One step of a world by an algorithm of its own, which may make many; it counts
     * steps and time itself. NULL: worlds by step, or not at all. */
    scree_status (*world_step)(scree_world *world);
    bool adaptive;       /* world_step needs scree_world.adaptive */
    bool remembers;      /* ... and scree_world.alpha */
    int history_per_dof; /* doubles of scree_dense.history per n_q + n_u, on
                            top of the 64 that every stepper has */
} scree_stepper_ops;

static inline bool scree_stepper_runs_worlds(const scree_stepper_ops *ops) {
    return ops->step || ops->world_step;
}

const scree_stepper_ops *scree_stepper_get(int i); /* NULL past the end */
const scree_stepper_ops *scree_stepper_find(const char *name);

#endif
