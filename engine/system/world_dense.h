/* world_dense.h: a small world as a dense system.
 *
 *     q   (7 n)  x, then the quaternion of each body, in the order of ids
 *     u   (6 n)  v, then omega in the inertial frame
 *     M   block diagonal, m and Theta(q);      h = (m g, -omega x Theta omega)
 *     B   x' = v,  quaternion' = (0, omega) quaternion / 2
 *     laws: the contacts that are nearer than `reach` when it is made, with one row
 *           along n and two across (in the plane one, and none without friction)
 *
 * so that what is written for models runs on it: Lobatto, the adaptive stepper. Gaps and
 * rows at any (t, q) come from the world's own contact detection, with the bodies put
 * there: the world is the workspace of the dense system while that lives, and must not
 * be stepped meanwhile. A law whose features are no longer found within reach is open:
 * its gap is `reach`, its row the last that was seen.
 *
 * Contacts that come within reach later are not laws of it: whoever steps makes it anew
 * before bodies can have moved so far. Energies are not booked in the
 * world. If detection fails, for want of memory, gaps are NAN, and the step fails.
 * Cost: detection for each evaluation, and n_row^2 n_u for each solve. */
#ifndef SCREE_SYSTEM_WORLD_DENSE_H
#define SCREE_SYSTEM_WORLD_DENSE_H

#include "engine/base/error.h"
#include "engine/base/vec.h"
#include "engine/system/dense.h"

typedef struct scree_world_dense scree_world_dense;

/* SCREE_UNSUPPORTED, with a sentence: worlds over ranks, and laws with rolling,
 * drilling or anisotropic friction. */
scree_status scree_world_dense_create(scree_world *world, double reach,
                                      scree_world_dense **out,
                                      scree_error *error);
void scree_world_dense_destroy(scree_world_dense *w);

/* The same with the contacts that are there now: *w is kept if they are its laws, and made
 * anew if not, or if it is NULL. Its state is that of the world, and so are the
 * percussions from which the next step starts. */
scree_status scree_world_dense_renew(scree_world *world, double reach,
                                     scree_world_dense **w, scree_error *error);

/* To be stepped with scree_dense_step, and looked at. */
scree_dense *scree_world_dense_system(scree_world_dense *w);

/* Gives its time, positions and velocities to the world. */
void scree_world_dense_store(scree_world_dense *w);
/* The same, and contacts with the percussions of the last step: those that bear load or
 * are nearer than `slack`. Percussions of walls are those of the step. */
scree_status scree_world_dense_store_contacts(scree_world_dense *w,
                                              double slack);

/* The percussion of a law in the inertial frame, on its first body [N s]; whether it is a
 * contact with a wall. */
scree_vec3 scree_world_dense_percussion(const scree_world_dense *w, int law,
                                        bool *of_wall);

/* ---- what a stepper keeps of laws from one step to the next ---------------------- */

/* Where a law acts: it is found again by rows and key, whichever body is named first. */
typedef struct scree_law_place {
    int64_t row[2]; /* of both bodies; a wall: -1 - wall */
    uint32_t key;
    scree_vec3 arm[2]; /* [m] */
} scree_law_place;

/* Sees the laws where the system is now; what follows is of there. */
void scree_world_dense_measure(scree_world_dense *w);
scree_law_place scree_world_dense_place(const scree_world_dense *w, int law);
/* The law of that place, or -1; *turned: its bodies are named the other way round. */
int scree_world_dense_find(const scree_world_dense *w,
                           const scree_law_place *place, bool *turned);
/* One number for each row of the law (of n_row in all) as a vector, and back. */
scree_vec3 scree_world_dense_vector(const scree_world_dense *w, int law,
                                    const double *rows);
void scree_world_dense_components(const scree_world_dense *w, int law,
                                  scree_vec3 vector, double *rows);

#endif
