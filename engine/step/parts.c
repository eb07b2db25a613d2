/* parts.c: steps in which a crowd lands fast are taken in parts.
 *
 * A step sees all hits within it at once. Two spheres that hit each other alone are taken
 * where they touch (meet.c); in a crowd hits follow each other, and where a row of bodies
 * lands upon others within a single step their order is lost. Friction then takes two
 * thirds of what it takes by small steps, and the bed comes to rest too low or too high.
 * Taking the directions in which they touch does not mend that, smaller steps do. Of 900
 * discs that land by 0.7 to 1 of their size in a step of 2 ms the centre of mass comes to
 * rest, compared with steps of 0.1 and 0.2 ms for the same discs (which do not differ: by
 * -0.04 +- 0.10 % and 0.04 +- 0.11 %), and friction takes of what is its
 *
 *                     restitution 0              0.5
 *     in one part     +1.4 %                     -1.3 %
 *     LIMIT 0.25      +0.68 +- 0.08 %, 0.83      -0.63 +- 0.09 %, 0.85
 *     LIMIT 0.125     +0.32 +- 0.09 %, 0.93      -0.44 +- 0.09 %, 0.94
 *     LIMIT 0.06      +0.12 +- 0.09 %, 1.01      -0.26 +- 0.09 %, 1.00 (*)
 *
 * (means of 30 to 45 beds and their standard errors; (*) with restitution from 4 g dt on
 * in place of 2 g dt). LIMIT 0.125 costs 1.1 to 1.4 times what 0.25 does, 0.06 1.4 to 2.2
 * times. What is left at 0.5 is in part not of the landing: slow hits in the bed that comes
 * to rest, by whole steps, let it sink further: from the same eight beds by 0.15 % more
 * than by steps of 0.2 ms, by 0.03 % with restitution from 4 g dt on.
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
 * checkpoints. Sizes of bodies that are not spheres are those of balls of their volume,
 * their hits those of the points that are nearest now. Another corner may come down first
 * as they turn, so where there are such bodies a step after one in parts begins with a
 * part as short as the last one has seen, whoever hits. In one part boxes, rocks and
 * polygons that land have 0.65 of the friction of small steps, in parts 0.88 to 1.03.
 *
 * Cost: a look at the velocities; where a body goes by more than LIMIT radii in a step,
 * contacts are found once more. */
#include <string.h>

#include "contact/shapes/sphere.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/step/step.h"

/* Sizes, that is sums of two radii, that bodies may go in a part and hit each other. */
static const double LIMIT = 0.125;
/* Hits per body that may be faster. */
static const double SHARE = 2e-3;
enum { MOST_HALVINGS = 3 };
/* Overlap before the first midpoint that is let pass, in sizes. */
static const double LET_PASS = 0.005;

/* ---- is any body fast? ----------------------------------------------------------- */

/* Of the ball that has the body's volume, in the plane the disc that has its area [m]. */
static double radius_of(const scree_world *world, int64_t i) {
    const scree_bodies *b = &world->state.bodies;
    if (b->form[i] < 0) return b->x[i].r;
    const double volume = world->scene.forms[b->form[i]].volume;
    return world->def.planar ? sqrt(volume / SCREE_PI)
                             : scree_cbrt(volume * 3 / (4 * SCREE_PI));
}

typedef struct speeding {
    const scree_world *world;
    atomic_bool found;
} speeding;

/* Points of bodies that are not spheres go faster by what they turn. Two bodies approach
 * by no more sizes than the faster one goes radii. */
