/* run.c: the driver of a run, of a world or of a model (runner.h). */
#include "io/run/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/clock.h"
#include "engine/base/watch.h"
#include "io/file/safe_file.h"
#include "io/report/case_copy.h"
#include "io/report/report.h"
#include "io/report/view_script.h"
#include "io/run/audit.h"
#include "io/run/run_broken.h"
#include "io/run/run_common.h"
#include "io/run/run_done.h"
#include "io/run/run_log.h"
#include "io/run/runner.h"

/* ---- what a checkpoint holds --------------------------------------------- */

void scree_runner_archive(scree_runner *r, scree_archive *a) {
    r->ops->archive(r, a);
    scree_archive_group(a, "run");
    scree_archive_array(a, "seconds", SCREE_F64, 1, 1, &r->seconds);
}

static void fill_checkpoint(void *context, scree_archive *a) {
    scree_runner *r = context;
    const double before = r->seconds;
    r->seconds += scree_clock() - r->keeper.begun;
    scree_runner_archive(r, a);
    r->seconds = before;
    scree_sinks_archive(r, a);
}

static scree_status save_checkpoint(scree_runner *r, scree_error *error) {
    const double begun = scree_clock();
    const scree_hdf5_state state = {r->time, r->step, r->ops->hash(r)};
    const scree_status status = scree_keeper_save(&r->keeper, &state, error);
    scree_runner_charge(r, begun);
    return status;
}

scree_status scree_runner_load(scree_runner *r, scree_error *error) {
    scree_error why = {0};
    scree_archive a = scree_checkpoint_archive(r->options->from, &why);
    scree_runner_archive(r, &a);
    return scree_run_loaded(r->options, &a, &why, error);
}

double scree_runner_charge(scree_runner *r, double begun) {
    const double seconds = scree_clock() - begun;
    if (r->ops->charge) r->ops->charge(r, seconds);
    return seconds;
}

/* ---- steps --------------------------------------------------------------- */

static void show_progress(scree_runner *r) {
    const double end = r->source->end;
    const bool whole = r->done && r->steps == 0;
    const scree_progress progress = {r->step, r->steps, whole ? end : r->time,
                                     end};
    r->ops->show_progress(r, &progress);
}

scree_run_state scree_runner_state(const scree_runner *r) {
    return (scree_run_state){.time = r->time,
                             .end = r->source->end,
                             .step = r->step,
                             .steps = r->steps,
                             .world = r->context.world,
                             .model = r->context.system};
}

static void tell_step(const scree_runner *r) {
    const scree_run_state at = scree_runner_state(r);
    if (r->options->each) r->options->each(r->options->each_context, &at);
}

static scree_status take_step(scree_runner *r, scree_error *error) {
    TRY(r->ops->step(r, error));
    TRY(scree_sinks_watch(r, error));
    TRY(scree_sinks_write(r, SCREE_SINK_DUE, error));
    if (scree_keeper_is_due(&r->keeper, r->before, r->time))
        TRY(save_checkpoint(r, error));
    show_progress(r);
    tell_step(r);
    return SCREE_OK;
}

static scree_status take_steps(scree_runner *r, scree_error *error) {
    const bool on = scree_keeper_is_on(&r->keeper);
    if (!r->options->resumes) TRY(scree_sinks_write(r, SCREE_SINK_DUE, error));
    if (scree_keeper_wants_first(&r->keeper)) TRY(save_checkpoint(r, error));
    show_progress(r);
    while (!r->done && !r->stop && !scree_keeper_must_stop(&r->keeper))
        TRY(take_step(r, error));
    if (on || r->stop || !r->done) TRY(save_checkpoint(r, error));
    return scree_sinks_write(r, SCREE_SINK_BEHIND, error);
}

/* ---- begin --------------------------------------------------------------- */

/* The folder, ready to be written to, is the first rank's work. */
static scree_status take_folder(scree_runner *r, scree_error *error) {
    if (r->comm->rank > 0) {
        r->folder = scree_run_choose_folder(r->source, r->options);
        return r->folder ? SCREE_OK : scree_run_no_memory(error);
    }
    TRY(scree_run_folder(r->source, r->options, &r->folder, error));
    if (!r->options->lock) TRY(scree_lock_take(&r->lock, r->folder, error));
    TRY(scree_done_check(r->folder, r->options, error));
    scree_done_clear(r->folder);
    return scree_run_log(r->folder, r->source, r->options, r->comm->size,
                         error);
}

static void begin_keeper(scree_runner *r, double started) {
    r->keeper = (scree_keeper){.source = r->source,
                               .comm = r->comm,
                               .options = r->options,
                               .folder = r->folder,
                               .started = started,
                               .fill = fill_checkpoint,
                               .context = r};
    scree_keeper_begin(&r->keeper);
}

