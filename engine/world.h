/* world.h: the many-body world, inside the library.
 *
 * A world is a scree_system: steppers see it through the operations that
 * scree_world_system() hands out, which are spread over the files
 *     move.c      positions and velocities, finite check
 *     detect.c    walls, Verlet list, contacts
 *     assemble.c  contacts to inclusion problem, and back to percussions
 *     recovery.c  working off overlap
 * and world.c itself, which creates and fills it. */
#ifndef SCREE_WORLD_H
#define SCREE_WORLD_H

#include "contact/narrow.h"
#include "engine/base/error.h"
#include "engine/body.h"
#include "engine/stepper.h"
#include "engine/wall.h"
#include "solvers/solver.h"

struct scree_world {
    scree_world_def def;
    const scree_stepper_ops *stepper;
    const scree_solver_ops *solver;
    scree_error error;

    double t;
    int64_t steps;

    scree_bodies bodies;
    double r_sum, r_min, r_max; /* of all radii */

    int n_material;
    int64_t material_capacity, law_capacity;
    scree_material_def *materials; /* (n_material) */
    scree_contact_law *laws;       /* (n_material x n_material) */
    bool *law_set;                 /* by scree_world_set_pair */
    int64_t law_set_capacity;

    int n_wall;
    int64_t wall_capacity, plane_capacity;
    scree_wall *walls;   /* (n_wall) */
    scree_plane *planes; /* (n_wall) */

    scree_broad broad;
    scree_contacts contacts;
    scree_problem problem; /* contact i is row i */
    scree_arena scratch;

    scree_report report;
    double penetration_sum, penetration_max; /* of the last step */
    int64_t penetrating;
    double dissipated, wall_work, recovery_work, inserted;
    scree_cost cost;
};

/* Operations of scree_system_ops, self is the world. */
void scree_world_move(void *self, double dt);
void scree_world_kick(void *self, double dt);
scree_status scree_world_detect(void *self, double dt, bool foresee);
scree_status scree_world_assemble(void *self, scree_law_rule rule,
                                  const void *context);
scree_status scree_world_solve(void *self);
scree_status scree_world_recover(void *self, double velocity, double dt);

/* chi of a contact: minus the velocity of the wall's point, 0 between bodies. */
scree_vec3 scree_world_chi(const scree_world *world, const scree_contact *c);

/* SCREE_NOT_FINITE, naming the body, if the state is lost. */
scree_status scree_world_check_finite(scree_world *world);

static inline double scree_world_mean_radius(const scree_world *world) {
    return world->bodies.n ? world->r_sum / world->bodies.n : 0;
}

#endif
