#include "io/output/sampling.h"

#include <string.h>

#include "io/run/run.h"

static bool takes_samples(const scree_output_context *context) {
    return context->output && context->output->sampling.every >= 0;
}

bool scree_sampling_is_due(const scree_output_context *context) {
    if (!takes_samples(context)) return false;
    const double time = scree_world_time(context->world);
    const double dt = scree_world_step_size(context->world);
    scree_schedule schedule = context->output->schedule;
    schedule.every = context->output->sampling.every;
    schedule.times = NULL;
    const double play =
        1e-3 * schedule.every < 1e-6 * dt ? 1e-3 * schedule.every : 1e-6 * dt;
    return scree_run_is_due(time - dt + play, time + play, &schedule);
}

bool scree_sampling_begin(scree_sampling *s,
                          const scree_output_context *context, double *sums,
                          size_t size) {
    if (takes_samples(context) && s->n > 0) return false;
    memset(sums, 0, size * sizeof *sums);
    s->n = 1;
    return true;
}

void scree_sampling_end(scree_sampling *s, const scree_output_context *context,
                        double *sums, size_t size) {
    const bool at_start = scree_world_steps(context->world) == 0;
    if (takes_samples(context) && !at_start &&
        context->output->sampling.mean == SCREE_MEAN_OF_RUN)
        return;
    memset(sums, 0, size * sizeof *sums);
    s->n = 0;
}

void scree_sampling_archive(scree_sampling *s, double *sums, int64_t rows,
                            int columns, scree_archive *a) {
    scree_archive_array(a, "samples", SCREE_F64, 1, 1, &s->n);
    scree_archive_array(a, "sums", SCREE_F64, rows, columns, sums);
}
