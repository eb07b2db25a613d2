/* measure.c: sums over the contacts of a problem: how large xi is, the
 * residual. */
#include <string.h>

#include "engine/base/assert.h"
#include "solvers/problem/kernel.h"
#include "solvers/problem/parts.h"
#include "solvers/problem/round.h"

/* ---- sums, chunk by chunk ------------------------------------------------ */

/* Calls part(p, first, last, partial) for chunks of blocks, by the members of the
 * team that work on them in sweeps, who have them in their caches; the partial
 * sums are added in the order of the chunks, so that the bits do not depend on
 * the number of threads. */
typedef void sum_part(const scree_problem *p, int64_t first, int64_t last,
                      double *partial);

/* Lane l of block i. An unused lane has rho_n = 0. */
static scree_row general_at(const scree_problem *p, int64_t i, int lane) {
    return row_of_general(p, &p->generals[i - p->round.n_block], lane);
}

typedef struct sum_task {
    const scree_problem *p;
    sum_part *part;
} sum_task;

static void sum_share(void *context, const scree_team *team) {
    const sum_task *t = context;
    const int64_t n = scree_problem_blocks(t->p);
    for (int64_t c = 0; c < scree_problem_chunks(t->p); ++c) {
        const int64_t begin = c * SCREE_SUM_CHUNK;
        const int64_t most = begin + SCREE_SUM_CHUNK, end = most < n ? most : n;
        if (scree_team_has(team, scree_problem_part_of(t->p, begin, end)))
            t->part(t->p, begin, end, &t->p->partial[SCREE_PARTIALS * c]);
    }
}

static void for_chunks(const scree_problem *p, sum_part *part) {
    sum_task t = {p, part};
    scree_team_run(scree_problem_threads(p), sum_share, &t);
}

/* |xi|^2 and the fastest approach; a joint counts with all of what it misses. */
static double size_of_row(const scree_row *row, const scree_twist *u,
                          double *approach) {
    if (scree_row_is_joint(row)) {
        const bars_map m = row_joint_map(row, u);
        *approach = m.normal;
        return m.xi2;
    }
    const scree_vec3 xi = row_xi(row, &u[row->a], &u[row->b]);
    *approach = -dot(row->n, xi);
    return row_size2(row, xi);
}

static void xi_part(const scree_problem *p, int64_t first, int64_t last,
                    double *partial) {
    const int64_t middle = scree_problem_end_of_round(p, first, last);
    scree_size size = {0};
    scree_round_size(p, first, middle, &size);
    for (int64_t i = middle; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            const scree_row row = general_at(p, i, lane);
            double approach;
            const double xi2 = size_of_row(&row, p->u, &approach);
            size.sum2 += xi2;
            size.max2 = fmax(size.max2, xi2);
            size.approach = fmax(size.approach, approach);
        }
    partial[0] = size.sum2, partial[1] = size.max2, partial[2] = size.approach;
}

static scree_size add_sizes(const scree_problem *p) {
    scree_size size = {0};
    for_chunks(p, xi_part);
    for (int64_t c = 0; c < scree_problem_chunks(p); ++c) {
        size.sum2 += p->partial[SCREE_PARTIALS * c];
        size.max2 = fmax(size.max2, p->partial[SCREE_PARTIALS * c + 1]);
        size.approach = fmax(size.approach, p->partial[SCREE_PARTIALS * c + 2]);
    }
    if (p->coupling) {
        double most[2] = {size.max2, size.approach};
        scree_comm_sum(p->coupling->comm, &size.sum2, 1);
        scree_comm_max(p->coupling->comm, most, 2);
        size.max2 = most[0], size.approach = most[1];
    }
    return size;
}

/* What friction and moments add. A tied contact counts with its normal part alone. */
static inline row_map resistance_map(const scree_row *k, const scree_twist *u,
                                     scree_vec3 xi) {
    if (scree_row_turns(k))
        return turning_map(k, xi, row_omega(k, &u[k->a], &u[k->b]));
    return scree_row_is_tied(k) ? (row_map){0} : sliding_map(k, xi);
}

static void measure_joint(const scree_row *k, const scree_twist *u,
                          scree_measure *m) {
    const bars_map t = row_joint_map(k, u);
    m->normal = scree_worse_of(m->normal, t.normal);
    m->cone = scree_worse_of(m->cone, t.cone);
    m->P2 += t.P2;
    m->xi2 += t.xi2;
    m->F2 += t.F2;
    m->pF += sqrt(t.P2 * t.F2);
    m->power += t.power;
}

