/* trial.h: runs of models under a stepper, for tests in few words. */
#ifndef SCREE_TESTS_TRIAL_H
#define SCREE_TESTS_TRIAL_H

#include <string.h>

#include "engine/system/dense.h"
#include "tests/support.h"

typedef struct trial {
    scree_dense *s;
    scree_dense_options options;
    const char *stepper;
} trial;

static inline trial make_trial(const char *model, const char *stepper,
                               double dt) {
    trial r = {.options = scree_dense_options_default(), .stepper = stepper};
    r.options.dt = dt;
    const scree_model_ops *ops = scree_model_find(model);
    assert_non_null(ops);
    assert_ok(scree_dense_create(ops, NULL, &r.s));
    return r;
}

static inline void end_trial(trial *r) {
    scree_dense_destroy(r->s);
    r->s = NULL;
}

static inline int parameter_index(const scree_model_ops *ops,
                                  const char *name) {
    for (int i = 0; i < ops->n_parameter; ++i)
        if (!strcmp(ops->parameters[i].name, name)) return i;
    fail_msg("model '%s' has no parameter '%s'", ops->name, name);
    return -1;
}

/* Before the first step: changes a parameter and starts anew. */
static inline void set(trial *r, const char *name, double value) {
    const scree_model_ops *ops = r->s->ops;
    double p[64];
    assert_true(ops->n_parameter <= 64);
    memcpy(p, r->s->p, (size_t)ops->n_parameter * sizeof *p);
    p[parameter_index(ops, name)] = value;
    scree_dense_destroy(r->s);
    assert_ok(scree_dense_create(ops, p, &r->s));
}

static inline void step(trial *r) {
    scree_error error = {0};
    const scree_status status =
        scree_dense_step(r->s, r->stepper, &r->options, &error);
    if (status != SCREE_OK) print_error("%s\n", error.text);
    assert_ok(status);
}

static inline int steps_to(const trial *r, double t) {
    return (int)lround((t - r->s->t) / r->options.dt);
}

static inline void run_to(trial *r, double t) {
    for (int n = steps_to(r, t); n > 0; --n) step(r);
}

/* Least-squares slope of log e over log dt. */
static inline double order_of(const double *dt, const double *e, int n) {
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < n; ++i) {
        const double a = log(dt[i]), b = log(e[i]);
        x += a, y += b, xx += a * a, xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

/* ---- references ---------------------------------------------------------- */

enum { RK4_MOST = 16 };
typedef void derivative(const void *context, const double *y, double *dy);

/* One step of the classical Runge-Kutta method, n <= RK4_MOST. */
static inline void rk4_step(derivative *f, const void *context, int n, double h,
                            double *y) {
    const double at[4] = {0, 0.5, 0.5, 1};
    double k[4][RK4_MOST], z[RK4_MOST];
    for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < n; ++i)
            z[i] = y[i] + (j ? at[j] * h * k[j - 1][i] : 0);
        f(context, z, k[j]);
    }
    for (int i = 0; i < n; ++i)
        y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

/* Over `time` in equal steps of at most h. */
static inline void rk4(derivative *f, const void *context, int n, double time,
                       double h, double *y) {
    const int steps = (int)ceil(time / h - 1e-9);
    for (int i = 0; i < steps; ++i) rk4_step(f, context, n, time / steps, y);
}

static inline double energy_of(const trial *r) {
    const scree_dense *s = r->s;
    return s->ops->energy(s->p, s->t, s->q, s->u);
}

static inline double least_gap(const scree_dense *s) {
    double least = INFINITY;
    for (int k = 0; k < s->ops->n_law; ++k)
        if (s->laws[k].kind == SCREE_LAW_CONTACT) least = fmin(least, s->g[k]);
    return least;
}

/* Time at which a value that is a before the last step and b after it meets
 * c, by linear interpolation. */
static inline double meets(const scree_dense *s, double a, double b, double c) {
    return s->t - s->dt * (b - c) / (b - a);
}

#endif
