/* pour.c: bodies that enter a region over time.
 *
 * By the time t, 1 + floor(rate (t - start)) bodies are due. They enter in the
 * order of their numbers: the first that finds no free place waits, and all
 * later ones wait with it, since taking a smaller one instead would change the
 * distribution of sizes. A body is known from its number (roam.h), so that one
 * that waits need not be stored; it looks elsewhere in each call.
 *
 * Those that are due look for places together (scatter.h), in batches
 *
 *     0, 1 .. 2, 3 .. 6, 7 .. 14, ...
 *
 * until one of them is not placed whole. So the first has nobody in its way,
 * and a call tries about twice as many bodies as enter, however many wait. */
#include "engine/generate/check.h"
#include "engine/generate/roam.h"
#include "engine/world/world.h"

#include <math.h>

/* A bound on one call's memory and time; what is over it comes a step later. */
enum { POUR_MOST = 10000 };
enum { POUR_VISITS = 6 }; /* of a body in a call: 56 tries */
enum { POUR_ROOM = 64 };  /* bodies: most calls need no more memory */

typedef struct pour_run {
    scree_roam roam; /* the first member, for the sower */
    const scree_grain *grain;
} pour_run;

/* Seeds: of the bodies, and of the calls. */
enum { OF_BODIES, OF_CALLS };

static pour_run run_of(const scree_pour *pour, const scree_pour_state *state) {
    const scree_random bodies = scree_random_stream(state->seed, OF_BODIES);
    const scree_random calls = scree_random_stream(state->seed, OF_CALLS);
    return (pour_run){
        .roam = {.region = &pour->region,
                 .first = (uint64_t)state->inserted,
                 .bodies = bodies.state,
                 .visits =
                     scree_random_stream(calls.state, state->calls).state},
        .grain = &pour->grain};
}

static scree_piece piece_at(const void *of, int64_t k) {
    const pour_run *run = of;
    scree_random rng = scree_roam_size(&run->roam, k);
    return scree_piece_draw(run->grain, &rng);
}

/* Bodies due by the time t; rounding of t = n dt must not delay one, nor the first. */
static int64_t due_by(const scree_pour *pour, double t) {
    const double since = pour->rate * (t - pour->start) + 1e-6;
    if (since < 0 || t >= pour->stop) return 0;
    const double due = 1 + floor(since);
    return due < (double)pour->count ? (int64_t)fmin(due, 9e18) : pour->count;
}

/* How many of n, up to the first that waits, find places? */
static scree_status place_due(scree_scatter *s, int64_t n, int64_t *placed) {
    for (int64_t first = 0, end; first < n; first = end) {
        end = 2 * first + 1 < n ? 2 * first + 1 : n;
        const scree_status status = scree_scatter_place(s, first, end);
        if (status == SCREE_NO_ROOM) {
            *placed = scree_scatter_first_waiting(s);
            return SCREE_OK;
        }
        TRY(status);
    }
    *placed = n;
    return SCREE_OK;
}

/* Cells are for all that is in the region, so that of a full one each rank has
 * a part, however few come. */
static scree_status insert_due(const scree_pour *pour,
                               const scree_pour_state *state, int64_t n,
                               int64_t *placed, scree_world *world,
                               scree_error *error) {
    const double r_max = scree_grain_largest(&pour->grain);
    const pour_run run = run_of(pour, state);
    const scree_sower sower =
        scree_roam_sower(&run.roam, piece_at, POUR_VISITS, INT64_MAX);
    scree_scatter s;
    TRY(scree_region_check(&pour->region, r_max, error));
    scree_status status = scree_scatter_begin(&s, &sower, r_max, world);
    if (status == SCREE_OK) {
        scree_scatter_cut(&s, n + s.standing, n < POUR_ROOM ? n : POUR_ROOM,
                          r_max);
        status = place_due(&s, n, placed);
    }
    if (status == SCREE_OK && *placed > 0)
        status = scree_scatter_add(&s, *placed, &pour->grain, world, error);
    return scree_scatter_end(&s, status, "pour", n, error);
}

scree_status scree_pour_advance(const scree_pour *pour, scree_pour_state *state,
                                scree_world *world, scree_error *error) {
    TRY(scree_pour_check(pour, world, error));
    const int64_t due = due_by(pour, scree_world_time(world)) - state->inserted;
    const int64_t n = due < POUR_MOST ? due : POUR_MOST;
    int64_t placed;
    if (n <= 0) return SCREE_OK;
    TRY(insert_due(pour, state, n, &placed, world, error));
    state->inserted += placed;
    state->calls++;
    return SCREE_OK;
}
