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
 * Later, when bodies come to others that move on, pairs that would touch are held
 * back by what is too much of their way:
 *
 *     x_a -= (m / m_a) (1 - s) (dt/2) v,    x_b += (m / m_b) (1 - s) (dt/2) v,
 *
 * with the share s at which they touch and 1/m = 1/m_a + 1/m_b: the centre of mass
 * stays, and the angular momentum, since the two move along v (meet.c). From a wall
 * a body is held back alone. Bodies with copies on other ranks are left alone then,
 * and all bodies of a reproducible world always.
 *
 * What gravity gains by being late is booked as recovery_work. */
#include "contact/shapes/sphere.h"
#include "engine/domain/domain.h"
#include "engine/world.h"

/* Bodies that go less than this share of their radius in half a step are not worth
 * looking after. */
static const double SLOW = 0.02;

bool scree_world_is_fresh(const scree_world *world, scree_vec3 v, double r) {
    return 0.5 * world->def.dt * norm(v) > SLOW * r;
}

/* Velocity of a as seen from b, where they touch. */
static scree_vec3 seen_velocity(const scree_world *world,
                                const scree_contact *c) {
    const scree_twist *u = world->bodies.u;
    const scree_velocity a = scree_twist_velocity(&u[c->a]);
    const scree_velocity b =
        scree_twist_velocity(&u[scree_world_second(world, c)]);
    if (c->arms < 0 && c->b >= 0) return sub(a.v, b.v);
    return add(scree_world_relative(world, c, a, b), scree_world_chi(world, c));
}

/* The share of the way at which the contact closes; 1: it does not. */
static double free_share(const scree_world *world, const scree_contact *c,
                         scree_vec3 way) {
    const double closer = -dot(c->n, way);
    if (closer <= 0 || c->g >= closer) return 1;
    if (c->g <= 0) return 0;
    if (c->arms >= 0 || c->b < 0) return c->g / closer;
    const scree_ball *x = &world->bodies.x[c->a], *y = &world->bodies.x[c->b];
    return fmin(1, scree_touch_on_way(sub(x->x, y->x), way, x->r + y->r));
}

static bool is_shared(const scree_world *world, const scree_contact *c) {
    const scree_domain *d = world->domain;
    return d && (d->border[c->a] || (c->b >= 0 && d->border[c->b]));
}

static void hold_contact(scree_world *world, const scree_contact *c,
                         double dt) {
    const scree_vec3 way = scale(dt, seen_velocity(world, c));
    const double over = 1 - free_share(world, c, way);
    const scree_twist *u = world->bodies.u;
    if (over <= 0 || is_shared(world, c)) return;
    if (c->b < 0) {
        scree_world_shift(world, c->a, scale(-over, way));
        return;
    }
    const double all = u[c->a].inv_m + u[c->b].inv_m;
    scree_world_shift(world, c->a, scale(-over * u[c->a].inv_m / all, way));
    scree_world_shift(world, c->b, scale(over * u[c->b].inv_m / all, way));
}

/* All bodies go on for a share of dt only. */
static void start_late(scree_world *world, double dt) {
    double share = 1;
    for (int64_t i = 0; i < world->contacts.n; ++i) {
        const scree_contact *c = &world->contacts.list[i];
        if (c->g <= 0) continue; /* that is no matter of the way */
        const scree_vec3 way = scale(dt, seen_velocity(world, c));
        share = fmin(share, free_share(world, c, way));
    }
    const double late = scree_world_most(world, 1 - share) * dt;
    if (late <= 0) return;
    for (int32_t i = 0; i < world->bodies.n; ++i)
        scree_world_shift(world, i, scale(-late, world->bodies.u[i].v));
}

static void hold_all(scree_world *world, double dt) {
    for (int64_t i = 0; i < world->contacts.n; ++i)
        hold_contact(world, &world->contacts.list[i], dt);
}

scree_status scree_world_begin(void *self, double dt) {
    scree_world *world = self;
    const scree_reach reach = {.slack = SCREE_SLACK * world->r_min,
                               .foresee = true};
    const bool fresh = scree_world_any(world, world->fresh);
    world->fresh = false;
    if (!fresh || world->def.reproducible) return SCREE_OK;
    TRY(scree_world_find_contacts(world, dt, &reach));
    if (world->steps == 0)
        start_late(world, dt);
    else
        hold_all(world, dt);
    return SCREE_OK;
}
