/* choose.c: steps that choose themselves.
 *
 * With def.motion > 0 the step is the largest def.dt / 2^k in which no body goes by more
 * than that share of the diameter of the ball around it, a body that begins to fall now
 * among them, and no wall by more than that of the smallest:
 *
 *     v dt + |g| dt^2 / 2 <= L,    L = motion 2 r,
 *     v = |v| + |w| r              (|w| r: not of spheres, which turn in place)
 *     dt <= 2 L / (v + sqrt(v^2 + 2 |g| L)).
 *
 * Times are a tree: a step of level k begins at a multiple of itself, so that every
 * multiple of def.dt is met, whatever was chosen. A step may become shorter at any time,
 * by as much as is needed; it becomes twice as long where both halves of the longer one
 * are still to come, and only with room to spare, so that it does not go to and fro.
 *
 * The least over bodies does not depend on their order: the same steps for any number of
 * threads and ranks. All follows from the state, of which the level is a part.
 *
 * Percussions are integrals over a step: the next solve starts from them as they are over
 * the new one. Cost: a look at each body. */
#include "engine/forces/forces.h"
#include "engine/step/step.h"

/* A longer step must fit with this much room. */
static const double ROOM = 0.8;

/* The longest step in which a body with the speed v goes no farther than `way`. */
static double longest_step(double v, double g, double way) {
    const double reach = v + sqrt(v * v + 2 * g * way);
    return reach > 0 ? 2 * way / reach : INFINITY;
}

static double speed_of(const scree_bodies *b, int32_t i) {
    const double turn = b->form[i] >= 0 ? norm(b->u[i].w) * b->x[i].r : 0;
    return norm(b->u[i].v) + turn;
}

static double longest_of_bodies(const scree_world *world) {
    const scree_bodies *b = &world->state.bodies;
    const double g = norm(scree_world_weight(world));
    double least = INFINITY;
    for (int32_t i = 0; i < b->n; ++i)
        least = fmin(least, longest_step(speed_of(b, i), g,
                                         2 * world->def.motion * b->x[i].r));
    return -scree_world_most(world, -least);
}

static double longest_of_walls(scree_world *world) {
    scree_world_place_walls(world);
    return longest_step(world->scene.wall_speed, 0,
                        2 * world->def.motion * world->scene.r_min);
}

/* May the next step be twice as long: does a step of that size begin now? */
static bool may_grow(const scree_world *world) {
    const int level = world->state.level;
    return level > 0 && world->state.ticks % (SCREE_WHOLE >> (level - 1)) == 0;
}

static double step_at(const scree_world *world, int level) {
    return ldexp(world->def.dt, -level);
}

void scree_world_choose_step(scree_world *world) {
    if (world->def.motion == 0) return;
    const double longest =
        fmin(longest_of_bodies(world), longest_of_walls(world));
    int level = world->state.level;
    if (may_grow(world) && step_at(world, level - 1) <= ROOM * longest) --level;
    while (level < SCREE_FINEST && step_at(world, level) > longest) ++level;
    if (level == world->state.level) return;
    scree_world_scale_percussions(world, ldexp(1, world->state.level - level));
    world->state.level = level;
    world->state.dt = step_at(world, level);
}
