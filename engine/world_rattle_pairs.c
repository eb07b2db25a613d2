/* world_rattle_pairs.c: bodies that would pass each other within a step of RATTLE.
 *
 * Its rounds look at the end of the step. Two bodies that go far may be through each
 * other by then, or so deep inside that their normal there says little. Such a pair is
 * held back to where it touches on its straight way from q_n to q_{n+1}, with d its
 * distance at q_n, w its relative way and s the share of it after which it touches:
 *
 *     x_a -= (m / m_a) (1 - s) w,    x_b += (m / m_b) (1 - s) w,    1/m = 1/m_a + 1/m_b.
 *
 * The centre of mass stays, and the angular momentum, since d moves along the relative
 * velocity. Velocities stay too. The rounds then find a contact that is closed without a
 * push, P1 = 0, and stage 2 gives it all of its percussion along the normal where the two
 * touch: the impact law as it is meant, energy to rounding if e = 1. Bodies are late by
 * less than a step then, as those that walls hold back (stop.c).
 *
 * Spheres are held back if they are apart again at the end of the way, or go farther than
 * half of the smaller one's radius; those that go less far and end in each other are
 * left to the rounds. Others, if they go farther than a quarter of the smaller one's inner
 * radius (contact/touch.h) and overlap on the way. They are looked at as they are
 * turned at the end of the step.
 *
 * A body that is held back or pushed on by one may then pass another, or end in it: sweeps
 * over the pairs follow each other, here and from round to round, until none passes. What
 * held bodies overlap at the end is worked off in the same way, by moving positions along
 * normals; and so is what bodies overlap that turn by half a radian or more in the step, and
 * what a half space has swallowed by half of a body. Percussions of stage 1 would do it by
 * velocities, along directions of q_n which have nothing to do with where bodies then
 * touch: 700 discs that fall into a bin with 6 sizes in a step made 30 times their energy
 * so. What positions gain in the field of gravity is booked as recovery_work.
 *
 * Bodies with copies on other ranks are left alone, and so are all in a reproducible world,
 * where the number of ranks must not matter. Where all bodies are slow this costs nothing
 * but to see that. */
#include "contact/meeting.h"
#include "contact/touch.h"
#include "engine/domain/domain.h"
#include "engine/world_rattle.h"

/* Ways of spheres that are resolved at their end, in the smaller radius. */
static const double RESOLVED = 0.5;
/* Overlap on the way that is of no matter, in the smaller inner radius: bodies that
 * slide on each other have some until the rounds have worked it off. */
static const double DEPTH = 0.02;
/* Spheres that are nearer than this when the step begins, in the least radius, may roll on
 * each other: their straight way leads through each other, by so much of the smaller
 * radius. */
static const double CLOSED_GAP = 1e-3, GRAZED = 0.05;
/* Least cosine of the angle that a normal turns by on the way after the touch. */
static const double TURNED = 0.5;
/* Overlap of bodies that are held back, or turn far, which is left to the rounds, in the
 * smaller inner radius. */
static const double CROWDED = 0.02;
enum { SWEEPS = 30 };

typedef struct passing {
    scree_world *world;
    scree_scene scene;
    double dt;      /* [s] */
    double deepest; /* overlap that the rounds leave [m] */
    bool again;     /* the rounds have begun */
    bool *goes;     /* (bodies) by more than a little */
} passing;

static scree_vec3 way_of(const scree_world *world, int32_t i) {
    return sub(world->bodies.x[i].x, pose_at_begin(world, i)->x);
}

bool scree_rattle_turns_far(const scree_world *world, int32_t i, double dt) {
    const scree_bodies *b = &world->bodies;
    return b->form[i] >= 0 && dt * norm(b->u[i].w) > SCREE_RATTLE_TURN;
}

static void mark_all(const passing *p) {
    const scree_world *world = p->world;
    for (int32_t i = 0; i < world->bodies.n; ++i)
        p->goes[i] = scree_rattle_goes_far(world, i, way_of(world, i), p->dt);
}

/* ---- one pair ------------------------------------------------------------------ */

