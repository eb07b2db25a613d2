/* meet.c: two spheres that hit each other, and nothing else, within a step.
 *
 * Seen from the midpoint q_M, the distance d of the two goes on as d + s dt v, v
 * being their relative velocity, and they touch at a share s of the way if |d + s dt
 * v| is the sum of their radii. By then their normal has turned: taken at q_M hits
 * would be too central, and a gas of spheres with restitution 0.9 that go a tenth of
 * a diameter in a step would cool a fifth too fast. So the two are moved on to where
 * they touch, and when the step is solved back by as much, with the velocity v_E
 * that they have then:
 *
 *     x_a += (m / m_a) s dt v_B,    x_b -= (m / m_b) s dt v_B,      before,
 *     x_a -= (m / m_a) r dt v_E,    x_b += (m / m_b) r dt v_E,      after the solve,
 *     1/m = 1/m_a + 1/m_b,          r = min(s, 1/2):
 *
 * what they would have done had they hit each other at that time. r is no more than
 * half a step, so that they are not back inside each other when the step ends, and 0
 * if others took part in the end.
 *
 * The centre of mass stays, and so do momentum and energy. So does the angular
 * momentum m d x v, since d moves along v.
 *
 * Bodies with other contacts, or with copies on other ranks, are left alone; and so
 * are all in a reproducible world, where the number of ranks must not matter. */
#include <string.h>

#include "contact/shapes/sphere.h"
#include "engine/domain/domain.h"
#include "engine/world.h"

static scree_vec3 relative_velocity(const scree_world *world,
                                    const scree_contact *c) {
    const scree_twist *u = world->bodies.u;
    return sub(u[c->a].v, u[c->b].v);
}

static bool is_of_spheres(const scree_contact *c) {
    return c->b >= 0 && c->arms < 0;
}

/* The share of the way at which the two touch; more than 1: they do not. */
static double touch_time(const scree_world *world, const scree_contact *c,
                         double dt) {
    const scree_ball *x = &world->bodies.x[c->a], *y = &world->bodies.x[c->b];
    if (c->g <= SCREE_DEAD_ZONE * fmin(x->r, y->r)) return INFINITY;
    const scree_vec3 way = scale(dt, relative_velocity(world, c));
    if (c->g + dot(c->n, way) > 0) return INFINITY;
    return scree_touch_on_way(sub(x->x, y->x), way, x->r + y->r);
}

/* Moves the two by `way` as seen from each other. */
static void move_both(scree_world *world, const scree_contact *c,
                      scree_vec3 way) {
    const scree_bodies *b = &world->bodies;
    const double part_a = b->u[c->a].inv_m, part_b = b->u[c->b].inv_m;
    const double all = part_a + part_b;
    b->x[c->a].x = add_scaled(b->x[c->a].x, part_a / all, way);
    b->x[c->b].x = add_scaled(b->x[c->b].x, -part_b / all, way);
}

/* Contacts of each body, two at most; `loaded`: those that bear load. */
static void count_contacts(const scree_world *world, bool loaded,
                           uint8_t *count) {
    memset(count, 0, (size_t)world->bodies.n + 1);
    for (int64_t i = 0; i < world->contacts.n; ++i) {
        const scree_contact *c = &world->contacts.list[i];
        const int32_t b = scree_world_second(world, c);
        if (loaded && !scree_bears_load(c->P)) continue;
        if (count[c->a] < 2) ++count[c->a];
        if (count[b] < 2) ++count[b];
    }
}

static bool is_alone(const scree_world *world, const uint8_t *count,
                     int32_t body) {
    return count[body] == 1 && !(world->domain && world->domain->border[body]);
}

static bool both_alone(const scree_world *world, const uint8_t *count,
                       const scree_contact *c) {
    return is_alone(world, count, c->a) && is_alone(world, count, c->b);
}

static void forget_leads(scree_world *world) {
    const size_t n = (size_t)world->bodies.n;
    if (n > 0 && (world->meetings > 0 || world->domain))
        memset(world->bodies.lead, 0, n * sizeof *world->bodies.lead);
    world->meetings = 0;
}

static void meet_alone(scree_world *world, double dt, uint8_t *count) {
    bool counted = false;
    for (int64_t i = 0; i < world->contacts.n; ++i) {
        scree_contact *c = &world->contacts.list[i];
        const double s = is_of_spheres(c) ? touch_time(world, c, dt) : INFINITY;
        if (s > 1) continue;
        if (!counted) count_contacts(world, false, count), counted = true;
        if (!both_alone(world, count, c)) continue;
        scree_ball *x = world->bodies.x;
        move_both(world, c, scale(s * dt, relative_velocity(world, c)));
        scree_sphere_sphere(&x[c->a], &x[c->b], c);
        world->bodies.lead[c->a] = world->bodies.lead[c->b] = s;
        ++world->meetings;
    }
}

static void part_again(scree_world *world, double dt, uint8_t *count) {
    const double *lead = world->bodies.lead;
    count_contacts(world, true, count);
    for (int64_t i = 0; i < world->contacts.n; ++i) {
        const scree_contact *c = &world->contacts.list[i];
        if (!is_of_spheres(c) || lead[c->a] == 0 || lead[c->b] == 0) continue;
        if (!scree_bears_load(c->P) || !both_alone(world, count, c)) continue;
        const double back = fmin(lead[c->a], 0.5) * dt;
        move_both(world, c, scale(-back, relative_velocity(world, c)));
    }
}

typedef void count_work(scree_world *world, double dt, uint8_t *count);

static scree_status work_with_count(scree_world *world, double dt,
                                    count_work *work) {
    const size_t mark = scree_arena_mark(&world->scratch);
    uint8_t *count =
        scree_arena_push(&world->scratch, (size_t)world->bodies.n + 1);
    if (!count) return SCREE_OUT_OF_MEMORY;
    work(world, dt, count);
    scree_arena_pop(&world->scratch, mark);
    return SCREE_OK;
}

scree_status scree_world_meet(void *self, double dt) {
    scree_world *world = self;
    forget_leads(world);
    return world->def.reproducible ? SCREE_OK
                                   : work_with_count(world, dt, meet_alone);
}

scree_status scree_world_part(void *self, double dt) {
    scree_world *world = self;
    return world->meetings ? work_with_count(world, dt, part_again) : SCREE_OK;
}
