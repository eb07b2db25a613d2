#include "engine/system/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/system/dense_system.h"
#include "engine/system/stepper.h"
#include "solvers/dense/semismooth.h"

scree_dense_options scree_dense_options_default(void) {
    return (scree_dense_options){.dt = 1e-3,
                                 .tolerance = 1e-10,
                                 .iterations = 100,
                                 .solver = "newton",
                                 .friction = SCREE_FRICTION_MIDSLIP,
                                 .hits = SCREE_HITS_BALANCED,
                                 .stages = 2,
                                 .order = 1,
                                 .rho_inf = 0.9,
                                 .r = 0.1,
                                 .unconverged_share = 0.2};
}

/* ---- life ---------------------------------------------------------------- */

enum { HISTORY_FIXED = 64 };

static int64_t history_size(const scree_model_ops *ops) {
    int64_t most = 0;
    const scree_stepper_ops *stepper;
    for (int i = 0; (stepper = scree_stepper_get(i)); ++i)
        if (stepper->history_per_dof > most) most = stepper->history_per_dof;
    const int64_t of_dofs = most * (ops->n_q + ops->n_u);
    const int64_t of_rows = 2 * (int64_t)(ops->n_u + ops->n_row);
    return HISTORY_FIXED + (of_rows > of_dofs ? of_rows : of_dofs);
}

/* Cuts n doubles off the block at *at. */
static double *cut_doubles(double **at, int64_t n) {
    double *piece = *at;
    *at += n;
    return piece;
}

static void lay_out(scree_dense *s, double *at, int64_t n_history) {
    const scree_model_ops *ops = s->ops;
    double *p = cut_doubles(&at, ops->n_parameter);
    for (int i = 0; i < ops->n_parameter; ++i) p[i] = ops->parameters[i].value;
    s->p = p;
    s->q = cut_doubles(&at, ops->n_q);
    s->u = cut_doubles(&at, ops->n_u);
    s->P = cut_doubles(&at, ops->n_row);
    s->P_first = cut_doubles(&at, ops->n_row);
    s->g = cut_doubles(&at, ops->n_law);
    s->history = cut_doubles(&at, n_history);
    s->n_history = n_history;
}

scree_status scree_dense_create(const scree_model_ops *ops,
                                const double *parameters, scree_dense **out) {
    *out = NULL;
    TRY(scree_model_check(ops, parameters, NULL));
    const int64_t n_history = history_size(ops);
    const int64_t n = ops->n_parameter + ops->n_q + ops->n_u + 2 * ops->n_row +
                      ops->n_law + n_history;
    scree_dense *s = calloc(1, sizeof *s);
    double *block = calloc((size_t)n, sizeof *block);
    scree_law *laws = calloc((size_t)ops->n_law + 1, sizeof *laws);
    int *mode = calloc((size_t)ops->n_row + 1, sizeof *mode);
    *out = s;
    if (!s || !block || !laws || !mode) {
        free(s), free(block), free(laws), free(mode);
        *out = NULL;
        return SCREE_OUT_OF_MEMORY;
    }
    s->ops = ops;
    s->memory = block;
    s->laws = laws;
    s->mode = mode;
    lay_out(s, block, n_history);
    if (parameters)
        memcpy(block, parameters, (size_t)ops->n_parameter * sizeof *block);
    if (ops->n_law) ops->laws(s->p, s->laws);
    ops->start(s->p, s->q, s->u);
    scree_dense_gaps(s, s->t, s->q, s->g);
    return SCREE_OK;
}

void scree_dense_destroy(scree_dense *s) {
    if (!s) return;
    scree_arena_free(&s->scratch);
    free(s->memory);
    free(s->laws);
    free(s->mode);
    free(s);
}

/* ---- one step ------------------------------------------------------------ */

static bool all_finite(const double *x, int n) {
    for (int i = 0; i < n; ++i)
        if (!isfinite(x[i])) return false;
    return true;
}

static scree_status advance_by(scree_dense *s, const scree_stepper_ops *stepper,
                               const scree_dense_options *options,
                               scree_error *error) {
    if (stepper->dense_step) return stepper->dense_step(s, options, error);
    return scree_dense_system_step(s, stepper, options, error);
}

