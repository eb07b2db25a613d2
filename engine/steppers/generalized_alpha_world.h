/* generalized_alpha_world.h: what generalized-alpha keeps of a world from one step to the next.
 *
 * The accelerations a and a* of bodies, and the forces lambda and lambda* of contacts
 * (generalized_alpha.c), are state: for rho_inf < 1 a step that began with accelerations of
 * its own would be of first order. They are kept by ids and features, as vectors of the
 * inertial frame, so that bodies and contacts may come and go, and a checkpoint holds them:
 *
 *     a body that came in    begins with a = a* = M^-1 h, as in free flight
 *     a contact that is new  begins with lambda = lambda* = 0
 *     one that is lost       takes its share of the accelerations along,
 *                            a -= M^-1 W lambda, a* -= M^-1 W lambda*
 *
 * A feature that changes is a contact lost and a new one: the constraint still holds at the
 * end of the step, and the error of one such step is of second order. Where nothing is kept,
 * in a first step and after another step size or gravity, the scheme finds a consistent
 * beginning by itself. */
#ifndef SCREE_STEPPERS_GENERALIZED_ALPHA_WORLD_H
#define SCREE_STEPPERS_GENERALIZED_ALPHA_WORLD_H

#include "engine/base/archive.h"
#include "engine/world/world.h"

/* Into the history of the world's dense system before a step, and out of it before the step
 * is counted. */
void scree_alpha_recall(scree_world *world);
scree_status scree_alpha_remember(scree_world *world);

/* Memory for it, that remembers nothing. NULL: out of memory. */
scree_alpha_memory *scree_alpha_memory_create(void);
void scree_alpha_memory_free(scree_alpha_memory *memory);
size_t scree_alpha_memory_bytes(const scree_alpha_memory *memory);

/* Its part of a checkpoint, when the rest is loaded; `same`: with the same step and
 * gravity. */
void scree_alpha_archive(scree_world *world, scree_archive *archive, bool same);

#endif
