/* check.h: what generators are told, before they count on it. */
#ifndef SCREE_GENERATE_CHECK_H
#define SCREE_GENERATE_CHECK_H

#include "engine/generate/generate.h"

scree_status scree_lattice_check(const scree_lattice *lattice,
                                 const scree_world *world, scree_error *error);
scree_status scree_grain_check(const scree_grain *grain,
                               const scree_world *world, scree_error *error);
scree_status scree_pour_check(const scree_pour *pour, const scree_world *world,
                              scree_error *error);
scree_status scree_pyramid_check(const scree_pyramid *pyramid,
                                 const scree_world *world, scree_error *error);
scree_status scree_single_check(const scree_single *single,
                                const scree_world *world, scree_error *error);

#endif