scree_status scree_dense_step(scree_dense *s, const char *name,
                              const scree_dense_options *options,
                              scree_error *error) {
    const scree_stepper_ops *stepper = scree_stepper_find(name);
    if (!stepper)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "no stepper '%s'", name);
    if (options->impact == SCREE_IMPACT_POISSON && !stepper->poisson)
        return scree_fail(error, SCREE_UNSUPPORTED,
                          "the stepper %s does not know Poisson's impact law, "
                          "which moreau does",
                          name);
    const size_t mark = scree_arena_mark(&s->scratch);
    const double t = s->t;
    s->fallback[0] = 0;
    const scree_status status = advance_by(s, stepper, options, error);
    scree_arena_pop(&s->scratch, mark);
    if (status == SCREE_OUT_OF_MEMORY)
        return scree_fail(error, status, "out of memory at t = %g s", t);
    if (status == SCREE_UNSUPPORTED && error && !error->text[0])
        return scree_fail(error, status,
                          "the mass matrix of model '%s' is singular or not "
                          "finite in the step from t = %g s",
                          s->ops->name, t);
    TRY(status);
    if (!all_finite(s->q, s->ops->n_q) || !all_finite(s->u, s->ops->n_u))
        return scree_fail(error, SCREE_NOT_FINITE,
                          "the state of model '%s' is not finite after the "
                          "step from t = %g s",
                          s->ops->name, t);
    ++s->steps;
    return SCREE_OK;
}

void scree_dense_count(scree_dense *s, int stage, int iterations,
                       bool converged, bool singular, double residual) {
    s->iterations[stage] = iterations;
    s->sum_iterations[stage] += iterations;
    if (iterations > s->most_iterations[stage])
        s->most_iterations[stage] = iterations;
    s->unconverged += !converged;
    s->singular += singular;
    s->residual = stage ? fmax(s->residual, residual) : residual;
}

/* ---- formulas ------------------------------------------------------------ */

void scree_dense_kinematics(const scree_dense *s, double t, const double *q,
                            const double *u, double *qdot) {
    if (s->ops->kinematics)
        s->ops->kinematics(s->p, t, q, u, qdot);
    else
        memcpy(qdot, u, (size_t)s->ops->n_q * sizeof *qdot);
}

void scree_dense_gaps(const scree_dense *s, double t, const double *q,
                      double *g) {
    if (s->ops->gaps)
        s->ops->gaps(s->p, t, q, g);
    else
        memset(g, 0, (size_t)s->ops->n_law * sizeof *g);
}

void scree_dense_rows(const scree_dense *s, double t, const double *q,
                      double *Wt, double *chi) {
    if (s->ops->n_row) s->ops->rows(s->p, t, q, Wt, chi);
}

/* chi is overwritten by gamma, which needs no array of its own. */
static void add_velocity(const scree_dense *s, const double *Wt,
                         const double *u, double *chi) {
    for (int i = 0; i < s->ops->n_row; ++i)
        for (int k = 0; k < s->ops->n_u; ++k)
            chi[i] += Wt[i * s->ops->n_u + k] * u[k];
}

void scree_dense_gamma(scree_dense *s, double t, const double *q,
                       const double *u, double *gamma) {
    const size_t mark = scree_arena_mark(&s->scratch);
    double *Wt = scree_dense_push(s, s->ops->n_row * s->ops->n_u);
    scree_dense_rows(s, t, q, Wt, gamma);
    add_velocity(s, Wt, u, gamma);
    scree_arena_pop(&s->scratch, mark);
}

double *scree_dense_push(scree_dense *s, int n) {
    return scree_arena_push(&s->scratch, (size_t)n * sizeof(double));
}

scree_status scree_dense_frame(scree_dense *s, double t, const double *q,
                               scree_frame *frame) {
    const int n = s->ops->n_u, m = s->ops->n_row;
    frame->M = scree_dense_push(s, n * n);
    frame->pivot = scree_arena_push(&s->scratch, (size_t)n * sizeof(int));
    frame->Wt = scree_dense_push(s, m * n);
    frame->chi = scree_dense_push(s, m);
    frame->X = scree_dense_push(s, m * n);
    if (!frame->M || !frame->pivot || !frame->Wt || !frame->chi || !frame->X)
        return SCREE_OUT_OF_MEMORY;
    s->ops->mass(s->p, t, q, frame->M);
    if (!scree_lu_factor(frame->M, frame->pivot, n)) return SCREE_UNSUPPORTED;
    scree_dense_rows(s, t, q, frame->Wt, frame->chi);
    memcpy(frame->X, frame->Wt, (size_t)(m * n) * sizeof *frame->X);
    for (int i = 0; i < m; ++i)
        scree_lu_solve(frame->M, frame->pivot, n, &frame->X[i * n]);
    return SCREE_OK;
}
