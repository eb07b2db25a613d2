#include "io/run/run_sinks.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "engine/base/clock.h"
#include "io/run/run_common.h"
#include "io/run/runner.h"

/* ---- what a checkpoint holds --------------------------------------------- */

#define AT(member) offsetof(scree_sink, member)

static const scree_archive_field world_fields[] = {
    {"written", SCREE_I64, 1, AT(written)},
    {"last_step", SCREE_I64, 1, AT(last_step)},
};

/* The rows of a model's file are counted by the sink itself. */
static const scree_archive_field model_fields[] = {
    {"written", SCREE_I64, 1, AT(last_step)},
};

static void archive_numbers(scree_sink *s, scree_archive *a) {
    if (s->ops->file) {
        scree_archive_struct(a, s, SCREE_FIELDS(model_fields));
        return;
    }
    scree_archive_struct(a, s, SCREE_FIELDS(world_fields));
    /* Steps alone do not tell it: their size may have been another one. */
    if (!a->loads || scree_archive_has(a, "last_time"))
        scree_archive_array(a, "last_time", SCREE_F64, 1, 1, &s->last_time);
}

static void archive_sink(scree_sink *s, scree_archive *a) {
    scree_archive_group(a, "outputs/%s", s->ops->name);
    archive_numbers(s, a);
    if (s->ops->archive) s->ops->archive(s->self, a);
}

void scree_sinks_archive(scree_runner *r, scree_archive *a) {
    for (int i = 0; i < r->source->n_output; i++) archive_sink(&r->sinks[i], a);
}

/* Does the checkpoint know the sink? One that it does not know is a new one, which
 * clears away what is there. */
static scree_status find_saved(const scree_run_options *options,
                               const char *name, bool *knows,
                               scree_error *error) {
    scree_error why = {0};
    if (!options->resumes) return SCREE_OK;
    scree_archive a = scree_checkpoint_archive(options->from, &why);
    scree_archive_group(&a, "outputs/%s", name);
    *knows = scree_archive_has(&a, "written");
    return scree_run_loaded(options, &a, &why, error);
}

static scree_status load_sink(scree_runner *r, scree_sink *s,
                              scree_error *error) {
    scree_error why = {0};
    scree_archive a = scree_checkpoint_archive(r->options->from, &why);
    archive_sink(s, &a);
    /* It writes at most once in a step, and at t = 0. */
    if (s->last_step > r->step || s->written < 0 ||
        s->written > s->last_step + 1) {
        scree_archive_fail(&a, SCREE_BAD_INPUT,
                           "output '%s' is said to be ahead of the run",
                           s->ops->name);
        s->written = 0; /* what the run ends with tells of it */
    }
    return scree_run_loaded(r->options, &a, &why, error);
}

/* ---- open and close ------------------------------------------------------ */

static scree_output_context context_of(const scree_runner *r,
                                       const scree_sink *s) {
    scree_output_context context = r->context;
    context.output = s->output;
    return context;
}

static scree_status open_sink(scree_runner *r, scree_sink *s,
                              scree_error *error) {
    scree_output_context context = context_of(r, s);
    scree_status status =
        find_saved(r->options, s->ops->name, &context.resumes, error);
    TRY(scree_comm_agree(r->comm, status, error));
    status = scree_comm_agree(r->comm, s->ops->open(&context, &s->self, error),
                              error);
    if (status != SCREE_OK && s->self) { /* open here, but not on all ranks */
        s->ops->close(s->self, NULL);
        s->self = NULL;
    }
    TRY(status);
    return context.resumes ? load_sink(r, s, error) : SCREE_OK;
}

scree_status scree_sinks_open(scree_runner *r, scree_error *error) {
    for (int i = 0; i < r->source->n_output; i++) {
        const scree_case_output *output = &r->source->outputs[i];
        scree_sink *s = &r->sinks[i];
        *s = (scree_sink){.ops = r->ops->find_sink(output->sink),
                          .output = output,
                          .last_step = -1};
        const double begun = scree_clock();
        const scree_status status =
            scree_comm_agree(r->comm, open_sink(r, s, error), error);
        s->seconds += scree_runner_charge(r, begun);
        TRY(status);
    }
    return SCREE_OK;
}