void scree_row_measure(const scree_row *k, const scree_twist *u,
                       scree_measure *m) {
    if (k->rho_n == 0) return; /* an unused lane */
    if (scree_row_is_joint(k)) {
        measure_joint(k, u, m);
        return;
    }
    const double p_n = k->P_n / k->rho_n;
    const scree_vec3 xi = row_xi(k, &u[k->a], &u[k->b]);
    const double xi_n = dot(k->n, xi), F_n = p_n < xi_n ? p_n : xi_n;
    m->normal = scree_worse_of(m->normal, -xi_n);
    m->cone = scree_worse_of(m->cone, -k->P_n);
    m->P2 += p_n * p_n;
    m->xi2 += xi_n * xi_n;
    const row_map t = resistance_map(k, u, xi);
    const double F2 = F_n * F_n + t.F2;
    m->P2 += t.P2;
    m->xi2 += t.xi2;
    m->cone = scree_worse_of(m->cone, t.cone);
    const double F = sqrt(F2);
    m->F2 += F2;
    m->pF += p_n * F;
    m->power += k->P_n * F;
}

static void residual_part(const scree_problem *p, int64_t first, int64_t last,
                          double *partial) {
    const int64_t middle = scree_problem_end_of_round(p, first, last);
    scree_measure m = {0};
    scree_round_measure(p, first, middle, &m);
    for (int64_t i = middle; i < last; ++i)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            const scree_row row = general_at(p, i, lane);
            scree_row_measure(&row, p->u, &m);
        }
    memcpy(partial, &m, sizeof m);
}

/* A NaN has made the sums NaN as well; as a maximum MPI may lose it. */
static void find_worst(const scree_comm *comm, scree_measure *m) {
    double worst[2] = {isnan(m->normal) ? INFINITY : m->normal,
                       isnan(m->cone) ? INFINITY : m->cone};
    scree_comm_max(comm, worst, 2);
    m->normal = worst[0], m->cone = worst[1];
}

static void add_ranks(const scree_comm *comm, scree_measure *m) {
    scree_comm_sum(comm, m->sum, SCREE_SUMS);
    find_worst(comm, m);
}

static scree_measure add_measures(const scree_problem *p) {
    scree_measure all = {0};
    for_chunks(p, residual_part);
    for (int64_t c = 0; c < scree_problem_chunks(p); ++c) {
        scree_measure m;
        memcpy(&m, &p->partial[SCREE_PARTIALS * c], sizeof m);
        for (int k = 0; k < SCREE_SUMS; ++k) all.sum[k] += m.sum[k];
        all.normal = scree_worse_of(all.normal, m.normal);
        all.cone = scree_worse_of(all.cone, m.cone);
    }
    if (p->coupling) add_ranks(p->coupling->comm, &all);
    return all;
}

/* ---- the same sums, exact ------------------------------------------------ */

/* In an ordered problem contacts are measured row by row, whatever their lane,
 * and added exactly: no bit depends on where a contact is, in memory or over
 * ranks. */

/* The largest |xi|^2 takes the place of the worst percussion. */
static void measure_size(const scree_row *row, const scree_twist *u,
                         scree_measure *m) {
    double approach;
    m->xi2 = size_of_row(row, u, &approach);
    m->cone = fmax(m->cone, m->xi2);
    m->normal = fmax(m->normal, approach);
}

typedef struct exact_task {
    const scree_problem *p;
    bool only_size;
} exact_task;

static void exact_share(void *context, const scree_team *team) {
    const exact_task *t = context;
    const scree_problem *p = t->p;
    scree_tally *tally = &p->ordering.tallies[team->rank];
    scree_measure m = {0};
    int64_t first = 0, last = scree_problem_blocks(p);
    scree_team_share(team, &first, &last);
    for (int64_t k = SCREE_LANES * first; k < SCREE_LANES * last; ++k) {
        const scree_row row =
            row_of_block(p, k / SCREE_LANES, (int)(k % SCREE_LANES));
        memset(m.sum, 0, sizeof m.sum);
        if (t->only_size)
            measure_size(&row, p->u, &m);
        else
            scree_row_measure(&row, p->u, &m);
        for (int e = 0; e < SCREE_SUMS; ++e)
            scree_exact_add(&tally->sum[e], m.sum[e]);
    }
    tally->normal = m.normal, tally->cone = m.cone;
}

static void merge_tallies(scree_tally *all, const scree_tally *more) {
    for (int k = 0; k < SCREE_SUMS; ++k)
        scree_exact_merge(&all->sum[k], &more->sum[k]);
    all->normal = scree_worse_of(all->normal, more->normal);
    all->cone = scree_worse_of(all->cone, more->cone);
}

