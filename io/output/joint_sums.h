/* joint_sums.h: what the joints of a group did, a net or those of the case, for the
 * table of joints and the end of a run. */
#ifndef SCREE_IO_JOINT_SUMS_H
#define SCREE_IO_JOINT_SUMS_H

#include "engine/scree_joints.h"

typedef struct scree_joint_sums {
    double dissipated, stored, work; /* [J] */
    double force;                    /* largest of a joint now [N] */
    double anchor_force;             /* and of those with the ground [N] */
    double most_force; /* largest so far of those with the ground [N] */
    double stretch;    /* largest so far of a cable over its length at rest */
    int64_t broken;
} scree_joint_sums;

scree_joint_sums scree_joint_sums_of(const scree_world *world, int group);

#endif
