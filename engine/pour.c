/* pour.c: bodies that enter a region over time.
 *
 * By the time t, 1 + floor(rate (t - start)) bodies are due. One that finds no
 * free place waits, and keeps its size while it waits: dropping it for a
 * smaller one would change the distribution. The state is read at most once per
 * call, and only when something is due. On several ranks all draw the same numbers
 * and find the same places (place.h); a body is kept by the rank that owns its
 * place. */
#include "engine/place.h"
#include "engine/world.h"

#include <math.h>

/* A bound on one call's memory and time; what is over it comes a step later. */
enum { POUR_TRIES = 50, POUR_MOST = 10000 };

/* Bodies due by the time t; rounding of t = n dt must not delay one. */
static int64_t due_by(const scree_pour *pour, double t) {
    if (t < pour->start || t >= pour->stop) return 0;
    const double due = 1 + floor(pour->rate * (t - pour->start) + 1e-6);
    return due < (double)pour->count ? (int64_t)fmin(due, 9e18) : pour->count;
}

/* The piece that waits, or a new one that waits from now on. */
static scree_piece next_piece(const scree_pour *pour, scree_pour_state *state) {
    if (state->waiting == 0) {
        const scree_piece drawn = scree_piece_draw(&pour->grain, &state->rng);
        state->waiting = drawn.ball.r;
        state->waiting_shape = drawn.shape;
    }
    return (scree_piece){.ball.r = state->waiting,
                         .shape = state->waiting_shape};
}

static scree_status insert_due(const scree_pour *pour, scree_pour_state *state,
                               int64_t n, scree_place *place,
                               scree_world *world, scree_error *error) {
    for (int64_t k = 0; k < n; k++) {
        scree_piece piece = next_piece(pour, state);
        if (!scree_place_random(place, &pour->region, POUR_TRIES, &state->rng,
                                &piece.ball))
            return SCREE_OK;
        TRY(scree_piece_add(&pour->grain, piece, NULL, &state->rng, world,
                            error));
        state->waiting = 0;
        state->inserted++;
    }
    return SCREE_OK;
}

scree_status scree_pour_advance(const scree_pour *pour, scree_pour_state *state,
                                scree_world *world, scree_error *error) {
    int64_t n = due_by(pour, scree_world_time(world)) - state->inserted;
    if (n <= 0) return SCREE_OK;
    if (n > POUR_MOST) n = POUR_MOST;
    const double r_max = scree_grain_largest(&pour->grain);
    TRY(scree_region_check(&pour->region, r_max, error));
    double min[3], max[3];
    scree_region_bounds(&pour->region, min, max);
    scree_place place;
    TRY(scree_place_init(&place, world, min, max, n, r_max, error));
    const scree_status status =
        insert_due(pour, state, n, &place, world, error);
    scree_place_free(&place);
    return scree_world_agree_on(world, status, error);
}
