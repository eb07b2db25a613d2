/* trial.c: a simulation of a study, and what is measured on it. */
#include <math.h>
#include <string.h>

#include "cases/studies/study.h"
#include "engine/base/elementary/elementary.h"

enum { MOST_PARAMETERS = 64 };

static bool has_failed(const study *st) {
    return st->error.status != SCREE_OK;
}

/* Starts `r` anew with these parameters, NULL: the defaults. */
static void create(trial *r, const scree_model_ops *ops, const double *p) {
    const scree_status status = scree_dense_create(ops, p, &r->s);
    if (status != SCREE_OK)
        scree_fail(&r->st->error, status, "model '%s': out of memory",
                   ops->name);
}

trial trial_make(study *st, const char *model, const char *stepper, double dt) {
    trial r = {.st = st,
               .stepper = stepper,
               .dt = dt,
               .options = scree_dense_options_default()};
    r.options.tolerance = 1e-12;
    r.options.friction = SCREE_FRICTION_TOTAL;
    const scree_model_ops *ops = scree_model_find(model);
    if (has_failed(st)) return r;
    if (ops)
        create(&r, ops, NULL);
    else
        scree_fail(&st->error, SCREE_BAD_ARGUMENT, "no model '%s'", model);
    return r;
}

static int find_parameter(const scree_model_ops *ops, const char *name) {
    for (int i = 0; i < ops->n_parameter && i < MOST_PARAMETERS; ++i)
        if (!strcmp(ops->parameters[i].name, name)) return i;
    return -1;
}

void trial_set(trial *r, const char *parameter, double value) {
    if (!r->s) return;
    const scree_model_ops *ops = r->s->ops;
    double p[MOST_PARAMETERS];
    const int k = find_parameter(ops, parameter);
    if (k < 0 || ops->n_parameter > MOST_PARAMETERS) {
        scree_fail(&r->st->error, SCREE_BAD_ARGUMENT,
                   "model '%s' has no parameter '%s'", ops->name, parameter);
        return;
    }
    memcpy(p, r->s->p, (size_t)ops->n_parameter * sizeof *p);
    p[k] = value;
    scree_dense_destroy(r->s);
    create(r, ops, p);
}

bool trial_step(trial *r, double t_end) {
    const double rounding = 1e-10; /* [s] of 1e5 additions of dt */
    if (!r->s || has_failed(r->st)) return false;
    const double left = t_end - r->s->t;
    if (left < rounding) return false;
    r->options.dt = left < r->dt * (1 - 1e-6) ? left : r->dt;
    return scree_dense_step(r->s, r->stepper, &r->options, &r->st->error) ==
           SCREE_OK;
}

void trial_run(trial *r, double t_end) {
    while (trial_step(r, t_end)) continue;
}

void trial_end(trial *r) {
    scree_dense_destroy(r->s);
    r->s = NULL;
}

/* ---- measures ------------------------------------------------------------ */

double study_crossing(double t_0, double y_0, double t_1, double y_1,
                      double y) {
    return t_0 + (t_1 - t_0) * (y - y_0) / (y_1 - y_0);
}

double study_order(const double *dt, const double *e, int n) {
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < n; ++i) {
        const double a = scree_log(dt[i]), b = scree_log(e[i]);
        x += a, y += b, xx += a * a, xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}