scree_status scree_sinks_close(scree_runner *r, scree_error *error) {
    scree_status first = SCREE_OK;
    for (int i = 0; i < r->source->n_output; i++) {
        scree_sink *s = &r->sinks[i];
        if (!s->self) continue; /* on any rank: they opened together */
        scree_error *why = first == SCREE_OK ? error : NULL;
        const scree_status status =
            scree_comm_agree(r->comm, s->ops->close(s->self, why), why);
        if (first == SCREE_OK) first = status;
        s->self = NULL;
    }
    return first;
}

/* ---- write --------------------------------------------------------------- */

static scree_status write_sink(scree_runner *r, scree_sink *s,
                               scree_error *error) {
    const scree_output_context context = context_of(r, s);
    const double begun = scree_clock();
    const scree_status status = scree_comm_agree(
        r->comm, s->ops->write(s->self, &context, error), error);
    s->seconds += scree_runner_charge(r, begun);
    TRY(status);
    s->written++;
    s->last_step = r->step;
    s->last_time = r->time;
    return SCREE_OK;
}

static bool sink_is_due(const scree_runner *r, const scree_sink *s) {
    const scree_schedule *schedule = &s->output->schedule;
    const double play = fmin(r->play, 1e-3 * fmax(schedule->every, 0));
    return scree_run_is_due(r->before + play, r->time + play, schedule);
}

/* At its end, or where it stops, a run leaves its last state. What a resumed
 * run cannot take back is not written ahead of a schedule that goes on. */
static bool sink_is_behind(const scree_runner *r, const scree_sink *s) {
    return (s->ops->archive || r->done) && s->last_step < r->step &&
           scree_run_wants_end(r->before, r->time, &s->output->schedule);
}

scree_status scree_sinks_write(scree_runner *r, scree_wanted which,
                               scree_error *error) {
    for (int i = 0; i < r->source->n_output; i++) {
        scree_sink *s = &r->sinks[i];
        const bool wanted =
            which == SCREE_SINK_DUE ? sink_is_due(r, s) : sink_is_behind(r, s);
        if (wanted) TRY(write_sink(r, s, error));
    }
    return SCREE_OK;
}

/* A step counts if it lies between the first and the last time of the schedule. */
static scree_status watch_sink(scree_runner *r, scree_sink *s,
                               scree_error *error) {
    const scree_schedule *schedule = &s->output->schedule;
    const scree_output_context context = context_of(r, s);
    const double play = 1e-9 * (r->time - r->before) + r->play;
    if (!s->ops->watch || r->before < schedule->from - play ||
        r->time > schedule->until + play)
        return SCREE_OK;
    const double begun = scree_clock();
    const scree_status status = s->ops->watch(s->self, &context, error);
    s->seconds += scree_runner_charge(r, begun);
    return status;
}

scree_status scree_sinks_watch(scree_runner *r, scree_error *error) {
    for (int i = 0; i < r->source->n_output; i++)
        TRY(watch_sink(r, &r->sinks[i], error));
    return SCREE_OK;
}

/* ---- what there is ------------------------------------------------------- */

static void tell_sink(const scree_sink *s, scree_error *error) {
    scree_run_append(error, "\n  %s: ", s->ops->name);
    if (s->written == 0)
        scree_run_append(error, "nothing was written");
    else
        scree_run_append(error,
                         "the last complete one is number %" PRId64
                         " at t = %g s (step %" PRId64 ")",
                         s->written - 1, s->last_time, s->last_step);
}

/* A model's file is whole or as it was; nothing in it has a number. */
void scree_sinks_tell(const scree_runner *r, scree_error *error) {
    for (int i = 0; i < r->source->n_output; i++)
        if (r->sinks[i].ops && !r->sinks[i].ops->file)
            tell_sink(&r->sinks[i], error);
}