/* What is run comes first: a case that cannot be built leaves no folder. */
static scree_status set_up(scree_runner *r, scree_error *error) {
    const double started = scree_clock();
    TRY(r->ops->make(r, error));
    TRY(scree_run_audit(r->source, r->options, r->context.world, &r->audit,
                        error));
    if (r->options->listens) *r->options->listens = 1;
    TRY(scree_comm_agree(r->comm, take_folder(r, error), error));
    scree_lock_follow(&r->lock, r->comm, r->folder);
    r->context.folder = r->folder;
    if (r->ops->settle) r->ops->settle(r);
    begin_keeper(r, started);
    return SCREE_OK;
}

static void warn_terminal(void *to, const char *text) {
    scree_terminal_line(to, "%s", text);
}

static scree_status make_room(scree_runner *r, scree_error *error) {
    r->self = calloc(1, r->ops->size);
    r->sinks = calloc((size_t)r->source->n_output + 1, sizeof *r->sinks);
    return r->self && r->sinks ? SCREE_OK : scree_run_no_memory(error);
}

static void tear_down(scree_runner *r) {
    if (r->self) r->ops->free(r);
    scree_lock_release(&r->lock);
    scree_audit_free(&r->audit);
    free(r->self);
    free(r->sinks);
    free(r->folder);
}

/* The caller frees it; NULL: no memory. */
static char *log_path(const scree_runner *r) {
    char *path;
    return asprintf(&path, "%s/run.log", r->folder) < 0 ? NULL : path;
}

/* A folder is used without a lock where that cannot be had. */
static void warn_of_lock(const scree_lock *lock, const char *folder,
                         scree_terminal *terminal) {
    if (lock->fd < 0 || !lock->unknown) return;
    scree_terminal_line(
        terminal,
        "warning: %s cannot be locked (%s): nothing will stop "
        "a second run from writing there\n"
        "         remedy: let each run have a folder of its own",
        folder, strerror(lock->unknown));
}

static void warn_of_case(scree_terminal *terminal, const char *folder) {
    scree_terminal_line(terminal,
                        "warning: %s/case.yaml is not of a run, and stays as "
                        "it is: the resolved case is not kept\n"
                        "         remedy: choose another folder with --out",
                        folder);
}

static scree_status open_log(scree_runner *r, scree_error *error) {
    char *path = log_path(r);
    const scree_status status =
        path ? scree_terminal_keep(&r->terminal, path, r->options->resumes,
                                   error)
             : scree_run_no_memory(error);
    free(path);
    return status;
}

/* What tells of a run that ended here before: a killed one must not look like it. */
static void remove_earlier(const scree_runner *r, const char *name) {
    char *path;
    if (asprintf(&path, "%s/%s", r->folder, name) < 0) return;
    scree_file_remove(path);
    free(path);
}

/* Beside the results: what was run, how to look at it, what was said. */
static scree_status begin_files(scree_runner *r, bool *left,
                                scree_error *error) {
    if (r->comm->rank > 0) return SCREE_OK;
    remove_earlier(r, "timing.json");
    remove_earlier(r, "report.html");
    TRY(open_log(r, error));
    TRY(scree_case_copy(r->folder, r->source, r->options->resolved, left,
                        error));
    if (!scree_view_is_wanted(r->source)) return SCREE_OK;
    return scree_view_write(r->folder, r->context.world, r->options->resumes,
                            error);
}

static void announce_audit(scree_runner *r) {
    FILE *page = scree_terminal_begin(&r->terminal);
    if (page) scree_audit_print(&r->audit, SCREE_WARNING, page);
    scree_terminal_end(&r->terminal);
}

static scree_status announce_run(scree_runner *r, double build_seconds,
                                 scree_error *error) {
    const scree_run_options *o = r->options;
    bool left = false;
    scree_terminal_open(&r->terminal, o->quiet ? NULL : o->log);
    if (r->comm->size > 1) /* mpirun's, not a user's */
        r->terminal.tty = r->terminal.colour = false;
    TRY(scree_comm_agree(r->comm, begin_files(r, &left, error), error));
    r->ops->announce(r, build_seconds);
    announce_audit(r);
    if (left) warn_of_case(&r->terminal, r->folder);
    scree_keeper_tell_removed(&r->keeper, &r->terminal);
    warn_of_lock(o->lock ? o->lock : &r->lock, r->folder, &r->terminal);
    r->terminal.from = r->steps ? (double)r->step / (double)r->steps
                                : r->time / r->source->end;
    return SCREE_OK;
}

/* ---- end ----------------------------------------------------------------- */

static scree_status run_open(scree_runner *r, scree_error *error) {
    scree_status status = scree_sinks_open(r, error);
    if (status == SCREE_OK) status = take_steps(r, error);
    if (status == SCREE_NOT_FINITE || status == SCREE_LEFT)
        scree_broken_save(&r->context, error);
    const scree_status closing =
        scree_sinks_close(r, status == SCREE_OK ? error : NULL);
    if (status == SCREE_OK) status = closing;
    if (status == SCREE_IO_ERROR) scree_sinks_tell(r, error);
    if (status != SCREE_OK) scree_keeper_tell(&r->keeper, error);
    return status;
}

