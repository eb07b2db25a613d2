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
 * radius (contact/narrow/touch.h) and overlap on the way. They are looked at as they are
 * turned at the end of the step.
 *
 * A body that is held back or pushed on by one may then pass another, or end in it: sweeps
 * over the pairs follow each other, here and from round to round, until none passes. In a
 * sweep a pair is moved if it comes first at both of its bodies, in an order drawn from
 * their ids: none is then moved by two pairs at once, and the result depends neither on
 * the order of the list nor on which rank has which pair. The others follow in the next
 * sweeps, from where bodies are by then.
 *
 * What held bodies overlap at the end is worked off in the same way, by moving positions
 * along normals; and so is what bodies overlap that turn by half a radian or more in the
 * step, and what a half space has swallowed by half of a body. Percussions of stage 1
 * would do it by velocities, along directions of q_n which have nothing to do with where
 * bodies then touch: 700 discs that fall into a bin with 6 sizes in a step made 30 times
 * their energy so. What positions gain in the field of gravity is booked as recovery_work.
 *
 * Over ranks, the one that has a pair looks at it; all copies of a body learn which pair
 * comes first, and by how much it is moved. A reproducible world must not depend on which
 * pairs its list happens to have: there the list is made to reach as far as the bodies
 * may be moved before the next look, and pairs that would be moved farther wait for that.
 *
 * Where all bodies are slow this costs nothing but to see that. */
#include <string.h>

#include "contact/narrow/meeting.h"
#include "contact/narrow/touch.h"
#include "engine/base/random.h"
#include "engine/rattle/world_rattle.h"

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
enum { SWEEPS = 300 };
/* Share of an overlap that is worked off in the end. */
static const double BEYOND = 1.4;
/* What a list is asked for, over what was missed. */
static const double ASKED = 1.5;

/* What a pair of the list is to do. */
typedef struct wish {
    double turn; /* the least at both bodies acts; INFINITY: none */
    bool listed;
    scree_vec3 way; /* of a as seen from b, or from the wall [m] */
} wish;

/* way, 1 if there is one */
enum { MOVE = 4 };

typedef struct passing {
    scree_world *world;
    scree_scene scene;
    double dt;      /* [s] */
    double deepest; /* overlap that the rounds leave [m] */
    scree_passes look;
    bool looks_only;
    bool bounded; /* bodies may be moved as far as the list reaches only */
    bool waits;   /* some must wait for another list */
    int sweep;
    bool *goes;   /* (bodies) by more than a little */
    bool *moved;  /* (bodies) since pairs were looked at */
    wish *wishes; /* (pairs) */
    int64_t n_wish;
    int64_t *wishing;             /* (n_wish) pairs that may have one */
    int64_t *first_of, *pairs_of; /* (bodies + 1), pairs of each body */
    double *first;                /* (bodies) least turn, on all ranks */
    double *moves;                /* (bodies x MOVE) */
    /* If bounded: */
    scree_vec3
        *start;    /* (bodies) where they were when the list was found [m] */
    double *limit; /* (bodies) how far it reaches [m] */
    double *asked; /* (bodies) how far it should, with the other sign [m] */
} passing;

static scree_vec3 way_of(const scree_world *world, int32_t i) {
    return sub(world->state.bodies.x[i].x, pose_at_begin(world, i)->x);
}

bool scree_rattle_turns_far(const scree_world *world, int32_t i, double dt) {
    const scree_bodies *b = &world->state.bodies;
    return b->form[i] >= 0 && dt * norm(b->u[i].w) > SCREE_RATTLE_TURN;
}

static void mark_all(const passing *p) {
    const scree_world *world = p->world;
    const bool all = p->look == SCREE_PASSES_LAST;
    for (int32_t i = 0; i < world->state.bodies.n; ++i) {
        p->goes[i] =
            all || scree_rattle_goes_far(world, i, way_of(world, i), p->dt);
    }
}

/* ---- one pair ------------------------------------------------------------------ */

/* The share of the way after which the two are to stop; more than 1: none. */
static double share_of_balls(const passing *p, const scree_pair *pair,
                             scree_vec3 d, scree_vec3 way) {
    const scree_ball *x = p->world->state.bodies.x;
    const double r = fmin(x[pair->a].r, x[pair->b].r);
    const double radii = x[pair->a].r + x[pair->b].r;
    const double near = SCREE_RATTLE_NEAR * p->world->scene.r_min;
    const bool closed = norm(d) - radii <= CLOSED_GAP * p->world->scene.r_min;
    double at;
    if (scree_gap_on_way(d, way, radii, &at) >=
        -(closed ? GRAZED * r : p->deepest))
        return INFINITY;
    const double share = fmax(0, scree_touch_on_way(d, way, radii));
    const scree_vec3 end = add(d, way), touch = add_scaled(d, share, way);
    const bool parts = norm(end) > radii + near;
    const bool turned = dot(end, touch) < TURNED * norm(end) * norm(touch);
    const bool far = p->look == SCREE_PASSES_FIRST && norm(way) > RESOLVED * r;
    return parts || turned || far ? share : INFINITY;
}

