/* explicit.h: the problem of bodies and contacts, written out by blocks.
 *
 * Methods that need the Delassus matrix itself, and files of problems, see
 *     xi = G P + q,    contact by contact in the frame (n, t1, t2),
 * with t1 and t2 perpendicular to n by a fixed rule; of an anisotropic contact
 * they are the axes of its ellipse, t2 of length mu_2/mu_1, so that Coulomb's law
 * with mu_1 says the same. In a planar problem t1 lies in the plane, and there is no
 * t2 (dim = 2). A contact's row has a block for each contact that shares a body with
 * it which moves: memory and time are linear in contacts for bodies with a bounded number of neighbours. */
#ifndef SCREE_SOLVERS_EXPLICIT_H
#define SCREE_SOLVERS_EXPLICIT_H

#include "solvers/blocks/fc3d.h"
#include "solvers/problem/problem.h"

/* Friction that is tied to the normal percussion (rattle's midslip law), rolling
 * and drilling are no plain Coulomb laws: such problems cannot be written out. */
bool scree_problem_is_coulomb(const scree_problem *p);

/* Writes out the problem whose u already holds what P does, u = u_free +
 * M^-1 W P. All arrays live in `scratch`. */
scree_status scree_problem_write_out(const scree_problem *p,
                                     scree_arena *scratch, scree_fc3d *out);

/* Takes the percussions over from the problem written out, and u with them. */
void scree_problem_take_over(scree_problem *p, const scree_fc3d *solved);

#endif
