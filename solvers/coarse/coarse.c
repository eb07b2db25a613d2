#include "solvers/coarse/coarse.h"

#include "engine/base/error.h"
#include "solvers/coarse/coarse_parts.h"

/* Of the rows, joints: with fewer contacts are what sweeps are slow at. */
static const double JOINTS = 0.25;
/* Sweeps before the first correction; where a warm start leaves little to do; and after
 * a seed, whose loads are right in the mean: the local errors that sweeps remove make
 * the first corrections halve them. */
enum { FIRST = 9, FIRST_WARM = 20, FIRST_SEEDED = 40 };
static const double WARM = 1e-2;
/* Warm starts, only if the residual stays above this: a bed of 10 000 at rest is below. */
static const double AT_REST = 3e-4;
/* Sweeps that follow a correction at least, and how far above the tolerance. */
enum { AFTER = 10, BETWEEN = 5 };
static const double ABOVE = 3;
/* A step of all bodies that pays leaves less than this of the residual. */
static const double PAYS = 0.5;
/* Where sweeps alone divide the residual by more than this from check to check they
 * need no help. */
static const double FAST = 3;
/* Checks that are passed over where there is nothing to correct: 1, 3, 7; after scaling
 * in vain, which made the residual rise: 4, 16, 64. */
enum { MOST_FAILS = 3 };

static scree_status make_room(scree_coarse *c, scree_arena *scratch) {
    scree_layers *l = &c->layers;
    const size_t bodies = (size_t)c->p->n_body + 1, n = SCREE_COARSE_NODES;
    l->height = scree_arena_push(scratch, bodies * sizeof *l->height);
    l->touched = scree_arena_push(scratch, bodies * sizeof *l->touched);
    l->mass = scree_arena_push(scratch, n * sizeof *l->mass);
    l->s = scree_arena_push(scratch, n * sizeof *l->s);
    l->matrix = scree_arena_push(scratch, n * n * sizeof *l->matrix);
    l->pivot = scree_arena_push(scratch, n * sizeof *l->pivot);
    l->sums =
        scree_arena_push(scratch, SCREE_COARSE_CHUNKS * n * sizeof *l->sums);
    return l->height && l->touched && l->mass && l->s && l->matrix &&
                   l->pivot && l->sums
               ? SCREE_OK
               : SCREE_OUT_OF_MEMORY;
}

/* Ends soon after a warm start. */
static bool any_percussion(const scree_problem *p) {
    const int64_t n = scree_problem_blocks(p);
    for (int64_t i = 0; i < n; ++i) {
        const double *P_n = scree_coarse_loads(p, i);
        for (int l = 0; l < SCREE_LANES; ++l)
            if (P_n[l] > 0) return true;
    }
    return false;
}

scree_status scree_coarse_begin(scree_coarse *c, scree_problem *p,
                                const scree_solver_options *options, int pace,
                                scree_arena *scratch) {
    *c = (scree_coarse){
        .p = p,
        .on = options->coarse == SCREE_COARSE_AUTO && p->x,
        .most = options->iterations,
        .tolerance = options->tolerance,
        .pace = pace,
        .first = INFINITY,
        .last = INFINITY,
        .before = INFINITY,
        .scratch = scratch,
    };
    if (!c->on) return SCREE_OK;
    c->small = scree_coarse_is_small(p);
    if (p->n_bars > 0) /* scaling knows of cones alone */
        c->on = c->small && (double)p->n_bars >= JOINTS * (double)p->n_contact;
    if (!c->on) return SCREE_OK;
    c->cold = !scree_problem_any(p, any_percussion(p));
    if (c->small) {
        c->free = scree_problem_size(p);
        TRY(scree_coarse_make_bodies(c));
    }
    return make_room(c, scratch);
}

static void give_up(scree_coarse *c, bool harmed) {
    if (c->fails < MOST_FAILS) ++c->fails;
    c->wait = harmed && !c->small ? 1 << 2 * c->fails : (1 << c->fails) - 1;
}

void scree_coarse_watch(scree_coarse *c, double residual) {
    if (c->sweeps == 0) c->first = residual;
    c->prior = c->last, c->last = residual;
    if (residual > (c->small ? PAYS : 1) * c->before)
        give_up(c, true);
    else if (isfinite(c->before))
        c->fails = 0;
    c->before = INFINITY;
}

/* After scaling the residual rises at first. */
static bool suits_layers(const scree_coarse *c) {
    const bool warm = c->first < WARM;
    const int first = c->seeded ? FIRST_SEEDED : warm ? FIRST_WARM : FIRST;
    return !(warm && c->last < AT_REST) && c->sweeps >= c->pace * first &&
           c->most - c->sweeps >= c->pace * AFTER &&
           c->sweeps - c->at >= c->pace * BETWEEN &&
           c->last > ABOVE * c->tolerance && FAST * c->last > c->prior;
}

/* Is it time for a correction? */
static bool is_time(scree_coarse *c) {
    if (!c->on || c->sweeps == 0 || !(c->small || suits_layers(c)))
        return false;
    if (c->wait == 0) return true;
    --c->wait;
    return false;
}

/* u_last becomes u - u_last, and back. */
static void turn_over(const scree_problem *p, scree_twist *u_last) {
    for (int32_t i = 0; u_last && i < p->n_body; ++i) {
        u_last[i].v = sub(p->u[i].v, u_last[i].v);
        u_last[i].w = sub(p->u[i].w, u_last[i].w);
    }
}

static scree_coarse_result correct_once(scree_coarse *c) {
    if (c->small) {
        const scree_coarse_result r = scree_coarse_move_bodies(c);
        c->small = r != SCREE_COARSE_UNFIT;
        c->on = c->small || c->p->n_bars == 0;
        if (c->small || !c->on || !suits_layers(c)) return r;
    }
    return scree_coarse_scale_layers(c);
}

bool scree_coarse_improve(scree_coarse *c, scree_twist *u_last, int count) {
    bool changed = false;
    if (c->cold && c->sweeps == 0 && !c->small)
        c->seeded = scree_coarse_seed(c) == SCREE_COARSE_CHANGED;
    if (is_time(c)) {
        turn_over(c->p, u_last);
        const scree_coarse_result r = correct_once(c);
        turn_over(c->p, u_last);
        changed = r == SCREE_COARSE_CHANGED;
        if (changed) c->before = c->last, c->at = c->sweeps;
        if (r == SCREE_COARSE_SMALL) give_up(c, false);
        if (r == SCREE_COARSE_UNFIT) c->on = c->on && !c->layers.made;
    }
    c->sweeps += count;
    return changed;
}
