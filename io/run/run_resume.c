#include "io/run/run_resume.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/hdf5/checkpoint.h"
#include "io/hdf5/checkpoint_file.h"
#include "io/run/run_common.h"
#include "io/run/run_lock.h"
#include "io/run/run_log.h"

/* ---- overrides ----------------------------------------------------------- */

typedef struct overrides {
    char *text; /* copy, cut into lines */
    const char **sets;
    int n;
} overrides;

/* The lines of `text`, then `more`. */
static bool gather_overrides(overrides *o, const char *text, int n_more,
                             const char *const *more) {
    size_t lines = 1;
    for (const char *c = text; *c; c++) lines += *c == '\n';
    *o = (overrides){.text = strdup(text)};
    o->sets = calloc(lines + (size_t)n_more, sizeof *o->sets);
    if (!o->text || !o->sets) return false;
    char *rest = o->text;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (*line) o->sets[o->n++] = line;
    for (int i = 0; i < n_more; i++) o->sets[o->n++] = more[i];
    return true;
}

static void drop_overrides(overrides *o) {
    free(o->text);
    free(o->sets);
}

/* The case of a checkpoint with `sets` on top. */
static scree_status read_case(const scree_checkpoint *from, int n_set,
                              const char *const *sets, scree_case **out,
                              scree_error *error) {
    overrides all;
    scree_status status = SCREE_OUT_OF_MEMORY;
    *out = NULL;
    if (gather_overrides(&all, from->overrides, n_set, sets))
        status = scree_case_read_text(from->text, from->case_path, all.n,
                                      all.sets, out, error);
    else
        scree_run_no_memory(error);
    drop_overrides(&all);
    /* Its message speaks of the case file, which may be a sound one by now. */
    if (status == SCREE_BAD_INPUT)
        scree_run_append(error, "\n  in the case that %.400s holds",
                         from->path);
    return status;
}

/* ---- does the state fit the case? ---------------------------------------- */

/* Where the printed section of a key begins, and its length; 0: no such key. */
static size_t section_of(const char *text, const char *key,
                         const char **begin) {
    const size_t n = strlen(key);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, n) != 0 || line[n] != ':') continue;
        const char *end = line;
        do {
            end = strchr(end, '\n');
            end = end ? end + 1 : line + strlen(line);
        } while (*end == ' ' || *end == '-');
        *begin = line;
        return (size_t)(end - line);
    }
    return 0;
}

static bool same_section(const char *a, const char *b, const char *key) {
    const char *in_a = "", *in_b = "";
    const size_t n = section_of(a, key, &in_a), m = section_of(b, key, &in_b);
    return n == m && memcmp(in_a, in_b, n) == 0;
}

static bool same_materials(const scree_case *a, const scree_case *b) {
    if (a->n_material != b->n_material) return false;
    for (int i = 0; i < a->n_material; i++)
        if (strcmp(a->materials[i].name, b->materials[i].name) != 0 ||
            a->materials[i].def.density != b->materials[i].def.density)
            return false;
    return true;
}

/* What differs so that the state would lose its meaning, or NULL. */
static const char *first_difference(const scree_case *was,
                                    const scree_case *now, const char *was_text,
                                    const char *now_text) {
    static const char *const keys[] = {"model", "planar", "seed",   "shapes",
                                       "walls", "bodies", "joints", "nets"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!same_section(was_text, now_text, keys[i])) return keys[i];
    if (!same_materials(was, now))
        return "materials (their number, names and densities)";
    return NULL;
}

/* More trajectories are all that an ensemble can become: those that are done were of the
 * case as it was. */
static const char *first_difference_of_ensemble(const scree_case *was,
                                                const scree_case *now,
                                                const char *was_text,
                                                const char *now_text) {
    static const char *const keys[] = {
        "time",     "gravity", "stepper", "keep_spin_energy",
        "stepping", "solver",  "contact", "materials",
        "pairs"};
    scree_case_ensemble a = was->ensemble, b = now->ensemble;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!same_section(was_text, now_text, keys[i])) return keys[i];
    if (a.first != b.first || a.rest_speed != b.rest_speed ||
        a.rest_for != b.rest_for || a.every != b.every || a.maps != b.maps ||
        a.cell != b.cell || b.trajectories < a.trajectories)
        return "ensemble (all but more trajectories and their format)";
    return NULL;
}

