/* coarse_seed.c: the first guess of a cold start, coarse.h.
 *
 * Bodies that fall together do not press on each other: sweeps from nothing build up the
 * load from the floor, layer by layer, and there is nothing to scale where it has not
 * come to. So a cold start begins with a pressure that depends on the height alone, as
 * in a fluid: all closed contacts carry alike, a seed that would stop the lighter body,
 *     P_N = s(z) seed,   P_T = 0,
 * and s >= 0 solves the coarse equations at u_free with the seeds as percussions. What
 * falls freely gets s = 0. Sweeps from there have to mend what is local only.
 *
 * Bed of 100 000 spheres, 41 layers: an error of 0.17 g dt after 100 sweeps in place of
 * 0.24, 90 sweeps to a residual of 3.5e-4 in place of 115. Beds that are made alike, from a
 * close packing, take as many whatever their depth: 10 000 take 91, 20 000 91, 100 000 90.
 * How they are packed matters more: 10 000 that have fallen from a loose lattice take 60,
 * 30 000 take 81.
 * More pressure upwards than sideways, or seeds divided by the number of a body's
 * contacts, take more sweeps. */
#include <string.h>

#include "solvers/coarse/coarse_parts.h"

/* Of the lighter body that moves [kg]; 0: of none. */
static double least_mass(const scree_problem *p, const scree_row *row) {
    double inv_m = 0;
    if (row->a < p->n_body) inv_m = fmax(inv_m, p->u[row->a].inv_m);
    if (row->b < p->n_body) inv_m = fmax(inv_m, p->u[row->b].inv_m);
    return inv_m > 0 ? 1 / inv_m : 0;
}

/* Of a contact that is closed; a tied one's friction would have to follow. */
static double seed_of(const scree_problem *p, const scree_row *row) {
    const bool closed = dot(row->n, row->c) <= 0;
    if (!closed || scree_row_is_tied(row)) return 0;
    return least_mass(p, row) * sqrt(p->free.max2);
}

static void seed_chunk(scree_coarse *c, int chunk, int64_t first,
                       int64_t last) {
    (void)chunk;
    for (int64_t i = first; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            const scree_row row = row_of_block(c->p, i, lane);
            scree_coarse_loads(c->p, i)[lane] = seed_of(c->p, &row);
        }
}

static void grow_chunk(scree_coarse *c, int chunk, int64_t first,
                       int64_t last) {
    (void)chunk;
    for (int64_t i = first; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            double *P_n = &scree_coarse_loads(c->p, i)[lane];
            if (!(*P_n > 0)) continue;
            const scree_row row = row_of_block(c->p, i, lane);
            *P_n *= scree_coarse_factor(c, &row);
        }
}

static void clear_chunk(scree_coarse *c, int chunk, int64_t first,
                        int64_t last) {
    (void)chunk;
    for (int64_t i = first; i < last; ++i)
        memset(scree_coarse_loads(c->p, i), 0, SCREE_LANES * sizeof(double));
}

/* Do contacts approach no faster than a step of free fall gives, but for some? In what
 * lands or flows there are hits and slips, whose percussions are no pressure: with seeds
 * there a collapsing column took four times the sweeps. */
static bool may_rest(const scree_problem *p) {
    return p->free.sum2 <= p->free.count * p->speed * p->speed;
}

scree_coarse_result scree_coarse_seed(scree_coarse *c) {
    if (!may_rest(c->p) || !scree_coarse_has_layers(c))
        return SCREE_COARSE_UNFIT;
    scree_coarse_for_chunks(c, seed_chunk);
    if (!scree_coarse_find_factors(c, 0, INFINITY)) {
        scree_coarse_for_chunks(c, clear_chunk);
        return SCREE_COARSE_SMALL;
    }
    scree_coarse_for_chunks(c, grow_chunk);
    scree_problem_apply(c->p);
    return SCREE_COARSE_CHANGED;
}
