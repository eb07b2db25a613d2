/* run_model.c: the run of a model. One step reads: size, step, outputs and
 * checkpoint if they are due. An adaptive stepper may take less than it is offered,
 * so the time tells where the run is, never the number of the step. */
#include "io/run/run_model.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/world/state.h"
#include "io/case/case_message.h"
#include "io/output/model_output.h"
#include "io/output/model_summary.h"
#include "io/run/audit.h"
#include "io/run/run_broken.h"
#include "io/run/run_common.h"
#include "io/run/run_done.h"
#include "io/run/run_keep.h"
#include "io/run/run_lock.h"
#include "io/run/run_log.h"
#include "io/run/run_watch.h"
#include "io/run/terminal.h"

typedef struct sink {
    const scree_output_ops *ops;
    double every;    /* [s] simulated; 0: every step */
    int64_t passed;  /* multiples of `every` so far */
    int64_t written; /* step of the last writing, -1: none */
    void *self;      /* NULL: not open */
} sink;

enum { MOST_SINKS = 2 };

typedef struct run {
    const scree_case *source;
    const scree_run_options *options;
    scree_dense *system;
    sink sinks[MOST_SINKS];
    int n_sink;
    scree_pool *pool; /* names of the columns */
    scree_columns columns;
    char *folder;
    scree_lock lock;
    scree_terminal terminal;
    scree_keeper keeper;
    scree_model_summary summary;
    scree_audit audit; /* of a run that begins */
    bool stop;         /* a step did not converge, and the case says to stop */
    double seconds;    /* wall time of the parts before this one */
} run;

/* ---- time ---------------------------------------------------------------- */

double scree_run_next_dt(double t, double end, double step) {
    const double left = end - t;
    if (left <= 1e-9 * step) return 0.0;
    return left <= 1.001 * step ? left : step;
}

static double next_dt(const run *r) {
    return scree_run_next_dt(r->system->t, r->source->end, r->source->world.dt);
}

/* Counts multiples of `every` with a little play for the rounding of t. */
static int64_t multiples(const run *r, double every) {
    const double play = 1e-3 * r->source->world.dt;
    return (int64_t)floor((r->system->t + fmin(play, 1e-3 * every)) / every);
}

/* ---- what a checkpoint holds --------------------------------------------- */

#define AT(type, member) offsetof(type, member)

static const scree_archive_field run_fields[] = {
    {"begun", SCREE_F64, 1, AT(run, summary.t)},
    {"energy", SCREE_F64, 1, AT(run, summary.energy)},
    {"unconverged", SCREE_I64, 1, AT(run, summary.unconverged)},
    {"worst_residual", SCREE_F64, 1, AT(run, summary.worst)},
    {"least_gap", SCREE_F64, 1, AT(run, summary.least_gap)},
    {"seconds", SCREE_F64, 1, AT(run, seconds)},
};
_Static_assert(sizeof(scree_model_summary) == 40,
               "a new member of scree_model_summary must be saved as well");

static const scree_archive_field sink_fields[] = {
    {"written", SCREE_I64, 1, AT(sink, written)},
};

static void archive_sink(sink *s, scree_archive *a) {
    scree_archive_group(a, "outputs/%s", s->ops->name);
    scree_archive_struct(a, s, SCREE_FIELDS(sink_fields));
    s->ops->archive(s->self, a);
}

/* All but the sinks, which are loaded when they open. */
static void archive_run(run *r, scree_archive *a) {
    scree_dense_archive(r->system, a);
    scree_archive_group(a, "run");
    scree_archive_struct(a, r, SCREE_FIELDS(run_fields));
}

static void fill_checkpoint(void *context, scree_archive *a) {
    run *r = context;
    const double before = r->seconds;
    r->seconds += scree_wall_seconds() - r->keeper.begun;
    archive_run(r, a);
    r->seconds = before;
    for (int i = 0; i < r->n_sink; i++) archive_sink(&r->sinks[i], a);
}

static scree_status save_checkpoint(run *r, scree_error *error) {
    const scree_hdf5_state state = {r->system->t, r->system->steps,
                                    scree_model_hash(r->system)};
    return scree_keeper_save(&r->keeper, &state, error);
}

