#include "engine/measure/network.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/exact_sum.h"
#include "engine/measure/bodies.h"
#include "engine/measure/load.h"
#include "engine/world/ranks.h"

typedef struct scree_large_force large;

/* Friction at this share of its bound counts as sliding: solves end at a tolerance. */
static const double SLIDES = 0.999;

/* ---- bodies ------------------------------------------------------------------- */

typedef enum counts {
    BODIES,
    IDLE,
    RATTLERS,
    TOUCHES,
    TOUCHES_M,
    COUNTS
} counts;

static void count_bodies(const scree_world *world, const double *touches,
                         scree_network *w) {
    int64_t n[COUNTS] = {0};
    for (int32_t i = 0; i < world->state.bodies.n; ++i) {
        if (!scree_world_owns(world, i)) continue;
        const int64_t z = (int64_t)touches[i];
        n[BODIES]++;
        n[IDLE] += z == 0;
        n[RATTLERS] += z < 2;
        n[TOUCHES] += z;
        n[TOUCHES_M] += z < 2 ? 0 : z;
    }
    if (world->ranks.domain)
        scree_comm_sum_counts(scree_world_comm(world), n, COUNTS);
    w->bodies = n[BODIES], w->idle = n[IDLE], w->rattlers = n[RATTLERS];
    const int64_t m = n[BODIES] - n[RATTLERS];
    w->Z = n[BODIES] ? (double)n[TOUCHES] / (double)n[BODIES] : (double)NAN;
    w->Z_m = m ? (double)n[TOUCHES_M] / (double)m : (double)NAN;
}

/* ---- the largest forces ------------------------------------------------------- */

/* The larger first, then by ids. */
static int compare_forces(const void *p, const void *q) {
    const large *x = p, *y = q;
    if (x->force != y->force) return x->force > y->force ? -1 : 1;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

/* Into the sorted list, if it is large enough. */
static void insert_force(scree_network *w, const large *one) {
    int k = w->found;
    if (k < w->n_largest)
        w->found++;
    else if (k == 0 || compare_forces(one, &w->largest[k - 1]) >= 0)
        return;
    else
        k--;
    for (; k > 0 && compare_forces(one, &w->largest[k - 1]) < 0; --k)
        w->largest[k] = w->largest[k - 1];
    w->largest[k] = *one;
}

/* What each rank has found goes to all. */
static scree_status share_largest(const scree_world *world, scree_network *w) {
    if (!world->ranks.domain) return SCREE_OK;
    const scree_comm *comm = scree_world_comm(world);
    const size_t size = sizeof w->largest;
    large *all = calloc((size_t)comm->size, size);
    TRY(scree_comm_agree(comm, all ? SCREE_OK : SCREE_OUT_OF_MEMORY, NULL));
    memset(w->largest + w->found, 0,
           size - (size_t)w->found * sizeof *w->largest);
    scree_comm_gather(comm, w->largest, size, all);
    w->found = 0;
    for (int k = 0; k < comm->size * SCREE_NETWORK_LARGEST; ++k)
        if (all[k].force > 0) insert_force(w, &all[k]);
    free(all);
    return SCREE_OK;
}

/* ---- contacts ----------------------------------------------------------------- */

enum { FORCE, FABRIC, SUMS = FABRIC + 6 };

static void add_fabric(scree_exact_sum *sums, scree_vec3 n) {
    const double x[6] = {n.x * n.x, n.y * n.y, n.z * n.z,
                         n.x * n.y, n.y * n.z, n.x * n.z};
    for (int k = 0; k < 6; ++k) scree_exact_add(&sums[k], x[k]);
}

static int bin_of(double share, int bins) {
    const double k = floor(share * bins);
    return k < 0 ? 0 : k < bins ? (int)k : bins - 1;
}

/* What does not need the mean force. */
static void look_at_load(const scree_load *load, double dt, scree_network *w,
                         scree_exact_sum *sums) {
    w->contacts++;
    scree_exact_add(&sums[FORCE], load->P_n / dt);
    add_fabric(sums + FABRIC, load->n);
    insert_force(w, &(large){norm(load->P) / dt, load->a, load->b});
    if (load->friction > 0 && load->P_n > 0) {
        const double share = load->P_t / (load->friction * load->P_n);
        w->with_friction++;
        w->sliding += share >= SLIDES;
        w->friction[bin_of(share, w->bins)]++;
    }
}

static scree_status look_at_loads(const scree_world *world, scree_network *w,
                                  scree_exact_sum *sums) {
    scree_load_walk walk;
    scree_load load;
    TRY(scree_load_begin(&walk, world));
    while (scree_load_next(&walk, &load))
        look_at_load(&load, world->state.dt, w, sums);
    scree_load_end(&walk);
    return SCREE_OK;
}

static void reduce_loads(const scree_world *world, scree_network *w,
                         scree_exact_sum *sums) {
    int64_t n[3] = {w->contacts, w->sliding, w->with_friction};
    if (world->ranks.domain) {
        const scree_comm *comm = scree_world_comm(world);
        scree_exact_reduce(comm, sums, SUMS);
        scree_comm_sum_counts(comm, n, 3);
        scree_comm_sum_counts(comm, w->friction, w->bins);
    }
    w->contacts = n[0], w->sliding = n[1], w->with_friction = n[2];
    const double by = w->contacts ? (double)w->contacts : (double)NAN;
    w->mean_force = scree_exact_value(&sums[FORCE]) / by;
    for (int k = 0; k < 6; ++k)
        w->fabric[k] = scree_exact_value(&sums[FABRIC + k]) / by;
}

static scree_status fill_histogram(const scree_world *world, scree_network *w) {
    scree_load_walk walk;
    scree_load load;
    TRY(scree_load_begin(&walk, world));
    while (scree_load_next(&walk, &load)) {
        const double share = load.P_n / world->state.dt / w->mean_force;
        w->normal[bin_of(share / w->most, w->bins)]++;
    }
    scree_load_end(&walk);
    return SCREE_OK;
}

static scree_status measure_loads(const scree_world *world, scree_network *w) {
    scree_exact_sum sums[SUMS] = {0};
    TRY(scree_world_agree_on(world, look_at_loads(world, w, sums), NULL));
    reduce_loads(world, w, sums);
    TRY(share_largest(world, w));
    TRY(scree_world_agree_on(world, fill_histogram(world, w), NULL));
    if (world->ranks.domain)
        scree_comm_sum_counts(scree_world_comm(world), w->normal, w->bins);
    return SCREE_OK;
}

scree_status scree_network_measure(const scree_world *world, scree_network *w) {
    double *touches = NULL;
    w->contacts = w->sliding = w->with_friction = 0;
    w->found = 0;
    memset(w->normal, 0, (size_t)w->bins * sizeof *w->normal);
    memset(w->friction, 0, (size_t)w->bins * sizeof *w->friction);
    scree_status status = scree_measure_touches(world, &touches);
    if (status == SCREE_OK) {
        count_bodies(world, touches, w);
        status = measure_loads(world, w);
    }
    free(touches);
    return status;
}
