#include "io/output/model/model_summary.h"

#include <inttypes.h>
#include <math.h>

#include "io/output/model/model_output.h"

static void watch_gaps(scree_model_summary *summary, const scree_dense *s) {
    for (int i = 0; i < s->ops->n_law; i++)
        if (s->laws[i].kind == SCREE_LAW_CONTACT)
            summary->least_gap = fmin(summary->least_gap, s->g[i]);
}

void scree_model_summary_begin(scree_model_summary *summary,
                               const scree_dense *s) {
    *summary = (scree_model_summary){
        .t = s->t, .energy = scree_model_energy(s), .least_gap = INFINITY};
    watch_gaps(summary, s);
}

void scree_model_summary_add(scree_model_summary *summary, const scree_dense *s,
                             bool unconverged) {
    summary->unconverged += unconverged;
    summary->worst = fmax(summary->worst, s->residual);
    watch_gaps(summary, s);
}

static void print_stage(FILE *log, const scree_dense *s, int stage) {
    fprintf(
        log,
        "  iterations, stage %d  %.2f per step (mean), at most %d in a solve\n",
        stage + 1,
        (double)s->sum_iterations[stage] / fmax((double)s->steps, 1.0),
        s->most_iterations[stage]);
}

static void print_solves(FILE *log, const scree_model_summary *summary,
                         const scree_dense *s) {
    for (int stage = 0; stage < 2; stage++)
        if (stage == 0 || s->sum_iterations[stage] > 0)
            print_stage(log, s, stage);
    fprintf(log, "  unconverged          %" PRId64 " of %" PRId64 " steps\n",
            summary->unconverged, s->steps);
    fprintf(log, "  singular Jacobians   %" PRId64 "\n", s->singular);
    fprintf(log, "  worst residual       %.2e\n", summary->worst);
}

void scree_model_summary_print(const scree_model_summary *summary,
                               scree_terminal *terminal, const scree_dense *s,
                               double seconds) {
    FILE *log = scree_terminal_begin(terminal);
    if (!log) return;
    const double steps = fmax((double)s->steps, 1.0);
    fprintf(log, "\n  steps                %" PRId64 ", %.3g s mean\n",
            s->steps, (s->t - summary->t) / steps);
    print_solves(log, summary, s);
    if (isfinite(summary->least_gap))
        fprintf(log, "  least gap            %.3g\n", summary->least_gap);
    if (s->ops->energy)
        fprintf(log,
                "  energy [J]           %.8g at the start, %.8g at the end\n",
                summary->energy, scree_model_energy(s));
    fprintf(log, "  wall time            %.3f s, %.4g steps per second\n",
            seconds, (double)s->steps / fmax(seconds, 1e-9));
    scree_terminal_end(terminal);
}
