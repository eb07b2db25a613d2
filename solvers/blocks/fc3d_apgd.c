/* fc3d_apgd.c: accelerated projected gradients (Nesterov) on the cone problem
 *
 *     minimise  f(r) = r^T W r / 2 + r^T (q + s n)   over r in K,   s fixed,
 *
 * whose solution has K* containing W r + q + s n. Coulomb's law wants
 * s = mu |u_T|, which is fed back after every step, or after up to LONGEST where
 * the residual does not fall that way (apgd.h). Per step:
 *     x = P_K(y - (W y + q + s n) / L),  L grows until
 *     f(x) <= f(y) + grad f(y) (x - y) + L |x - y|^2 / 2,
 *     y = x + beta (x - x_last),
 * and momentum starts anew when it points uphill, grad f(y) (x - x_last) > 0.
 * f is quadratic, so the bound reads (x - y)^T W (x - y) <= L |x - y|^2. */
#include <math.h>
#include <string.h>

#include "engine/base/elementary.h"
#include "solvers/blocks/fc3d.h"

enum { LONGEST = 20 };
/* A residual that fell by less from one look to the next falls too slowly. */
static const double SLOW = 0.8;

typedef struct state {
    scree_fc3d *p;
    int n;            /* 3 nc */
    double *y, *last; /* (n) */
    double *grad;     /* (n) at y */
    double *Wd;       /* (n) W r + q at a trial */
    double *shift;    /* (nc) s */
    double L, theta;
    int period, spent; /* steps with one s, and those made */
    int64_t look;      /* iteration of the next look at the residual */
    double best;       /* least residual at a look */
} state;

/* out = W x + q; x may be any vector. */
static void apply(const state *s, double *x, double *out) {
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
    s->spent = 0;
}

/* Looks as seldom as the method for worlds does (solver.h). */
static void watch(state *s, const scree_loop *g) {
    s->look = g->iteration + 4 + g->iteration / 4;
    if (g->last > SLOW * s->best)
        s->period = 2 * s->period < LONGEST ? 2 * s->period : LONGEST;
    s->best = fmin(s->best, g->last);
}

static void project_step(state *s) {
    scree_fc3d *p = s->p;
    for (int i = 0; i < s->n; i++)
        p->r[i] = s->y[i] - (s->grad[i] + (i % 3 ? 0 : s->shift[i / 3])) / s->L;
    for (int i = 0; i < p->nc; i++) scree_fc3d_project(p->mu[i], &p->r[3 * i]);
}

/* True if L bounds the curvature along the step just made. */
static bool bound_holds(state *s) {
    double bend = 0, length = 0;
    apply(s, s->p->r, s->Wd);
    for (int i = 0; i < s->n; i++) {
        const double d = s->p->r[i] - s->y[i];
        bend += d * (s->Wd[i] - s->grad[i]);
        length += d * d;
    }
    return !(bend > s->L * length * (1 + 1e-12));
}

static bool points_uphill(const state *s) {
    double slope = 0;
    for (int i = 0; i < s->n; i++)
        slope += (s->grad[i] + (i % 3 ? 0 : s->shift[i / 3])) *
                 (s->p->r[i] - s->last[i]);
    return slope > 0;
}

static void extrapolate(state *s) {
    if (points_uphill(s)) s->theta = 1;
    const double next = 0.5 * (1 + sqrt(1 + 4 * s->theta * s->theta));
    const double beta = (s->theta - 1) / next;
    for (int i = 0; i < s->n; i++)
        s->y[i] = s->p->r[i] + beta * (s->p->r[i] - s->last[i]);
    s->theta = next;
}

static void iterate(state *s) {
    memcpy(s->last, s->p->r, (size_t)s->n * sizeof *s->last);
    apply(s, s->y, s->grad);
    project_step(s);
    for (int n = 0; n < 60 && !bound_holds(s); n++) {
        s->L *= 2;
        project_step(s);
    }
    extrapolate(s);
    s->L *= 0.97; /* lets a step that was too careful grow again */
}

static double diagonal_mean(const scree_fc3d *p) {
    double sum = 0;
    for (int i = 0; i < p->nc; i++) sum += p->W[9 * p->row[i]];
    return sum > 0 ? sum / p->nc : 1;
}

static bool make_state(state *s, scree_fc3d *p, scree_arena *scratch) {
    const size_t bytes = (3 * (size_t)p->nc + 1) * sizeof(double);
    *s = (state){.p = p,
                 .n = 3 * p->nc,
                 .L = diagonal_mean(p),
                 .theta = 1,
                 .best = INFINITY};
    s->y = scree_arena_push(scratch, bytes);
    s->last = scree_arena_push(scratch, bytes);
    s->grad = scree_arena_push(scratch, bytes);
    s->Wd = scree_arena_push(scratch, bytes);
    s->shift = scree_arena_push(scratch, bytes);
    return s->y && s->last && s->grad && s->Wd && s->shift;
}

static void run(state *s, scree_loop *g) {
    const int fixed = g->options->feedback;
    memcpy(s->y, s->p->r, (size_t)s->n * sizeof *s->y);
    apply(s, s->p->r, s->Wd);
    update_shift(s);
    s->period = fixed ? fixed : 1;
    for (;;) {
        const bool looks = scree_loop_is_due(g) && g->iteration >= s->look;
        if (scree_loop_advance(g)) break;
        if (looks && !fixed) watch(s, g);
        iterate(s);
        if (++s->spent >= s->period) update_shift(s);
    }
    scree_loop_end(g);
}

scree_status scree_fc3d_apgd(scree_fc3d *p, const scree_solver_options *options,
                             scree_arena *scratch, scree_report *report) {
    const size_t mark = scree_arena_mark(scratch);
    state s;
    scree_loop g;
    scree_status status =
        make_state(&s, p, scratch) ? SCREE_OK : SCREE_OUT_OF_MEMORY;
    if (status == SCREE_OK)
        status = scree_fc3d_begin(&g, "apgd", p, options, scratch, report);
    if (status == SCREE_OK) run(&s, &g);
    scree_arena_pop(scratch, mark);
    return status;
}
