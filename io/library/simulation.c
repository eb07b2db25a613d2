/* simulation.c: a case under way whose steps somebody else takes: the driver's table of
 * worlds or models (runner.h), without folder, outputs and words. */
#include <stdlib.h>

#include "io/run/run_common.h"
#include "io/run/run_resume.h"
#include "io/run/runner.h"

struct scree_simulation {
    scree_runner runner;
    scree_run_options options;
    scree_checkpoint *from; /* or NULL */
};

static scree_status make_runner(scree_simulation *s, const scree_case *c,
                                const scree_comm *comm, scree_error *error) {
    scree_runner *r = &s->runner;
    s->options = (scree_run_options){.comm = comm, .from = s->from};
    *r = (scree_runner){.ops = scree_run_ops_of(c),
                        .source = c,
                        .options = &s->options,
                        .comm = comm,
                        .lock = {.fd = -1}};
    r->context = (scree_output_context){.comm = comm, .source = c};
    scree_terminal_open(&r->terminal, NULL);
    r->self = calloc(1, r->ops->size);
    TRY(scree_comm_agree(comm, r->self ? SCREE_OK : scree_run_no_memory(error),
                         error));
    return r->ops->make(r, error);
}

static scree_status open_simulation(scree_simulation *s, const scree_case *c,
                                    const scree_comm *comm, const char *from,
                                    scree_error *error) {
    if (c->model && comm->size > 1)
        return scree_fail(error, SCREE_UNSUPPORTED,
                          "comm: the model of '%.300s' runs on one rank, not "
                          "on %d",
                          c->path, comm->size);
    if (c->ensemble.trajectories)
        return scree_fail(
            error, SCREE_UNSUPPORTED,
            "c: the ensemble of '%.300s' has no common steps: run "
            "it whole, with scree_case_run",
            c->path);
    if (from) TRY(scree_resume_open(c, comm, from, &s->from, error));
    return make_runner(s, c, comm, error);
}

scree_status scree_simulation_open(const scree_case *c, const scree_comm *comm,
                                   const char *from, scree_simulation **out,
                                   scree_error *error) {
    REQUIRE(c && out, "c or out is NULL");
    if (!comm) comm = scree_comm_alone();
    *out = NULL;
    scree_simulation *s = calloc(1, sizeof *s);
    TRY(scree_comm_agree(comm, s ? SCREE_OK : scree_run_no_memory(error),
                         error));
    const scree_status status = open_simulation(s, c, comm, from, error);
    if (status == SCREE_OK)
        *out = s;
    else
        scree_simulation_close(s);
    return status;
}

void scree_simulation_close(scree_simulation *s) {
    if (!s) return;
    if (s->runner.self) s->runner.ops->free(&s->runner);
    free(s->runner.self);
    scree_checkpoint_close(s->from);
    free(s);
}

bool scree_simulation_is_over(const scree_simulation *s) {
    return s->runner.done || s->runner.stop;
}

scree_status scree_simulation_step(scree_simulation *s, scree_error *error) {
    if (scree_simulation_is_over(s)) return SCREE_OK;
    return s->runner.ops->step(&s->runner, error);
}

scree_run_state scree_simulation_state(const scree_simulation *s) {
    return scree_runner_state(&s->runner);
}

/* The run owns both, and lends them. */
scree_world *scree_simulation_world(scree_simulation *s) {
    return (scree_world *)s->runner.context.world;
}

scree_dense *scree_simulation_model(scree_simulation *s) {
    return (scree_dense *)s->runner.context.system;
}

static void fill_checkpoint(void *context, scree_archive *a) {
    scree_runner_archive(context, a);
}

scree_status scree_simulation_save(scree_simulation *s, const char *path,
                                   scree_error *error) {
    scree_runner *r = &s->runner;
    const scree_hdf5_state state = {r->time, r->step, r->ops->hash(r)};
    REQUIRE(path, "path is NULL");
    return scree_checkpoint_save(r->comm, path, r->source, &state,
                                 fill_checkpoint, r, error);
}
