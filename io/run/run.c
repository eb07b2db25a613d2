/* run.c: the run of a world. One step reads: pours, step, outputs and checkpoint
 * if they are due. Cases of models go on to run_model.c. */
#include "io/run/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/cores.h"
#include "engine/base/watch.h"
#include "engine/world/state.h"
#include "engine/world/view.h"
#include "io/case/case_message.h"
#include "io/output/output.h"
#include "io/output/problem_dump.h"
#include "io/run/audit.h"
#include "io/run/run_broken.h"
#include "io/run/run_common.h"
#include "io/run/run_done.h"
#include "io/run/run_keep.h"
#include "io/run/run_lock.h"
#include "io/run/run_log.h"
#include "io/run/run_model.h"
#include "io/run/run_watch.h"
#include "io/run/terminal.h"

typedef struct sink {
    const scree_output_ops *ops;
    const scree_case_output *output;
    void *self; /* NULL: not open */
    int64_t written;
    int64_t last_step; /* of the last complete writing */
    double last_time;  /* the same, simulated [s] */
    double seconds;    /* wall time that it took */
} sink;

/* Ranks on this machine, if their threads are more than its cores. */
typedef struct crowd {
    int ranks, cores;
} crowd;

typedef struct run {
    const scree_case *source;
    const scree_run_options *options;
    const scree_comm *comm;
    scree_world *world;
    scree_pour_state *pours; /* (n_body) */
    sink *sinks;             /* (n_output) */
    char *folder;
    scree_lock lock;
    scree_problem_dump dump;
    scree_terminal terminal;
    scree_keeper keeper;
    crowd crowd;
    scree_run_watch watch;
    scree_audit audit; /* of a run that begins */
    int64_t steps;     /* to take */
    double seconds;    /* wall time of the parts before this one */
} run;

/* ---- what a checkpoint holds --------------------------------------------- */

#define AT(type, member) offsetof(type, member)

static const scree_archive_field run_fields[] = {
    {"seconds", SCREE_F64, 1, AT(run, seconds)},
    {"problems_saved", SCREE_I32, 1, AT(run, dump.saved)},
    {"problem_step", SCREE_I64, 1, AT(run, dump.step)},
    {"problems_in_step", SCREE_I32, 1, AT(run, dump.in_step)},
};

static const scree_archive_field sink_fields[] = {
    {"written", SCREE_I64, 1, AT(sink, written)},
    {"last_step", SCREE_I64, 1, AT(sink, last_step)},
};

static void archive_sink(sink *s, scree_archive *a) {
    scree_archive_group(a, "outputs/%s", s->ops->name);
    scree_archive_struct(a, s, SCREE_FIELDS(sink_fields));
    /* Steps alone do not tell it: their size may have been another one. */
    if (!a->loads || scree_archive_has(a, "last_time"))
        scree_archive_array(a, "last_time", SCREE_F64, 1, 1, &s->last_time);
    if (s->ops->archive) s->ops->archive(s->self, a);
}

/* All but the sinks, which are loaded when they open. */
static void archive_run(run *r, scree_archive *a) {
    if (a->loads && r->comm->size > 1) /* the rest when it is spread */
        scree_world_load_numbers(r->world, a);
    else
        scree_world_archive(r->world, a);
    scree_pours_archive(r->pours, r->source->n_body, a);
    scree_archive_group(a, "run");
    scree_run_watch_archive(&r->watch, a);
    scree_archive_struct(a, r, SCREE_FIELDS(run_fields));
}

static void fill_checkpoint(void *context, scree_archive *a) {
    run *r = context;
    const double before = r->seconds;
    r->seconds += scree_wall_seconds() - r->keeper.begun;
    archive_run(r, a);
    r->seconds = before;
    for (int i = 0; i < r->source->n_output; i++) archive_sink(&r->sinks[i], a);
}

static scree_status save_checkpoint(run *r, scree_error *error) {
    const double begun = scree_wall_seconds();
    const scree_hdf5_state state = {scree_world_time(r->world),
                                    scree_world_steps(r->world),
                                    scree_world_hash(r->world)};
    const scree_status status = scree_keeper_save(&r->keeper, &state, error);
    scree_world_charge_output(r->world, scree_wall_seconds() - begun);
    return status;
}

