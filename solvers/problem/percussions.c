#include "solvers/problem/percussions.h"

#include "solvers/problem/kernel.h"

void scree_problem_set_step(scree_problem *p, int64_t i, row_step s) {
    scree_problem_set_P(p, i, s.P_n, s.P_t);
    if (!scree_problem_is_general(p, i)) return;
    int lane;
    scree_general *k = scree_problem_general(p, i, &lane);
    lane_set(k->M, lane, s.M);
    lane_set(k->M_last, lane, s.M);
}

void scree_problem_read_steps(const scree_problem *p, row_step *to) {
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_row row = scree_problem_row(p, i);
        to[i] = scree_row_step(&row);
    }
}

void scree_problem_write_steps(scree_problem *p, const row_step *from) {
    for (int64_t i = 0; i < p->n_contact; ++i)
        scree_problem_set_step(p, i, from[i]);
}