static scree_status load_run(run *r, scree_error *error) {
    scree_error why = {0};
    scree_archive a = scree_checkpoint_archive(r->options->from, &why);
    archive_run(r, &a);
    return scree_run_loaded(r->options, &a, &why, error);
}

static scree_status load_sink(run *r, sink *s, scree_error *error) {
    scree_error why = {0};
    scree_archive a = scree_checkpoint_archive(r->options->from, &why);
    archive_sink(s, &a);
    return scree_run_loaded(r->options, &a, &why, error);
}

/* ---- sinks --------------------------------------------------------------- */

static scree_output_context context_of(const run *r) {
    return (scree_output_context){.folder = r->folder,
                                  .source = r->source,
                                  .system = r->system,
                                  .columns = &r->columns};
}

static scree_status open_sinks(run *r, scree_error *error) {
    scree_output_context context = context_of(r);
    for (int i = 0; i < r->source->n_output && i < MOST_SINKS; i++) {
        const scree_case_output *output = &r->source->outputs[i];
        sink *s = &r->sinks[r->n_sink++];
        *s = (sink){.ops = scree_model_output_find(output->sink),
                    .every = output->schedule.every,
                    .written = -1};
        if (s->every > 0.0) s->passed = multiples(r, s->every);
        TRY(scree_run_knows_sink(r->options, s->ops->name, &context.resumes,
                                 error));
        TRY(s->ops->open(&context, &s->self, error));
        if (context.resumes) TRY(load_sink(r, s, error));
    }
    return SCREE_OK;
}

/* Closes all of them, whatever fails; reports the first failure. */
static scree_status close_sinks(run *r, scree_error *error) {
    scree_status first = SCREE_OK;
    for (int i = 0; i < r->n_sink; i++) {
        sink *s = &r->sinks[i];
        if (!s->self) continue;
        const scree_status status =
            s->ops->close(s->self, first == SCREE_OK ? error : NULL);
        if (first == SCREE_OK) first = status;
        s->self = NULL;
    }
    return first;
}

static bool is_due(const run *r, sink *s) {
    if (s->every <= 0.0) return true;
    const int64_t now = multiples(r, s->every), before = s->passed;
    s->passed = now;
    return now > before;
}

typedef enum wanted { DUE, BEHIND, ALL } wanted;

static bool is_wanted(const run *r, sink *s, wanted which) {
    if (which == DUE) return is_due(r, s);
    return which == ALL || s->written < r->system->steps;
}

static scree_status write_sinks(run *r, wanted which, scree_error *error) {
    const scree_output_context context = context_of(r);
    for (int i = 0; i < r->n_sink; i++) {
        sink *s = &r->sinks[i];
        if (!is_wanted(r, s, which)) continue;
        TRY(s->ops->write(s->self, &context, error));
        s->written = r->system->steps;
    }
    return SCREE_OK;
}

/* ---- steps --------------------------------------------------------------- */

static scree_status step_system(const scree_case *c, scree_dense *system,
                                double dt, scree_error *error) {
    scree_dense_options options = c->stepping;
    options.dt = dt;
    options.dt_min = fmin(options.dt_min, dt);
    scree_error why = {0};
    const double from = system->t;
    const scree_status status =
        scree_dense_step(system, c->world.stepper, &options, &why);
    if (status == SCREE_OK) return SCREE_OK;
    return scree_fail(error, status, "%s: step %" PRId64 " from t = %g s: %s",
                      c->world.stepper, system->steps + 1, from,
                      why.text[0] ? why.text : scree_status_text(status));
}

/* Not reaching the tolerance is said once, and counted for the table. */
static void watch(run *r, int64_t unconverged) {
    const scree_dense *s = r->system;
    const bool failed = s->unconverged > unconverged;
    if (failed && r->summary.unconverged == 0)
        scree_terminal_line(&r->terminal,
                            "warning: step %" PRId64
                            " (t = %g s) did not reach tolerance %g: "
                            "residual %.2e after %d + %d iterations",
                            s->steps, s->t, r->source->stepping.tolerance,
                            s->residual, s->iterations[0], s->iterations[1]);
    scree_model_summary_add(&r->summary, s, failed);
    r->stop =
        failed && r->source->stepping.unconverged == SCREE_UNCONVERGED_STOP;
}

