/* stress.h: the stress in a periodic cell, and cells whose edges hold one.
 *
 * Mean stress, compression positive, of a cell of volume V, over one step dt:
 *
 *     sigma = 1/V (sum over bodies of m w (x) w + sum over contacts of P (x) l / dt),
 *
 * w: velocity without that of the cell, grad v (x - x_0), and without the mean; l: centre of
 * a from that of the image of b (Christoffersen, Mehrabadi and Nemat-Nasser 1981).
 *
 * A pressure p_k that is held moves the edge L_k by the equation of Parrinello and Rahman
 * (J. Appl. Phys. 52, 7182, 1981), in the form of contact dynamics (Radjai and Voivret,
 * in: Discrete-element Modeling of Granular Materials, 2011): percussions of hard contacts
 * are not known before the edge is, and both are solved for at once,
 *
 *     M dL_k' = (sigma_kk - p_k) V / L_k dt,
 *
 * which follows from the kinetic energy  sum of m w^2 / 2 + sum of M L_k'^2 / 2  of bodies and
 * edges and the power  - p_k V / L_k L_k'  of what is held. M is the mass of all bodies: the
 * cell has no inertia to choose, and answers as fast as what is in it. In terms of true
 * velocities v = w + grad v (x - x_0) it says for the bodies
 *
 *     dv = P / m + sum over edges of d(e_k') s_k,      x = x_0 + sum of s_k e_k:
 *
 * bodies follow changes of the edges' velocities by where they are in the cell. Images do
 * so as well, so that no body can tell which of its images it is. Between steps edges move
 * with their velocities, as bodies do.
 *
 * In a step:
 *     begin     M, and what bodies that fly bring:  sum of m w w
 *     solve     eta = dL' / L is one more unknown of the problem (solvers/problem/strain.h):
 *               eta_free = (sum of m w w - p V) dt / (M L^2), then + sum of P l / (M L^2)
 *     after     L' += eta L,  v += eta (x - x_0); the same in each of more rounds (complete.c),
 *               where what is free has acted already
 *     recover   edges make room for overlap as bodies do (recovery.c); velocities stay
 * Sheared, images above move with e_2' = (shear_rate L_2 + L_1' / L_1 o, L_2'), and what that
 * changes with L_2 is given to the bodies in the same way.
 *
 * A body that rests has sigma = p to the tolerance of the solver. Where bodies move sigma
 * differs by M L'' from p in a step, and has the mean p over any time in which L' comes to
 * nothing.
 *
 * Energy: what edges give to bodies is wall_work: by contacts with images, whose velocity
 * counts by its mean over the step, and by m v dv above, with the mean v. Kinetic energy of
 * edges is not in the balance.
 *
 * Without gravity nothing says which speeds are small; in such a cell that is what p does to
 * a grain in a step, scree_world_load_scale. */
#ifndef SCREE_STEP_STRESS_H
#define SCREE_STEP_STRESS_H

#include "engine/step/contact_rows.h"

/* Does the cell hold a pressure? */
static inline bool scree_world_holds(const scree_world *world) {
    return world->scene.cell && world->state.cell.held;
}

/* Mean stress by rows, 0 unless the world is periodic along all directions. Collective. */
void scree_world_read_stress(const scree_world *world, double stress[3][3]);

/* |g|, or what stands for it in such a cell [m/s^2]. */
double scree_world_load_scale(const scree_world *world);

/* Before a step, or a part of one. */
scree_status scree_stress_begin(scree_world *world);

/* Around a solve. `again`: bodies have got what is free. */
scree_status scree_stress_enter(scree_world *world, bool again);
void scree_stress_leave(scree_world *world);
/* Of displacements: eta. */
scree_vec3 scree_stress_stretch(scree_world *world, double dt);

/* The velocities of edges from which a solve starts; back to them. */
void scree_stress_mark(scree_world *world);
void scree_stress_go_back(scree_world *world);

/* chi of a contact at the mean of the edges' velocities before and after the solve; at
 * those that it was solved for last. */
scree_vec3 scree_stress_mean_chi(const scree_world *world,
                                 const scree_contact *c);
scree_vec3 scree_stress_last_chi(const scree_world *world,
                                 const scree_contact *c);

/* Work of the edges on body i, by what it followed them. */
double scree_stress_gift(const scree_world *world, int32_t i);

#endif