static bool is_round(const scree_bodies *b, const scree_pair *pair) {
    return b->form[pair->a] < 0 && pair->b >= 0 && b->form[pair->b] < 0;
}

/* The deepest overlap of the two where they are now. */
static scree_touch overlap_of(const passing *p, const scree_pair *pair) {
    scree_touch t[SCREE_TOUCHES], least = {.g = 0};
    scree_separation apart = {.gap = 0};
    if (is_round(&p->world->state.bodies, pair)) {
        scree_contact c;
        scree_spheres_apart(scree_scene_apart(&p->scene, pair),
                            p->scene.x[pair->a].r, p->scene.x[pair->b].r, &c);
        return (scree_touch){.n = c.n, .g = c.g};
    }
    const int n = scree_pair_touch(&p->scene, pair, 0, &apart, t);
    for (int i = 0; i < n; ++i)
        if (t[i].g < least.g) least = t[i];
    return least;
}

/* By more than `most`? Writes the way that parts them: in late sweeps, when crowds are to
 * come to an end, a little farther. */
static bool pair_overlaps(const passing *p, const scree_pair *pair, double most,
                          scree_vec3 *way) {
    const scree_touch t = overlap_of(p, pair);
    const bool last = p->look == SCREE_PASSES_LAST;
    *way = scale(last ? p->deepest - BEYOND * t.g : -t.g, t.n);
    return t.g < -most;
}

