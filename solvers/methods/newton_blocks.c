/* newton_blocks.c: proximal point steps, each solved by semismooth Newton.
 *
 * From the anchor r_k, with rho = kappa / W_ii of the contact, the step wants
 *
 *     r = AC(r_k - rho u),    u = W r + q
 *
 * where AC (Alart, Curnier) cuts the normal part to >= 0 and the tangent to the
 * disc of radius mu r_N. r = r_k is a solution of the contact problem, whatever
 * kappa; the term r / rho that the anchor brings in is what makes a singular W
 * (more reactions than the bodies can tell apart) solvable. Unknown is u:
 *
 *     G(u) = u - q - W AC(r_k - rho u) = 0,     (I + W C) du = -G,
 *
 * C = rho times the derivative of AC, zero at open contacts: sparse LU of the
 * rest (fc3d_lu.h). A large kappa is a plain Newton step, which fails while the
 * statuses are far from settled, so kappa follows success, and sweeps of pgs
 * follow steps that fail or gain nothing. Where bodies rest statuses are settled, and
 * what is left are soft modes: a stack of 20 boxes sways as a whole, which steps of kappa
 * = 100 to 3 000 do not see in the 20 that a step has (goes_on in loop.c). With KAPPA_AT_REST
 * from the first on they are gone after one or two. From 1e4 to 3e5 stacks of 10 to 30
 * boxes move by 1e-8 to 5e-6 of an edge in a second; 1e3 takes five times the
 * iterations, with 1e6 and more the stacks of 20 sway by 1e-4.
 *
 * Where sweeps and steps stall depends on the order of the sweeps, unforeseeably.
 * So each round of sweeps runs in another order: what one cannot settle, the next
 * may. */
#include <math.h>
#include <string.h>

#include "engine/base/elementary/elementary.h"
#include "solvers/blocks/fc3d_lu.h"
#include "solvers/problem/method.h"

enum { STEPS = 15, HALVINGS = 5, PATIENCE = 2, LONG = 10000 };
static const double KAPPA_LEAST = 10, KAPPA_MOST = 1e9, KAPPA_AT_REST = 3e4;
enum { FIRST_SWEEPS = 1000 }; /* after a failed step */

typedef struct state {
    scree_fc3d *p;
    const scree_solver_options *options;
    scree_arena *scratch;
    int n; /* 3 nc */
    double kappa;
    double at;               /* residual of the anchor */
    bool failed;             /* a step since the last sweeps */
    int patience;            /* steps without gain until the next sweeps */
    int64_t sweeps;          /* after the next failure */
    int order;               /* of those sweeps */
    double *trail;           /* (n) where the last sweeps ended */
    double best;             /* residual when they did */
    int64_t work;            /* block products of LU since the last sweeps */
    double *anchor;          /* (n) r_k */
    double *step_n, *step_t; /* (nc) rho for kappa = 1 */
    double *u, *trial;       /* (n) */
    double *G, *du;          /* (n) */
    double *C;               /* (9 nc) */
    bool *active;            /* (nc) C != 0 */
    double size;             /* |G| at u */
    bool too_large;          /* LU gave up */
} state;

/* ---- the equations ------------------------------------------------------- */

/* AC(r_k - rho u) of contact i; C (9, row-major) if wanted. */
static void contact_map(const state *s, int i, const double *u, double *r,
                        double *C) {
    const double rho_n = s->kappa * s->step_n[i], *at = &s->anchor[3 * i];
    const double rho_t = s->kappa * s->step_t[i], mu = s->p->mu[i];
    const double z[3] = {at[0] - rho_n * u[0], at[1] - rho_t * u[1],
                         at[2] - rho_t * u[2]};
    if (C) memset(C, 0, 9 * sizeof *C);
    r[0] = r[1] = r[2] = 0;
    if (!(z[0] > 0)) return;
    const double length = sqrt(z[1] * z[1] + z[2] * z[2]), radius = mu * z[0];
    const double fit = length > radius ? radius / length : 1;
    r[0] = z[0], r[1] = fit * z[1], r[2] = fit * z[2];
    if (!C) return;
    C[0] = rho_n;
    C[4] = C[8] = fit * rho_t;
    if (!(length > radius)) return;
    const double d[2] = {z[1] / length, z[2] / length};
    for (int a = 0; a < 2; a++) {
        C[3 * a + 3] = mu * d[a] * rho_n;
        for (int b = 0; b < 2; b++)
            C[3 * a + 4 + b] -= fit * rho_t * d[a] * d[b];
    }
}