/* A larger count would overflow when the run goes on; no run comes so far. */
static void check_counts(const run *r, scree_archive *a) {
    const int64_t most = (int64_t)1 << 60;
    scree_cost cost;
    scree_world_read_cost(r->world, &cost);
    const scree_run_watch *w = &r->watch;
    bool ok = w->unconverged >= 0 && w->unconverged < most &&
              cost.unconverged >= 0 && cost.unconverged < most;
    for (int i = 0; i < SCREE_STOPS; i++)
        ok = ok && w->stops[i] >= 0 && w->stops[i] < most;
    if (!ok)
        scree_archive_fail(a, SCREE_BAD_INPUT,
                           "its counts of unconverged steps cannot be");
}

static scree_status load_run(run *r, scree_error *error) {
    scree_error why = {0};
    scree_archive a = scree_checkpoint_archive(r->options->from, &why);
    TRY(scree_case_build_over(r->source, r->comm, &r->world, NULL, error));
    archive_run(r, &a);
    if (a.status == SCREE_OK) check_counts(r, &a);
    return scree_run_loaded(r->options, &a, &why, error);
}

/* Spreads a world whose numbers are loaded; then what each rank has of it. */
static scree_status load_part(run *r, scree_error *error) {
    scree_error why = {0};
    if (!r->options->from || r->comm->size == 1) return SCREE_OK;
    TRY(scree_comm_agree(r->comm, scree_case_spread(r->world, r->comm, error),
                         error));
    scree_archive a = scree_checkpoint_archive(r->options->from, &why);
    scree_world_load_part(r->world, &a);
    return scree_run_loaded(r->options, &a, &why, error);
}

static scree_status load_sink(run *r, sink *s, scree_error *error) {
    scree_error why = {0};
    scree_archive a = scree_checkpoint_archive(r->options->from, &why);
    archive_sink(s, &a);
    /* It writes at most once in a step, and at t = 0. */
    if (s->last_step > scree_world_steps(r->world) || s->written < 0 ||
        s->written > s->last_step + 1)
        scree_archive_fail(&a, SCREE_BAD_INPUT,
                           "output '%s' is said to be ahead of the run",
                           s->ops->name);
    return scree_run_loaded(r->options, &a, &why, error);
}

/* ---- sinks --------------------------------------------------------------- */

static void warn(void *to, const char *text) {
    run *r = to;
    scree_terminal_line(&r->terminal, "%s", text);
}

static scree_output_context context_of(run *r, const sink *s) {
    return (scree_output_context){.comm = r->comm,
                                  .folder = r->folder,
                                  .source = r->source,
                                  .world = r->world,
                                  .output = s->output,
                                  .warn = warn,
                                  .warn_to = r};
}

/* Work of a sink, from `begun` to now. */
static void charge(run *r, sink *s, double begun) {
    const double seconds = scree_wall_seconds() - begun;
    s->seconds += seconds;
    scree_world_charge_output(r->world, seconds);
}

