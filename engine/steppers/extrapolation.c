#include "engine/steppers/extrapolation.h"

#include <math.h>
#include <string.h>

#include "engine/base/elementary/elementary.h"

int scree_substep_count(scree_substeps_rule rule, int i) {
    return rule == SCREE_SUBSTEPS_ODD ? 2 * i + 1 : i + 1;
}

void scree_aitken_neville(double *T, int n_y, const int *n, int i) {
    for (int j = 1; j <= i; ++j) {
        const double alpha = (double)n[i] / n[i - j] - 1.0;
        const double *finer = &T[(i - j + 1) * n_y];
        double *coarser = &T[(i - j) * n_y];
        for (int k = 0; k < n_y; ++k)
            coarser[k] = finer[k] + (finer[k] - coarser[k]) / alpha;
    }
}

/* ---- the tableau of one main step ---------------------------------------- */

typedef struct tableau {
    double *T;    /* (order x n_y), see scree_aitken_neville */
    double *last; /* (n_y) T_{i-1,i-1} */
    int *n;       /* (order) */
    int n_y, n_max;
} tableau;

static scree_status create_tableau(tableau *t, scree_dense *s, int order,
                                   scree_substeps_rule rule) {
    t->n_y = s->ops->n_q + s->ops->n_u;
    t->n_max = order > 1 ? order : 1;
    t->T = scree_dense_push(s, t->n_max * t->n_y);
    t->last = scree_dense_push(s, t->n_y);
    t->n = scree_arena_push(&s->scratch, (size_t)t->n_max * sizeof *t->n);
    if (!t->T || !t->last || !t->n) return SCREE_OUT_OF_MEMORY;
    for (int i = 0; i < t->n_max; ++i) t->n[i] = scree_substep_count(rule, i);
    return SCREE_OK;
}

static void add_row(tableau *t, const scree_dense *s, int i) {
    const size_t n_q = (size_t)s->ops->n_q, n_u = (size_t)s->ops->n_u;
    double *row = &t->T[i * t->n_y];
    if (i > 0) memcpy(t->last, t->T, (size_t)t->n_y * sizeof *t->last);
    memcpy(row, s->q, n_q * sizeof *row);
    memcpy(row + n_q, s->u, n_u * sizeof *row);
    scree_aitken_neville(t->T, t->n_y, t->n, i);
}

static void take_result(const tableau *t, scree_dense *s) {
    const size_t n_q = (size_t)s->ops->n_q, n_u = (size_t)s->ops->n_u;
    memcpy(s->q, t->T, n_q * sizeof *s->q);
    memcpy(s->u, t->T + n_q, n_u * sizeof *s->u);
    if (s->ops->normalise) s->ops->normalise(s->p, s->q);
}

static bool is_accurate(const tableau *t, const scree_dense_options *options) {
    double error = 0, size = 0;
    for (int k = 0; k < t->n_y; ++k) {
        error = fmax(error, fabs(t->T[k] - t->last[k]));
        size = fmax(size, fabs(t->T[k]));
    }
    return error <= options->atol + options->rtol * size;
}

/* ---- one main step ------------------------------------------------------- */

/* An estimate needs two orders to compare. */
static bool is_controlled(const scree_dense_options *options) {
    return options->order > 1 && (options->atol > 0 || options->rtol > 0);
}

/* A substep below dt_min is more than the switching points are resolved to. */
static bool row_allowed(const scree_extrapolation *x, const tableau *t, int i) {
    return i == 0 ||
           (i < t->n_max && x->step.dt / t->n[i] >= 0.999 * x->dt_min);
}

static scree_extrapolation_flag switched_flag(const scree_extrapolation *x) {
    return scree_is_minimal(x->step.dt, x->dt_min) ? SCREE_SWITCH_RESOLVED
                                                   : SCREE_SWITCH_DETECTED;
}

/* Rows until the accuracy, the order, dt_min or a switching point ends them. A
 * minimal step has the one row of one substep, so that a switching point there
 * leaves the complete step in s. */
static scree_status build_rows(tableau *t, scree_dense *s,
                               const scree_dense_options *options,
                               scree_extrapolation *x, scree_error *error) {
    const bool control = is_controlled(options);
    x->flag = control ? SCREE_SMOOTH_INACCURATE : SCREE_SMOOTH;
    for (int i = 0; row_allowed(x, t, i); ++i) {
        bool same;
        TRY(scree_substeps(s, options, &x->step, t->n[i], &same, error));
        x->order = i + 1;
        add_row(t, s, i);
        if (!same) {
            x->flag = switched_flag(x);
            break;
        }
        if (control && i > 0 && is_accurate(t, options)) {
            x->flag = SCREE_SMOOTH;
            break;
        }
    }
    return SCREE_OK;
}

/* 0 to any power is 0. */
double scree_faded_restitution(double eps, double dt, double dt_min) {
    return eps > 0 ? scree_exp(dt / dt_min * scree_log(eps)) : eps;
}

/* The rows of a step in which restitution is eps^(dt / dt_min). */
static scree_status build_faded(tableau *t, scree_dense *s,
                                const scree_dense_options *options,
                                scree_extrapolation *x, scree_error *error) {
    const double dt = x->step.dt;
    const size_t bytes = (size_t)s->ops->n_law * sizeof(scree_law);
    scree_law *given = scree_arena_push(&s->scratch, bytes);
    if (!given) return SCREE_OUT_OF_MEMORY;
    memcpy(given, s->laws, bytes);
    for (int k = 0; k < s->ops->n_law; ++k) {
        s->laws[k].e_n = scree_faded_restitution(given[k].e_n, dt, x->dt_min);
        s->laws[k].e_f = scree_faded_restitution(given[k].e_f, dt, x->dt_min);
    }
    const scree_status status = build_rows(t, s, options, x, error);
    memcpy(s->laws, given, bytes);
    return status;
}

scree_status scree_extrapolate(scree_dense *s,
                               const scree_dense_options *options,
                               scree_extrapolation *x, scree_error *error) {
    const size_t mark = scree_arena_mark(&s->scratch);
    tableau t;
    TRY(create_tableau(&t, s, options->order, options->substeps));
    if (options->substeps == SCREE_SUBSTEPS_FADING)
        TRY(build_faded(&t, s, options, x, error));
    else
        TRY(build_rows(&t, s, options, x, error));
    take_result(&t, s);
    scree_arena_pop(&s->scratch, mark);
    return SCREE_OK;
}