/* The share of the way after which the two are to stop; more than 1: none. */
static double share_of_balls(const passing *p, const scree_pair *pair,
                             scree_vec3 d, scree_vec3 way) {
    const scree_ball *x = p->world->bodies.x;
    const double r = fmin(x[pair->a].r, x[pair->b].r);
    const double radii = x[pair->a].r + x[pair->b].r;
    const double near = SCREE_RATTLE_NEAR * p->world->r_min;
    const bool closed = norm(d) - radii <= CLOSED_GAP * p->world->r_min;
    double at;
    if (scree_gap_on_way(d, way, radii, &at) >=
        -(closed ? GRAZED * r : p->deepest))
        return INFINITY;
    const double share = fmax(0, scree_touch_on_way(d, way, radii));
    const scree_vec3 end = add(d, way), touch = add_scaled(d, share, way);
    const bool parts = norm(end) > radii + near;
    const bool turned = dot(end, touch) < TURNED * norm(end) * norm(touch);
    const bool far = !p->again && norm(way) > RESOLVED * r;
    return parts || turned || far ? share : INFINITY;
}

static bool is_round(const scree_bodies *b, const scree_pair *pair) {
    return b->form[pair->a] < 0 && pair->b >= 0 && b->form[pair->b] < 0;
}

/* The deepest overlap of the two where they are now. */
static scree_touch overlap_of(const passing *p, const scree_pair *pair) {
    scree_touch t[SCREE_TOUCHES], least = {.g = 0};
    scree_separation apart = {.gap = 0};
    if (is_round(&p->world->bodies, pair)) {
        scree_contact c;
        scree_sphere_sphere(&p->scene.x[pair->a], &p->scene.x[pair->b], &c);
        return (scree_touch){.n = c.n, .g = c.g};
    }
    const int n = scree_pair_touch(&p->scene, pair, 0, &apart, t);
    for (int i = 0; i < n; ++i)
        if (t[i].g < least.g) least = t[i];
    return least;
}

static double least_inner_radius(const passing *p, const scree_pair *pair) {
    return fmin(scree_body_inner_radius(&p->scene, pair->a),
                scree_body_inner_radius(&p->scene, pair->b));
}

bool scree_rattle_is_fast(const scree_scene *scene, const scree_pair *pair,
                          double way) {
    return scree_body_is_fast(scene, pair->a, way) ||
           scree_body_is_fast(scene, pair->b, way);
}

static double share_of_solids(const passing *p, const scree_pair *pair,
                              scree_vec3 d, scree_vec3 way) {
    if (!scree_rattle_is_fast(&p->scene, pair, norm(way))) return INFINITY;
    if (p->again && overlap_of(p, pair).g < 0) return INFINITY;
    const double inner = least_inner_radius(p, pair);
    const double depth = p->again ? GRAZED : DEPTH;
    return scree_pair_meeting(&p->scene, pair, d, way,
                              fmax(depth * inner, 2 * p->deepest));
}

static void hold_body(passing *p, int32_t i, scree_vec3 back) {
    scree_bodies *b = &p->world->bodies;
    b->begin[i].late = add(b->begin[i].late, back);
    b->x[i].x = sub(b->x[i].x, back);
    p->goes[i] = p->world->held_back = true;
}

/* The two go by `way` as seen from each other, and their centre of mass stays. */
static void move_both(passing *p, const scree_pair *pair, scree_vec3 way) {
    const scree_twist *u = p->world->bodies.u;
    const double all = u[pair->a].inv_m + u[pair->b].inv_m;
    if (all == 0) return;
    hold_body(p, pair->a, scale(-u[pair->a].inv_m / all, way));
    hold_body(p, pair->b, scale(u[pair->b].inv_m / all, way));
}

static bool is_lost(const passing *p, int32_t i) {
    return is_late(p->world, i) || scree_rattle_turns_far(p->world, i, p->dt);
}

/* Bodies that are held back, or turn far, may be so among others. Percussions that part
 * them again would throw them. */
static bool part_pair(passing *p, const scree_pair *pair) {
    if (!is_lost(p, pair->a) && !is_lost(p, pair->b)) return false;
    const scree_touch t = overlap_of(p, pair);
    if (t.g >= -CROWDED * least_inner_radius(p, pair)) return false;
    move_both(p, pair, scale(-t.g, t.n));
    return true;
}

