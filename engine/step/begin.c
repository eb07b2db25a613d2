/* begin.c: bodies that have just come in.
 *
 * Every step sees to it that bodies do not pass each other from its midpoint to the
 * next one (complete.c). For bodies that are new the first such way begins with half
 * a step that nobody has looked at.
 *
 * In the first step of a world all bodies go a common share of that half step, so far
 * that none touches another before the midpoint: the run begins late by less than
 * half a step.
 *
 * Later, when bodies come to others that move on, pairs of which one is new and which
 * would touch are held back by what is too much of their way:
 *
 *     x_a -= (m / m_a) (1 - s) (dt/2) v / k,    x_b += (m / m_b) (1 - s) (dt/2) v / k,
 *
 * with the share s at which they touch and 1/m = 1/m_a + 1/m_b: the centre of mass
 * stays, and the angular momentum, since the two move along v (meet.c). k is how many
 * contacts hold the one of the two that is held by more. From a wall a body is held
 * back alone. Ways are whole multiples of a length of the size of rounding: their sums
 * are the same in any order and on any ranks.
 *
 * What gravity gains by being late is booked as recovery_work. */
#include <string.h>

#include "contact/shapes/plane.h"
#include "contact/shapes/sphere.h"
#include "engine/base/error.h"
#include "engine/step/step.h"

/* Bodies that go less than this share of their radius in half a step are not worth
 * looking after. */
static const double SLOW = 0.02;

/* Passes over the contacts, and the share of a radius that is not worth another. */
enum { PASSES = 20 };
static const double HELD = 1e-3;

bool scree_world_is_fresh(const scree_world *world, scree_vec3 v, double r) {
    return 0.5 * world->state.dt * norm(v) > SLOW * r;
}

/* Velocity of a as seen from b, where they touch. */
static scree_vec3 seen_velocity(const scree_world *world,
                                const scree_contact *c) {
    const scree_twist *u = world->state.bodies.u;
    const scree_velocity a = scree_twist_velocity(&u[c->a]);
    const scree_velocity b =
        scree_twist_velocity(&u[scree_world_second(world, c)]);
    if (c->arms < 0 && c->b >= 0) return scree_world_closing(world, c);
    return add(scree_world_relative(world, c, a, b), scree_world_chi(world, c));
}

/* The share of the way at which the contact closes; 1: it does not. */
static double free_share(const scree_world *world, const scree_contact *c,
                         scree_vec3 way) {
    const double closer = -dot(c->n, way);
    if (closer <= 0 || c->g >= closer) return 1;
    if (c->g <= 0) return 0;
    if (c->arms >= 0 || c->b < 0) return c->g / closer;
    const scree_ball *x = &world->state.bodies.x[c->a],
                     *y = &world->state.bodies.x[c->b];
    return fmin(
        1, scree_touch_on_way(scree_world_apart(world, c), way, x->r + y->r));
}

/* All bodies go on for a share of dt only. */
static void start_late(scree_world *world, double dt) {
    double share = 1;
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        if (c->g <= 0) continue; /* that is no matter of the way */
        const scree_vec3 way = scale(dt, seen_velocity(world, c));
        share = fmin(share, free_share(world, c, way));
    }
    const double late = scree_world_most(world, 1 - share) * dt;
    if (late <= 0) return;
    for (int32_t i = 0; i < world->state.bodies.n; ++i)
        if (!scree_is_kinematic(&world->state.bodies.u[i]))
            scree_world_shift(world, i,
                              scale(-late, world->state.bodies.u[i].v));
}

/* ---- bodies among others ---------------------------------------------------------- */

typedef struct holding {
    scree_world *world;
    int64_t first; /* id of a new body */
    double dt;
    double *count; /* (bodies + 1) contacts that hold it, on all ranks */
    double *way;   /* (bodies x 3) in `grains` */
    double grain;  /* of lengths [m] */
} holding;

/* How much of its way is too much for a contact of a new body. */
static double held_share(const holding *h, const scree_contact *c) {
    const scree_bodies *b = &h->world->state.bodies;
    const scree_vec3 v = seen_velocity(h->world, c);
    const double r =
        c->b >= 0 ? fmin(b->x[c->a].r, b->x[c->b].r) : b->x[c->a].r;
    if (b->id[c->a] < h->first && (c->b < 0 || b->id[c->b] < h->first))
        return 0;
    const double over = 1 - free_share(h->world, c, scale(h->dt, v));
    return over * h->dt * norm(v) > HELD * r ? over : 0;
}

