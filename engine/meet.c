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
 * The two are moved only if that brings them into no third body: none where they
 * touch, and none on the way from the end of the step to the next midpoint when they
 * are moved back. Bodies with other contacts, or with copies on other ranks, are left
 * alone; and so are all in a reproducible world, where the number of ranks must not
 * matter. */
#include <string.h>

#include "contact/shapes/sphere.h"
#include "engine/base/parallel.h"
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

/* A body on its way to another place. */
typedef struct detour {
    scree_vec3 way; /* to where it is moved [m] */
    int32_t partner;
    bool goes, blocked;
} detour;

typedef struct detours {
    scree_world *world;
    detour *of;     /* (bodies) */
    uint8_t *count; /* (bodies + 1) contacts, two at most */
    double from;    /* [s] where third bodies are looked for: on the way from */
    double during;  /* here on, for so long */
    int64_t n;      /* that go */
} detours;

/* The two go by `way` as seen from each other. */
static void plan_both(detours *d, const scree_contact *c, scree_vec3 way) {
    const scree_twist *u = d->world->bodies.u;
    const double all = u[c->a].inv_m + u[c->b].inv_m;
    d->of[c->a] = (detour){
        .way = scale(u[c->a].inv_m / all, way), .partner = c->b, .goes = true};
    d->of[c->b] = (detour){
        .way = scale(-u[c->b].inv_m / all, way), .partner = c->a, .goes = true};
    d->n += 2;
}

static scree_vec3 place_at(const detours *d, int32_t i) {
    const scree_bodies *b = &d->world->bodies;
    const scree_vec3 x = add_scaled(b->x[i].x, d->from, b->u[i].v);
    return d->of[i].goes ? add(x, d->of[i].way) : x;
}

/* Does a third body or a wall stand in the way of the pair? */
static bool is_blocked(const detours *d, const scree_pair *p) {
    const scree_world *world = d->world;
    const scree_bodies *b = &world->bodies;
    double at;
    if (p->b < 0) {
        const scree_plane *wall = &world->planes[-1 - p->b];
        if (scree_plane_is_surface(wall)) return true;
        return dot(wall->n, place_at(d, p->a)) - wall->d < b->x[p->a].r;
    }
    const scree_vec3 apart = sub(place_at(d, p->a), place_at(d, p->b));
    const scree_vec3 v = sub(b->u[p->a].v, b->u[p->b].v);
    return scree_gap_on_way(apart, scale(d->during, v),
                            b->x[p->a].r + b->x[p->b].r, &at) < 0;
}

static void block_body(detours *d, int32_t i) {
    if (i < 0 || !d->of[i].goes) return;
    d->of[i].blocked = d->of[d->of[i].partner].blocked = true;
}

static void block_all(detours *d) {
    const scree_broad *broad = &d->world->broad;
    for (int64_t k = 0; k < broad->n_pair; ++k) {
        const scree_pair *p = &broad->pairs[k];
        const bool goes = d->of[p->a].goes,
                   other = p->b >= 0 && d->of[p->b].goes;
        if (!goes && !other) continue;
        if (goes && d->of[p->a].partner == p->b) continue;
        if (!is_blocked(d, p)) continue;
        block_body(d, p->a);
        block_body(d, p->b);
    }
}

static bool may_go(const detours *d, int32_t i) {
    return d->of[i].goes && !d->of[i].blocked;
}

