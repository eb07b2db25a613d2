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
 * are moved back. Bodies with other contacts are left alone.
 *
 * Over ranks the one that has the contact plans for both bodies, and all copies of them
 * learn their ways; a body that is in the way on any rank counts on all. What is in the
 * way is looked for in the Verlet list, which need not reach as far as bodies are
 * moved: in a reproducible world it is made to, so that nothing depends on it. */
#include <string.h>

#include "contact/shapes/sphere.h"
#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/forces/forces.h"
#include "engine/joints/joints.h"
#include "engine/step/step.h"

static scree_vec3 relative_velocity(const scree_world *world,
                                    const scree_contact *c) {
    return scree_world_closing(world, c);
}

static bool is_of_spheres(const scree_contact *c) {
    return c->b >= 0 && c->arms < 0;
}

/* The share of the way at which the two touch; more than 1: they do not. A kinematic one
 * would leave the way to the other alone, whose centre of mass does not stay then. */
static double touch_time(const scree_world *world, const scree_contact *c,
                         double dt) {
    const scree_ball *x = &world->state.bodies.x[c->a],
                     *y = &world->state.bodies.x[c->b];
    if (c->g <= SCREE_DEAD_ZONE * fmin(x->r, y->r) ||
        scree_contact_is_driven(world, c))
        return INFINITY;
    const scree_vec3 way = scale(dt, relative_velocity(world, c));
    if (c->g + dot(c->n, way) > 0) return INFINITY;
    return scree_touch_on_way(scree_world_apart(world, c), way, x->r + y->r);
}

/* A body on its way to another place. */
typedef struct detour {
    scree_vec3 way;  /* to where it is moved [m] */
    double lead;     /* share of the step that it is ahead by then */
    int32_t partner; /* -1: that is known to another rank */
    bool goes, blocked;
} detour;

typedef struct detours {
    scree_world *world;
    detour *of;     /* (bodies) */
    double *count;  /* (bodies + 1) contacts, on all ranks */
    double *shared; /* (bodies x PLAN) what ranks tell each other */
    double from;    /* [s] where third bodies are looked for: on the way from */
    double during;  /* here on, for so long */
} detours;

/* goes, way, lead */
enum { PLAN = 5 };

/* The two go by `way` as seen from each other. */
static void plan_both(detours *d, const scree_contact *c, scree_vec3 way,
                      double lead) {
    const scree_twist *u = d->world->state.bodies.u;
    const double all = u[c->a].inv_m + u[c->b].inv_m;
    const detour plan = {.lead = lead, .goes = true};
    d->of[c->a] = d->of[c->b] = plan;
    d->of[c->a].way = scale(u[c->a].inv_m / all, way);
    d->of[c->b].way = scale(-u[c->b].inv_m / all, way);
    d->of[c->a].partner = c->b;
    d->of[c->b].partner = c->a;
}

/* ---- ranks ------------------------------------------------------------------- */

static void write_plan(const detour *plan, double *to) {
    to[0] = plan->goes, to[4] = plan->lead;
    vec_to(plan->way, to + 1);
}

/* Of a body that another rank may have planned for. */
static void read_plan(const double *from, detour *plan) {
    if (!plan->goes) plan->partner = -1;
    plan->goes = from[0] > 0;
    plan->way = vec_from(from + 1);
    plan->lead = from[4];
}

/* Where one rank alone has a plan, sums over ranks are it. */
static scree_status share_plans(detours *d) {
    const int32_t n = d->world->state.bodies.n;
    memset(d->shared, 0,
           PLAN * (size_t)scree_world_static(d->world) * sizeof *d->shared);
    for (int32_t i = 0; i < n; ++i)
        write_plan(&d->of[i], &d->shared[PLAN * (size_t)i]);
    TRY(scree_world_share_sums(d->world, d->shared, PLAN));
    for (int32_t i = 0; i < n; ++i)
        read_plan(&d->shared[PLAN * (size_t)i], &d->of[i]);
    return SCREE_OK;
}

static scree_status share_blocked(detours *d) {
    const int32_t n = d->world->state.bodies.n;
    for (int32_t i = 0; i < n; ++i) d->shared[i] = d->of[i].blocked;
    TRY(scree_world_share_sums(d->world, d->shared, 1));
    for (int32_t i = 0; i < n; ++i) d->of[i].blocked = d->shared[i] > 0;
    return SCREE_OK;
}

static bool any_goes(const detours *d) {
    bool any = false;
    for (int32_t i = 0; i < d->world->state.bodies.n; ++i) any |= d->of[i].goes;
    return scree_world_any(d->world, any);
}

/* ---- who is in the way ------------------------------------------------------- */

static scree_vec3 place_at(const detours *d, int32_t i) {
    const scree_bodies *b = &d->world->state.bodies;
    const scree_vec3 x = add_scaled(b->x[i].x, d->from, b->u[i].v);
    return d->of[i].goes ? add(x, d->of[i].way) : x;
}

