#include "io/results/results.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/case/yaml/case_message.h"
#include "io/file/text_file.h"

static const char series_end[] = ".hdf.series";

static scree_status no_memory(const char *path, scree_error *error) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "%.500s: out of memory",
                      path);
}

static bool ends_with(const char *text, const char *end) {
    const size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

/* ---- one series ---------------------------------------------------------- */

static void free_series(scree_result_series *s) {
    for (int i = 0; i < s->n_frame; i++) free(s->frames[i].path);
    free(s->frames);
    free(s->name);
    free(s->path);
}

static bool add_frame(scree_result_series *s, char *path, int index,
                      double time) {
    scree_result_frame *frames =
        path ? realloc(s->frames, ((size_t)s->n_frame + 1) * sizeof *frames)
             : NULL;
    if (!frames) {
        free(path);
        return false;
    }
    s->frames = frames;
    frames[s->n_frame++] = (scree_result_frame){path, index, time};
    return true;
}

/* "name" beside the file `path`. */
static char *path_beside(const char *path, const char *name, size_t n) {
    const char *slash = strrchr(path, '/');
    char *whole;
    if (asprintf(&whole, "%.*s%.*s", slash ? (int)(slash + 1 - path) : 0, path,
                 (int)n, name) < 0)
        return NULL;
    return whole;
}

/* The next {"name":"bodies_000000.hdf","time":0} of the list, as this program
 * writes it. False at the end, or with *bad at what it does not know. */
static bool next_entry(const char **at, const char **name, size_t *n,
                       double *time, bool *bad) {
    static const char head[] = "{\"name\":\"", middle[] = "\",\"time\":";
    const char *entry = strstr(*at, head);
    *bad = false;
    if (!entry) return false;
    *name = entry + sizeof head - 1;
    *n = strcspn(*name, "\"/\n");
    const char *rest = *name + *n;
    *bad = *n == 0 || strncmp(rest, middle, sizeof middle - 1) != 0;
    if (*bad) return false;
    char *end;
    rest += sizeof middle - 1;
    *time = strtod(rest, &end);
    *bad = end == rest || *end != '}' || !isfinite(*time);
    *at = end;
    return !*bad;
}

static scree_status parse_list(scree_result_series *s, const char *text,
                               scree_error *error) {
    const char *at = text, *name;
    size_t n;
    double time;
    bool bad;
    while (next_entry(&at, &name, &n, &time, &bad))
        if (!add_frame(s, path_beside(s->path, name, n), 0, time))
            return no_memory(s->path, error);
    /* The list is replaced as a whole: a real one ends with its brackets. */
    if (!bad && s->n_frame > 0 && strncmp(at, "}\n]}", 4) == 0) return SCREE_OK;
    return scree_fail(
        error, SCREE_BAD_INPUT,
        "%.500s: damaged: not a list of frames as Scree writes it", s->path);
}

static scree_status read_list(scree_result_series *s, scree_error *error) {
    scree_text text;
    const scree_status read = scree_text_read(&text, s->path, error);
    if (read == SCREE_IO_ERROR) return SCREE_BAD_INPUT;
    TRY(read);
    const scree_status status = parse_list(s, text.bytes, error);
    scree_text_free(&text);
    return status;
}

static scree_status list_file(scree_result_series *s, scree_error *error) {
    scree_frame_file *file;
    TRY(scree_frame_open(s->path, &file, error));
    bool ok = true;
    for (int k = 0; k < file->n_frame && ok; k++)
        ok = add_frame(s, strdup(s->path), k, file->frames[k].time);
    /* A file without a grid is one frame that has only an origin. */
    if (!file->has_grid)
        ok = add_frame(s, strdup(s->path), 0, file->origin.time);
    scree_frame_close(file);
    return ok ? SCREE_OK : no_memory(s->path, error);
}

static scree_status add_series(scree_results *r, const char *path,
                               scree_error *error) {
    scree_result_series *series =
        realloc(r->series, ((size_t)r->n_series + 1) * sizeof *series);
    if (!series) return no_memory(path, error);
    r->series = series;
    scree_result_series *s = &series[r->n_series++];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const bool is_list = ends_with(name, series_end);
    *s = (scree_result_series){
        .path = strdup(path),
        .name = strndup(name,
                        strlen(name) - (is_list ? sizeof series_end - 1 : 0))};
    if (!s->path || !s->name) return no_memory(path, error);
    return is_list ? read_list(s, error) : list_file(s, error);
}

/* ---- a folder ------------------------------------------------------------ */

static int is_series(const struct dirent *entry) {
    return ends_with(entry->d_name, series_end);
}

/* What a run without outputs leaves, or one that broke. */
static int is_state(const struct dirent *entry) {
    const char *name = entry->d_name;
    return (strncmp(name, "checkpoint-", 11) == 0 &&
            ends_with(name, ".hdf5")) ||
           (strncmp(name, "broken-", 7) == 0 &&
            (ends_with(name, ".hdf") || ends_with(name, ".hdf5")));
}

/* Bodies are what one looks for first. */
static int bodies_first(const struct dirent **a, const struct dirent **b) {
    const bool x = strcmp((*a)->d_name, "bodies.hdf.series") == 0,
               y = strcmp((*b)->d_name, "bodies.hdf.series") == 0;
    return x != y ? y - x : strcmp((*a)->d_name, (*b)->d_name);
}

static scree_status add_entry(scree_results *r, const char *name,
                              scree_error *error) {
    char *path;
    const size_t n = strlen(r->path);
    const bool slash = n > 0 && r->path[n - 1] == '/';
    if (asprintf(&path, "%s%s%s", r->path, slash ? "" : "/", name) < 0)
        return no_memory(r->path, error);
    const scree_status status = add_series(r, path, error);
    free(path);
    return status;
}

static scree_status nothing_here(const scree_results *r, scree_error *error) {
    return scree_fail(error, SCREE_BAD_INPUT,
                      "%.500s: no results of Scree in this folder\n"
                      "  a run writes *.hdf.series there for its outputs "
                      "frames, contacts and surfaces",
                      r->path);
}

/* All entries that are wanted; *n: how many there are. */
static scree_status add_entries(scree_results *r,
                                int (*wanted)(const struct dirent *), int *n,
                                scree_error *error) {
    struct dirent **entries;
    *n = scandir(r->path, &entries, wanted, bodies_first);
    if (*n < 0)
        return scree_fail(
            error, errno == ENOMEM ? SCREE_OUT_OF_MEMORY : SCREE_BAD_INPUT,
            "%.500s: %s", r->path, strerror(errno));
    scree_status status = SCREE_OK;
    for (int i = 0; i < *n; i++) {
        if (status == SCREE_OK)
            status = add_entry(r, entries[i]->d_name, error);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static scree_status open_folder(scree_results *r, scree_error *error) {
    char model[4200];
    int n;
    TRY(add_entries(r, is_series, &n, error));
    if (n > 0) return SCREE_OK;
    /* A model writes one file. */
    snprintf(model, sizeof model, "%.4100s/model.hdf5", r->path);
    if (access(model, F_OK) == 0) return add_entry(r, "model.hdf5", error);
    TRY(add_entries(r, is_state, &n, error));
    return n > 0 ? SCREE_OK : nothing_here(r, error);
}

/* ---- all of it ----------------------------------------------------------- */

static scree_status open_path(scree_results *r, scree_error *error) {
    struct stat about;
    if (stat(r->path, &about) != 0)
        return scree_fail(error, SCREE_BAD_INPUT, "%.500s: %s", r->path,
                          strerror(errno));
    return S_ISDIR(about.st_mode) ? open_folder(r, error)
                                  : add_series(r, r->path, error);
}

scree_status scree_results_open(const char *path, scree_results **out,
                                scree_error *error) {
    scree_results *r = calloc(1, sizeof *r);
    if (!r) return no_memory(path, error);
    r->path = strdup(path);
    const scree_status status =
        r->path ? open_path(r, error) : no_memory(path, error);
    if (status == SCREE_OK)
        *out = r;
    else
        scree_results_close(r);
    return status;
}

void scree_results_close(scree_results *r) {
    if (!r) return;
    for (int i = 0; i < r->n_series; i++) free_series(&r->series[i]);
    free(r->series);
    free(r->path);
    free(r);
}

static const char *name_at(const void *from, int i) {
    const scree_results *r = from;
    return i < r->n_series ? r->series[i].name : NULL;
}

scree_status scree_results_find(const scree_results *r, const char *name,
                                const scree_result_series **series,
                                scree_error *error) {
    for (int i = 0; i < r->n_series; i++)
        if (!name || strcmp(r->series[i].name, name) == 0) {
            *series = &r->series[i];
            return SCREE_OK;
        }
    scree_fail(error, SCREE_BAD_INPUT, "%.500s: no series '%s'", r->path,
               scree_quote(name).text);
    scree_hint_names(error, "there are", (scree_names){name_at, r});
    scree_hint_nearest(error, name, (scree_names){name_at, r});
    return SCREE_BAD_INPUT;
}

/* ---- one frame ----------------------------------------------------------- */

static scree_status choose_number(const scree_result_series *s, long number,
                                  int *frame, scree_error *error) {
    const long k = number < 0 ? s->n_frame + number : number;
    if (k >= 0 && k < s->n_frame) {
        *frame = (int)k;
        return SCREE_OK;
    }
    return scree_fail(error, SCREE_BAD_INPUT,
                      "%.500s: no frame %ld: it has %d, numbered 0 to %d",
                      s->path, number, s->n_frame, s->n_frame - 1);
}

/* Outside the run by more than rounding is an error, not the nearest frame. */
static scree_status choose_time(const scree_result_series *s, double time,
                                int *frame, scree_error *error) {
    const double begin = s->frames[0].time,
                 end = s->frames[s->n_frame - 1].time;
    const double play = 1e-9 * (1 + fabs(end));
    if (!(time >= begin - play && time <= end + play))
        return scree_fail(
            error, SCREE_BAD_INPUT,
            "%.500s: no frame at t = %g s: its %d frames are from "
            "%g to %g s",
            s->path, time, s->n_frame, begin, end);
    *frame = 0;
    for (int k = 1; k < s->n_frame; k++)
        if (fabs(s->frames[k].time - time) <
            fabs(s->frames[*frame].time - time))
            *frame = k;
    return SCREE_OK;
}

scree_status scree_results_choose(const scree_result_series *s,
                                  const scree_frame_choice *choice, int *frame,
                                  scree_error *error) {
    switch (choice->by) {
    case SCREE_FRAME_NUMBER:
        return choose_number(s, choice->number, frame, error);
    case SCREE_FRAME_TIME:
        return choose_time(s, choice->time, frame, error);
    default:
        *frame = s->n_frame - 1;
        return SCREE_OK;
    }
}