static void move_all(detours *d) {
    scree_bodies *b = &d->world->bodies;
    for (int32_t i = 0; i < b->n; ++i)
        if (may_go(d, i)) b->x[i].x = add(b->x[i].x, d->of[i].way);
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

static bool both_alone(const detours *d, const scree_contact *c) {
    return is_alone(d->world, d->count, c->a) &&
           is_alone(d->world, d->count, c->b);
}

static void forget_leads(scree_world *world) {
    const size_t n = (size_t)world->bodies.n;
    if (n > 0 && (world->meetings > 0 || world->domain))
        memset(world->bodies.lead, 0, n * sizeof *world->bodies.lead);
    world->meetings = 0;
}

/* ---- to where they touch -------------------------------------------------------- */

static void plan_meetings(detours *d, double dt) {
    scree_world *world = d->world;
    for (int64_t i = 0; i < world->contacts.n; ++i) {
        const scree_contact *c = &world->contacts.list[i];
        const double s = is_of_spheres(c) ? touch_time(world, c, dt) : INFINITY;
        if (s > 1) continue;
        if (d->n == 0) count_contacts(world, false, d->count);
        if (!both_alone(d, c)) continue;
        plan_both(d, c, scale(s * dt, relative_velocity(world, c)));
        world->bodies.lead[c->a] = world->bodies.lead[c->b] = s;
    }
}

/* Contacts as they are there; who does not go has no lead. */
static void note_meetings(detours *d) {
    scree_world *world = d->world;
    const scree_ball *x = world->bodies.x;
    for (int64_t i = 0; i < world->contacts.n; ++i) {
        scree_contact *c = &world->contacts.list[i];
        if (!is_of_spheres(c) || !d->of[c->a].goes || !d->of[c->b].goes)
            continue;
        if (may_go(d, c->a)) {
            scree_sphere_sphere(&x[c->a], &x[c->b], c);
            ++world->meetings;
        } else {
            world->bodies.lead[c->a] = world->bodies.lead[c->b] = 0;
        }
    }
}

static void meet_alone(detours *d, double dt) {
    plan_meetings(d, dt);
    if (d->n == 0) return;
    block_all(d);
    move_all(d);
    note_meetings(d);
}

/* ---- and back -------------------------------------------------------------------- */

static void part_again(detours *d, double dt) {
    scree_world *world = d->world;
    const double *lead = world->bodies.lead;
    count_contacts(world, true, d->count);
    for (int64_t i = 0; i < world->contacts.n; ++i) {
        const scree_contact *c = &world->contacts.list[i];
        if (!is_of_spheres(c) || lead[c->a] == 0 || lead[c->b] == 0) continue;
        if (!scree_bears_load(c->P) || !both_alone(d, c)) continue;
        const double back = fmin(lead[c->a], 0.5) * dt;
        plan_both(d, c, scale(-back, relative_velocity(world, c)));
    }
    if (d->n == 0) return;
    d->from = d->during = 0.5 * dt;
    block_all(d);
    move_all(d);
}

typedef void detour_work(detours *d, double dt);

static scree_status make_detours(scree_world *world, double dt,
                                 detour_work *work) {
    scree_arena *scratch = &world->scratch;
    const size_t mark = scree_arena_mark(scratch), n = (size_t)world->bodies.n;
    detours d = {.world = world,
                 .of = scree_arena_push(scratch, n * sizeof *d.of),
                 .count = scree_arena_push(scratch, n + 1)};
    if (!d.of || !d.count) return SCREE_OUT_OF_MEMORY;
    memset(d.of, 0, n * sizeof *d.of);
    work(&d, dt);
    scree_arena_pop(scratch, mark);
    return SCREE_OK;
}

typedef struct meeting_search {
    const scree_world *world;
    double dt;
    atomic_bool found;
} meeting_search;

static void search_chunk(void *context, int64_t first, int64_t last) {
    meeting_search *s = context;
    const double closed = SCREE_DEAD_ZONE * s->world->r_min;
    for (int64_t i = first; i < last; ++i) {
        const scree_contact *c = &s->world->contacts.list[i];
        if (c->g <= closed || !is_of_spheres(c)) continue;
        if (touch_time(s->world, c, s->dt) > 1) continue;
        atomic_store_explicit(&s->found, true, memory_order_relaxed);
        return;
    }
}

/* Does a contact of spheres close on its way? */
static bool any_meeting(const scree_world *world, double dt) {
    meeting_search s = {.world = world, .dt = dt};
    scree_parallel_for(world->contacts.n, world->def.threads, search_chunk, &s);
    return atomic_load(&s.found);
}

scree_status scree_world_meet(void *self, double dt) {
    scree_world *world = self;
    forget_leads(world);
    if (world->def.reproducible || !any_meeting(world, dt)) return SCREE_OK;
    return make_detours(world, dt, meet_alone);
}

scree_status scree_world_part(void *self, double dt) {
    scree_world *world = self;
    return world->meetings ? make_detours(world, dt, part_again) : SCREE_OK;
}