/* Was the pair held back? */
static bool hold_pair(passing *p, const scree_pair *pair) {
    const scree_world *world = p->world;
    const scree_bodies *b = &world->bodies;
    const scree_vec3 d =
        sub(pose_at_begin(world, pair->a)->x, pose_at_begin(world, pair->b)->x);
    const scree_vec3 way = sub(way_of(world, pair->a), way_of(world, pair->b));
    const double radii = b->x[pair->a].r + b->x[pair->b].r;
    double at;
    if (scree_gap_on_way(d, way, radii, &at) >= -p->deepest) return false;
    const double share = is_round(b, pair) ? share_of_balls(p, pair, d, way)
                                           : share_of_solids(p, pair, d, way);
    if (share >= 1) return part_pair(p, pair);
    move_both(p, pair, scale(share - 1, way));
    return true;
}

/* ---- walls ---------------------------------------------------------------------- */

/* Overlap with the wall that is left to the rounds, in the inner radius. Surfaces have
 * held the body back already. */
static double most_overlap(const passing *p, const scree_pair *pair) {
    const scree_plane *wall = &p->scene.walls[-1 - pair->b];
    if (!wall->exists) return INFINITY;
    if (scree_rattle_turns_far(p->world, pair->a, p->dt)) return CROWDED;
    return scree_plane_is_surface(wall) ? INFINITY : RESOLVED;
}

/* Percussions that lift a body out of a wall far would push others as fast. It is put where
 * the rounds would put it. */
static bool hold_at_wall(passing *p, const scree_pair *pair) {
    const double most = most_overlap(p, pair);
    if (most == INFINITY) return false;
    const scree_touch t = overlap_of(p, pair);
    if (t.g >= -most * scree_body_inner_radius(&p->scene, pair->a))
        return false;
    hold_body(p, pair->a, scale(t.g, t.n));
    return true;
}

/* ---- all pairs ----------------------------------------------------------------- */

static bool is_shared(const scree_world *world, int32_t i) {
    return i >= 0 && world->domain && world->domain->border[i];
}

bool scree_rattle_may_hold(const scree_world *world, int32_t a, int32_t b) {
    return !world->def.reproducible && !is_shared(world, a) &&
           !is_shared(world, b);
}

static bool is_looked_at(const passing *p, const scree_pair *pair) {
    return (p->goes[pair->a] || (pair->b >= 0 && p->goes[pair->b])) &&
           scree_rattle_may_hold(p->world, pair->a, pair->b);
}

static bool sweep_pairs(passing *p) {
    const scree_broad *broad = &p->world->broad;
    bool any = false;
    for (int64_t k = 0; k < broad->n_pair; ++k) {
        const scree_pair *pair = &broad->pairs[k];
        if (!is_looked_at(p, pair)) continue;
        any |= pair->b < 0 ? hold_at_wall(p, pair) : hold_pair(p, pair);
    }
    return any;
}

static bool hold_all(passing *p, double dt) {
    const int32_t n = p->world->bodies.n;
    bool any = false;
    for (int k = 0; k < SWEEPS && sweep_pairs(p); ++k) any = true;
    for (int32_t i = 0; i < n && any; ++i)
        if (p->goes[i]) scree_rattle_hold_back(p->world, i, dt);
    return any;
}

static scree_status look_at_all(scree_world *world, double dt, bool again,
                                bool *held) {
    const scree_bodies *b = &world->bodies;
    const size_t mark = scree_arena_mark(&world->scratch);
    passing p = {.world = world,
                 .dt = dt,
                 .scene = {.n = b->n,
                           .x = b->x,
                           .q = b->q,
                           .form = b->form,
                           .forms = world->forms,
                           .general = world->general,
                           .n_wall = world->n_wall,
                           .walls = world->planes},
                 .deepest = scree_rattle_tolerance(world) * world->r_min,
                 .again = again,
                 .goes = scree_arena_push(&world->scratch, (size_t)b->n)};
    if (!p.goes) return SCREE_OUT_OF_MEMORY;
    mark_all(&p);
    *held = hold_all(&p, dt);
    scree_arena_pop(&world->scratch, mark);
    return SCREE_OK;
}

scree_status scree_rattle_hold_pairs(scree_world *world, double dt, bool again,
                                     bool *held) {
    *held = false;
    if (!world->def.reproducible) TRY(look_at_all(world, dt, again, held));
    *held = scree_world_any(world, *held);
    return SCREE_OK;
}
