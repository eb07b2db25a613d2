#include "solvers/problem/incidence.h"

scree_status scree_problem_find_incidence(const scree_problem *p,
                                          scree_arena *scratch,
                                          scree_incidence *at) {
    const size_t n = (size_t)p->n_body;
    int32_t a, b;
    if (!SCREE_PUSH(scratch, at->first, n + 2) ||
        !SCREE_PUSH(scratch, at->list, 2 * p->slot_capacity))
        return SCREE_OUT_OF_MEMORY;
    memset(at->first, 0, (n + 2) * sizeof *at->first);
    for (int64_t i = 0; i < p->n_contact; ++i) {
        scree_problem_bodies(p, i, &a, &b);
        if (a < p->n_body) ++at->first[a + 2];
        if (b < p->n_body) ++at->first[b + 2];
    }
    for (size_t k = 0; k < n; ++k) at->first[k + 2] += at->first[k + 1];
    for (int64_t i = 0; i < p->n_contact; ++i) {
        scree_problem_bodies(p, i, &a, &b);
        if (a < p->n_body) at->list[at->first[a + 1]++] = (int32_t)i;
        if (b < p->n_body) at->list[at->first[b + 1]++] = (int32_t)i;
    }
    return SCREE_OK;
}
