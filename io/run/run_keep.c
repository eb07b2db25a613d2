#include "io/run/run_keep.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/watch.h"
#include "io/hdf5/checkpoint_file.h"
#include "io/run/child.h"
#include "io/run/run_broken.h"
#include "io/run/run_common.h"
#include "io/run/run_log.h"

/* For the day when this rank cannot say it any more. */
static void tell_watch(const scree_keeper *k) {
    scree_error words = {0};
    if (k->comm->size == 1) return;
    scree_keeper_tell(k, &words);
    scree_watch_tell(words.text);
}

void scree_keeper_begin(scree_keeper *k) {
    const scree_checkpoint *from = k->options->from;
    const bool goes_on = from && k->options->resumes;
    k->begun = k->stepped = k->saved = scree_clock();
    k->last = goes_on ? from->step : -1;
    k->last_time = goes_on ? from->time : 0;
    k->renew = goes_on && (k->options->max_walltime > 0 ||
                           scree_run_changes(from, k->source));
    tell_watch(k);
    if (k->comm->rank > 0) return;
    const int removed = scree_checkpoint_remove_after(k->folder, k->last);
    k->removed = goes_on ? 0 : removed;
    scree_broken_clear(k->folder);
}

bool scree_keeper_is_on(const scree_keeper *k) {
    return k->source->checkpoint.every > 0 ||
           k->source->checkpoint.every_wall > 0 || k->options->max_walltime > 0;
}

bool scree_keeper_wants_first(const scree_keeper *k) {
    return k->last < 0 ? scree_keeper_is_on(k) : k->renew;
}

bool scree_keeper_is_due(scree_keeper *k, double before, double now) {
    const scree_case_checkpoint *c = &k->source->checkpoint;
    const double clock = scree_clock();
    k->slowest_step = fmax(k->slowest_step, clock - k->stepped);
    k->stepped = clock;
    k->steps++;
    if (c->every > 0 && scree_run_passes(before, now, c->every)) return true;
    return c->every_wall > 0 &&
           scree_comm_any(k->comm, clock - k->saved >= c->every_wall);
}

scree_status scree_keeper_save(scree_keeper *k, const scree_hdf5_state *state,
                               scree_error *error) {
    if (k->last == state->step && !k->renew) return SCREE_OK;
    const double begun = scree_clock();
    char *path = scree_checkpoint_path(k->folder, state->step);
    scree_status status = scree_comm_agree(
        k->comm, path ? SCREE_OK : scree_run_no_memory(error), error);
    if (status == SCREE_OK)
        status = scree_checkpoint_save(k->comm, path, k->source, state, k->fill,
                                       k->context, error);
    free(path);
    TRY(status);
    k->last = state->step;
    k->last_time = state->time;
    k->renew = false;
    tell_watch(k);
    if (k->comm->rank == 0)
        scree_checkpoint_prune(k->folder, k->source->checkpoint.keep);
    k->saved = k->stepped = scree_clock();
    k->slowest = fmax(k->slowest, k->saved - begun);
    return SCREE_OK;
}

static bool time_is_up(const scree_keeper *k) {
    const double most = k->options->max_walltime;
    const double used = scree_clock() - k->started;
    return most > 0 && k->steps > 0 &&
           used + k->slowest_step + 2 * k->slowest >= most;
}

/* The one that asks the run to end, or 0. */
static int signal_of(const scree_run_options *options) {
    return options->stop ? *options->stop : 0;
}

bool scree_keeper_must_stop(scree_keeper *k) {
    double why[] = {signal_of(k->options), time_is_up(k)};
    scree_comm_max(k->comm, why, 2);
    k->signal = (int)why[0];
    return why[0] != 0 || why[1] != 0;
}

/* ---- words --------------------------------------------------------------- */

static void resume_command(const scree_keeper *k, char *out, size_t size) {
    char program[300], folder[600], ranks[40] = "";
    if (k->comm->size > 1)
        snprintf(ranks, sizeof ranks, "mpirun -np %d ", k->comm->size);
    scree_shell_word(k->options->program ? k->options->program : "scree",
                     program, sizeof program);
    scree_shell_word(k->folder, folder, sizeof folder);
    snprintf(out, size, "%s%s resume %s", ranks, program, folder);
}

void scree_keeper_tell_removed(const scree_keeper *k,
                               scree_terminal *terminal) {
    if (k->removed > 0 && !k->options->force)
        scree_terminal_line(terminal,
                            "warning: this run replaces an unfinished one in "
                            "%s, and its %d checkpoint%s ('scree resume' would "
                            "have gone on from there)",
                            k->folder, k->removed, k->removed == 1 ? "" : "s");
}

/* Somebody may have removed the folder, or the file, since. */
static bool is_still_there(const scree_keeper *k) {
    char *path = k->last < 0 ? NULL : scree_checkpoint_path(k->folder, k->last);
    const bool there = path && access(path, R_OK) == 0;
    free(path);
    return there;
}

void scree_keeper_tell(const scree_keeper *k, scree_error *error) {
    char command[1000];
    if (k->last < 0) return;
    if (!is_still_there(k)) {
        scree_run_append(error,
                         "\n  the checkpoint of step %" PRId64
                         " is no longer there: was %.400s removed?",
                         k->last, k->folder);
        return;
    }
    resume_command(k, command, sizeof command);
    scree_run_append(error,
                     "\n  the last checkpoint is that of step %" PRId64
                     " (t = %g s); go on from there with\n    %s",
                     k->last, k->last_time, command);
}

void scree_keeper_explain_stop(const scree_keeper *k, scree_terminal *terminal,
                               double time, int64_t step, int64_t steps) {
    char why[60] = "stopped by --max-walltime", of[40] = "", command[1000];
    if (k->signal) snprintf(why, sizeof why, "stopped by signal %d", k->signal);
    if (steps) snprintf(of, sizeof of, " of %" PRId64, steps);
    resume_command(k, command, sizeof command);
    scree_terminal_line(terminal,
                        "%s at t = %g s, step %" PRId64
                        "%s; the state there is written\ncontinue with: %s",
                        why, time, step, of, command);
}