/* p->r = AC(r_k - rho u), p->u = W p->r + q, G = u - p->u; returns |G|. */
static double evaluate_map(state *s, const double *u) {
    double sum = 0;
    scree_fc3d *p = s->p;
    for (int i = 0; i < p->nc; i++)
        contact_map(s, i, &u[3 * i], &p->r[3 * i], NULL);
    for (int i = 0; i < p->nc; i++) scree_fc3d_row(p, i, &p->u[3 * i]);
    for (int i = 0; i < s->n; i++) {
        s->G[i] = u[i] - p->u[i];
        sum += s->G[i] * s->G[i];
    }
    return sqrt(sum);
}

static bool find_direction(state *s) {
    double r[3];
    for (int i = 0; i < s->p->nc; i++) {
        contact_map(s, i, &s->u[3 * i], r, &s->C[9 * i]);
        s->active[i] = s->C[9 * i] > 0;
    }
    for (int i = 0; i < s->n; i++) s->du[i] = -s->G[i];
    const scree_lu_result result = scree_fc3d_lu(
        s->p, s->C, s->active, SCREE_NEWTON_FILL, s->du, &s->work, s->scratch);
    s->too_large |= result == SCREE_LU_TOO_LARGE;
    return result == SCREE_LU_OK;
}

/* Halves the step until |G| falls. */
static bool search_line(state *s) {
    double length = 1;
    for (int n = 0; n <= HALVINGS; n++, length *= 0.5) {
        for (int i = 0; i < s->n; i++)
            s->trial[i] = s->u[i] + length * s->du[i];
        const double size = evaluate_map(s, s->trial);
        if (!(size < (1 - 0.1 * length) * s->size)) continue;
        memcpy(s->u, s->trial, (size_t)s->n * sizeof *s->u);
        s->size = size;
        return true;
    }
    return false;
}

/* ---- proximal steps ------------------------------------------------------ */

/* How far the anchor is from a solution: |r_k - AC(r_k - rho u)| / rho with
 * kappa = 1, a velocity. */
static double velocity_error(state *s) {
    const double kappa = s->kappa;
    double sum = 0, r[3];
    s->kappa = 1;
    for (int i = 0; i < s->p->nc; i++) {
        const double *at = &s->anchor[3 * i];
        if (!(s->step_n[i] > 0 && s->step_t[i] > 0)) continue;
        contact_map(s, i, &s->u[3 * i], r, NULL);
        const double n = (r[0] - at[0]) / s->step_n[i];
        const double t = scree_hypot(r[1] - at[1], r[2] - at[2]) / s->step_t[i];
        sum += n * n + t * t;
    }
    s->kappa = kappa;
    return sqrt(sum);
}

/* Measures p->r with p->u as it is, and counts the next Newton step. */
static bool is_over(scree_loop *g) {
    g->next = g->iteration;
    g->has_u = true;
    return scree_loop_advance(g);
}

/* Newton steps from p->r as the anchor, each one counted beforehand by
 * is_over; at least one. True: solved well enough for the next anchor, or
 * *over. */
static bool proximal_step(state *s, scree_loop *g, bool *over) {
    memcpy(s->anchor, s->p->r, (size_t)s->n * sizeof *s->anchor);
    memcpy(s->u, s->p->u, (size_t)s->n * sizeof *s->u);
    const double target = 0.1 * velocity_error(s);
    s->size = evaluate_map(s, s->u);
    for (int n = 0; n < STEPS && (n == 0 || s->size > target); n++) {
        if (!find_direction(s) || !search_line(s)) return false;
        if ((*over = is_over(g))) return true;
    }
    return s->size <= target;
}

/* Hears of every residual during sweeps, which end at their last r, to keep the
 * best. */
typedef struct listener {
    scree_loop *g;
    scree_solver_options outer; /* whose watch is told next */
} listener;

static void listen_history(void *context, int64_t iteration,
                           const scree_residual *e) {
    const listener *l = context;
    scree_loop_note(l->g, e);
    if (l->outer.watch) l->outer.watch(l->outer.context, iteration, e);
}

/* As long as the failed steps took, within bounds: a block product of LU costs
 * about two of a sweep. They go on where the last ones ended, unless Newton steps found
 * better. The count that is_over made for the next step is the first sweep's. */
