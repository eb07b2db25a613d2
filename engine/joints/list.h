/* list.h: joints as a world has them. Frames of a joint are fixed to its bodies: points
 * and axes in the body's own frame, of the ground in space. */
#ifndef SCREE_JOINTS_LIST_H
#define SCREE_JOINTS_LIST_H

#include "engine/base/vec.h"

/* Rows of a joint at most. */
enum { SCREE_JOINT_ROWS = 2 };

typedef struct scree_joint {
    /* Does not change: */
    int32_t kind, group;
    int64_t a, b; /* ids */
    scree_vec3 on_a, on_b;
    scree_vec3 axis;  /* on b */
    scree_quat twist; /* q_b^-1 q_a as it was made */
    double stiffness, damping, prestress, friction, speed, strength;
    double limits[2], restitution, slips_at, breaks_at;
    bool motor, limited, collide;
    /* State: */
    bool broken;
    uint8_t colours[SCREE_JOINT_ROWS];
    double length;   /* at rest, with what slipped [m] */
    double angle;    /* of a hinge, over whole turns [rad] */
    scree_vec3 P, M; /* percussions on a of the last step [N s], [N m s] */
    double more;     /* of the second row, along its bar */
    double dissipated, work, most_force, most_distance;
    double taken,
        given; /* in the step that is under way, until it is settled */
    /* In a step of rattle: those of its first stage. */
    scree_vec3 P1, M1;
    double more1;
} scree_joint;

typedef struct scree_joints {
    scree_joint *list; /* (n) */
    int64_t n, capacity;
    /* Of the step: rows of joints that are not broken. */
    struct scree_joint_row {
        int32_t joint, row; /* row: 0, 1 */
        int32_t a, b;       /* places */
        bool round;         /* as a contact */
    } * rows;               /* (n_row) */
    int64_t n_row, row_capacity;
    int64_t *apart; /* (n_apart x 2) ids of bodies that pass, a < b, sorted */
    int64_t n_apart, apart_capacity;
    bool sorted;
} scree_joints;

#endif