/* Does a third body or a wall stand in the way of the pair? */
static bool is_blocked(const detours *d, const scree_pair *p) {
    const scree_world *world = d->world;
    const scree_bodies *b = &world->state.bodies;
    double at;
    if (p->b < 0) {
        const scree_plane *wall = &world->scene.planes[-1 - p->b];
        if (scree_plane_is_surface(wall)) return true;
        return dot(wall->n, place_at(d, p->a)) - wall->d < b->x[p->a].r;
    }
    const scree_period *cell = world->scene.cell;
    const scree_vec3 v =
        scree_period_closing(cell, p->image, b->u[p->a].v, b->u[p->b].v);
    scree_vec3 apart = scree_period_apart(cell, p->image, place_at(d, p->a),
                                          place_at(d, p->b));
    if (p->image)
        apart = add_scaled(apart, -d->from, scree_period_drift(cell, p->image));
    return scree_gap_on_way(apart, scale(d->during, v),
                            b->x[p->a].r + b->x[p->b].r, &at) < 0;
}

static void block_here(detours *d) {
    const scree_broad *broad = &d->world->state.broad;
    for (int64_t k = 0; k < broad->n_pair; ++k) {
        const scree_pair *p = &broad->pairs[k];
        const bool goes = d->of[p->a].goes,
                   other = p->b >= 0 && d->of[p->b].goes;
        if (!goes && !other) continue;
        if (goes && other && d->of[p->a].partner == p->b) continue;
        if (!is_blocked(d, p)) continue;
        if (goes) d->of[p->a].blocked = true;
        if (other) d->of[p->b].blocked = true;
    }
}

/* Who cannot go alone does not go. */
static void block_partners(detours *d) {
    for (int32_t i = 0; i < d->world->state.bodies.n; ++i) {
        detour *one = &d->of[i];
        if (!one->goes || one->partner < 0) continue;
        detour *other = &d->of[one->partner];
        one->blocked = other->blocked = one->blocked || other->blocked;
    }
}

static scree_status block_all(detours *d) {
    block_here(d);
    TRY(share_blocked(d));
    block_partners(d);
    return share_blocked(d);
}

static bool may_go(const detours *d, int32_t i) {
    return d->of[i].goes && !d->of[i].blocked;
}

/* Adding 0 makes -0 a 0, as sums over ranks do. */
static void move_all(detours *d) {
    scree_bodies *b = &d->world->state.bodies;
    const scree_vec3 zero = {0, 0, 0};
    for (int32_t i = 0; i < b->n; ++i)
        if (may_go(d, i))
            b->x[i].x = add(b->x[i].x,
                            scree_world_way(d->world, add(d->of[i].way, zero)));
}

/* Contacts of each body, on all ranks; `loaded`: those that bear load. */
static scree_status count_contacts(detours *d, bool loaded) {
    const scree_world *world = d->world;
    memset(d->count, 0,
           ((size_t)scree_world_static(world) + 1) * sizeof *d->count);
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        if (loaded && !scree_bears_load(c->P)) continue;
        ++d->count[c->a];
        ++d->count[scree_world_second(world, c)];
    }
    scree_joints_count(world, d->count);
    return scree_world_share_sums(d->world, d->count, 1);
}

static bool both_alone(const detours *d, const scree_contact *c) {
    return d->count[c->a] == 1 && d->count[c->b] == 1;
}

static void forget_leads(scree_world *world) {
    const size_t n = (size_t)world->state.bodies.n;
    if (n > 0 && (world->step.meetings > 0 || world->ranks.domain))
        memset(world->state.bodies.lead, 0,
               n * sizeof *world->state.bodies.lead);
    world->step.meetings = 0;
}

/* ---- to where they touch -------------------------------------------------------- */

static scree_status plan_meetings(detours *d, double dt) {
    const scree_world *world = d->world;
    TRY(count_contacts(d, false));
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        const double s = is_of_spheres(c) ? touch_time(world, c, dt) : INFINITY;
        if (s > 1 || !both_alone(d, c)) continue;
        plan_both(d, c, scale(s * dt, relative_velocity(world, c)), s);
    }
    return share_plans(d);
}

/* Contacts as they are there; who does not go has no lead. */
static void note_meetings(detours *d) {
    scree_world *world = d->world;
    for (int32_t i = 0; i < world->state.bodies.n; ++i)
        world->state.bodies.lead[i] = may_go(d, i) ? d->of[i].lead : 0;
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        scree_contact *c = &world->state.contacts.list[i];
        if (!is_of_spheres(c) || !may_go(d, c->a) || !may_go(d, c->b)) continue;
        scree_world_measure_spheres(world, c);
        ++world->step.meetings;
    }
    world->step.meetings =
        (int64_t)scree_world_total(world, (double)world->step.meetings);
}

static scree_status meet_alone(detours *d, double dt) {
    TRY(plan_meetings(d, dt));
    if (!any_goes(d)) return SCREE_OK;
    TRY(block_all(d));
    move_all(d);
    note_meetings(d);
    return SCREE_OK;
}

/* ---- and back -------------------------------------------------------------------- */

