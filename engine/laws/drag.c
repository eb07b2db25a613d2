/* drag.c: the ground holds back a body that it bears, in proportion to its mass:
 *
 *     v <- exp(-nu dt) v      before a step, if a wall bore the body in the last one
 *
 * (of the simulation program RAMMS; nu is scree_slippage.drag of the two materials). The
 * spin stays. The kinetic energy that this takes counts as taken by friction: found
 * from the velocities before and after, so that the balance of energy stays exact.
 * Owners do it before copies hear of velocities. Cost: a look at each body, and none in
 * worlds without such ground. */
#include "engine/base/elementary/elementary.h"
#include "engine/step/step.h"
#include "engine/step/work.h"
#include "engine/world/view.h"

static double drag_of(const scree_world *world, int32_t i) {
    const scree_body_state *s = &world->state.bodies.kept[i];
    if (!s->borne) return 0;
    const int material = world->state.bodies.material[i];
    return scree_world_pair_law(world, material, s->ground - 1)
        ->law.slippage.drag;
}

static void drag_body(scree_world *world, int32_t i, double nu) {
    scree_twist *u = &world->state.bodies.u[i];
    const double kept = scree_exp(-nu * world->state.dt);
    const double taken = 0.5 / u->inv_m * (1 - kept * kept) * dot(u->v, u->v);
    SCREE_BOOK(world, taken_friction, taken);
    u->v = scale(kept, u->v);
}

static bool has_drag(const scree_contact_law *law) {
    return law->slippage.drag > 0;
}

void scree_world_drag(scree_world *world) {
    if (!scree_world_any_law(world, has_drag)) return;
    for (int32_t i = 0; i < world->state.bodies.n; ++i) {
        const double nu = scree_world_owns(world, i) ? drag_of(world, i) : 0;
        if (nu > 0 && !scree_is_kinematic(&world->state.bodies.u[i]))
            drag_body(world, i, nu);
    }
}