static scree_status write_timing(scree_runner *r, double seconds, uint64_t hash,
                                 scree_error *error) {
    scree_timing timing = {.finished = r->done,
                           .steps = r->step,
                           .time = r->time,
                           .seconds = seconds,
                           .ranks = 1,
                           .threads = 1,
                           .hash = hash};
    scree_status status = r->ops->time(r, &timing, error);
    if (status == SCREE_OK && r->comm->rank == 0)
        status = scree_timing_write(r->folder, &timing, error);
    free(timing.each);
    return status;
}

/* After all else: it is made of the other files. */
static scree_status write_report(scree_runner *r, scree_error *error) {
    const scree_page_options none = {0};
    char *path;
    if (!r->source->report || r->comm->rank > 0) return SCREE_OK;
    if (asprintf(&path, "%s/report.html", r->folder) < 0)
        return scree_run_no_memory(error);
    const scree_status status = scree_page_write(r->folder, path, &none, error);
    free(path);
    return status;
}

/* What was written is whole, whatever is to be said of it. */
static scree_status end_run(scree_runner *r, double seconds,
                            scree_error *error) {
    const uint64_t hash = r->ops->hash(r);
    scree_status status = SCREE_OK;
    if (!r->done && !r->stop)
        scree_keeper_explain_stop(&r->keeper, &r->terminal, r->time, r->step,
                                  r->steps);
    r->ops->print_summary(r, seconds);
    if (r->source->report)
        scree_terminal_line(&r->terminal, "  report: %s/report.html",
                            r->folder);
    if (r->options->log)
        fprintf(r->options->log, "state hash: %016" PRIx64 "\n", hash);
    scree_terminal_note(&r->terminal, "state hash: %016" PRIx64 "\n", hash);
    status = write_timing(r, seconds, hash, error);
    if (status == SCREE_OK && r->done && r->comm->rank == 0)
        status = scree_done_mark(r->folder, r->source, r->step, r->time, hash,
                                 error);
    if (status == SCREE_OK) status = write_report(r, error);
    TRY(scree_comm_agree(r->comm, status, error));
    status = r->ops->judge(r, error);
    if (r->stop) scree_keeper_tell(&r->keeper, error);
    return status;
}

static scree_status run_to_end(scree_runner *r, scree_error *error) {
    const double begun = scree_clock();
    const scree_status status = run_open(r, error);
    if (status == SCREE_OK)
        return end_run(r, r->seconds + scree_clock() - begun, error);
    scree_terminal_break(&r->terminal);
    return status;
}

/* The log is the last to close: it tells of what went wrong. */
static scree_status close_log(scree_runner *r, scree_status status,
                              scree_error *error) {
    char *path = log_path(r);
    if (status != SCREE_OK)
        scree_terminal_note(&r->terminal, "error: %s\n", error->text);
    const scree_status closing =
        scree_terminal_close(&r->terminal, path ? path : "run.log",
                             status == SCREE_OK ? error : NULL);
    free(path);
    return status == SCREE_OK ? scree_comm_agree(r->comm, closing, error)
                              : status;
}

static scree_status run_case(scree_runner *r, scree_error *error) {
    const double begun = scree_clock();
    TRY(set_up(r, error));
    scree_status status = announce_run(r, scree_clock() - begun, error);
    if (status == SCREE_OK) status = run_to_end(r, error);
    return close_log(r, status, error);
}

const scree_run_ops *scree_run_ops_of(const scree_case *c) {
    return c->model                   ? &scree_run_of_model
           : c->ensemble.trajectories ? &scree_run_of_ensemble
                                      : &scree_run_of_world;
}

static scree_status run_over(const scree_case *c,
                             const scree_run_options *options,
                             const scree_comm *comm, scree_error *error) {
    scree_run_options here = *options;
    here.comm = comm;
    scree_runner r = {.ops = scree_run_ops_of(c),
                      .source = c,
                      .options = &here,
                      .comm = comm,
                      .lock = {.fd = -1},
                      .terminal = {.file = -1}};
    r.context = (scree_output_context){.comm = comm,
                                       .source = c,
                                       .warn = warn_terminal,
                                       .warn_to = &r.terminal};
    scree_status status = scree_comm_agree(comm, make_room(&r, error), error);
    if (status == SCREE_OK) status = run_case(&r, error);
    tear_down(&r);
    return status;
}

/* A model is small: the first rank runs it, and the others wait for what
 * becomes of it. */
static scree_status run_on_first(const scree_case *c,
                                 const scree_run_options *options,
                                 const scree_comm *comm, scree_error *error) {
    const scree_status status =
        comm->rank == 0 ? run_over(c, options, scree_comm_alone(), error)
                        : SCREE_OK;
    scree_comm_rest(comm);
    return scree_comm_agree(comm, status, error);
}

scree_status scree_run(const scree_case *c, const scree_run_options *options,
                       scree_error *error) {
    const scree_comm *comm = options->comm ? options->comm : scree_comm_alone();
    TRY(scree_run_refuse_scripts(c, options, error));
    scree_watch_begin(comm, options->max_silence != 0 ? options->max_silence
                                                      : SCREE_WATCH_PATIENCE);
    const scree_status status = c->model ? run_on_first(c, options, comm, error)
                                         : run_over(c, options, comm, error);
    scree_watch_end(comm);
    return status;
}
