/* run_model.c: a model as the driver runs it. One step reads: size, step, a look at
 * what became of it. An adaptive stepper may take less than it is offered, so the
 * time tells where the run is, never the number of the step. */
#include <inttypes.h>
#include <math.h>

#include "engine/system/stepper.h"
#include "engine/world/state.h"
#include "io/case/yaml/case_message.h"
#include "io/output/model/model_output.h"
#include "io/output/model/model_summary.h"
#include "io/run/run_common.h"
#include "io/run/run_watch.h"
#include "io/run/runner.h"

typedef struct model_run {
    scree_dense *system;
    scree_pool *pool; /* names of the columns */
    scree_columns columns;
    scree_model_summary summary;
    bool fell_back; /* and said so */
} model_run;

static double next_dt(const scree_runner *r) {
    const model_run *m = r->self;
    return scree_run_next_dt(m->system->t, r->source->end, r->source->world.dt);
}

/* Where the run is. */
static void read_clock(scree_runner *r, double before) {
    const model_run *m = r->self;
    r->step = m->system->steps;
    r->time = m->system->t;
    r->before = before;
    r->done = next_dt(r) == 0.0;
}

/* ---- what a checkpoint holds --------------------------------------------- */

#define AT(member) offsetof(model_run, member)

static const scree_archive_field run_fields[] = {
    {"begun", SCREE_F64, 1, AT(summary.t)},
    {"energy", SCREE_F64, 1, AT(summary.energy)},
    {"unconverged", SCREE_I64, 1, AT(summary.unconverged)},
    {"worst_residual", SCREE_F64, 1, AT(summary.worst)},
    {"least_gap", SCREE_F64, 1, AT(summary.least_gap)},
};
_Static_assert(sizeof(scree_model_summary) == 40,
               "a new member of scree_model_summary must be saved as well");

