/* auto_blocks.c: one method after the other, each from where the last one got to.
 *
 * Gauss-Seidel with momentum is the fastest from a cold start; what it stalls on
 * is a near-neutral friction mode, which Newton steps settle once most statuses
 * are right. Newton goes back to sweeps by itself for at least as long as its
 * steps took, so the time lost on steps that fail is at most half; where the curve
 * of its solutions folds, it is followed (path_blocks.c). Where the factors of W get
 * too large Newton gives up, and other momenta have their turn. The best r of all
 * stages is kept, because every method returns its best and starts from the r it
 * is given.
 *
 * A few contacts begin with sweeps that need no preparation. */
#include <math.h>

#include "solvers/problem/method.h"

typedef struct stage {
    scree_blocks_solver *solve;
    double momentum;  /* -1: what the caller set */
    bool last;        /* until the end, stall or not */
    double tolerance; /* if that is larger than the caller's */
} stage;

/* Below this residual most statuses are right. */
#define SETTLED 1e-6

static const stage stages[] = {
    {scree_blocks_small, -1, false, 0}, {scree_blocks_pgs, -1, false, SETTLED},
    {scree_blocks_path, -1, true, 0},   {scree_blocks_pgs, 0.95, false, 0},
    {scree_blocks_pgs, 0.7, false, 0},  {scree_blocks_pgs, 0, true, 0},
};
enum { STAGES = sizeof stages / sizeof *stages, AFTER_SWEEPS = 2 };

/* The more contacts, the more sweeps a Newton step is worth. */
static int64_t sweeps_before_newton(const scree_fc3d *p) {
    return p->nc < 1250 ? 1000 + 4 * p->nc : 6000;
}

/* A stall, or a tolerance that was only that of a stage, is not the end. */
static bool is_over(const scree_fc3d *p, scree_report *report, bool on_the_way,
                    const scree_solver_options *options) {
    const scree_residual r = scree_fc3d_measure_at(p);
    if (on_the_way)
        report->converged = scree_residual_is_small(&r, options->tolerance);
    return report->converged || (report->stop != SCREE_STOP_STALL &&
                                 report->stop != SCREE_STOP_TOLERANCE);
}

static scree_status run_stages(int first, scree_fc3d *p,
                               const scree_solver_options *options,
                               scree_arena *scratch, scree_report *report) {
    scree_relay relay = {.outer = options, .start = scree_loop_now()};
    for (int i = first; i < STAGES; i++) {
        scree_solver_options o = scree_relay_options(&relay);
        if (stages[i].momentum >= 0) o.momentum = stages[i].momentum;
        o.stall = stages[i].last ? 0 : sweeps_before_newton(p);
        o.on_the_way = stages[i].tolerance > o.tolerance;
        if (o.on_the_way) o.tolerance = stages[i].tolerance;
        TRY(scree_blocks_call(stages[i].solve, p, &o, scratch, report));
        relay.before = report->iterations += relay.before;
        if (is_over(p, report, o.on_the_way, options)) break;
    }
    return SCREE_OK;
}

scree_status scree_blocks_auto(scree_fc3d *p,
                               const scree_solver_options *options,
                               scree_arena *scratch, scree_report *report) {
    const int first = p->nc > SCREE_FC3D_SMALL;
    return run_stages(first, p, options, scratch, report);
}

scree_status scree_blocks_after_sweeps(scree_fc3d *p,
                                       const scree_solver_options *options,
                                       scree_arena *scratch,
                                       scree_report *report) {
    return run_stages(AFTER_SWEEPS, p, options, scratch, report);
}
