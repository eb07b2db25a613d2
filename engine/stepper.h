/* stepper.h: what a stepper is. One file and one line in steppers.def each. */
#ifndef SCREE_STEPPER_H
#define SCREE_STEPPER_H

#include "engine/system.h"

typedef struct scree_step_options {
    double dt;
    scree_gap_control control;
    double recovery_velocity; /* [m/s] */
} scree_step_options;

typedef struct scree_stepper_ops {
    const char *name;
    const char *about;
    scree_status (*step)(const scree_system *system,
                         const scree_step_options *options);
} scree_stepper_ops;

const scree_stepper_ops *scree_stepper_get(int i); /* NULL past the end */
const scree_stepper_ops *scree_stepper_find(const char *name);

#endif
