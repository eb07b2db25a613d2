/* dense_lanes.c: the plain reference: the problem as a scree_delassus, and the prox
 * fixed point on it, 002 equation (19) and (22).
 *
 *     P <- prox_C(P - r (G P + b)),   G = W^T M^-1 W,   b = W^T u_free + c,
 *
 * with all laws in rows (solvers/dense/rows.h) and r = omega / (row sum of |G|), the
 * least of a contact. With momentum (Nesterov 1983) a step begins at P + b (P - P_last),
 * b = min(b_max, k / (k + 5)), and k is 0 again once a step turns back against the last
 * one (O'Donoghue, Candes 2015): plain steps do not get to the tolerance in a stack of 20
 * boxes, which moves by 2e-4 of an edge in a second; with momentum by 7e-7. It shares no operator with the sweeps of pgs and jacobi, and no
 * sweep with the methods of delassus.h, so that it can judge them. For small problems:
 * memory and time per iteration grow with the square of the contacts. */
#include <string.h>

#include "solvers/dense/delassus_sets.h"
#include "solvers/dense/rows.h"
#include "solvers/problem/method.h"

/* 1 - b_max is that of pgs over PACE. Longer steps may diverge with b near 1. */
static const double PACE = 8, LONGEST = 1.3;

typedef struct dense {
    scree_written w;
    double *xi;   /* (rows) */
    double *last; /* (rows) P of one iteration ago */
    double *from; /* (rows) where the step began */
    double *r;    /* (contacts) */
    double b_max; /* 0: no momentum */
    int k;        /* iterations since it started */
    scree_twist *u_free;
} dense;

static void find_steps(dense *k, double omega) {
    const scree_delassus *d = &k->w.d;
    for (int32_t i = 0; i < k->w.n; ++i) k->r[i] = INFINITY;
    for (int i = 0; i < d->n; ++i) {
        double sum = 0, *r = &k->r[k->w.lines[i].contact];
        for (int j = 0; j < d->n; ++j) sum += fabs(G_row(d, i)[j]);
        *r = fmin(*r, sum > 0 ? omega / sum : 0);
    }
}

static void extrapolate_rows(dense *k) {
    const scree_delassus *d = &k->w.d;
    const double b = fmin(k->b_max, k->k / (k->k + 5.0));
    ++k->k;
    for (int i = 0; i < d->n; ++i) {
        const double P = d->P[i];
        d->P[i] = k->from[i] = P + b * (P - k->last[i]);
        k->last[i] = P;
    }
}

static bool turns_back(const dense *k) {
    const double *P = k->w.d.P;
    double along = 0;
    for (int i = 0; i < k->w.d.n; ++i)
        along += (P[i] - k->from[i]) * (P[i] - k->last[i]);
    return along < 0;
}

static void project_rows(dense *k) {
    const scree_delassus *d = &k->w.d;
    extrapolate_rows(k);
    scree_delassus_xi(d, k->xi);
    for (int s = 0; s < d->n_set; ++s)
        set_project(&d->sets[s], d->P, k->xi,
                    k->r[k->w.lines[d->sets[s].row].contact]);
    if (turns_back(k)) k->k = 0;
}

/* Rebuilds u from u_free each time, so that no rounding accumulates. */
static void sweep_rows(scree_problem *p, void *context, int count) {
    dense *k = context;
    for (int i = 0; i < count; ++i) project_rows(k);
    for (int32_t i = 0; i < k->w.n; ++i) {
        const row_step s = scree_written_step(&k->w, i);
        scree_problem_set_P(p, i, s.P_n, s.P_t);
    }
    memcpy(p->u, k->u_free, ((size_t)p->n_body + 1) * sizeof *p->u);
    scree_problem_apply(p);
}

static scree_status solve_written(dense *k, scree_problem *p,
                                  const scree_solver_options *options,
                                  scree_arena *scratch, scree_report *report) {
    const size_t bodies = (size_t)p->n_body + 1;
    if (!SCREE_PUSH(scratch, k->u_free, bodies) ||
        !SCREE_PUSH(scratch, k->r, k->w.n) ||
        !SCREE_PUSH(scratch, k->w.rows, k->w.n))
        return SCREE_OUT_OF_MEMORY;
    memcpy(k->u_free, p->u, bodies * sizeof *p->u);
    for (int32_t i = 0; i < k->w.n; ++i) k->w.rows[i] = scree_problem_row(p, i);
    TRY(scree_rows_write(&k->w, scratch));
    if (!SCREE_PUSH(scratch, k->xi, k->w.d.n) ||
        !SCREE_PUSH(scratch, k->last, k->w.d.n) ||
        !SCREE_PUSH(scratch, k->from, k->w.d.n))
        return SCREE_OUT_OF_MEMORY;
    memcpy(k->last, k->w.d.P, (size_t)k->w.d.n * sizeof *k->last);
    const bool going = options->momentum > 0;
    k->b_max = going ? 1 - (1 - options->momentum) / PACE : 0;
    find_steps(k, going ? fmin(options->relaxation, LONGEST)
                        : options->relaxation);
    scree_iterate(p, options, sweep_rows, NULL, k, report);
    return SCREE_OK;
}

scree_status scree_lanes_dense(scree_problem *p,
                               const scree_solver_options *options,
                               scree_arena *scratch, scree_report *report) {
    const size_t mark = scree_arena_mark(scratch);
    dense k = {.w = {.p = p, .n = (int32_t)p->n_contact}};
    const scree_status status = solve_written(&k, p, options, scratch, report);
    scree_arena_pop(scratch, mark);
    return status;
}