/* A text may be none that YAML can hold. */
static scree_status print_case(const scree_checkpoint *from,
                               const scree_case *c, char **text,
                               scree_error *error) {
    const scree_status status = scree_case_print_text(c, text);
    if (status == SCREE_OK) return status;
    if (status == SCREE_OUT_OF_MEMORY) return scree_run_no_memory(error);
    return scree_fail(error, SCREE_BAD_INPUT,
                      "%.400s: the case in it cannot be written out",
                      from->path);
}

static scree_status compare_both(const scree_checkpoint *from,
                                 const scree_case *was, const scree_case *now,
                                 const char *now_text, scree_error *error) {
    char *was_text;
    TRY(print_case(from, was, &was_text, error));
    const char *what = first_difference(was, now, was_text, now_text);
    if (!what && was->ensemble.trajectories)
        what = first_difference_of_ensemble(was, now, was_text, now_text);
    free(was_text);
    if (!what) return SCREE_OK;
    return scree_fail(
        error, SCREE_BAD_INPUT,
        "%.400s: the case has other %s than the checkpoint, whose "
        "state would have no meaning there\n  leave them as they "
        "were, or start a new run of the changed case",
        from->path, what);
}

/* Pours end with the run unless told otherwise: a new end is no other body. */
static scree_status compare_cases(const scree_checkpoint *from,
                                  const scree_case *now, const char *now_text,
                                  scree_error *error) {
    char times[120];
    const char *sets[] = {times};
    scree_case *was;
    if (now->step > 0)
        snprintf(times, sizeof times, "time={end: %.17g, step: %.17g}",
                 now->end, now->step);
    else
        snprintf(times, sizeof times,
                 "time={end: %.17g, step: auto, motion: %.17g}", now->end,
                 now->motion);
    TRY(read_case(from, now->ensemble.trajectories ? 0 : 1, sets, &was, error));
    const scree_status status = compare_both(from, was, now, now_text, error);
    scree_case_free(was);
    return status;
}

/* The same text with the same options is the same case: it is not read again. */
static scree_status check_case(const scree_checkpoint *from,
                               const scree_case *now, const char *now_text,
                               scree_error *error) {
    if (scree_run_changes(from, now))
        TRY(compare_cases(from, now, now_text, error));
    return scree_checkpoint_check_files(from, now, error);
}

/* ---- words --------------------------------------------------------------- */

static void say_line(const scree_run_options *options, const char *format,
                     const char *text) {
    if (options->log && !options->quiet && *text)
        fprintf(options->log, format, text);
}

static scree_status announce_changes(const scree_checkpoint *from,
                                     const scree_case *c,
                                     const scree_run_options *options,
                                     scree_error *error) {
    if (!options->log || options->quiet) return SCREE_OK;
    char *changes = scree_run_list_changes(from, c);
    if (!changes) return scree_run_no_memory(error);
    fprintf(options->log, "continues from %s (step %" PRId64 ", t = %g s)\n",
            from->path, from->step, from->time);
    say_line(options, "changed: %s\n", changes);
    free(changes);
    return SCREE_OK;
}

/* ---- going on ------------------------------------------------------------ */

static const scree_comm *ranks_of(const scree_run_options *options) {
    return options->comm ? options->comm : scree_comm_alone();
}

static scree_status run_from(const scree_case *c,
                             const scree_run_options *options,
                             scree_error *error) {
    char *resolved;
    scree_status status = print_case(options->from, c, &resolved, error);
    if (status == SCREE_OK)
        status = check_case(options->from, c, resolved, error);
    if (status == SCREE_OK)
        status = announce_changes(options->from, c, options, error);
    status = scree_comm_agree(ranks_of(options), status, error);
    scree_run_options here = *options;
    here.resolved = resolved;
    if (status == SCREE_OK) status = scree_run(c, &here, error);
    free(resolved);
    return status;
}

/* The other ranks open what the first one has found whole, if all went well. */
static scree_status follow_first(const scree_comm *comm, const char *path,
                                 scree_status so_far, scree_checkpoint **from,
                                 scree_error *error) {
    TRY(scree_comm_agree(comm, so_far, error));
    const scree_status status =
        comm->rank == 0 ? SCREE_OK
                        : scree_checkpoint_open_whole(path, from, error);
    return scree_comm_agree(comm, status, error);
}

