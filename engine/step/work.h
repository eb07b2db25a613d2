/* work.h: the work of percussions, for the books (books.h). Equations in work.c. */
#ifndef SCREE_WORK_H
#define SCREE_WORK_H

#include "engine/step/step.h"

/* A percussion P and a moment M of a contact with normal n, and the velocities that
 * they act against: the means of before and after. */
typedef struct scree_push_work {
    scree_vec3 n, P, M, gamma, omega;
} scree_push_work;

/* What a contact took [J]. */
typedef struct scree_taken {
    double normal, friction, turning;
} scree_taken;

/* Velocities of body i (the static one: none) that percussions of the last solve act
 * against, the mean of before and after, and those before. */
scree_velocity scree_world_mean_velocity(const scree_world *world, int32_t i);
scree_velocity scree_world_before_velocity(const scree_world *world, int32_t i);

scree_taken scree_work_of(const scree_push_work *work);
void scree_world_book_taken(scree_world *world, const scree_taken *taken);
/* What a wall gave by P and M on the body that touches it; none between bodies. */
void scree_world_book_wall(scree_world *world, const scree_contact *c,
                           scree_vec3 P, scree_vec3 M, scree_vec3 chi);

#endif