static scree_status open_sink(run *r, sink *s, scree_error *error) {
    scree_output_context context = context_of(r, s);
    scree_status status =
        scree_run_knows_sink(r->options, s->ops->name, &context.resumes, error);
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

static scree_status open_sinks(run *r, scree_error *error) {
    for (int i = 0; i < r->source->n_output; i++) {
        const scree_case_output *output = &r->source->outputs[i];
        sink *s = &r->sinks[i];
        *s = (sink){.ops = scree_output_find(output->sink),
                    .output = output,
                    .last_step = -1};
        const double begun = scree_wall_seconds();
        const scree_status status =
            scree_comm_agree(r->comm, open_sink(r, s, error), error);
        charge(r, s, begun);
        TRY(status);
    }
    return SCREE_OK;
}

/* Closes all of them, whatever fails; reports the first failure. */
static scree_status close_sinks(run *r, scree_error *error) {
    scree_status first = SCREE_OK;
    for (int i = 0; i < r->source->n_output; i++) {
        sink *s = &r->sinks[i];
        if (!s->self) continue; /* on any rank: they opened together */
        scree_error *why = first == SCREE_OK ? error : NULL;
        const scree_status status =
            scree_comm_agree(r->comm, s->ops->close(s->self, why), why);
        if (first == SCREE_OK) first = status;
        s->self = NULL;
    }
    return first;
}

/* What a failed run leaves behind that can be used. */
static void tell_what_is_complete(const run *r, scree_error *error) {
    for (int i = 0; i < r->source->n_output; i++) {
        const sink *s = &r->sinks[i];
        if (!s->ops) continue;
        scree_run_append(error, "\n  %s: ", s->ops->name);
        if (s->written == 0)
            scree_run_append(error, "nothing was written");
        else
            scree_run_append(error,
                             "the last complete one is number %" PRId64
                             " at t = %g s (step %" PRId64 ")",
                             s->written - 1, s->last_time, s->last_step);
    }
}

static scree_status write_sink(run *r, sink *s, scree_error *error) {
    const scree_output_context context = context_of(r, s);
    const double begun = scree_wall_seconds();
    const scree_status status = scree_comm_agree(
        r->comm, s->ops->write(s->self, &context, error), error);
    charge(r, s, begun);
    TRY(status);
    s->written++;
    s->last_step = scree_world_steps(r->world);
    s->last_time = scree_world_time(r->world);
    return SCREE_OK;
}

typedef bool sink_test(const run *r, const sink *s);

/* The times of the last step, from counts. */
static double time_before(const run *r) {
    return scree_world_time_of(r->world, scree_world_steps(r->world) - 1);
}

static bool sink_is_due(const run *r, const sink *s) {
    return scree_run_is_due(time_before(r), scree_world_time(r->world),
                            &s->output->schedule);
}

static bool is_done(const run *r) {
    return scree_world_steps(r->world) >= r->steps;
}

/* At its end, or where it stops, a run leaves its last state. What a resumed
 * run cannot take back is not written ahead of a schedule that goes on. */
static bool sink_is_behind(const run *r, const sink *s) {
    return (s->ops->archive || is_done(r)) &&
           s->last_step < scree_world_steps(r->world) &&
           scree_run_wants_end(time_before(r), scree_world_time(r->world),
                               &s->output->schedule);
}

static scree_status write_sinks(run *r, sink_test *wanted, scree_error *error) {
    for (int i = 0; i < r->source->n_output; i++)
        if (wanted(r, &r->sinks[i])) TRY(write_sink(r, &r->sinks[i], error));
    return SCREE_OK;
}

/* ---- steps --------------------------------------------------------------- */

static scree_status advance_pours(run *r, scree_error *error) {
    for (int i = 0; i < r->source->n_body; i++) {
        const scree_case_body *body = &r->source->bodies[i];
        if (body->kind == SCREE_CASE_POUR)
            TRY(scree_comm_agree(r->comm,
                                 scree_pour_advance(&body->as.pour,
                                                    &r->pours[i], r->world,
                                                    error),
                                 error));
    }
    return SCREE_OK;
}

static void show_progress(run *r) {
    const scree_progress progress = {scree_world_steps(r->world), r->steps,
                                     scree_world_time(r->world),
                                     r->source->end};
    scree_terminal_progress(&r->terminal, r->world, &progress);
}

/* Of one rank, while the others go on with the step: it ends them all. */
static _Noreturn void give_up(const run *r) {
    scree_error why;
    scree_fail(&why, SCREE_OUT_OF_MEMORY, "%s", scree_world_error(r->world));
    scree_keeper_tell(&r->keeper, &why);
    scree_comm_abort(r->comm, 1, why.text);
}

static scree_status take_step(run *r, scree_error *error) {
    TRY(advance_pours(r, error));
    const scree_status status = scree_world_step(r->world);
    if (status != SCREE_OK && !scree_world_view_of(r->world).agreed &&
        r->comm->size > 1)
        give_up(r);
    if (status != SCREE_OK)
        return scree_fail(error, status, "%s", scree_world_error(r->world));
    scree_run_watch_step(&r->watch, r->world);
    TRY(write_sinks(r, sink_is_due, error));
    if (scree_keeper_is_due(&r->keeper, time_before(r),
                            scree_world_time(r->world)))
        TRY(save_checkpoint(r, error));
    show_progress(r);
    return SCREE_OK;
}

static scree_status take_steps(run *r, scree_error *error) {
    const bool on = scree_keeper_is_on(&r->keeper);
    if (!r->options->resumes) TRY(write_sinks(r, sink_is_due, error));
    if (scree_keeper_wants_first(&r->keeper)) TRY(save_checkpoint(r, error));
    show_progress(r);
    while (!is_done(r) && !r->watch.stop && !scree_keeper_must_stop(&r->keeper))
        TRY(take_step(r, error));
    if (on || r->watch.stop || !is_done(r)) TRY(save_checkpoint(r, error));
    return write_sinks(r, sink_is_behind, error);
}

/* ---- begin and end ------------------------------------------------------- */

static scree_status refuse_ranks(const run *r, scree_error *error) {
    if (r->comm->size == 1 || r->source->world.solver.dump == SCREE_DUMP_NONE)
        return SCREE_OK;
    return scree_fail(
        error, SCREE_BAD_INPUT,
        "%.300s: solver.dump saves the problems of one rank only, "
        "and there are %d\n  run it without mpirun, or take "
        "solver.dump out",
        r->source->path, r->comm->size);
}

/* Have the ranks of this machine more threads than it has cores? One rank does as
 * it is told. */
static crowd find_crowd(const run *r) {
    const crowd all = {.ranks = scree_comm_neighbours(r->comm),
                       .cores = scree_core_count_of(r->comm)};
    const bool crowded =
        all.ranks * scree_world_view_of(r->world).def->threads > all.cores;
    return r->comm->size > 1 && crowded ? all : (crowd){0};
}

/* The folder, ready to be written to, is the first rank's work. */
static scree_status take_folder(run *r, scree_error *error) {
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

static scree_status make_lists(run *r, scree_error *error) {
    const scree_case *c = r->source;
    r->pours = calloc((size_t)c->n_body + 1, sizeof *r->pours);
    r->sinks = calloc((size_t)c->n_output + 1, sizeof *r->sinks);
    return r->pours && r->sinks ? SCREE_OK : scree_run_no_memory(error);
}

/* The world comes first: a case that cannot be built leaves no folder. */
static scree_status make_world(run *r, scree_error *error) {
    const scree_case *c = r->source;
    TRY(refuse_ranks(r, error));
    TRY(scree_comm_agree(r->comm, make_lists(r, error), error));
    return r->options->from
               ? load_run(r, error)
               : scree_case_build_over(c, r->comm, &r->world, r->pours, error);
}

static scree_status set_up(run *r, scree_error *error) {
    const scree_case *c = r->source;
    const double started = scree_wall_seconds();
    TRY(scree_comm_agree(r->comm, make_world(r, error), error));
    TRY(load_part(r, error));
    r->crowd = find_crowd(r);
    TRY(scree_run_audit(c, r->options, r->world, &r->audit, error));
    scree_run_listen(r->options);
    TRY(scree_comm_agree(r->comm, take_folder(r, error), error));
    scree_lock_follow(&r->lock, r->comm, r->folder);
    scree_problem_dump_attach(&r->dump, c->name, r->folder, r->world);
    const scree_world_view view = scree_world_view_of(r->world);
    r->steps =
        view.epoch_step + scree_run_steps(c->end - view.epoch_t, c->world.dt);
    r->keeper = (scree_keeper){.source = c,
                               .comm = r->comm,
                               .options = r->options,
                               .folder = r->folder,
                               .started = started,
                               .fill = fill_checkpoint,
                               .context = r};
    scree_keeper_begin(&r->keeper);
    return SCREE_OK;
}

static void tear_down(run *r) {
    scree_world_destroy(r->world);
    scree_problem_dump_free(&r->dump);
    scree_lock_release(&r->lock);
    scree_audit_free(&r->audit);
    free(r->pours);
    free(r->sinks);
    free(r->folder);
}

static void announce(run *r, double build_seconds) {
    const scree_case *c = r->source;
    const int threads = scree_world_view_of(r->world).def->threads;
    scree_terminal_line(
        &r->terminal,
        "%s: %" PRId64 " bodies, %d walls, %" PRId64
        " steps of %g s (built in %.2f s)",
        scree_quote(c->name).text, scree_world_body_count(r->world),
        scree_world_wall_count(r->world), r->steps, c->world.dt, build_seconds);
    if (r->comm->size > 1)
        scree_terminal_line(&r->terminal, "%d ranks with %d %s each",
                            r->comm->size, threads,
                            threads == 1 ? "thread" : "threads");
    if (r->crowd.ranks)
        scree_terminal_line(&r->terminal,
                            "warning: %d ranks x %d on the %d physical cores "
                            "of this machine: they will take turns",
                            r->crowd.ranks, threads, r->crowd.cores);
    scree_audit_print(&r->audit, SCREE_WARNING, r->terminal.log);
    scree_keeper_tell_removed(&r->keeper, &r->terminal);
}

static void save_broken_state(run *r, scree_error *error) {
    const scree_output_context context = {.comm = r->comm,
                                          .folder = r->folder,
                                          .source = r->source,
                                          .world = r->world};
    scree_broken_save(&context, error);
}

static const sink *find_sink(const run *r, const char *name) {
    for (int i = 0; i < r->source->n_output; i++)
        if (strcmp(r->sinks[i].ops->name, name) == 0) return &r->sinks[i];
    return NULL;
}

static void finish(run *r, double seconds, uint64_t hash) {
    if (!is_done(r) && !r->watch.stop)
        scree_keeper_explain_stop(&r->keeper, &r->terminal,
                                  scree_world_time(r->world),
                                  scree_world_steps(r->world), r->steps);
    const sink *frames = find_sink(r, "frames"),
               *catalyst = find_sink(r, "catalyst");
    scree_terminal_summary(
        &r->terminal,
        &(scree_summary){.world = r->world,
                         .seconds = seconds,
                         .tolerance = r->source->world.solver.tolerance,
                         .worst = r->watch.worst,
                         .stops = r->watch.stops,
                         .folder = r->folder,
                         .frames = frames != NULL,
                         .stride = r->watch.stride,
                         .lift = scree_run_watch_lift(&r->watch, r->world),
                         .catalyst = catalyst ? catalyst->seconds : 0});
    if (is_done(r)) scree_run_watch_pours(&r->watch, r->pours);
    if (r->dump.saved)
        scree_terminal_line(
            &r->terminal,
            "%d problems saved as %s/problem-*.hdf5 (scree "
            "solve reads them)%s",
            r->dump.saved, r->folder,
            r->dump.saved == SCREE_DUMPS_MOST ? "; no more than that" : "");
    scree_run_print_hash(r->options, hash);
}

static scree_status run_open(run *r, scree_error *error) {
    scree_status status = open_sinks(r, error);
    if (status == SCREE_OK) status = take_steps(r, error);
    if (status == SCREE_NOT_FINITE) save_broken_state(r, error);
    const scree_status closing =
        close_sinks(r, status == SCREE_OK ? error : NULL);
    if (status == SCREE_OK) status = closing;
    if (status == SCREE_IO_ERROR) tell_what_is_complete(r, error);
    if (status != SCREE_OK) scree_keeper_tell(&r->keeper, error);
    return status;
}

/* What was written is whole, whatever is to be said of it. */
static scree_status end_run(run *r, double seconds, scree_error *error) {
    const uint64_t hash = scree_world_hash(r->world);
    scree_status status = SCREE_OK;
    finish(r, seconds, hash);
    if (is_done(r) && r->comm->rank == 0)
        status =
            scree_done_mark(r->folder, r->source, scree_world_steps(r->world),
                            scree_world_time(r->world), hash, error);
    TRY(scree_comm_agree(r->comm, status, error));
    status = scree_run_watch_judge(&r->watch, r->world, is_done(r), error);
    if (r->watch.stop) scree_keeper_tell(&r->keeper, error);
    return status;
}

/* A model is small: the first rank runs it, and the others wait for what
 * becomes of it. */
static scree_status run_model(const scree_case *c,
                              const scree_run_options *options,
                              const scree_comm *comm, scree_error *error) {
    const scree_status status =
        comm->rank == 0 ? scree_run_model(c, options, error) : SCREE_OK;
    scree_comm_rest(comm);
    return scree_comm_agree(comm, status, error);
}

static scree_status run_world(const scree_case *c,
                              const scree_run_options *options,
                              const scree_comm *comm, scree_error *error) {
    run r = {.source = c, .options = options, .comm = comm, .lock = {.fd = -1}};
    r.watch =
        (scree_run_watch){.source = c, .comm = r.comm, .terminal = &r.terminal};
    double begun = scree_wall_seconds();
    scree_status status = set_up(&r, error);
    if (status == SCREE_OK) {
        scree_terminal_open(&r.terminal, options->quiet ? NULL : options->log);
        if (r.comm->size > 1)
            r.terminal.tty = false; /* mpirun's, not a user's */
        announce(&r, scree_wall_seconds() - begun);
        scree_run_warn_of_lock(options->lock ? options->lock : &r.lock,
                               r.folder, &r.terminal);
        r.terminal.from = (double)scree_world_steps(r.world) / (double)r.steps;
        begun = scree_wall_seconds();
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

scree_status scree_run(const scree_case *c, const scree_run_options *options,
                       scree_error *error) {
    const scree_comm *comm = options->comm ? options->comm : scree_comm_alone();
    TRY(scree_run_refuse_scripts(c, options, error));
    scree_watch_begin(comm, options->max_silence != 0 ? options->max_silence
                                                      : SCREE_WATCH_PATIENCE);
    const scree_status status = c->model ? run_model(c, options, comm, error)
                                         : run_world(c, options, comm, error);
    scree_watch_end(comm);
    return status;
}
