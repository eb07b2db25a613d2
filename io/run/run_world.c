/* run_world.c: a world as the driver runs it. One step reads: pours, step, a look at
 * what became of it. */
#include <inttypes.h>
#include <stdlib.h>

#include "engine/base/cores.h"
#include "engine/system/stepper.h"
#include "engine/world/make.h"
#include "engine/world/state.h"
#include "engine/world/view.h"
#include "io/case/yaml/case_message.h"
#include "io/output/problem_dump.h"
#include "io/report/view_script.h"
#include "io/run/run_common.h"
#include "io/run/run_watch.h"
#include "io/run/runner.h"

/* Ranks on this machine, if their threads are more than its cores. */
typedef struct crowd {
    int ranks, cores;
} crowd;

typedef struct world_run {
    scree_world *world;
    scree_pour_state *pours; /* (n_body) */
    scree_problem_dump dump;
    crowd crowd;
    scree_run_watch watch;
} world_run;

/* Steps that choose themselves meet the end up to rounding. */
static bool is_at_end(const scree_runner *r) {
    return r->time >= r->source->end - 1e-9 * r->source->world.dt;
}

static bool steps_are_alike(const scree_case *c) {
    return c->step > 0 && !scree_stepper_find(c->world.stepper)->adaptive;
}

/* Where the run is. Times of steps come from counts. */
static void read_clock(scree_runner *r) {
    const world_run *w = r->self;
    r->step = scree_world_steps(w->world);
    r->time = scree_world_time(w->world);
    r->done = w->watch.ends || (r->steps ? r->step >= r->steps : is_at_end(r));
    r->stop = w->watch.stop;
}

/* ---- what a checkpoint holds --------------------------------------------- */

#define AT(member) offsetof(world_run, member)

static const scree_archive_field run_fields[] = {
    {"problems_saved", SCREE_I32, 1, AT(dump.saved)},
    {"problem_step", SCREE_I64, 1, AT(dump.step)},
    {"problems_in_step", SCREE_I32, 1, AT(dump.in_step)},
};

/* A larger count would overflow when the run goes on; no run comes so far. */
static void check_counts(const world_run *w, scree_archive *a) {
    const int64_t most = (int64_t)1 << 60;
    scree_cost cost;
    scree_world_read_cost(w->world, &cost);
    const scree_run_watch *watch = &w->watch;
    bool ok = watch->unconverged >= 0 && watch->unconverged < most &&
              cost.unconverged >= 0 && cost.unconverged < most;
    for (int i = 0; i < SCREE_STOPS; i++)
        ok = ok && watch->stops[i] >= 0 && watch->stops[i] < most;
    if (!ok)
        scree_archive_fail(a, SCREE_BAD_INPUT,
                           "its counts of unconverged steps cannot be");
}

static void archive_world(scree_runner *r, scree_archive *a) {
    world_run *w = r->self;
    if (a->loads && r->comm->size > 1) /* the rest when it is spread */
        scree_world_load_numbers(w->world, a);
    else
        scree_world_archive(w->world, a);
    scree_pours_archive(w->pours, r->source->n_body, a);
    scree_archive_group(a, "run");
    scree_run_watch_archive(&w->watch, a);
    scree_archive_struct(a, w, SCREE_FIELDS(run_fields));
    if (a->loads && a->status == SCREE_OK) check_counts(w, a);
}

/* Spreads a world whose numbers are loaded; then what each rank has of it. */
static scree_status load_part(scree_runner *r, scree_error *error) {
    world_run *w = r->self;
    scree_error why = {0};
    if (!r->options->from || r->comm->size == 1) return SCREE_OK;
    TRY(scree_comm_agree(r->comm, scree_case_spread(w->world, r->comm, error),
                         error));
    scree_archive a = scree_checkpoint_archive(r->options->from, &why);
    scree_world_load_part(w->world, &a);
    return scree_run_loaded(r->options, &a, &why, error);
}

/* ---- begin --------------------------------------------------------------- */

