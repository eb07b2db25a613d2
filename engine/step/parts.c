/* parts.c: steps in which a crowd lands fast are taken in parts.
 *
 * A step sees all hits within it at once. Two spheres that hit each other alone are taken
 * where they touch (meet.c); in a crowd hits follow each other, and where a row of bodies
 * lands upon others within a single step their order is lost. Friction then takes two
 * thirds of what it takes by small steps, and the bed comes to rest too low or too high.
 * Taking the directions in which they touch does not mend that, smaller steps do. Of 900
 * discs that land by 0.7 to 1 of their size in a step the centre of mass comes to rest,
 * compared with steps of a tenth and less (means of 16 beds, all +- 0.2 %),
 *
 *                         restitution 0        0.5
 *     in one part         +1.4 %               -1.3 %
 *     LIMIT 0.5           +1.1 %               -1.3 %
 *     LIMIT 0.25          +0.6 %               -0.5 %
 *     LIMIT 0.125         +0.5 %               -0.7 %
 *     LIMIT 0.03          +0.2 %               -0.5 %
 *
 * with 1.2 and 1.8 times the sweeps at 0.25. What is left at 0.5 is not of the landing:
 * slow hits in the bed that comes to rest, by whole steps, let it sink a little further.
 *
 * So such a step is taken in 2^k parts:
 *
 *     find who touches whom within dt, by the velocities of now
 *     a hit of a crowd: one of the two bodies is near a third one
 *     2^k is the least number for which at most a SHARE of hits per body
 *         goes by more than LIMIT sizes in a part
 *
 * Each part is a step of its own, which sees to it that bodies do not pass each other
 * until the midpoint of the next part. The midpoint of the next step may be further away
 * than the last part has seen to: if bodies would hit each other before it, that step
 * begins with a part as short as is needed.
 *
 * All follows from the state and from how far the last step has seen, which is part of
 * checkpoints. Bodies that are not spheres are not looked at: the world they are in takes
 * its steps in one part.
 *
 * Cost: a look at the velocities; where a body goes by more than LIMIT radii in a step,
 * contacts are found once more. */
#include <string.h>

#include "contact/shapes/sphere.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/step/step.h"

/* Sizes, that is sums of two radii, that bodies may go in a part and hit each other. */
static const double LIMIT = 0.25;
/* Hits per body that may be faster. */
static const double SHARE = 2e-3;
enum { MOST_HALVINGS = 3 };
/* Overlap before the first midpoint that is let pass, in sizes. */
static const double LET_PASS = 0.005;

/* ---- is any body fast? ----------------------------------------------------------- */

typedef struct speeding {
    const scree_world *world;
    atomic_bool found;
} speeding;

/* Two bodies approach by no more sizes than the faster one goes radii. */
static void speed_chunk(void *context, int64_t first, int64_t last) {
    speeding *s = context;
    const scree_bodies *b = &s->world->state.bodies;
    const double most = LIMIT / s->world->state.dt;
    bool found = false;
    for (int64_t i = first; i < last; ++i) {
        const double v = most * b->x[i].r;
        found |= dot(b->u[i].v, b->u[i].v) > v * v;
    }
    if (found) atomic_store_explicit(&s->found, true, memory_order_relaxed);
}

static bool any_fast(const scree_world *world) {
    speeding s = {.world = world};
    scree_parallel_for(world->state.bodies.n, world->def.threads, speed_chunk,
                       &s);
    return scree_world_any(world, atomic_load(&s.found));
}

/* ---- hits --------------------------------------------------------------------- */

typedef struct hits {
    double many[MOST_HALVINGS]; /* by more than 2^k LIMIT sizes in a step */
    double early; /* share of the step before any overlap that matters */
} hits;

/* A round contact on its way through the step: of body a as seen from b, or from a
 * wall, in sizes. */
typedef struct approach {
    scree_vec3 from, way;
} approach;

