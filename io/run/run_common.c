/* run_common.c: schedule, folder, messages of a run. */
#include "io/run/run_common.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/file/whole_file.h"
#include "io/hdf5/checkpoint.h"

/* ---- schedule ------------------------------------------------------------ */

/* Lets end and every be decimal numbers that dt divides only up to rounding. */
static const double slack = 1e-9;

int64_t scree_run_steps(double end, double dt) {
    return (int64_t)ceil(end / dt - slack);
}

double scree_run_next_dt(double t, double end, double step) {
    const double left = end - t;
    if (left <= slack * step) return 0.0;
    return left <= 1.001 * step ? left : step;
}

bool scree_run_passes(double before, double now, double every) {
    return every <= 0.0 ||
           floor(now / every + slack) > floor(before / every + slack);
}

/* A time counts as reached this much earlier. */
static double play_of(double before, double now) {
    return slack * (now - before);
}

static bool is_within(double before, double now, const scree_schedule *s) {
    return now >= s->from - play_of(before, now) &&
           now <= s->until + play_of(before, now);
}

static bool passes_a_time(double before, double now, const scree_schedule *s) {
    for (int i = 0; i < s->n_time; i++)
        if (s->times[i] > before + play_of(before, now) &&
            s->times[i] <= now + play_of(before, now))
            return true;
    return false;
}

bool scree_run_is_due(double before, double now, const scree_schedule *s) {
    if (!is_within(before, now, s)) return false;
    if (s->times) return passes_a_time(before, now, s);
    const bool first = before < s->from - play_of(before, now);
    return first || scree_run_passes(before - s->from, now - s->from, s->every);
}

bool scree_run_wants_end(double before, double now, const scree_schedule *s) {
    return !s->times && is_within(before, now, s);
}

/* ---- what a checkpoint holds ---------------------------------------------- */

scree_status scree_run_loaded(const scree_run_options *options,
                              const scree_archive *archive,
                              const scree_error *why, scree_error *error) {
    if (archive->status == SCREE_OK) return SCREE_OK;
    return scree_fail(error, archive->status, "%.400s: %s", options->from->path,
                      why->text);
}

/* ---- scripts ------------------------------------------------------------- */

scree_status scree_run_refuse_scripts(const scree_case *c,
                                      const scree_run_options *options,
                                      scree_error *error) {
    if (!options->no_scripts) return SCREE_OK;
    for (int i = 0; i < c->n_output; i++) {
        const scree_case_catalyst *keys = &c->outputs[i].catalyst;
        if (keys->n_script == 0 && !keys->live) continue;
        return scree_fail(
            error, SCREE_BAD_INPUT,
            "%.300s: outputs[%d].catalyst: --no-scripts refuses %s '%.300s'\n"
            "  remedy: take the output out, or read what it runs and leave "
            "--no-scripts out",
            c->path, i, keys->n_script ? "to run the script" : "to connect to",
            keys->n_script ? keys->scripts[0] : keys->live);
    }
    return SCREE_OK;
}

/* ---- folder -------------------------------------------------------------- */

scree_status scree_run_no_memory(scree_error *error) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
}

/* A new folder outlives a loss of power, or what is saved in it would not. */
static scree_status make_folder(const char *path, scree_error *error) {
    if (mkdir(path, 0777) == 0) return scree_file_sync_folder(path, error);
    if (errno == EEXIST) return SCREE_OK;
    return scree_fail(error, SCREE_IO_ERROR, "%s", strerror(errno));
}

/* mkdir -p. `path` is changed on the way and whole again at the end. */
static scree_status make_folders(char *path, scree_error *error) {
    for (char *slash = strchr(path + strspn(path, "/"), '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const scree_status status = make_folder(path, error);
        *slash = '/';
        TRY(status);
    }
    return make_folder(path, error);
}

/* A case name is any text; as the name of a folder it must be one component,
 * visible, and safe to paste into a shell. */
static void make_file_name(char *name) {
    for (char *c = name; *c; c++)
        if (isascii(*c) && !isalnum(*c) && !strchr("-_+.", *c)) *c = '_';
    if (*name == '.' || *name == '-') *name = '_';
}

char *scree_run_choose_folder(const scree_case *c,
                              const scree_run_options *options) {
    static const char parent[] = "out/";
    if (options->out) return strdup(options->out);
    char *folder;
    if (asprintf(&folder, "%s%s", parent, c->name) < 0) return NULL;
    make_file_name(folder + sizeof parent - 1);
    return folder;
}

scree_status scree_run_folder(const scree_case *c,
                              const scree_run_options *options, char **folder,
                              scree_error *error) {
    *folder = scree_run_choose_folder(c, options);
    if (!*folder) return scree_run_no_memory(error);
    struct stat info;
    scree_error why;
    scree_status status = make_folders(*folder, &why);
    if (status == SCREE_OK && stat(*folder, &info) != 0)
        status = scree_fail(&why, SCREE_IO_ERROR, "%s", strerror(errno));
    if (status != SCREE_OK)
        return scree_fail(error, status, "cannot create the folder '%s': %s",
                          *folder, why.text);
    if (S_ISDIR(info.st_mode)) return SCREE_OK;
    return scree_fail(error, SCREE_IO_ERROR,
                      "cannot create the folder '%s': it is a file", *folder);
}

/* ---- messages ------------------------------------------------------------ */

void scree_run_append(scree_error *error, const char *format, ...) {
    if (!error) return;
    const size_t used = strlen(error->text);
    va_list args;
    va_start(args, format);
    vsnprintf(error->text + used, sizeof error->text - used, format, args);
    va_end(args);
}