static scree_status refuse_ranks(const scree_runner *r, scree_error *error) {
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
static crowd find_crowd(const scree_comm *comm, const scree_world *world) {
    const crowd all = {.ranks = scree_comm_neighbours(comm),
                       .cores = scree_core_count_of(comm)};
    const bool crowded =
        all.ranks * scree_world_view_of(world).def->threads > all.cores;
    return comm->size > 1 && crowded ? all : (crowd){0};
}

static scree_status build_world(scree_runner *r, scree_error *error) {
    world_run *w = r->self;
    const scree_case *c = r->source;
    TRY(refuse_ranks(r, error));
    w->pours = calloc((size_t)c->n_body + 1, sizeof *w->pours);
    TRY(scree_comm_agree(
        r->comm, w->pours ? SCREE_OK : scree_run_no_memory(error), error));
    if (!r->options->from)
        return scree_case_build_over(c, r->comm, &w->world, w->pours, error);
    TRY(scree_case_build_over(c, r->comm, &w->world, NULL, error));
    return scree_runner_load(r, error);
}

static scree_status make_world(scree_runner *r, scree_error *error) {
    world_run *w = r->self;
    w->watch = (scree_run_watch){
        .source = r->source, .comm = r->comm, .terminal = &r->terminal};
    TRY(scree_comm_agree(r->comm, build_world(r, error), error));
    TRY(load_part(r, error));
    w->crowd = find_crowd(r->comm, w->world);
    r->context.world = w->world;
    if (scree_output_needs_paths(r->source)) scree_world_keep_paths(w->world);
    const scree_world_view view = scree_world_view_of(w->world);
    if (steps_are_alike(r->source))
        r->steps = view.epoch_step +
                   scree_run_steps(r->source->end - view.epoch_t, view.dt);
    read_clock(r);
    r->before = r->time - view.dt; /* so that the start is a time to write */
    return SCREE_OK;
}

static void settle_world(scree_runner *r) {
    world_run *w = r->self;
    scree_problem_dump_attach(&w->dump, r->source->name, r->folder, w->world);
}

static void free_world(scree_runner *r) {
    world_run *w = r->self;
    scree_world_destroy(w->world);
    scree_problem_dump_free(&w->dump);
    free(w->pours);
}

static void describe_steps(const scree_runner *r, char *text, size_t size) {
    const scree_case *c = r->source;
    if (steps_are_alike(c))
        snprintf(text, size, "%" PRId64 " steps of %g s", r->steps, c->step);
    else if (c->step > 0)
        snprintf(text, size, "steps of at most %g s, less where modes change",
                 c->world.dt);
    else
        snprintf(text, size,
                 "steps of at most %g s in which nothing moves by more than %g "
                 "of its size",
                 c->world.dt, c->motion);
}

static void announce_world(scree_runner *r, double build_seconds) {
    const world_run *w = r->self;
    const int threads = scree_world_view_of(w->world).def->threads;
    char steps[120];
    describe_steps(r, steps, sizeof steps);
    scree_terminal_line(
        &r->terminal, "%s: %" PRId64 " bodies, %d walls, %s (built in %.2f s)",
        scree_quote(r->source->name).text, scree_world_body_count(w->world),
        scree_world_wall_count(w->world), steps, build_seconds);
    if (r->comm->size > 1)
        scree_terminal_line(&r->terminal, "%d ranks with %d %s each",
                            r->comm->size, threads,
                            threads == 1 ? "thread" : "threads");
    if (w->crowd.ranks)
        scree_terminal_line(&r->terminal,
                            "warning: %d ranks x %d on the %d physical cores "
                            "of this machine: they will take turns\n"
                            "         remedy: fewer ranks, or --threads 1",
                            w->crowd.ranks, threads, w->crowd.cores);
}

/* ---- steps --------------------------------------------------------------- */

static scree_status advance_pours(scree_runner *r, scree_error *error) {
    const scree_case *c = r->source;
    world_run *w = r->self;
    for (int i = 0; i < c->n_body; i++)
        if (c->bodies[i].kind == SCREE_CASE_POUR)
            TRY(scree_comm_agree(r->comm,
                                 scree_pour_advance(&c->bodies[i].as.pour,
                                                    &w->pours[i], w->world,
                                                    error),
                                 error));
    return SCREE_OK;
}

/* Of one rank, while the others go on with the step: it ends them all. */
static _Noreturn void give_up(const scree_runner *r, const char *text) {
    scree_error why;
    scree_fail(&why, SCREE_OUT_OF_MEMORY, "%s", text);
    scree_keeper_tell(&r->keeper, &why);
    scree_comm_abort(r->comm, 1, why.text);
}

static scree_status step_world(scree_runner *r, scree_error *error) {
    world_run *w = r->self;
    r->before = r->time;
    TRY(advance_pours(r, error));
    const scree_status status = scree_world_step(w->world);
    if (status != SCREE_OK && !scree_world_view_of(w->world).agreed &&
        r->comm->size > 1)
        give_up(r, scree_world_error(w->world));
    if (status == SCREE_LEFT)
        return scree_fail(error, status,
                          "%s\n  the case says domain.outside: error; a larger "
                          "domain, or remove, lets the run go on",
                          scree_world_error(w->world));
    if (status != SCREE_OK)
        return scree_fail(error, status, "%s", scree_world_error(w->world));
    scree_run_watch_step(&w->watch, w->world);
    scree_run_watch_end(&w->watch, w->world, w->pours);
    read_clock(r);
    return SCREE_OK;
}

static void show_world(scree_runner *r, const scree_progress *progress) {
    scree_terminal_progress(&r->terminal, r->context.world, progress);
}

static uint64_t hash_world(const scree_runner *r) {
    return scree_world_hash(r->context.world);
}

static void charge_world(scree_runner *r, double seconds) {
    const world_run *w = r->self;
    scree_world_charge_output(w->world, seconds);
}

/* ---- end ----------------------------------------------------------------- */

static void print_dumps(scree_runner *r, int saved) {
    if (saved)
        scree_terminal_line(&r->terminal,
                            "%d problems saved as %s/problem-*.hdf5 (scree "
                            "solve reads them)%s",
                            saved, r->folder,
                            saved == SCREE_DUMPS_MOST ? "; no more than that"
                                                      : "");
}

static void list_parts(const scree_runner *r, scree_summary *summary) {
    for (int i = 0; i < r->source->n_output; i++) {
        const scree_sink *s = &r->sinks[i];
        if (s->ops->counts && s->seconds > 0 &&
            summary->n_part < SCREE_PARTS_MOST)
            summary->parts[summary->n_part++] =
                (struct scree_phase_part){s->ops->name, s->seconds};
    }
}

static void print_world(scree_runner *r, double seconds) {
    const world_run *w = r->self;
    scree_summary summary = {.world = w->world,
                             .seconds = seconds,
                             .tolerance = r->source->world.solver.tolerance,
                             .worst = w->watch.worst,
                             .stops = w->watch.stops,
                             .folder = r->folder,
                             .view = scree_view_is_wanted(r->source),
                             .stride = w->watch.stride,
                             .lift = scree_run_watch_lift(&w->watch, w->world)};
    list_parts(r, &summary);
    scree_terminal_summary(&r->terminal, &summary);
    scree_run_watch_leavers(&w->watch, w->world);
    scree_run_watch_nets(&w->watch, w->world);
    if (r->done) scree_run_watch_pours(&w->watch, w->pours);
    print_dumps(r, w->dump.saved);
}

static scree_status time_world(scree_runner *r, scree_timing *timing,
                               scree_error *error) {
    const world_run *w = r->self;
    timing->worst_residual = w->watch.worst;
    return scree_timing_read(timing, w->world, r->comm, error);
}

static scree_status judge_world(const scree_runner *r, scree_error *error) {
    const world_run *w = r->self;
    return scree_run_watch_judge(&w->watch, w->world, r->done, error);
}

const scree_run_ops scree_run_of_world = {.size = sizeof(world_run),
                                          .find_sink = scree_output_find,
                                          .make = make_world,
                                          .free = free_world,
                                          .settle = settle_world,
                                          .announce = announce_world,
                                          .step = step_world,
                                          .show_progress = show_world,
                                          .archive = archive_world,
                                          .hash = hash_world,
                                          .charge = charge_world,
                                          .print_summary = print_world,
                                          .time = time_world,
                                          .judge = judge_world};
