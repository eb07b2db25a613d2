#include "solvers/problem/loop.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/assert.h"
#include "engine/base/clock.h"
#include "engine/base/elementary/elementary.h"
#include "solvers/problem/sums.h"

/* ---- reports ------------------------------------------------------------- */

void scree_report_sign(scree_report *report, const char *method) {
    snprintf(report->by, sizeof report->by, "%s", method);
}

void scree_report_write(scree_report *report, const scree_residual *r) {
    report->residual = r->residual;
    report->balance = r->balance;
    report->normal = r->normal;
    report->cone = r->cone;
    report->scale = r->scale;
}

const char *scree_stop_text(scree_stop stop) {
    static const char *const texts[] = {
        [SCREE_STOP_TOLERANCE] = "tolerance reached",
        [SCREE_STOP_ITERATIONS] = "iterations used up",
        [SCREE_STOP_TIME] = "time used up",
        [SCREE_STOP_STALL] = "no more progress",
        [SCREE_STOP_NOT_FINITE] = "numbers not finite",
    };
    return texts[stop];
}

const char *scree_stop_word(scree_stop stop) {
    static const char *const words[] = {
        [SCREE_STOP_TOLERANCE] = "tolerance",
        [SCREE_STOP_ITERATIONS] = "iterations",
        [SCREE_STOP_TIME] = "time",
        [SCREE_STOP_STALL] = "stall",
        [SCREE_STOP_NOT_FINITE] = "not_finite",
    };
    return words[stop];
}

double scree_loop_now(void) {
    return scree_clock();
}

/* Sums that are not finite would be hidden by maxima and quotients. */
scree_residual scree_measure_residual(const scree_measure *m, double least2) {
    const double xi2 = fmax(m->xi2, least2), size2 = fmax(m->P2, xi2);
    const bool finite = isfinite(m->F2 + m->P2 + m->xi2);
    return (scree_residual){.residual = !finite      ? NAN
                                        : m->F2 == 0 ? 0
                                                     : sqrt(m->F2 / size2),
                            .normal = m->normal,
                            .cone = m->cone,
                            .velocity = m->F2 == 0 ? 0 : sqrt(m->F2 / xi2),
                            .loaded = m->P2 > 0 ? m->pF / sqrt(m->P2) : 0,
                            .scale = sqrt(size2)};
}

/* ---- begin and end ------------------------------------------------------- */

void scree_loop_begin(scree_loop *g, const scree_course *course, void *problem,
                      const scree_solver_options *options,
                      scree_report *report) {
    scree_assert(options->tolerance >= 0 && options->iterations >= 0);
    *report = (scree_report){.stop = SCREE_STOP_ITERATIONS};
    *g = (scree_loop){.course = course,
                      .problem = problem,
                      .options = options,
                      .report = report,
                      .goal = {.tolerance = options->tolerance,
                               .balance = options->balance,
                               .approach = INFINITY},
                      .start = scree_loop_now(),
                      .error = {.residual = INFINITY},
                      .mark = INFINITY,
                      .doubted = -1};
}

scree_status scree_loop_keep(scree_loop *g, double *P, int64_t n,
                             scree_arena *scratch) {
    g->P = P;
    g->n = n;
    g->best = scree_arena_push(scratch, ((size_t)n + 1) * sizeof *g->best);
    if (!g->best) return SCREE_OUT_OF_MEMORY;
    memcpy(g->best, P, (size_t)n * sizeof *g->best);
    return SCREE_OK;
}

/* What ended at the tolerance has just been measured. */
void scree_loop_end(scree_loop *g) {
    const bool measured = g->report->stop == SCREE_STOP_TOLERANCE;
    if (!measured && !g->options->keep_last)
        memcpy(g->P, g->best, (size_t)g->n * sizeof *g->P);
    if (!measured) g->error = g->course->measure(g);
    scree_report_write(g->report, &g->error);
    g->report->iterations = (int)g->iteration;
    g->report->converged =
        measured || scree_residual_is_small(&g->error, g->goal.tolerance);
}

/* ---- is it a solution? --------------------------------------------------- */

static bool is_solved(const scree_loop *g, const scree_residual *r,
                      scree_mark now) {
    if (!scree_goal_is_met(&g->goal, r)) return false;
    if (r->velocity <= SCREE_BESIDE * g->goal.tolerance) return true;
    const bool falls = !g->leaps && scree_trend_falls(&g->trend, now);
    return (falls || g->options->on_the_way) && r->normal <= 0.5 * g->fastest;
}

/* As long again as it took to get there, and it is still none? */
static bool is_hopeless(scree_loop *g, const scree_residual *r) {
    const int doubts = g->course->doubts;
    if (doubts == 0 || !(r->residual <= g->goal.tolerance)) return false;
    if (g->doubted < 0) g->doubted = g->iteration;
    return g->iteration >= 2 * g->doubted + doubts;
}

