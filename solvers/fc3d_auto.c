/* fc3d_auto.c: one method after the other, each from where the last one got to.
 *
 * Gauss-Seidel with momentum is the fastest from a cold start; what it stalls on
 * is a near-neutral friction mode, which Newton steps settle when the problem is
 * small: their cost grows with the cube of the rows, so larger ones first try
 * other momenta and gradients. The best r of all stages is kept, because every
 * method returns its best and starts from the r it is given. */
#include <math.h>

#include "solvers/fc3d.h"

typedef struct stage {
    scree_fc3d_solver *solve;
    double momentum;
    bool adaptive;
    int rows;            /* of W at most, 0: any */
    int64_t most, stall; /* iterations, 0: all that are left; never */
} stage;

static const stage stages[] = {
    {scree_fc3d_pgs, 0.85, true, 0, 0, 1500},
    {scree_fc3d_newton, 0, false, 300, 50, 0},
    {scree_fc3d_pgs, 0.99, false, 0, 0, 1500},
    {scree_fc3d_pgs, 0.7, false, 0, 0, 3000},
    {scree_fc3d_apgd, 0, false, 0, 0, 3000},
    {scree_fc3d_newton, 0, false, 900, 8, 0},
    {scree_fc3d_pgs, 0, false, 0, 0, 0},
};
enum { STAGES = sizeof stages / sizeof *stages };

/* The watcher of a stage sees iterations counted from the first stage on. */
typedef struct relay {
    const scree_fc3d_options *outer;
    int64_t before;
} relay;

static void pass_on(void *context, int64_t iteration,
                    const scree_fc3d_error *error) {
    const relay *r = context;
    if (r->outer->watch)
        r->outer->watch(r->outer->context, r->before + iteration, error);
}

static scree_fc3d_options stage_options(const stage *s, relay *r) {
    scree_fc3d_options o = *r->outer;
    o.momentum = s->momentum;
    o.adaptive = s->adaptive;
    o.stall = s->stall;
    o.iterations -= r->before;
    if (s->most && o.iterations > s->most) o.iterations = s->most;
    o.watch = pass_on;
    o.context = r;
    return o;
}

static bool is_over(const scree_fc3d_report *report,
                    const scree_fc3d_options *options) {
    return report->converged || report->stop == SCREE_STOP_NOT_FINITE ||
           report->iterations >= options->iterations;
}

scree_status scree_fc3d_auto(scree_fc3d *p, const scree_fc3d_options *options,
                             scree_arena *scratch, scree_fc3d_report *report) {
    relay r = {.outer = options};
    for (int i = 0; i < STAGES; i++) {
        if (stages[i].rows && p->dim * (int64_t)p->nc > stages[i].rows) continue;
        const scree_fc3d_options o = stage_options(&stages[i], &r);
        TRY(stages[i].solve(p, &o, scratch, report));
        r.before = report->iterations += r.before;
        if (is_over(report, options)) break;
    }
    return SCREE_OK;
}
