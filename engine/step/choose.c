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
 * Free flight is exact at any step, and hits act in the step in which they happen: what a
 * step must resolve is how bodies move as others see them that they touch. With moreau and
 * gap control a body may therefore go ALONE times as far, if for each pair that touches
 * before the step has seen its last, SIGHT steps from its beginning,
 *
 *     v dt + |g| dt^2 / 2 <= L,    v of one as seen from the other, L of the smaller.
 *
 * Pairs are looked for only where that may allow a step that the first bound does not. A
 * boulder that falls onto a bed does not hurry the bed, nor grains each other that fall
 * side by side, until they hit. Bodies that are not spheres count as touching as soon as
 * they are within reach: another corner may come down first.
 *
 * What the means cost (one thread, two seeds of the pour, one of the others; user CPU of a
 * shared machine, contact-iterations in millions; potential energy at the end, and share
 * of what came in that friction took). Both go on with the step, so that a step is as good
 * as a fixed one only where the means are the same:
 *
 *                         steps      CPU    c.-it.   energy   friction
 *     pour   4 ms          1 000    14.5 s     475   28.24 J     0.269
 *            2 ms          2 000    13.7 s     424   27.98 J     0.269
 *            1 ms          4 000    22.9 s     774   27.70 J     0.284
 *            0.5 ms        8 000    42.1 s   1 477   27.50 J     0.297
 *            bodies alone  5 809    29.6 s     950   27.59 J     0.295
 *            and pairs     5 032    29.2 s     874   27.58 J     0.291
 *            and hits (*)  5 017    26.5 s     845   27.60 J     0.291
 *     impact 2 ms            800     4.3 s     143   18.47 J     0.218
 *            1 ms          1 600     7.8 s     301   18.16 J     0.250
 *            0.5 ms        3 200    16.2 s     755   18.20 J     0.315
 *            bodies alone  1 667     7.8 s     274   18.21 J     0.284
 *            and pairs       897     5.5 s     143   18.26 J     0.290
 *            and hits (*)    789     5.1 s     117   18.38 J     0.310
 *     collapse 2 ms          800    27.2 s     800   230.9 J     0.360
 *            1 ms          1 600    44.5 s   1 362   229.8 J     0.372
 *            0.5 ms        3 200    79.0 s   2 396   227.2 J     0.392
 *            bodies alone  2 080    56.9 s   1 819   227.7 J     0.384
 *            and hits (*)  1 598    48.6 s   1 426   229.5 J     0.380
 *
 * (impact: a boulder falls 6 m onto 1 500 spheres that have settled; (*) with the bound
 * on slow hits below, the others before it.) Between the figures of 1 and 0.5 ms, fixed
 * steps with the energy of the chosen ones would be of some 0.7 ms in the pour. There each
 * grain that lands does so at 3 m/s, every 1.7 ms: few longer steps fit between two of
 * them. The collapse has the energy of 1 ms. In turn with the chosen ones, on a quieter
 * machine, 1 ms took 22.4 s for the pour and 41.4 s for the collapse: chosen steps cost
 * 1.18 and 1.17 times that, and 1.09 and 1.05 times the contact-iterations.
 *
 * Impacts slower than 2 |g| dt have no restitution, as with fixed steps, but no faster ones
 * than a tenth of the speed of a body that fell by L,
 *
 *     sqrt(2 |g| motion 2 r) / 10 = 0.2 sqrt(|g| motion r),    r the mean radius:
 *
 * the long steps of a bed that comes to rest would take restitution from hits that have
 * it. Of 500 spheres that fall into a box (restitution 0.3; tests/analytic/crowds/auto_step.c) the
 * mean potential energy lies above that by steps of 0.5 ms (36 beds, +- 0.15 %)
 *
 *     restitution from 2 |g| dt on        by 0.68 +- 0.18 %    (104 beds)
 *     from no more than that tenth on         0.48 +- 0.18 %    (104 beds)
 *
 * (the difference, of 288 beds with either, is 0.26 +- 0.12 %: two standard errors).
 *
 * As a speed of its own, not as a bound, it would be too much where steps are short: the
 * collapse then ended with 230.6 J (one run).
 * Less lets beds rattle on: with restitution 0.9 they come to rest with 0.08 of that speed
 * in place of 0.1, with 0.045 not within 5 s.
 *
 * Times are a tree: a step of level k begins at a multiple of itself, so that every
 * multiple of def.dt is met, whatever was chosen. A step may become shorter at any time,
 * by as much as is needed; it becomes twice as long where both halves of the longer one
 * are still to come, and only with room to spare, so that it does not go to and fro.
 *
 * The least over bodies and pairs does not depend on their order: the same steps for any
 * number of threads and ranks. All follows from the state, of which the level is a part.
 *
 * Percussions are integrals over a step: the next solve starts from them as they are over
 * the new one. Cost: a look at each body; where pairs are looked for, contacts are found
 * once more. */
#include "contact/shapes/sphere.h"
#include "engine/base/error.h"
#include "engine/forces/forces.h"
#include "engine/step/step.h"

/* A longer step must fit with this much room. */
static const double ROOM = 0.8;
/* How many times as far a body may go that touches no other. */
static const double ALONE = 4;
/* A step acts on hits until the next midpoint: so many steps from its beginning, if
 * that is as long. */
static const double SIGHT = 1.5;

