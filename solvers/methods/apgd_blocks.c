/* apgd_blocks.c: accelerated projected gradients on the matrix, with one step for all
 * contacts: apgd_rule.h with rho = 1. */
#include <math.h>
#include <string.h>

#include "engine/base/elementary/elementary.h"
#include "solvers/methods/apgd_rule.h"
#include "solvers/problem/method.h"

typedef struct state {
    scree_fc3d *p;
    int n;            /* 3 nc */
    double *y, *last; /* (n) */
    double *grad;     /* (n) at y */
    double *Wd;       /* (n) W r + q at a trial */
    double *shift;    /* (nc) s */
    scree_apgd_rule rule;
    int64_t look; /* iteration of the next look at the residual */
} state;

/* out = W x + q; x may be any vector. */
static void apply_matrix(const state *s, double *x, double *out) {
    scree_fc3d at = *s->p;
    at.r = x;
    for (int i = 0; i < at.nc; i++) scree_fc3d_row(&at, i, &out[3 * i]);
}

/* s = mu |u_T|, u = W r + q in Wd. */
static void update_shift(state *s) {
    for (int i = 0; i < s->p->nc; i++) {
        const double *u = &s->Wd[3 * i];
        s->shift[i] = s->p->mu[i] * scree_hypot(u[1], u[2]);
    }
}

static void project_step(state *s) {
    scree_fc3d *p = s->p;
    for (int i = 0; i < s->n; i++)
        p->r[i] =
            s->y[i] - (s->grad[i] + (i % 3 ? 0 : s->shift[i / 3])) / s->rule.L;
    for (int i = 0; i < p->nc; i++) scree_fc3d_project(p->mu[i], &p->r[3 * i]);
}

/* Of the trial just made. */
static scree_apgd_sums sum_trial(state *s) {
    scree_apgd_sums sums = {0};
    apply_matrix(s, s->p->r, s->Wd);
    for (int i = 0; i < s->n; i++) {
        const double d = s->p->r[i] - s->y[i];
        sums.bend += d * (s->Wd[i] - s->grad[i]);
        sums.length += d * d;
    }
    return sums;
}

static double slope_of(const state *s) {
    double slope = 0;
    for (int i = 0; i < s->n; i++)
        slope += (s->grad[i] + (i % 3 ? 0 : s->shift[i / 3])) *
                 (s->p->r[i] - s->last[i]);
    return slope;
}

static void take_step(state *s) {
    scree_apgd_sums sums;
    memcpy(s->last, s->p->r, (size_t)s->n * sizeof *s->last);
    apply_matrix(s, s->y, s->grad);
    do {
        project_step(s);
        sums = sum_trial(s);
    } while (!scree_apgd_accepts(&s->rule, &sums));
    scree_apgd_go_on(&s->rule, slope_of(s));
    for (int i = 0; i < s->n; i++)
        s->y[i] = s->p->r[i] + s->rule.beta * (s->p->r[i] - s->last[i]);
    if (s->rule.feeds) update_shift(s);
}

static double diagonal_mean(const scree_fc3d *p) {
    double sum = 0;
    for (int i = 0; i < p->nc; i++) sum += p->W[9 * p->row[i]];
    return sum > 0 ? sum / p->nc : 1;
}

/* Looks at the residual as seldom as the loop of lanes does. */
static void run_steps(state *s, scree_loop *g) {
    s->rule = scree_apgd_rule_begin(diagonal_mean(s->p), g->options->feedback);
    memcpy(s->y, s->p->r, (size_t)s->n * sizeof *s->y);
    apply_matrix(s, s->p->r, s->Wd);
    update_shift(s);
    for (;;) {
        const bool looks = scree_loop_is_due(g) && g->iteration >= s->look;
        if (scree_loop_advance(g)) break;
        if (looks) {
            s->look = g->iteration + 4 + g->iteration / 4;
            scree_apgd_watch(&s->rule, g->last);
        }
        take_step(s);
    }
    scree_loop_end(g);
}

scree_status scree_blocks_apgd(scree_fc3d *p,
                               const scree_solver_options *options,
                               scree_arena *scratch, scree_report *report) {
    state s = {.p = p, .n = 3 * p->nc};
    scree_loop g;
    if (!SCREE_PUSH(scratch, s.y, s.n) || !SCREE_PUSH(scratch, s.last, s.n) ||
        !SCREE_PUSH(scratch, s.grad, s.n) || !SCREE_PUSH(scratch, s.Wd, s.n) ||
        !SCREE_PUSH(scratch, s.shift, p->nc))
        return SCREE_OUT_OF_MEMORY;
    TRY(scree_fc3d_begin(&g, "apgd", p, options, scratch, report));
    run_steps(&s, &g);
    return SCREE_OK;
}