static void archive_model(scree_runner *r, scree_archive *a) {
    model_run *m = r->self;
    scree_dense_archive(m->system, a);
    scree_archive_group(a, "run");
    scree_archive_struct(a, m, SCREE_FIELDS(run_fields));
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

/* So is a method that found no solution, and the one that went on in its place. */
static void watch_fallback(scree_runner *r) {
    model_run *m = r->self;
    const scree_dense *s = m->system;
    if (!s->fallback[0]) return;
    if (!m->fell_back)
        scree_terminal_line(&r->terminal,
                            "warning: step %" PRId64
                            " (t = %g s): %s found no solution, %s went on in "
                            "its place; solver.unconverged: stop ends a run "
                            "there",
                            s->steps, s->t, r->source->stepping.solver,
                            s->fallback);
    m->fell_back = true;
}

/* Not reaching the tolerance is said once, and counted for the table. */
static void watch_convergence(scree_runner *r, int64_t unconverged) {
    model_run *m = r->self;
    const scree_dense *s = m->system;
    const bool failed = s->unconverged > unconverged;
    if (failed && m->summary.unconverged == 0)
        scree_terminal_line(&r->terminal,
                            "warning: step %" PRId64
                            " (t = %g s) did not reach tolerance %g: "
                            "residual %.2e after %d + %d iterations\n"
                            "         remedy: more solver.iterations, or a "
                            "smaller time.step",
                            s->steps, s->t, r->source->stepping.tolerance,
                            s->residual, s->iterations[0], s->iterations[1]);
    scree_model_summary_add(&m->summary, s, failed);
    watch_fallback(r);
    r->stop = (failed || s->fallback[0]) &&
              r->source->stepping.unconverged == SCREE_UNCONVERGED_STOP;
}

static scree_status step_model(scree_runner *r, scree_error *error) {
    model_run *m = r->self;
    const double before = m->system->t;
    const int64_t unconverged = m->system->unconverged;
    TRY(step_system(r->source, m->system, next_dt(r), error));
    if (!(m->system->t > before))
        return scree_fail(error, SCREE_NOT_FINITE,
                          "%s: the step became so small that time stands "
                          "still at t = %g s",
                          r->source->world.stepper, before);
    watch_convergence(r, unconverged);
    read_clock(r, before);
    return SCREE_OK;
}

static void show_model(scree_runner *r, const scree_progress *progress) {
    const scree_dense *s = r->context.system;
    if (!scree_terminal_is_due(&r->terminal, progress)) return;
    char detail[100];
    snprintf(detail, sizeof detail, "step %" PRId64 "  it %d+%d  res %.1e",
             s->steps, s->iterations[0], s->iterations[1], s->residual);
    scree_terminal_show(&r->terminal, progress, detail);
}

static uint64_t hash_model(const scree_runner *r) {
    return scree_model_hash(r->context.system);
}

/* ---- begin --------------------------------------------------------------- */

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
static scree_status try_step(const scree_runner *r, scree_error *error) {
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

/* Nothing came before where it begins, so all sinks write there. */
static scree_status make_model(scree_runner *r, scree_error *error) {
    model_run *m = r->self;
    TRY(make_system(r->source, &m->system, error));
    m->pool = scree_pool_create();
    if (!m->pool || !scree_columns_make(m->system, m->pool, &m->columns))
        return scree_run_no_memory(error);
    TRY(try_step(r, error));
    scree_model_summary_begin(&m->summary, m->system);
    if (r->options->from) TRY(scree_runner_load(r, error));
    r->context.system = m->system;
    r->context.columns = &m->columns;
    r->play = 1e-3 * r->source->world.dt;
    read_clock(r, -INFINITY);
    return SCREE_OK;
}

static void free_model(scree_runner *r) {
    model_run *m = r->self;
    scree_dense_destroy(m->system);
    scree_pool_destroy(m->pool);
}

static double largest_restitution(const scree_dense *s) {
    double most = 0;
    for (int i = 0; i < s->ops->n_law; i++)
        most = fmax(most, fmax(s->laws[i].e_n, s->laws[i].e_f));
    return most;
}

static void warn_inelastic(scree_runner *r) {
    const model_run *m = r->self;
    const char *name = r->source->world.stepper;
    const double e = largest_restitution(m->system);
    if (!scree_stepper_find(name)->inelastic || e == 0) return;
    scree_terminal_line(&r->terminal,
                        "warning (stepper): %s knows no restitution: the %.3g "
                        "of the model is taken for 0; take moreau or rattle, "
                        "or set its e to 0",
                        name, e);
}

static void announce_model(scree_runner *r, double build_seconds) {
    const scree_case *c = r->source;
    (void)build_seconds;
    scree_terminal_line(&r->terminal,
                        "%s: model %s by %s, %g s in steps of %g s",
                        scree_quote(c->name).text, c->model->name,
                        c->world.stepper, c->end, c->world.dt);
    const char *file = scree_model_file(c->model);
    if (file)
        scree_terminal_line(&r->terminal, "the model is from %s",
                            scree_quote(file).text);
    warn_inelastic(r);
}

/* ---- end ----------------------------------------------------------------- */

static void print_model(scree_runner *r, double seconds) {
    const model_run *m = r->self;
    scree_model_summary_print(&m->summary, &r->terminal, m->system, seconds);
    scree_terminal_line(&r->terminal, "\n  result: %s", r->folder);
    for (int i = 0; i < r->source->n_output; i++)
        scree_terminal_line(&r->terminal, "  %-8s %s/%s", r->sinks[i].ops->name,
                            r->folder, r->sinks[i].ops->file);
}

static scree_status time_model(scree_runner *r, scree_timing *timing,
                               scree_error *error) {
    (void)error;
    const model_run *m = r->self;
    const scree_dense *s = m->system;
    timing->unconverged = m->summary.unconverged;
    timing->worst_residual = m->summary.worst;
    timing->iterations = (double)(s->sum_iterations[0] + s->sum_iterations[1]) /
                         fmax((double)s->steps, 1.0);
    return SCREE_OK; /* nothing of it can fail */
}

static scree_status judge_model(const scree_runner *r, scree_error *error) {
    const model_run *m = r->self;
    if (r->stop) return scree_stop_unconverged(r->step, r->time, error);
    if (!r->done) return SCREE_OK;
    return scree_judge_unconverged(r->source, m->summary.unconverged, r->step,
                                   m->summary.worst, error);
}

const scree_run_ops scree_run_of_model = {.size = sizeof(model_run),
                                          .find_sink = scree_model_output_find,
                                          .make = make_model,
                                          .free = free_model,
                                          .announce = announce_model,
                                          .step = step_model,
                                          .show_progress = show_model,
                                          .archive = archive_model,
                                          .hash = hash_model,
                                          .print_summary = print_model,
                                          .time = time_model,
                                          .judge = judge_model};