/* The longest step in which a body with the speed v goes no farther than `way`. */
static double longest_step(double v, double g, double way) {
    const double reach = v + sqrt(v * v + 2 * g * way);
    return reach > 0 ? 2 * way / reach : INFINITY;
}

/* ---- of bodies and walls -------------------------------------------------------- */

/* How fast points of a body go as it turns: spheres turn in place. */
static double turning_of(const scree_bodies *b, int32_t i) {
    return b->form[i] >= 0 ? norm(b->u[i].w) * b->x[i].r : 0;
}

/* Of all ranks. */
static double least_of(const scree_world *world, double here) {
    return -scree_world_most(world, -here);
}

static double longest_of_bodies(const scree_world *world, double motion) {
    const scree_bodies *b = &world->state.bodies;
    const double g = norm(scree_world_weight(world));
    double least = INFINITY;
    for (int32_t i = 0; i < b->n; ++i)
        least = fmin(least, longest_step(norm(b->u[i].v) + turning_of(b, i), g,
                                         2 * motion * b->x[i].r));
    return least_of(world, least);
}

static double longest_of_walls(scree_world *world) {
    scree_world_place_walls(world);
    return longest_step(world->scene.wall_speed, 0,
                        2 * world->def.motion * world->scene.r_min);
}

/* ---- of those that touch ----------------------------------------------------------- */

/* Of a as seen from b, or from a wall. */
static scree_vec3 seen_velocity(const scree_world *world,
                                const scree_contact *c) {
    return c->b >= 0
               ? scree_world_closing(world, c)
               : add(world->state.bodies.u[c->a].v, scree_world_chi(world, c));
}

/* When the two touch, if they go on as they do [s]. Who turns may touch with another
 * point than the one that is near now: at once. */
static double time_of_touch(const scree_world *world, const scree_contact *c,
                            scree_vec3 v) {
    const scree_ball *x = world->state.bodies.x;
    if (c->g <= SCREE_SLACK * world->scene.r_min || c->arms >= 0) return 0;
    if (c->b >= 0)
        return scree_touch_on_way(scree_world_apart(world, c), v,
                                  x[c->a].r + x[c->b].r);
    const double closer = -dot(c->n, v);
    return closer > 0 ? c->g / closer : INFINITY;
}

static double longest_of_contact(const scree_world *world,
                                 const scree_contact *c) {
    const scree_bodies *b = &world->state.bodies;
    const scree_vec3 v = seen_velocity(world, c);
    double r = b->x[c->a].r, speed = norm(v) + turning_of(b, c->a);
    if (c->b >= 0) {
        r = fmin(r, b->x[c->b].r);
        speed += turning_of(b, c->b);
    }
    return fmax(longest_step(speed, norm(scree_world_weight(world)),
                             2 * world->def.motion * r),
                time_of_touch(world, c, v) / SIGHT);
}

/* Of pairs that may touch in a step of dt. */
static scree_status longest_of_contacts(scree_world *world, double dt,
                                        double *longest) {
    const scree_reach reach = {.slack = SCREE_SLACK * world->scene.r_min,
                               .foresee = true,
                               .keep_loaded = true};
    double least = INFINITY;
    TRY(scree_world_find_contacts(world, SIGHT * dt, &reach));
    for (int64_t i = 0; i < world->state.contacts.n; ++i)
        least = fmin(least,
                     longest_of_contact(world, &world->state.contacts.list[i]));
    *longest = least_of(world, least);
    return SCREE_OK;
}

/* ---- levels ----------------------------------------------------------------------- */

/* May the next step be twice as long: does a step of that size begin now? */
static bool may_grow(const scree_world *world) {
    const int level = world->state.level;
    return level > 0 && world->state.ticks % (SCREE_WHOLE >> (level - 1)) == 0;
}

static double step_at(const scree_world *world, int level) {
    return ldexp(world->def.dt, -level);
}

static int level_for(const scree_world *world, double longest) {
    int level = world->state.level;
    if (may_grow(world) && step_at(world, level - 1) <= ROOM * longest) --level;
    while (level < SCREE_FINEST && step_at(world, level) > longest) ++level;
    return level;
}

/* Contacts are looked at where they may allow what all bodies together do not. */
static scree_status choose_level(scree_world *world, int *level) {
    const double motion = world->def.motion, walls = longest_of_walls(world);
    *level = level_for(world, fmin(longest_of_bodies(world, motion), walls));
    if (!world->scene.stepper->in_parts || !world->def.gap_control)
        return SCREE_OK;
    const double alone = fmin(longest_of_bodies(world, ALONE * motion), walls);
    const int most = level_for(world, alone);
    double touching;
    if (most == *level) return SCREE_OK;
    TRY(longest_of_contacts(world, step_at(world, most), &touching));
    const int by_touch = level_for(world, fmin(alone, touching));
    *level = by_touch < *level ? by_touch : *level;
    return SCREE_OK;
}

scree_status scree_world_choose_step(scree_world *world) {
    int level;
    if (world->def.motion == 0) return SCREE_OK;
    TRY(choose_level(world, &level));
    if (level == world->state.level) return SCREE_OK;
    scree_world_scale_percussions(world, ldexp(1, world->state.level - level));
    world->state.level = level;
    world->state.dt = step_at(world, level);
    return SCREE_OK;
}
