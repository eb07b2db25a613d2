/* look.c: pairs that the percussions close, in a reproducible world.
 *
 * complete.c looks at the pairs of the Verlet list. Which ones are listed depends on
 * when the list was built; where bodies are pushed farther than it reaches, the world
 * can only solve once more to be sure, and that changes bits. Here contacts are found
 * again instead, by the velocities before and after the solve, with a new list where
 * the old one does not reach: what is found then follows from positions and velocities
 * alone, for any list and any ranks.
 *
 * Contacts so found may lie at other places, and there may be more of them, so what acted
 * goes into the books before. If nothing is missing, those that are new are dropped; the
 * others get places in the problem again before overlap is worked off
 * (scree_world_place_again). What does not act after all, because the step is solved from
 * its beginning again, is taken out of the books (complete.c).
 *
 * Cost: a narrow phase for each look at bodies that were pushed. */
#include "contact/shapes/sphere.h"
#include "engine/base/error.h"
#include "engine/step/step.h"

/* Velocity of a as seen from b, where they touch. */
static scree_vec3 seen_velocity(const scree_world *world,
                                const scree_contact *c) {
    const scree_twist *u = world->state.bodies.u;
    const scree_velocity a = scree_twist_velocity(&u[c->a]);
    const scree_velocity b =
        scree_twist_velocity(&u[scree_world_second(world, c)]);
    return add(scree_world_relative(world, c, a, b), scree_world_chi(world, c));
}

/* How fast the bodies approach if they overlap by more than `depth` on their way; 0:
 * they do not. */
static double closing_speed(const scree_world *world, const scree_contact *c,
                            double dt, double depth) {
    const scree_ball *x = world->state.bodies.x;
    double at;
    if (c->b >= 0 && c->arms < 0) {
        const scree_vec3 dv = scree_world_closing(world, c);
        const double g =
            scree_gap_on_way(scree_world_apart(world, c), scale(dt, dv),
                             x[c->a].r + x[c->b].r, &at);
        return g < -depth ? norm(dv) : 0;
    }
    const double v_n = dot(c->n, seen_velocity(world, c));
    return c->g + dt * v_n < -depth ? fmax(0, -v_n) : 0;
}

/* The same of a pair that was solved for: if it turns, so far that it was measured
 * ahead once more. */
static double turning_speed(const scree_world *world, const scree_contact *c,
                            double dt, double ahead) {
    if (c->arms < 0) return 0;
    if (scree_world_arms(world, c)->ahead != SCREE_FOUND_AHEAD) return 0;
    return fmax(-dot(c->n, seen_velocity(world, c)), ahead / dt);
}

scree_status scree_world_look_anew(scree_world *world, double dt,
                                   const scree_look *look, double *closing) {
    TRY(scree_world_book(world));
    TRY(scree_world_find_pushed(world, dt, look->ahead));
    *closing = 0;
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        const double speed = scree_broad_has_kept(&world->state.broad, c->pair)
                                 ? turning_speed(world, c, dt, look->ahead)
                                 : closing_speed(world, c, dt, look->depth);
        *closing = fmax(*closing, speed);
    }
    return SCREE_OK;
}