/* 2^-46 of the largest radius or less: up to 64 radii doubles count it exactly. */
static double grain_of(const scree_world *world) {
    return ldexp(1, ilogb(world->scene.r_max) - 46);
}

/* *any: is there one, on any rank? */
static scree_status count_holds(const holding *h, bool *any) {
    scree_world *world = h->world;
    const size_t n = (size_t)scree_world_static(world);
    *any = false;
    memset(h->count, 0, (n + 1) * sizeof *h->count);
    memset(h->way, 0, 3 * (n + 1) * sizeof *h->way);
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        if (held_share(h, c) <= 0) continue;
        ++h->count[c->a];
        ++h->count[scree_world_second(world, c)];
        *any = true;
    }
    *any = scree_world_any(world, *any);
    return scree_world_share_sums(world, h->count, 1);
}

static void add_way(const holding *h, int32_t body, scree_vec3 way) {
    double *to = &h->way[3 * (size_t)body];
    to[0] += nearbyint(way.x / h->grain);
    to[1] += nearbyint(way.y / h->grain);
    to[2] += nearbyint(way.z / h->grain);
}

static void hold_contact(const holding *h, const scree_contact *c) {
    const scree_twist *u = h->world->state.bodies.u;
    const double over = held_share(h, c);
    if (over <= 0) return;
    const double others = c->b >= 0 ? h->count[c->b] : 1;
    const scree_vec3 way = scale(-h->dt * over / fmax(h->count[c->a], others),
                                 seen_velocity(h->world, c));
    if (c->b < 0) {
        add_way(h, c->a, way);
        return;
    }
    const double all = u[c->a].inv_m + u[c->b].inv_m;
    add_way(h, c->a, scale(u[c->a].inv_m / all, way));
    add_way(h, c->b, scale(-u[c->b].inv_m / all, way));
}

/* Once, all by the positions of now. */
static scree_status hold_once(const holding *h) {
    scree_world *world = h->world;
    for (int64_t i = 0; i < world->state.contacts.n; ++i)
        hold_contact(h, &world->state.contacts.list[i]);
    TRY(scree_world_share_sums(world, h->way, 3));
    for (int32_t i = 0; i < world->state.bodies.n; ++i) {
        const scree_vec3 way =
            scale(h->grain, vec_from(&h->way[3 * (size_t)i]));
        if (dot(way, way) > 0) scree_world_shift(world, i, way);
    }
    return SCREE_OK;
}

/* The gaps of spheres follow the positions; features are held once. */
static void measure_again(scree_world *world) {
    const scree_ball *x = world->state.bodies.x;
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        scree_contact *c = &world->state.contacts.list[i];
        if (c->arms >= 0)
            c->g = INFINITY;
        else if (c->b >= 0)
            scree_world_measure_spheres(world, c);
        else
            scree_sphere_plane(&x[c->a], &world->scene.planes[-1 - c->b], c);
    }
}

/* Who is held by several is held by less than each of them asks for: again. */
static scree_status hold_bodies(const holding *h) {
    for (int pass = 0; pass < PASSES; ++pass) {
        bool any;
        TRY(count_holds(h, &any));
        if (!any) return SCREE_OK;
        TRY(hold_once(h));
        measure_again(h->world);
    }
    return SCREE_OK;
}

static scree_status hold_all(scree_world *world, int64_t first, double dt) {
    scree_arena *scratch = &world->scratch;
    const size_t mark = scree_arena_mark(scratch),
                 n = (size_t)scree_world_static(world);
    holding h = {.world = world,
                 .first = first,
                 .dt = dt,
                 .count = scree_arena_push(scratch, (n + 1) * sizeof *h.count),
                 .way = scree_arena_push(scratch, 3 * (n + 1) * sizeof *h.way),
                 .grain = grain_of(world)};
    if (!h.count || !h.way) return SCREE_OUT_OF_MEMORY;
    const scree_status status = hold_bodies(&h);
    scree_arena_pop(scratch, mark);
    return status;
}

scree_status scree_world_begin(void *self, double dt) {
    scree_world *world = self;
    const scree_reach reach = {.slack = SCREE_SLACK * world->scene.r_min,
                               .foresee = true};
    const int64_t first = scree_world_first_id(world, world->state.fresh);
    world->state.fresh = SCREE_NO_BODY;
    if (first == SCREE_NO_BODY) return SCREE_OK;
    TRY(scree_world_find_contacts(world, dt, &reach));
    if (world->state.steps > 0) return hold_all(world, first, dt);
    start_late(world, dt);
    return SCREE_OK;
}