/* Of a team fewer may come than were asked for: their tallies stay empty. */
static scree_measure add_exactly(const scree_problem *p, bool only_size) {
    const int threads = scree_problem_threads(p);
    scree_tally *all = p->ordering.tallies;
    exact_task t = {p, only_size};
    memset(all, 0, (size_t)threads * sizeof *all);
    scree_team_run(threads, exact_share, &t);
    for (int r = 1; r < threads; ++r) merge_tallies(all, &all[r]);
    if (p->coupling)
        scree_exact_reduce(p->coupling->comm, all->sum, SCREE_SUMS);
    scree_measure m = {.normal = all->normal, .cone = all->cone};
    for (int k = 0; k < SCREE_SUMS; ++k)
        m.sum[k] = scree_exact_value(&all->sum[k]);
    if (p->coupling) find_worst(p->coupling->comm, &m);
    return m;
}

/* ---- the weight that the contacts bear ------------------------------------- */

/* Of a body that other ranks have too its owner counts the whole, if it has
 * contacts anywhere. */
static void mark_touched(const scree_problem *p, uint8_t *touched) {
    memset(touched, 0, (size_t)p->n_body + 1);
    for (int64_t i = 0; i < SCREE_LANES * p->round.n_block; ++i) {
        const scree_block *k = &p->blocks[i / SCREE_LANES];
        touched[k->a[i % SCREE_LANES]] = touched[k->b[i % SCREE_LANES]] = 1;
    }
    for (int64_t i = 0; i < SCREE_LANES * p->general.n_block; ++i) {
        const scree_general *k = &p->generals[i / SCREE_LANES];
        touched[k->a[i % SCREE_LANES]] = touched[k->b[i % SCREE_LANES]] = 1;
    }
    const scree_coupling *c = p->coupling;
    for (int64_t k = 0; c && k < c->n_shared; ++k)
        touched[c->shared[k].place] = k < c->n_owned;
}

static double mass_of(const scree_problem *p, int32_t i) {
    const scree_coupling *c = p->coupling;
    const int32_t slot = c && c->is_split ? c->slot[i] : -1;
    const double inv_m = slot >= 0 ? c->shared[slot].inv_m : p->u[i].inv_m;
    return inv_m > 0 ? 1 / inv_m : 0;
}

static double add_masses(const scree_problem *p, const uint8_t *touched) {
    double mass = 0;
    for (int32_t i = 0; i < p->n_body; ++i)
        if (touched[i]) mass += mass_of(p, i);
    if (p->coupling) scree_comm_sum(p->coupling->comm, &mass, 1);
    return mass;
}

static double add_masses_exactly(const scree_problem *p,
                                 const uint8_t *touched) {
    scree_exact_sum mass = {0};
    for (int32_t i = 0; i < p->n_body; ++i)
        if (touched[i]) scree_exact_add(&mass, mass_of(p, i));
    if (p->coupling) scree_exact_reduce(p->coupling->comm, &mass, 1);
    return scree_exact_value(&mass);
}

/* ---- what is rounding ------------------------------------------------------- */

/* Shares of |g| dt and of the fastest body. */
static const double OF_FALL = 1e-6, OF_SPEED = 1e-10;

static double find_fastest(const scree_problem *p, const uint8_t *touched) {
    double most2 = 0;
    for (int32_t i = 0; i < p->n_body; ++i)
        if (touched[i]) most2 = fmax(most2, dot(p->u[i].v, p->u[i].v));
    if (p->coupling) scree_comm_max(p->coupling->comm, &most2, 1);
    return sqrt(most2);
}

static double least_size2(const scree_problem *p, double count) {
    const double least =
        fmax(OF_FALL * p->speed, OF_SPEED * find_fastest(p, p->touched));
    return count * least * least;
}

/* ---- both ---------------------------------------------------------------- */

scree_size scree_problem_size(const scree_problem *p) {
    scree_size size;
    scree_assert(p->sorted);
    mark_touched(p, p->touched);
    if (p->ordering.on) {
        const scree_measure m = add_exactly(p, true);
        size =
            (scree_size){.sum2 = m.xi2, .max2 = m.cone, .approach = m.normal};
        size.mass = add_masses_exactly(p, p->touched);
    } else {
        size = add_sizes(p);
        size.mass = add_masses(p, p->touched);
    }
    size.count = (double)p->n_contact;
    if (p->coupling) scree_comm_sum(p->coupling->comm, &size.count, 1);
    size.least2 = least_size2(p, size.count);
    size.sum2 = fmax(size.sum2, size.least2);
    return size;
}

double scree_problem_speed(const scree_problem *p, scree_size free) {
    const double mean2 = free.count > 0 ? free.sum2 / free.count : 0;
    return sqrt(fmax(p->speed * p->speed, mean2));
}

scree_residual scree_problem_residual(const scree_problem *p, scree_size free) {
    const scree_measure all =
        p->ordering.on ? add_exactly(p, false) : add_measures(p);
    const double v = scree_problem_speed(p, free);
    const double weight = free.mass * v * v;
    scree_residual r = scree_measure_residual(&all, free.sum2);
    r.balance = all.power > 0 ? all.power / weight : 0;
    return r;
}
