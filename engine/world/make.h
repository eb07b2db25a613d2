/* make.h: what a world is made of, checked and added; and how it is spread. Whoever
 * only makes worlds need not know what they are inside. */
#ifndef SCREE_WORLD_MAKE_H
#define SCREE_WORLD_MAKE_H

#include "engine/base/comm.h"
#include "engine/base/error.h"
#include "engine/base/exact_sum.h"
#include "engine/base/vec.h"
#include "engine/scree_fc3d.h"
#include "engine/scree_generate.h"

/* Marks a definition struct that came from its default function. */
enum { SCREE_COOKIE = 0x5C4EE1 };

/* ---- checks (check.c) ------------------------------------------------------- */

bool scree_finite_all(const double *x, int n);
/* Do solver or dump not go with the friction law of the stepper, and why? rattle's
 * midslip ties friction to the normal percussion (solvers/law/tied.h). */
bool scree_world_ties_friction(const scree_world_def *def, char *why,
                               size_t size);
/* Does the method lose the order of `reproducible`? */
bool scree_world_loses_order(const scree_world_def *def, char *why,
                             size_t size);

/* ---- anisotropic friction (anisotropy.c) ------------------------------------ */

/* NULL, or why it cannot be. */
const char *scree_anisotropy_fault(const scree_anisotropy *a, bool planar);
/* How two materials meet. *of_y: the direction of friction is that of y. */
scree_contact_law scree_contact_law_mixed(const scree_contact_law *x,
                                          const scree_contact_law *y,
                                          bool *of_y);
/* The law with a direction of unit length, and with none if it is isotropic. */
scree_contact_law scree_contact_law_tidy(const scree_contact_law *law);

/* ---- shapes and bodies ------------------------------------------------------ */

/* Place, orientation and velocities of a body as the world can take them. */
scree_status scree_body_state_check(const scree_world *world,
                                    const scree_body_def *def,
                                    scree_error *error);
/* Mass and inertia are numbers that can be worked with. */
scree_status scree_body_check(double inv_m, double gyration2, double bound,
                              scree_error *error);

/* n bodies, with the ids from n_body on, of which each rank adds its own: none
 * needs to know the others'. What the world knows of all bodies comes from sums
 * that have the same bits for any number of ranks. */
typedef struct scree_batch {
    int64_t n;
    int64_t id;   /* of the body to add next */
    int32_t kept; /* bodies that the rank had before */
    scree_exact_sum sizes, energy;
    double r_min, r_max;
    bool general;
} scree_batch;

/* Opens a batch; scree_world_add_sphere and scree_world_add_body add to it with
 * the id that is set in it, and it is for the caller to know whose that is. */
void scree_world_open_batch(scree_world *world, scree_batch *batch, int64_t n);
/* Collective. If `status`, which is the same on all ranks, is a failure, the
 * bodies of the batch are dropped. */
void scree_world_close_batch(scree_world *world, scree_status status);

/* Mass and inertia of body i by its shape and material, as it was added. */
void scree_world_weigh_body(scree_world *world, int32_t i);

/* ---- gravity ---------------------------------------------------------------- */

/* From now on; and that the potential energy of all bodies is another one then, as
 * energy put in. Collective. */
void scree_world_define_gravity(scree_world *world, const double gravity[3]);
void scree_world_insert_gravity(scree_world *world, scree_vec3 change);

/* ---- measures --------------------------------------------------------------- */

/* From now on bodies keep where their step began, for those who count what crosses
 * (engine/measure/flux.h). */
void scree_world_keep_paths(scree_world *world);

#endif