static approach approach_of(const scree_world *world, const scree_contact *c) {
    const scree_bodies *b = &world->state.bodies;
    const scree_ball *x = &b->x[c->a];
    const int32_t other = scree_world_second(world, c);
    const double size = x->r + (c->b >= 0 ? b->x[c->b].r : x->r);
    const scree_vec3 v =
        add(sub(b->u[c->a].v, b->u[other].v), scree_world_chi(world, c));
    return (approach){c->b >= 0 ? scale(1 / size, sub(x->x, b->x[c->b].x))
                                : scale(1 + c->g / size, c->n),
                      scale(world->state.dt / size, v)};
}

/* The share of the step at which the distance is that of `radii` sizes, if it is larger
 * now; more than 1: it does not come to that. */
static double time_of(const scree_contact *c, const approach *a, double radii) {
    if (dot(a->from, a->from) <= radii * radii) return INFINITY;
    if (c->b >= 0) return scree_touch_on_way(a->from, a->way, radii);
    const double closer = -dot(c->n, a->way);
    return closer > 0 ? (norm(a->from) - radii) / closer : INFINITY;
}

/* How many contacts each body has, on all ranks. */
static scree_status count_near(scree_world *world, double *near) {
    memset(near, 0, ((size_t)world->state.bodies.n + 1) * sizeof *near);
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        ++near[c->a];
        ++near[scree_world_second(world, c)];
    }
    return scree_world_share_sums(world, near, 1);
}

static bool is_in_crowd(const scree_contact *c, const double *near) {
    return near[c->a] > 1 || (c->b >= 0 && near[c->b] > 1);
}

static void count_hits(scree_world *world, const double *near, hits *h) {
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        const approach a = approach_of(world, c);
        h->early = fmin(h->early, time_of(c, &a, 1 - LET_PASS));
        if (!is_in_crowd(c, near) || time_of(c, &a, 1) > 1) continue;
        for (int k = 0; k < MOST_HALVINGS; ++k)
            h->many[k] += norm(a.way) > ldexp(LIMIT, k);
    }
    for (int k = 0; k < MOST_HALVINGS; ++k)
        h->many[k] = scree_world_total(world, h->many[k]);
    h->early = -scree_world_most(world, -h->early);
}

static scree_status find_hits(scree_world *world, hits *h) {
    const scree_reach reach = {.slack = SCREE_SLACK * world->scene.r_min,
                               .foresee = true,
                               .keep_loaded = true};
    TRY(scree_world_find_contacts(world, world->state.dt, &reach));
    scree_arena *scratch = &world->scratch;
    const size_t mark = scree_arena_mark(scratch);
    double *near = scree_arena_push(
        scratch, ((size_t)world->state.bodies.n + 1) * sizeof *near);
    if (!near) return SCREE_OUT_OF_MEMORY;
    TRY(count_near(world, near));
    count_hits(world, near, h);
    scree_arena_pop(scratch, mark);
    return SCREE_OK;
}

/* ---- how often is a part a half? ------------------------------------------------- */

/* Until hits of the crowd are slow enough, */
static int halve_for_crowd(const scree_world *world, const hits *h) {
    const double few = SHARE * (double)world->ranks.n_body;
    int k = 0;
    while (k < MOST_HALVINGS && h->many[k] > few) ++k;
    return k;
}

/* and until nobody hits before the first midpoint, as far as that was not seen to. */
static int halve_for_first(const scree_world *world, const hits *h) {
    const double free = fmax(h->early, world->step.seen / world->state.dt);
    int k = 0;
    while (k < MOST_HALVINGS && ldexp(0.5, -k) > free) ++k;
    return k;
}

scree_status scree_world_plan_parts(scree_world *world, scree_plan *plan) {
    const bool seen = world->step.seen >= 0.5 * world->state.dt;
    hits h = {.early = INFINITY};
    *plan = (scree_plan){1, 1, 1};
    if (!world->def.gap_control || world->scene.general) return SCREE_OK;
    if (seen && !any_fast(world)) return SCREE_OK;
    TRY(find_hits(world, &h));
    const int crowd = halve_for_crowd(world, &h),
              first = halve_for_first(world, &h);
    plan->n = first > crowd ? 1 + (1 << crowd) : 1 << crowd;
    plan->first = ldexp(1, first > crowd ? -first : -crowd);
    plan->next = ldexp(1, -crowd);
    return SCREE_OK;
}