static void show_progress(run *r) {
    const scree_dense *s = r->system;
    const bool done = next_dt(r) == 0.0;
    const scree_progress progress = {.step = s->steps,
                                     .time = done ? r->source->end : s->t,
                                     .end = r->source->end};
    if (!scree_terminal_is_due(&r->terminal, &progress)) return;
    char detail[100];
    snprintf(detail, sizeof detail, "step %" PRId64 "  it %d+%d  res %.1e",
             s->steps, s->iterations[0], s->iterations[1], s->residual);
    scree_terminal_show(&r->terminal, &progress, detail);
}

static scree_status take_step(run *r, scree_error *error) {
    const double before = r->system->t;
    const int64_t unconverged = r->system->unconverged;
    TRY(step_system(r->source, r->system, next_dt(r), error));
    if (!(r->system->t > before))
        return scree_fail(error, SCREE_NOT_FINITE,
                          "%s: the step became so small that time stands "
                          "still at t = %g s",
                          r->source->world.stepper, before);
    watch(r, unconverged);
    TRY(write_sinks(r, DUE, error));
    if (scree_keeper_is_due(&r->keeper, before, r->system->t))
        TRY(save_checkpoint(r, error));
    show_progress(r);
    return SCREE_OK;
}

static bool is_done(const run *r) {
    return next_dt(r) == 0.0;
}

static scree_status take_steps(run *r, scree_error *error) {
    const bool on = scree_keeper_is_on(&r->keeper);
    if (!r->options->resumes) TRY(write_sinks(r, ALL, error));
    if (scree_keeper_wants_first(&r->keeper)) TRY(save_checkpoint(r, error));
    show_progress(r);
    while (!is_done(r) && !r->stop && !scree_keeper_must_stop(&r->keeper))
        TRY(take_step(r, error));
    if (on || r->stop || !is_done(r)) TRY(save_checkpoint(r, error));
    return write_sinks(r, BEHIND, error);
}

/* ---- begin and end ------------------------------------------------------- */

static scree_status make_system(const scree_case *c, scree_dense **system,
                                scree_error *error) {
    const scree_status status =
        scree_dense_create(c->model, c->parameters, system);
    if (status == SCREE_OK) return SCREE_OK;
    return scree_fail(error, status, "%.300s: model '%s': %s", c->path,
                      c->model->name, scree_status_text(status));
}

static bool is_refusal(scree_status status) {
    return status == SCREE_UNSUPPORTED || status == SCREE_BAD_ARGUMENT ||
           status == SCREE_BAD_INPUT;
}

/* A first step on a copy tells whether stepper, solver and model go together,
 * before anything is written. */
static scree_status try_step(const run *r, scree_error *error) {
    const scree_case *c = r->source;
    scree_dense *copy;
    scree_error why = {0};
    TRY(make_system(c, &copy, error));
    const scree_status status = step_system(c, copy, next_dt(r), &why);
    scree_dense_destroy(copy);
    if (!is_refusal(status)) return SCREE_OK;
    return scree_fail(error, status,
                      "%.300s: the stepper '%s' with the solver '%s' is not "
                      "supported for the model '%s'\n  %.400s",
                      c->path, c->world.stepper, c->stepping.solver,
                      c->model->name, why.text);
}

static scree_status set_up(run *r, scree_error *error) {
    TRY(make_system(r->source, &r->system, error));
    r->pool = scree_pool_create();
    if (!r->pool || !scree_columns_make(r->system, r->pool, &r->columns))
        return scree_run_no_memory(error);
    TRY(try_step(r, error));
    scree_model_summary_begin(&r->summary, r->system);
    if (r->options->from) TRY(load_run(r, error));
    scree_run_listen(r->options);
    TRY(scree_run_folder(r->source, r->options, &r->folder, error));
    if (!r->options->lock) TRY(scree_lock_take(&r->lock, r->folder, error));
    TRY(scree_done_check(r->folder, r->options, error));
    scree_done_clear(r->folder);
    TRY(scree_run_log(r->folder, r->source, r->options, 1, error));
    r->keeper = (scree_keeper){.source = r->source,
                               .comm = scree_comm_alone(),
                               .options = r->options,
                               .folder = r->folder,
                               .started = scree_wall_seconds(),
                               .fill = fill_checkpoint,
                               .context = r};
    scree_keeper_begin(&r->keeper);
    return SCREE_OK;
}