/* Do the balls around them? */
static bool is_near(const passing *p, const scree_pair *pair) {
    const scree_ball *x = &p->scene.x[pair->a], *y = &p->scene.x[pair->b];
    const scree_vec3 d = scree_scene_apart(&p->scene, pair);
    return dot(d, d) < (x->r + y->r) * (x->r + y->r);
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

/* As they are turned at the end they may overlap where the way begins: that says nothing,
 * unless they end on the other side of each other. */
static double share_of_solids(const passing *p, const scree_pair *pair,
                              scree_vec3 d, scree_vec3 way) {
    if (!scree_rattle_is_fast(&p->scene, pair, norm(way))) return INFINITY;
    if (p->look != SCREE_PASSES_FIRST && overlap_of(p, pair).g < 0)
        return INFINITY;
    const double inner = least_inner_radius(p, pair);
    const double depth = p->look != SCREE_PASSES_FIRST ? GRAZED : DEPTH;
    const double share = scree_pair_meeting(
        &p->scene, pair, d, way, fmax(depth * inner, 2 * p->deepest));
    return share > 0 || dot(add(d, way), d) < 0 ? share : INFINITY;
}

static bool is_lost(const passing *p, int32_t i) {
    return is_late(p->world, i) || scree_rattle_turns_far(p->world, i, p->dt);
}

/* Bodies that are held back, or turn far, may be so among others. Percussions that part
 * them again would throw them. */
static bool is_parted(const passing *p, const scree_pair *pair,
                      scree_vec3 *way) {
    if (p->look == SCREE_PASSES_LAST)
        return is_near(p, pair) && pair_overlaps(p, pair, p->deepest, way);
    return (is_lost(p, pair->a) || is_lost(p, pair->b)) &&
           pair_overlaps(p, pair, CROWDED * least_inner_radius(p, pair), way);
}

/* Is the pair to be moved, and by which way as seen from each other? */
static bool is_held(const passing *p, const scree_pair *pair,
                    scree_vec3 *back) {
    const scree_world *world = p->world;
    const scree_bodies *b = &world->state.bodies;
    const scree_vec3 d = apart_at_begin(world, pair->image, pair->a, pair->b);
    scree_vec3 way = sub(way_of(world, pair->a), way_of(world, pair->b));
    if (pair->image) /* that of the cell is part of it */
        way = sub(scree_scene_apart(&p->scene, pair), d);
    const double radii = b->x[pair->a].r + b->x[pair->b].r;
    double at;
    if (b->u[pair->a].inv_m + b->u[pair->b].inv_m == 0) return false;
    if (p->look == SCREE_PASSES_LAST) return is_parted(p, pair, back);
    if (scree_gap_on_way(d, way, radii, &at) >= -p->deepest) return false;
    const double share = is_round(b, pair) ? share_of_balls(p, pair, d, way)
                                           : share_of_solids(p, pair, d, way);
    *back = scale(share - 1, way);
    return share < 1 || is_parted(p, pair, back);
}

/* ---- walls ---------------------------------------------------------------------- */

/* Overlap with the wall that is left to the rounds, in the inner radius. Surfaces have
 * held the body back already. */
static double most_overlap(const passing *p, const scree_pair *pair) {
    const scree_plane *wall = &p->scene.walls[-1 - pair->b];
    if (!wall->exists) return INFINITY;
    if (p->look == SCREE_PASSES_LAST) return 0;
    if (scree_rattle_turns_far(p->world, pair->a, p->dt)) return CROWDED;
    return scree_plane_is_surface(wall) ? INFINITY : RESOLVED;
}

/* Percussions that lift a body out of a wall far would push others as fast. It is put where
 * the rounds would put it. */
static bool is_held_at_wall(const passing *p, const scree_pair *pair,
                            scree_vec3 *way) {
    const double most = most_overlap(p, pair);
    if (most == INFINITY) return false;
    if (p->look == SCREE_PASSES_LAST)
        return pair_overlaps(p, pair, p->deepest, way);
    return pair_overlaps(
        p, pair, most * scree_body_inner_radius(&p->scene, pair->a), way);
}

/* ---- who is moved ---------------------------------------------------------------- */

/* A number that depends on who they are, and on the sweep, so that no pair comes last
 * always. */
static double draw_turn(const passing *p, const scree_pair *pair) {
    const int64_t *id = p->world->state.bodies.id;
    const int64_t b = pair->b >= 0 ? id[pair->b] : pair->b, a = id[pair->a];
    scree_random rng = {(uint64_t)(a < b ? a : b)};
    rng.state = scree_random_next(&rng) + (uint64_t)(a < b ? b : a);
    rng.state = scree_random_next(&rng) + (uint64_t)p->sweep;
    return scree_random_unit(&rng);
}

/* What the wish of a pair is for one of its bodies. */
static scree_vec3 way_for(const passing *p, const scree_pair *pair, int32_t i,
                          scree_vec3 way) {
    const scree_twist *u = p->world->state.bodies.u;
    if (pair->b < 0) return way;
    const double all = u[pair->a].inv_m + u[pair->b].inv_m;
    return scale((i == pair->a ? 1 : -1) * u[i].inv_m / all, way);
}

/* How far the list must know of the body, if it is moved. */
static double reach_for(const passing *p, int32_t i, scree_vec3 way) {
    const scree_bodies *b = &p->world->state.bodies;
    const scree_vec3 x = add(b->x[i].x, way);
    return norm(sub(x, p->start[i])) + norm(sub(x, b->begin[i].x));
}

/* If the list does not, more is asked for. */
static bool leaves_list(passing *p, int32_t i, scree_vec3 way) {
    const double reach = reach_for(p, i, way);
    if (reach <= p->limit[i]) return false;
    p->asked[i] = fmin(p->asked[i], -ASKED * reach);
    return true;
}

static bool must_wait(passing *p, const scree_pair *pair, scree_vec3 way) {
    if (!p->bounded) return false;
    const bool a = leaves_list(p, pair->a, way_for(p, pair, pair->a, way));
    if (pair->b < 0) return a;
    return leaves_list(p, pair->b, way_for(p, pair, pair->b, way)) || a;
}

/* The next list is to know as much of bodies as was asked for on any rank. */
static scree_status ask_for_list(passing *p, bool *waits) {
    const scree_bodies *b = &p->world->state.bodies;
    *waits = scree_world_any(p->world, p->waits);
    if (!*waits) return SCREE_OK;
    TRY(scree_world_share_least(p->world, p->asked, 1));
    for (int32_t i = 0; i < b->n; ++i)
        b->begin[i].reach = fmax(b->begin[i].reach, -p->asked[i]);
    return SCREE_OK;
}

static bool is_looked_at(const passing *p, const scree_pair *pair) {
    return p->goes[pair->a] || (pair->b >= 0 && p->goes[pair->b]);
}

static wish wish_of(passing *p, const scree_pair *pair) {
    const wish none = {.turn = INFINITY};
    wish w = {.turn = 0};
    if (!is_looked_at(p, pair)) return none;
    if (!(pair->b < 0 ? is_held_at_wall(p, pair, &w.way)
                      : is_held(p, pair, &w.way)))
        return none;
    if (!must_wait(p, pair, w.way)) return w;
    p->waits = true;
    return none;
}

static void look_at_pair(passing *p, int64_t k) {
    wish *w = &p->wishes[k];
    const bool listed = w->listed;
    *w = wish_of(p, &p->world->state.broad.pairs[k]);
    w->listed = listed || w->turn < INFINITY;
    if (w->listed && !listed) p->wishing[p->n_wish++] = k;
}

/* Leaves those that have one. Are there any, on any rank? */
static bool any_wish(passing *p) {
    int64_t n = 0;
    for (int64_t j = 0; j < p->n_wish; ++j) {
        const int64_t k = p->wishing[j];
        p->wishes[k].listed = p->wishes[k].turn < INFINITY;
        if (p->wishes[k].listed) p->wishing[n++] = k;
    }
    p->n_wish = n;
    return scree_world_any(p->world, n > 0);
}

static bool look_at_pairs(passing *p) {
    p->n_wish = 0;
    for (int64_t k = 0; k < p->world->state.broad.n_pair; ++k) {
        p->wishes[k].listed = false;
        look_at_pair(p, k);
    }
    return any_wish(p);
}

static bool look_at_moved(passing *p) {
    for (int32_t i = 0; i < p->world->state.bodies.n; ++i)
        for (int64_t j = p->first_of[i]; p->moved[i] && j < p->first_of[i + 1];
             ++j)
            look_at_pair(p, p->pairs_of[j]);
    return any_wish(p);
}

/* Pair k is one of those of its bodies: counts, then places from the ends on. */
static void count_pair(passing *p, int32_t i, int64_t k, bool put) {
    if (i < 0) return;
    if (put)
        p->pairs_of[--p->first_of[i + 1]] = k;
    else
        ++p->first_of[i + 1];
}

static void go_through(passing *p, bool put) {
    for (int64_t k = 0; k < p->world->state.broad.n_pair; ++k) {
        count_pair(p, p->world->state.broad.pairs[k].a, k, put);
        count_pair(p, p->world->state.broad.pairs[k].b, k, put);
    }
}

static scree_status sort_pairs(passing *p) {
    scree_arena *scratch = &p->world->scratch;
    const size_t n = (size_t)p->world->state.bodies.n + 2;
    const size_t pairs = (size_t)p->world->state.broad.pair_capacity;
    p->first_of = scree_arena_push(scratch, n * sizeof *p->first_of);
    p->pairs_of = scree_arena_push(scratch, 2 * pairs * sizeof *p->pairs_of);
    if (!p->first_of || !p->pairs_of) return SCREE_OUT_OF_MEMORY;
    memset(p->first_of, 0, n * sizeof *p->first_of);
    go_through(p, false);
    for (size_t i = 1; i < n; ++i) p->first_of[i] += p->first_of[i - 1];
    go_through(p, true);
    ++p->first_of; /* ends have become beginnings */
    return SCREE_OK;
}

static const scree_pair *wishing_pair(const passing *p, int64_t j, wish **w) {
    *w = &p->wishes[p->wishing[j]];
    return &p->world->state.broad.pairs[p->wishing[j]];
}

static scree_status find_first(passing *p) {
    wish *w;
    for (int32_t i = 0; i < p->world->state.bodies.n; ++i)
        p->first[i] = INFINITY;
    for (int64_t j = 0; j < p->n_wish; ++j) {
        const scree_pair *pair = wishing_pair(p, j, &w);
        w->turn = draw_turn(p, pair);
        p->first[pair->a] = fmin(p->first[pair->a], w->turn);
        if (pair->b >= 0) p->first[pair->b] = fmin(p->first[pair->b], w->turn);
    }
    return scree_world_share_least(p->world, p->first, 1);
}

/* ---- moves ------------------------------------------------------------------------- */

static void plan_move(passing *p, int32_t i, scree_vec3 way) {
    double *move = &p->moves[MOVE * (size_t)i];
    vec_to(way, move);
    move[3] = 1;
}

static scree_status plan_moves(passing *p) {
    wish *w;
    memset(p->moves, 0,
           MOVE * (size_t)p->world->state.bodies.n * sizeof *p->moves);
    for (int64_t j = 0; j < p->n_wish; ++j) {
        const scree_pair *pair = wishing_pair(p, j, &w);
        if (w->turn > p->first[pair->a]) continue;
        if (pair->b >= 0 && w->turn > p->first[pair->b]) continue;
        plan_move(p, pair->a, way_for(p, pair, pair->a, w->way));
        if (pair->b >= 0)
            plan_move(p, pair->b, way_for(p, pair, pair->b, w->way));
    }
    return scree_world_share_sums(p->world, p->moves, MOVE);
}

/* Adding 0 makes -0 a 0, as sums over ranks do. */
static void move_all(passing *p) {
    scree_bodies *b = &p->world->state.bodies;
    const scree_vec3 zero = {0, 0, 0};
    for (int32_t i = 0; i < b->n; ++i) {
        const double *move = &p->moves[MOVE * (size_t)i];
        const scree_vec3 way =
            scree_world_way(p->world, add(vec_from(move), zero));
        p->moved[i] = move[3] > 0;
        if (!p->moved[i]) continue;
        b->begin[i].late = sub(b->begin[i].late, way);
        b->x[i].x = add(b->x[i].x, way);
        p->goes[i] = p->world->step.held_back = true;
    }
}

static scree_status sweep_pairs(passing *p, bool *held) {
    *held = look_at_pairs(p);
    if (*held) TRY(sort_pairs(p));
    for (bool any = *held; any && p->sweep < SWEEPS; ++p->sweep) {
        TRY(find_first(p));
        TRY(plan_moves(p));
        move_all(p);
        any = look_at_moved(p);
    }
    for (int32_t i = 0; i < p->world->state.bodies.n && *held; ++i)
        if (p->goes[i]) scree_rattle_hold_back(p->world, i, p->dt);
    bool waits;
    TRY(ask_for_list(p, &waits));
    *held |= waits;
    return SCREE_OK;
}

static scree_status look_once(passing *p, bool *held) {
    *held = look_at_pairs(p);
    return SCREE_OK;
}

/* In a reproducible world. */
static scree_status set_bounds(passing *p) {
    scree_arena *scratch = &p->world->scratch;
    const scree_bodies *b = &p->world->state.bodies;
    const size_t n = (size_t)b->n;
    p->start = scree_arena_push(scratch, n * sizeof *p->start);
    p->limit = scree_arena_push(scratch, n * sizeof *p->limit);
    p->asked = scree_arena_push(scratch, n * sizeof *p->asked);
    if (!p->start || !p->limit || !p->asked) return SCREE_OUT_OF_MEMORY;
    for (int32_t i = 0; i < b->n; ++i) {
        p->start[i] = b->x[i].x;
        p->limit[i] = scree_rattle_reach(p->world, i, b->x[i].x);
        p->asked[i] = 0;
    }
    return SCREE_OK;
}

static scree_status look_at_all(passing *p, bool *held) {
    scree_arena *scratch = &p->world->scratch;
    const size_t n = (size_t)p->world->state.bodies.n;
    const size_t pairs = (size_t)p->world->state.broad.pair_capacity;
    p->goes = scree_arena_push(scratch, n);
    p->moved = scree_arena_push(scratch, n);
    p->wishes = scree_arena_push(scratch, pairs * sizeof *p->wishes);
    p->wishing = scree_arena_push(scratch, pairs * sizeof *p->wishing);
    p->first = scree_arena_push(scratch, n * sizeof *p->first);
    p->moves = scree_arena_push(scratch, MOVE * n * sizeof *p->moves);
    if (!p->goes || !p->moved || !p->wishes || !p->wishing || !p->first ||
        !p->moves)
        return SCREE_OUT_OF_MEMORY;
    mark_all(p);
    if (p->bounded) TRY(set_bounds(p));
    return p->looks_only ? look_once(p, held) : sweep_pairs(p, held);
}

static scree_status look_for(scree_world *world, double dt, scree_passes look,
                             bool looks_only, bool *held) {
    const scree_bodies *b = &world->state.bodies;
    const size_t mark = scree_arena_mark(&world->scratch);
    passing p = {.world = world,
                 .dt = dt,
                 .scene = {.n = b->n,
                           .cell = world->scene.cell,
                           .x = b->x,
                           .q = b->q,
                           .form = b->form,
                           .forms = world->scene.forms,
                           .general = world->scene.general,
                           .n_wall = world->scene.n_wall,
                           .walls = world->scene.planes},
                 .deepest = scree_rattle_tolerance(world) * world->scene.r_min,
                 .look = look,
                 .looks_only = looks_only,
                 .bounded = world->def.reproducible && !looks_only};
    TRY(look_at_all(&p, held));
    scree_arena_pop(&world->scratch, mark);
    return SCREE_OK;
}

scree_status scree_rattle_any_passes(scree_world *world, double dt,
                                     scree_passes look, bool *any) {
    return look_for(world, dt, look, true, any);
}

scree_status scree_rattle_hold_pairs(scree_world *world, double dt,
                                     scree_passes look, bool *held) {
    return look_for(world, dt, look, false, held);
}
