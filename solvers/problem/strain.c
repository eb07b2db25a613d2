#include "solvers/problem/strain.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/parallel.h"
#include "solvers/problem/problem.h"

scree_status scree_strain_begin(scree_problem *p) {
    scree_strain *f = &p->strain;
    const int64_t n = scree_problem_blocks(p);
    TRY(scree_reserve(&f->branches, &f->capacity, n, sizeof *f->branches));
    TRY(scree_reserve(&f->partial, &f->partial_capacity,
                      3 * scree_chunk_count(n), sizeof *f->partial));
    if (n) memset(f->branches, 0, (size_t)n * sizeof *f->branches);
    return SCREE_OK;
}

void scree_strain_set_branch(scree_problem *p, int64_t i, scree_vec3 l) {
    const int32_t slot = p->slot[i] < 0 ? ~p->slot[i] : p->slot[i];
    const int64_t block =
        slot / SCREE_LANES + (p->slot[i] < 0 ? p->round.n_block : 0);
    scree_branches *to = &p->strain.branches[block];
    const int lane = slot % SCREE_LANES;
    to->l[0][lane] = l.x, to->l[1][lane] = l.y, to->l[2][lane] = l.z;
}

void scree_strain_free(scree_strain *f) {
    free(f->branches);
    free(f->partial);
    *f = (scree_strain){0};
}

size_t scree_strain_bytes(const scree_strain *f) {
    return (size_t)f->capacity * sizeof *f->branches +
           (size_t)f->partial_capacity * sizeof *f->partial;
}

/* ---- c ---------------------------------------------------------------------- */

typedef struct shifting {
    scree_problem *p;
    scree_vec3 by;
    double shear;
} shifting;

static void shift_chunk(void *context, int64_t first, int64_t last) {
    const shifting *s = context;
    const double by[3] = {s->by.x, s->by.y, s->by.z};
    for (int64_t k = first; k < last; ++k) {
        scree_four *four = scree_problem_four_at(s->p, k);
        const scree_branches *of = &s->p->strain.branches[k];
        for (int e = 0; e < 3; ++e)
            for (int lane = 0; lane < SCREE_LANES; ++lane)
                four->c[e][lane] += by[e] * of->l[e][lane];
        for (int lane = 0; lane < SCREE_LANES; ++lane)
            four->c[0][lane] += s->shear * of->l[1][lane];
    }
}

static void shift_all(scree_problem *p, scree_vec3 by, double shear) {
    shifting s = {p, by, shear};
    scree_parallel_for(scree_problem_blocks(p), p->threads, shift_chunk, &s);
}

static void bring_to(scree_problem *p, scree_vec3 eta) {
    shift_all(p, sub(eta, p->strain.in_c), 0);
    p->strain.in_c = eta;
}

void scree_strain_enter(scree_problem *p) {
    shift_all(p, vec(0, 0, 0), p->strain.free_shear);
    p->strain.in_c = vec(0, 0, 0);
}

void scree_strain_leave(scree_problem *p) {
    bring_to(p, vec(0, 0, 0));
    shift_all(p, vec(0, 0, 0), -p->strain.free_shear);
}

/* ---- the sum of P l ------------------------------------------------------------ */

static scree_vec3 torque_of(const scree_four *four, const scree_branches *of,
                            int lane) {
    double sum[3];
    for (int e = 0; e < 3; ++e)
        sum[e] = (four->P_n[lane] * four->n[e][lane] + four->P_t[e][lane]) *
                 of->l[e][lane];
    return vec(sum[0], sum[1], sum[2]);
}

static void sum_chunk(void *context, int64_t first, int64_t last) {
    scree_problem *p = context;
    scree_vec3 sum = vec(0, 0, 0);
    for (int64_t k = first; k < last; ++k)
        for (int lane = 0; lane < SCREE_LANES; ++lane)
            sum = add(sum, torque_of(scree_problem_four_at(p, k),
                                     &p->strain.branches[k], lane));
    vec_to(sum, &p->strain.partial[3 * (first / SCREE_CHUNK)]);
}

/* The same bits for any number of threads. */
static scree_vec3 sum_plain(scree_problem *p) {
    const int64_t n = scree_problem_blocks(p);
    double sum[3] = {0};
    scree_parallel_for(n, p->threads, sum_chunk, p);
    for (int64_t k = 0; k < 3 * scree_chunk_count(n); ++k)
        sum[k % 3] += p->strain.partial[k];
    if (p->coupling) scree_comm_sum(p->coupling->comm, sum, 3);
    return vec(sum[0], sum[1], sum[2]);
}

/* And of ranks. */
static scree_vec3 sum_exactly(const scree_problem *p) {
    scree_exact_sum sums[3] = {{{0}}};
    double sum[3];
    for (int64_t k = 0; k < scree_problem_blocks(p); ++k)
        for (int lane = 0; lane < SCREE_LANES; ++lane) {
            double one[3];
            vec_to(torque_of(scree_problem_four_at(p, k),
                             &p->strain.branches[k], lane),
                   one);
            for (int e = 0; e < 3; ++e)
                if (one[e] != 0) scree_exact_add(&sums[e], one[e]);
        }
    if (p->coupling) scree_exact_reduce(p->coupling->comm, sums, 3);
    for (int e = 0; e < 3; ++e) sum[e] = scree_exact_value(&sums[e]);
    return vec(sum[0], sum[1], sum[2]);
}

/* ---- the frame's own step -------------------------------------------------------- */

void scree_strain_release(scree_problem *p) {
    scree_strain *f = &p->strain;
    f->eta = f->before = f->free;
    bring_to(p, f->free);
}

void scree_strain_follow(scree_problem *p) {
    scree_strain *f = &p->strain;
    const scree_vec3 sum = p->ordering.on ? sum_exactly(p) : sum_plain(p);
    f->before = f->eta;
    f->eta = add(f->free, vec(f->inv_I[0] * sum.x, f->inv_I[1] * sum.y,
                              f->inv_I[2] * sum.z));
    bring_to(p, f->eta);
}

void scree_strain_extrapolate(scree_problem *p, double b) {
    const scree_strain *f = &p->strain;
    bring_to(p, add_scaled(f->eta, b, sub(f->eta, f->before)));
}