static void tear_down(run *r) {
    scree_dense_destroy(r->system);
    scree_pool_destroy(r->pool);
    scree_lock_release(&r->lock);
    scree_audit_free(&r->audit);
    free(r->folder);
}

/* Of a model only its outputs can be looked at before. */
static void announce_audit(run *r) {
    scree_error unheard;
    if (!r->options->from)
        scree_case_audit(r->source, NULL, r->folder, &r->audit, &unheard);
    scree_audit_print(&r->audit, SCREE_WARNING, r->terminal.log);
    scree_keeper_tell_removed(&r->keeper, &r->terminal);
}

static void announce(run *r) {
    const scree_case *c = r->source;
    scree_terminal_line(&r->terminal,
                        "%s: model %s by %s, %g s in steps of %g s",
                        scree_quote(c->name).text, c->model->name,
                        c->world.stepper, c->end, c->world.dt);
    announce_audit(r);
}

static void save_broken_state(run *r, scree_error *error) {
    scree_error failure;
    const scree_output_context context = context_of(r);
    const scree_broken_name name = scree_broken_file(r->system->steps, ".hdf5");
    const scree_status written =
        scree_model_write_state(&context, name.text, &failure);
    scree_broken_tell(error, written, r->folder, &name, &failure);
}

static void finish(run *r, double seconds) {
    if (!is_done(r) && !r->stop)
        scree_keeper_explain_stop(&r->keeper, &r->terminal, r->system->t,
                                  r->system->steps, 0);
    scree_model_summary_print(&r->summary, &r->terminal, r->system, seconds);
    scree_terminal_line(&r->terminal, "\n  result: %s", r->folder);
    for (int i = 0; i < r->n_sink; i++)
        scree_terminal_line(&r->terminal, "  %-8s %s/%s", r->sinks[i].ops->name,
                            r->folder, r->sinks[i].ops->file);
    scree_run_print_hash(r->options, scree_model_hash(r->system));
}

static scree_status judge_run(const run *r, scree_error *error) {
    if (r->stop)
        return scree_stop_unconverged(r->system->steps, r->system->t, error);
    if (!is_done(r)) return SCREE_OK;
    return scree_judge_unconverged(r->source, r->summary.unconverged,
                                   r->system->steps, r->summary.worst, error);
}

static scree_status end_run(run *r, double seconds, scree_error *error) {
    finish(r, seconds);
    if (is_done(r))
        TRY(scree_done_mark(r->folder, r->source, r->system->steps,
                            r->system->t, scree_model_hash(r->system), error));
    const scree_status status = judge_run(r, error);
    if (r->stop) scree_keeper_tell(&r->keeper, error);
    return status;
}

static scree_status run_open(run *r, scree_error *error) {
    scree_status status = open_sinks(r, error);
    if (status == SCREE_OK) status = take_steps(r, error);
    if (status == SCREE_NOT_FINITE) save_broken_state(r, error);
    const scree_status closing =
        close_sinks(r, status == SCREE_OK ? error : NULL);
    if (status == SCREE_OK) status = closing;
    if (status != SCREE_OK) scree_keeper_tell(&r->keeper, error);
    return status;
}

scree_status scree_run_model(const scree_case *c,
                             const scree_run_options *options,
                             scree_error *error) {
    run r = {.source = c, .options = options, .lock = {.fd = -1}};
    scree_status status = set_up(&r, error);
    if (status == SCREE_OK) {
        scree_terminal_open(&r.terminal, options->quiet ? NULL : options->log);
        announce(&r);
        scree_run_warn_of_lock(options->lock ? options->lock : &r.lock,
                               r.folder, &r.terminal);
        r.terminal.from = r.system->t / c->end;
        const double begun = scree_wall_seconds();
        status = run_open(&r, error);
        if (status == SCREE_OK)
            status =
                end_run(&r, r.seconds + scree_wall_seconds() - begun, error);
        else
            scree_terminal_break(&r.terminal);
    }
    tear_down(&r);
    return status;
}