static scree_status sweep_between(state *s, scree_loop *g) {
    scree_relay relay = {s->options, g->start, g->iteration - 1};
    scree_solver_options o = scree_relay_options(&relay);
    scree_report report;
    const int64_t work = 2 * s->work / (s->p->n_block + 1);
    const int64_t balanced = work < 3 * LONG ? work : 3 * LONG;
    const int64_t sweeps = s->sweeps > balanced ? s->sweeps : balanced;
    if (o.iterations > sweeps) o.iterations = (int)sweeps;
    o.stall = 0;
    listener l = {g, o};
    o.watch = listen_history;
    o.context = &l;
    o.keep_last = true;
    o.order = s->order++;
    const double *from = g->error.residual < s->best ? g->best : s->trail;
    memcpy(s->p->r, from, (size_t)s->n * sizeof *from);
    TRY(scree_blocks_call(scree_blocks_pgs, s->p, &o, s->scratch, &report));
    memcpy(s->trail, s->p->r, (size_t)s->n * sizeof *s->trail);
    s->best = g->error.residual;
    g->iteration = relay.before + report.iterations;
    if (report.converged) {
        g->report->stop = SCREE_STOP_TOLERANCE;
        g->error = scree_fc3d_measure_at(s->p);
        return SCREE_OK;
    }
    if (s->sweeps < LONG) s->sweeps += s->sweeps / 2;
    s->work = 0;
    s->failed = false;
    s->patience = 0;
    s->at = scree_fc3d_measure(s->p).residual;
    return SCREE_OK;
}

/* The next anchor: p->r after a good step, else the same one with a smaller
 * kappa. A kappa near one that failed grows slowly. */
static void judge_step(state *s, bool good) {
    const double to = scree_fc3d_measure_at(s->p).residual;
    if (good && to < 1.5 * s->at) {
        s->kappa = fmin(KAPPA_MOST, (s->failed ? 1.3 : 3) * s->kappa);
        s->patience = to < 0.95 * s->at ? PATIENCE : s->patience - 1;
        s->at = to;
        return;
    }
    s->kappa = fmax(KAPPA_LEAST, 0.3 * s->kappa);
    s->failed = true;
    s->patience--;
    memcpy(s->p->r, s->anchor, (size_t)s->n * sizeof *s->anchor);
    s->at = scree_fc3d_measure(s->p).residual;
}

static scree_status run_steps(state *s, scree_loop *g) {
    s->at = scree_fc3d_measure(s->p).residual;
    g->leaps = true;
    bool over = is_over(g);
    if (g->rests && s->options->rest > 0) s->kappa = KAPPA_AT_REST;
    while (!over) {
        const bool good = proximal_step(s, g, &over);
        if (over || s->too_large) break;
        judge_step(s, good);
        if (s->patience >= 0) continue;
        TRY(sweep_between(s, g));
        over = g->report->stop == SCREE_STOP_TOLERANCE || is_over(g);
    }
    if (!over) { /* the step that was counted was not made */
        g->iteration--;
        g->report->stop = SCREE_STOP_STALL;
    }
    scree_loop_end(g);
    return SCREE_OK;
}

/* ---- memory -------------------------------------------------------------- */

static void load_steps(state *s) {
    for (int i = 0; i < s->p->nc; i++) {
        const double *W = &s->p->W[9 * s->p->row[i]];
        const double most = scree_fc3d_tangent(W);
        s->step_n[i] = W[0] > 0 ? 1 / W[0] : 0;
        s->step_t[i] = most > 0 ? 1 / most : 0;
    }
}

static bool reserve_state(state *s, scree_arena *to) {
    const size_t n = (size_t)s->n, nc = (size_t)s->p->nc;
    return SCREE_PUSH(to, s->trail, n) && SCREE_PUSH(to, s->anchor, n) &&
           SCREE_PUSH(to, s->step_n, nc) && SCREE_PUSH(to, s->step_t, nc) &&
           SCREE_PUSH(to, s->u, n) && SCREE_PUSH(to, s->trial, n) &&
           SCREE_PUSH(to, s->G, n) && SCREE_PUSH(to, s->du, n) &&
           SCREE_PUSH(to, s->C, 3 * n) && SCREE_PUSH(to, s->active, nc);
}

scree_status scree_blocks_newton(scree_fc3d *p,
                                 const scree_solver_options *options,
                                 scree_arena *scratch, scree_report *report) {
    state s = {.p = p,
               .options = options,
               .scratch = scratch,
               .n = 3 * p->nc,
               .kappa = SCREE_NEWTON_KAPPA,
               .sweeps = FIRST_SWEEPS,
               .order = options->order,
               .best = INFINITY};
    scree_loop g;
    if (!reserve_state(&s, scratch)) return SCREE_OUT_OF_MEMORY;
    TRY(scree_fc3d_begin(&g, "newton", p, options, scratch, report));
    load_steps(&s);
    return run_steps(&s, &g);
}
