/* case_run.c: runs, for programs of others. */
#include <signal.h>
#include <stdio.h>

#include "engine/world/make.h"
#include "io/run/run_resume.h"

scree_run_def scree_run_def_default(void) {
    return (scree_run_def){.cookie = SCREE_COOKIE};
}

const char *scree_case_name(const scree_case *c) {
    return c->name;
}

double scree_case_end(const scree_case *c) {
    return c->end;
}

/* Who listens, and whether it had enough. */
typedef struct listener {
    const scree_run_def *def;
    volatile sig_atomic_t stop;
} listener;

static bool tell_step(void *context, const scree_run_state *at) {
    listener *l = context;
    const bool go_on = l->def->each(l->def->context, at);
    if (!go_on) l->stop = SIGUSR1; /* a planned end */
    return go_on;
}

static scree_run_options options_of(listener *l) {
    const scree_run_def *def = l->def;
    return (scree_run_options){.comm = def->comm,
                               .out = def->out,
                               .log = def->print ? stdout : NULL,
                               .force = def->force,
                               .no_scripts = def->no_scripts,
                               .max_walltime = def->max_walltime,
                               .stop = &l->stop,
                               .each = def->each ? tell_step : NULL,
                               .each_context = l};
}

static scree_status check_def(const scree_run_def *def, scree_error *error) {
    REQUIRE(def && def->cookie == SCREE_COOKIE,
            "def does not come from scree_run_def_default()");
    REQUIRE(def->max_walltime >= 0, "def.max_walltime = %g is not >= 0",
            def->max_walltime);
    return SCREE_OK;
}

scree_status scree_case_run(const scree_case *c, const scree_run_def *def,
                            scree_error *error) {
    REQUIRE(c, "c is NULL");
    TRY(check_def(def, error));
    listener l = {.def = def};
    const scree_run_options options = options_of(&l);
    return def->restart ? scree_restart(c, def->restart, &options, error)
                        : scree_run(c, &options, error);
}

scree_status scree_folder_resume(const char *folder, int n_set,
                                 const char *const *sets,
                                 const scree_run_def *def, scree_error *error) {
    REQUIRE(folder, "folder is NULL");
    TRY(check_def(def, error));
    REQUIRE(!def->out && !def->restart,
            "def.out or def.restart is set: the run goes on in its folder");
    listener l = {.def = def};
    const scree_run_options options = options_of(&l);
    return scree_resume(folder, n_set, sets, &options, error);
}
