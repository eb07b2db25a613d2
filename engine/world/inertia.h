/* inertia.h: how bodies that are not spheres turn (shapes.c). */
#ifndef SCREE_WORLD_INERTIA_H
#define SCREE_WORLD_INERTIA_H

#include "engine/world/world.h"

/* Inertia tensor of body i with orientation q, and its inverse, inertial frame;
 * in the plane the inverse is that of turning about z alone. */
scree_sym3 scree_world_inertia(const scree_world *world, int32_t i,
                               scree_quat q);
scree_sym3 scree_world_inv_inertia(const scree_world *world, int32_t i,
                                   scree_quat q);
/* Kinetic plus potential energy of body i [J]. */
double scree_world_body_energy(const scree_world *world, int32_t i);
/* Does the problem need them? */
bool scree_world_has_tensors(const scree_world *world);
/* All of them for the problem, at the orientations of now. */
scree_status scree_world_update_inertia(scree_world *world);
/* Turns body i by w over dt. A body that is not a sphere keeps its angular
 * momentum: w turns too. */
void scree_world_turn(const scree_world *world, int32_t i, double dt);
/* Theta^-1 (-w x Theta w), what its own spin does to w; 0 for spheres. */
scree_vec3 scree_world_gyroscopic(const scree_world *world, int32_t i,
                                  scree_quat q, scree_vec3 w);
/* The same over dt, implicit: w - start of w = start + dt Theta^-1 (-w x Theta w). */
scree_vec3 scree_world_half_turn(const scree_world *world, int32_t i,
                                 scree_quat q, scree_vec3 start, double dt);

#endif