/* Bodies at rest. What a solve leaves undone moves them, a little in every step, and
 * mostly downwards: contacts creep out of the dead zone (engine/laws/laws.h) and into each
 * other, recovery moves grains without friction, and loads change until one of them
 * falls. A bed of 1 200 spheres, 18 of them high, sinks by 1.4e-4 d in a second where
 * steps stop at 3e-4, by 5e-5 d at 3e-5, 1e-6 d at 3e-6 and 5e-9 d at 3e-7. So a
 * problem that its first guess solves, the percussions of the last step, is solved
 * further, to this residual. That is cheap, as the next steps begin nearer: 13 sweeps a
 * step in place of 4 when a bed has just come to rest, 2 as before a second later. */
static const double AT_REST = 3e-7;

static bool goes_on(const scree_loop *g, const scree_residual *r) {
    const scree_solver_options *o = g->options;
    const int most = o->rest < o->iterations ? o->rest : o->iterations;
    return g->rests && g->iteration < most && r->residual > AT_REST;
}

/* ---- when to measure ----------------------------------------------------- */

enum { SPACING = 4 };

/* Iterations that are left if the residual falls as it did so far. */
static double count_left(const scree_loop *g, double residual) {
    return (double)g->iteration * scree_log(residual / g->goal.tolerance) /
           scree_log(g->first / residual);
}

/* A residual costs a share of an iteration: it is measured less and less often, and
 * more often again near the end. */
static int64_t check_spacing(const scree_loop *g, double residual) {
    const int64_t most = SPACING + g->iteration / g->course->part;
    const int64_t least = (most + 3) / 4;
    if (!g->course->hurries || g->iteration == 0 || !(residual < g->first))
        return most;
    const double n = ceil(count_left(g, residual));
    return n < (double)least ? least : n < (double)most ? (int64_t)n : most;
}

static void plan_next(scree_loop *g, double residual) {
    g->next = g->iteration + check_spacing(g, residual);
    if (g->next > g->options->iterations) g->next = g->options->iterations;
}

/* ---- the loop ------------------------------------------------------------ */

/* A NaN never is the best. A third better is progress. */
void scree_loop_note(scree_loop *g, const scree_residual *r) {
    if (!(r->residual < g->error.residual)) return;
    g->error = *r;
    if (g->best) memcpy(g->best, g->P, (size_t)g->n * sizeof *g->best);
    if (r->residual > 2.0 / 3 * g->mark) return;
    g->mark = r->residual;
    g->marked = g->iteration;
}

static bool is_stalled(const scree_loop *g) {
    const int stall = g->options->stall;
    if (stall == 0) return false;
    return g->course->halves ? g->iteration >= 2 * (int64_t)stall &&
                                   g->marked <= g->iteration / 2
                             : g->iteration - g->marked >= stall;
}

static bool is_late(const scree_loop *g) {
    return g->options->seconds > 0 && g->iteration > 0 &&
           scree_loop_now() - g->start >= g->options->seconds;
}

/* Why what is not solved ends here. */
static bool ends_here(scree_loop *g, const scree_residual *r, scree_stop *why) {
    if (!isfinite(r->residual))
        *why = SCREE_STOP_NOT_FINITE;
    else if (is_hopeless(g, r))
        *why = SCREE_STOP_STALL;
    else if (g->iteration >= g->options->iterations)
        *why = SCREE_STOP_ITERATIONS;
    else if (is_late(g))
        *why = SCREE_STOP_TIME;
    else if (is_stalled(g))
        *why = SCREE_STOP_STALL;
    else
        return false;
    return true;
}

bool scree_loop_is_over(scree_loop *g) {
    const scree_solver_options *o = g->options;
    const scree_residual r = g->course->measure(g);
    const scree_mark now = {g->swept + g->iteration, r.loaded};
    const bool solved = is_solved(g, &r, now);
    if (o->watch) o->watch(o->context, g->iteration, &r);
    scree_loop_note(g, &r);
    scree_trend_note(&g->trend, now);
    scree_report_write(g->report, &r);
    g->report->iterations = (int)g->iteration;
    g->report->converged = solved;
    if (g->iteration == 0) g->first = r.residual;
    if (g->iteration == 0 && g->swept == 0)
        g->rests = r.residual <= g->goal.tolerance;
    g->last = r.residual;
    plan_next(g, r.residual);
    if (!solved) return ends_here(g, &r, &g->report->stop);
    if (goes_on(g, &r)) return false;
    g->report->stop = SCREE_STOP_TOLERANCE;
    return true;
}

bool scree_loop_advance(scree_loop *g) {
    if (scree_loop_is_due(g) && scree_loop_is_over(g)) return true;
    g->iteration++;
    return false;
}

/* ---- a method inside a method -------------------------------------------- */

static void pass_on(void *context, int64_t iteration, const scree_residual *r) {
    const scree_relay *relay = context;
    relay->outer->watch(relay->outer->context, relay->before + iteration, r);
}

scree_solver_options scree_relay_options(scree_relay *relay) {
    scree_solver_options o = *relay->outer;
    o.iterations -= (int)relay->before;
    if (o.seconds > 0 && relay->before > 0)
        o.seconds = fmax(1e-9, o.seconds - (scree_loop_now() - relay->start));
    if (o.watch) o.watch = pass_on;
    o.context = relay;
    return o;
}