static void speed_chunk(void *context, int64_t first, int64_t last) {
    speeding *s = context;
    const scree_bodies *b = &s->world->state.bodies;
    const double most = LIMIT / s->world->state.dt;
    bool found = false;
    for (int64_t i = first; i < last; ++i) {
        double v = most * radius_of(s->world, i);
        if (b->form[i] >= 0) v -= b->x[i].r * norm(b->u[i].w);
        found |= v < 0 || dot(b->u[i].v, b->u[i].v) > v * v;
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

/* A contact on its way through the step: of a as seen from b, or from a wall, in sizes.
 * Of two spheres their centres; else the points that are nearest to each other, as if
 * they were a size further apart. */
typedef struct approach {
    scree_vec3 from, way;
} approach;

static bool is_of_spheres(const scree_contact *c) {
    return c->b >= 0 && c->arms < 0;
}

static scree_vec3 seen_velocity(const scree_world *world,
                                const scree_contact *c) {
    const scree_twist *a = &world->state.bodies.u[c->a],
                      *b = &world->state.bodies.u[scree_world_second(world, c)];
    const scree_vec3 v =
        c->arms < 0 && !scree_world_is_driven(world, c)
            ? sub(a->v, b->v)
            : scree_world_relative(world, c, scree_twist_velocity(a),
                                   scree_twist_velocity(b));
    return add(v, scree_world_chi(world, c));
}

static approach approach_of(const scree_world *world, const scree_contact *c) {
    const double r = radius_of(world, c->a),
                 size = r + (c->b >= 0 ? radius_of(world, c->b) : r);
    return (approach){is_of_spheres(c)
                          ? scale(1 / size, scree_world_apart(world, c))
                          : scale(1 + c->g / size, c->n),
                      scale(world->state.dt / size, seen_velocity(world, c))};
}

/* The share of the step at which the distance is that of `radii` sizes, if it is larger
 * now; more than 1: it does not come to that. */
static double time_of(const scree_contact *c, const approach *a, double radii) {
    if (dot(a->from, a->from) <= radii * radii) return INFINITY;
    if (is_of_spheres(c)) return scree_touch_on_way(a->from, a->way, radii);
    const double closer = -dot(c->n, a->way);
    return closer > 0 ? (norm(a->from) - radii) / closer : INFINITY;
}

/* Contacts of a pair follow each other. */
static bool begins_pair(const scree_world *world, int64_t i) {
    const scree_contact *c = &world->state.contacts.list[i];
    return i == 0 || c[-1].pair != c->pair;
}

/* How many others each body has contacts with, on all ranks. */
static scree_status count_near(scree_world *world, double *near) {
    memset(near, 0, ((size_t)scree_world_static(world) + 1) * sizeof *near);
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        if (!begins_pair(world, i)) continue;
        ++near[c->a];
        ++near[scree_world_second(world, c)];
    }
    return scree_world_share_sums(world, near, 1);
}

static bool is_in_crowd(const scree_contact *c, const double *near) {
    return near[c->a] > 1 || (c->b >= 0 && near[c->b] > 1);
}

/* Of a pair the fastest hit counts. */
static void count_hits(scree_world *world, const double *near, hits *h) {
    double fastest = 0;
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        const approach a = approach_of(world, c);
        const double before = begins_pair(world, i) ? 0 : fastest;
        fastest = before;
        h->early = fmin(h->early, time_of(c, &a, 1 - LET_PASS));
        if (!is_in_crowd(c, near) || time_of(c, &a, 1) > 1) continue;
        fastest = fmax(before, norm(a.way));
        for (int k = 0; k < MOST_HALVINGS; ++k)
            h->many[k] +=
                fastest > ldexp(LIMIT, k) && before <= ldexp(LIMIT, k);
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
        scratch, ((size_t)scree_world_static(world) + 1) * sizeof *near);
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

/* and until nobody hits before the first midpoint, as far as that was not seen to. Who
 * turns may hit with another corner than the nearest one. */
static int halve_for_first(const scree_world *world, const hits *h) {
    const double seen = world->step.seen / world->state.dt;
    const double free = world->scene.general ? seen : fmax(h->early, seen);
    int k = 0;
    while (k < MOST_HALVINGS && ldexp(0.5, -k) > free) ++k;
    return k;
}

scree_status scree_world_plan_parts(scree_world *world, scree_plan *plan) {
    const bool seen = world->step.seen >= 0.5 * world->state.dt;
    hits h = {.early = INFINITY};
    *plan = (scree_plan){1, 1, 1};
    if (!world->def.gap_control) return SCREE_OK;
    if (seen && !any_fast(world)) return SCREE_OK;
    TRY(find_hits(world, &h));
    const int crowd = halve_for_crowd(world, &h),
              first = halve_for_first(world, &h);
    plan->n = first > crowd ? 1 + (1 << crowd) : 1 << crowd;
    plan->first = ldexp(1, first > crowd ? -first : -crowd);
    plan->next = ldexp(1, -crowd);
    return SCREE_OK;
}