/* The first rank chooses, so that all have the same one. */
static scree_status open_newest(const scree_comm *comm, const char *folder,
                                scree_checkpoint **from, scree_error *skipped,
                                scree_error *error) {
    const bool first = comm->rank == 0;
    *from = NULL;
    TRY(scree_comm_agree(
        comm,
        first ? scree_checkpoint_newest(folder, from, skipped, error)
              : SCREE_OK,
        error));
    int64_t step = first ? (*from)->step : 0;
    scree_comm_copy(comm, 0, &step, sizeof step);
    char *path = scree_checkpoint_path(folder, step);
    const scree_status status = path ? SCREE_OK : scree_run_no_memory(error);
    const scree_status opened = follow_first(comm, path, status, from, error);
    free(path);
    return opened;
}

static scree_status go_on(int n_set, const char *const *sets,
                          const scree_run_options *options,
                          scree_error *error) {
    scree_case *c;
    scree_status status = scree_comm_agree(
        ranks_of(options), read_case(options->from, n_set, sets, &c, error),
        error);
    if (status == SCREE_OK) status = run_from(c, options, error);
    scree_case_free(c);
    return status;
}

static scree_status resume_locked(const char *folder, int n_set,
                                  const char *const *sets,
                                  const scree_run_options *options,
                                  scree_error *error) {
    scree_checkpoint *from;
    scree_error skipped = {0};
    scree_status status =
        open_newest(ranks_of(options), folder, &from, &skipped, error);
    say_line(options, "%s\n", skipped.text);
    scree_run_options here = *options;
    here.out = folder;
    here.from = from;
    here.resumes = true;
    if (status == SCREE_OK) status = go_on(n_set, sets, &here, error);
    scree_checkpoint_close(from);
    return status;
}

static scree_status check_folder(const char *folder, scree_error *error) {
    struct stat info;
    if (stat(folder, &info) == 0 && S_ISDIR(info.st_mode)) return SCREE_OK;
    return scree_fail(error, SCREE_BAD_INPUT,
                      "%.400s: this is not the folder of a run", folder);
}

scree_status scree_resume(const char *folder, int n_set,
                          const char *const *sets,
                          const scree_run_options *options,
                          scree_error *error) {
    const scree_comm *comm = ranks_of(options);
    scree_lock lock = {.fd = -1};
    TRY(scree_comm_agree(comm, check_folder(folder, error), error));
    TRY(scree_comm_agree(comm,
                         comm->rank == 0 ? scree_lock_take(&lock, folder, error)
                                         : SCREE_OK,
                         error));
    scree_run_options locked = *options;
    locked.lock = &lock;
    const scree_status status =
        resume_locked(folder, n_set, sets, &locked, error);
    scree_lock_release(&lock);
    return status;
}

/* Is this the folder that the file lies in? */
static bool lies_in(const char *path, const char *folder) {
    char *file = realpath(path, NULL), *whole = realpath(folder, NULL);
    char *slash = file ? strrchr(file, '/') : NULL;
    if (slash) *(slash == file ? slash + 1 : slash) = '\0';
    const bool same = file && whole && strcmp(file, whole) == 0;
    free(file);
    free(whole);
    return same;
}

/* The first rank finds it whole. */
static scree_status open_for_all(const scree_comm *comm, const char *path,
                                 scree_status so_far, scree_checkpoint **from,
                                 scree_error *error) {
    *from = NULL;
    if (so_far == SCREE_OK && comm->rank == 0)
        so_far = scree_checkpoint_open(path, from, error);
    return follow_first(comm, path, so_far, from, error);
}

scree_status scree_resume_open(const scree_case *c, const scree_comm *comm,
                               const char *path, scree_checkpoint **from,
                               scree_error *error) {
    char *resolved = NULL;
    TRY(open_for_all(comm, path, SCREE_OK, from, error));
    scree_status status = print_case(*from, c, &resolved, error);
    if (status == SCREE_OK) status = check_case(*from, c, resolved, error);
    free(resolved);
    return scree_comm_agree(comm, status, error);
}

scree_status scree_restart(const scree_case *c, const char *path,
                           const scree_run_options *options,
                           scree_error *error) {
    scree_checkpoint *from = NULL;
    scree_run_options here = *options;
    char *folder = scree_run_choose_folder(c, options);
    const scree_comm *comm = ranks_of(options);
    scree_status status = folder ? SCREE_OK : scree_run_no_memory(error);
    status = open_for_all(comm, path, status, &from, error);
    if (status == SCREE_OK) {
        here.out = folder;
        here.from = from;
        here.resumes = lies_in(path, folder);
        status = run_from(c, &here, error);
    }
    scree_checkpoint_close(from);
    free(folder);
    return status;
}