static scree_status plan_ways_back(detours *d, double dt) {
    const scree_world *world = d->world;
    const double *lead = world->state.bodies.lead;
    TRY(count_contacts(d, true));
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        if (!is_of_spheres(c) || lead[c->a] == 0 || lead[c->b] == 0) continue;
        if (!scree_bears_load(c->P) || !both_alone(d, c)) continue;
        const double back = fmin(lead[c->a] * dt, 0.5 * world->step.dt);
        plan_both(d, c, scale(-back, relative_velocity(world, c)), 0);
    }
    return share_plans(d);
}

static scree_status part_again(detours *d, double dt) {
    TRY(plan_ways_back(d, dt));
    if (!any_goes(d)) return SCREE_OK;
    d->from = 0.5 * d->world->step.dt;
    d->during = dt - d->from;
    TRY(block_all(d));
    move_all(d);
    return SCREE_OK;
}

typedef scree_status detour_work(detours *d, double dt);

static scree_status make_detours(scree_world *world, double dt,
                                 detour_work *work) {
    scree_arena *scratch = &world->scratch;
    const size_t mark = scree_arena_mark(scratch),
                 n = (size_t)scree_world_static(world);
    detours d = {.world = world,
                 .of = scree_arena_push(scratch, n * sizeof *d.of),
                 .count = scree_arena_push(scratch, (n + 1) * sizeof *d.count),
                 .shared =
                     scree_arena_push(scratch, PLAN * n * sizeof *d.shared)};
    if (!d.of || !d.count || !d.shared) return SCREE_OUT_OF_MEMORY;
    memset(d.of, 0, n * sizeof *d.of);
    const scree_status status = work(&d, dt);
    scree_arena_pop(scratch, mark);
    return status;
}

/* ---- how far the list must reach -------------------------------------------------- */

/* u_b, which the step needs no more or not yet, becomes a velocity with which a body
 * gets as far as a detour takes it: at once, */
static scree_status reach_meetings(detours *d, double dt) {
    const scree_bodies *b = &d->world->state.bodies;
    TRY(plan_meetings(d, dt));
    for (int32_t i = 0; i < b->n; ++i) {
        b->u_b[i] = scree_twist_velocity(&b->u[i]);
        if (d->of[i].goes) b->u_b[i].v = scale(1 / dt, d->of[i].way);
    }
    return SCREE_OK;
}

/* or on top of its own way. */
static scree_status reach_back(detours *d, double dt) {
    const scree_bodies *b = &d->world->state.bodies;
    TRY(plan_ways_back(d, dt));
    for (int32_t i = 0; i < b->n; ++i) {
        b->u_b[i] = scree_twist_velocity(&b->u[i]);
        if (d->of[i].goes)
            b->u_b[i].v = vec(norm(b->u[i].v) + norm(d->of[i].way) / dt, 0, 0);
    }
    return SCREE_OK;
}

/* Contacts are those that there are, in a list that reaches far enough. */
static scree_status widen_for_meetings(scree_world *world, double dt) {
    TRY(make_detours(world, dt, reach_meetings));
    if (scree_world_list_reaches(world, dt)) return SCREE_OK;
    TRY(scree_world_find_pushed(world, dt, 0));
    return scree_world_detect(world, dt, true);
}

static scree_status widen_for_parting(scree_world *world, double dt) {
    TRY(make_detours(world, dt, reach_back));
    return scree_world_find_solved(world, dt);
}

typedef struct meeting_search {
    const scree_world *world;
    double dt;
    atomic_bool found;
} meeting_search;

static void search_chunk(void *context, int64_t first, int64_t last) {
    meeting_search *s = context;
    const double closed = SCREE_DEAD_ZONE * s->world->scene.r_min;
    for (int64_t i = first; i < last; ++i) {
        const scree_contact *c = &s->world->state.contacts.list[i];
        if (c->g <= closed || !is_of_spheres(c)) continue;
        if (touch_time(s->world, c, s->dt) > 1) continue;
        atomic_store_explicit(&s->found, true, memory_order_relaxed);
        return;
    }
}

/* Does a contact of spheres close on its way? */
static bool any_meeting(const scree_world *world, double dt) {
    meeting_search s = {.world = world, .dt = dt};
    scree_parallel_for(world->state.contacts.n, world->def.threads,
                       search_chunk, &s);
    return scree_world_any(world, atomic_load(&s.found));
}

scree_status scree_world_meet(void *self, double dt) {
    scree_world *world = self;
    forget_leads(world);
    if (!any_meeting(world, dt)) return SCREE_OK;
    if (world->def.reproducible) TRY(widen_for_meetings(world, dt));
    return make_detours(world, dt, meet_alone);
}

scree_status scree_world_part(void *self, double dt) {
    scree_world *world = self;
    if (world->step.meetings) {
        if (world->def.reproducible) TRY(widen_for_parting(world, dt));
        TRY(make_detours(world, dt, part_again));
    }
    return world->step.refound ? scree_world_place_again(world) : SCREE_OK;
}
