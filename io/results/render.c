#include "io/results/render.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "io/file/safe_file.h"
#include "io/file/whole_file.h"
#include "io/run/child.h"

enum { MOST_ARGUMENTS = 64, MOST_PLANES = 200 };

/* The command line of the script, and what it is made of. */
typedef struct job {
    const scree_results *results;
    const scree_render_options *options;
    char *argv[MOST_ARGUMENTS];
    int n;
    char folder[64]; /* for all that is made on the way, the user's alone */
    char made[96];   /* the result there */
    const scree_result_series *main; /* whose times are drawn */
    bool failed;                     /* no memory for an argument */
} job;

__attribute__((format(printf, 2, 3))) static void add(job *j,
                                                      const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) text = NULL;
    va_end(arguments);
    if (!text || j->n + 1 >= MOST_ARGUMENTS) {
        free(text);
        j->failed = true;
        return;
    }
    j->argv[j->n++] = text;
}

static const char *wanted_program(const job *j) {
    return j->options->movie ? j->options->movie : j->options->picture;
}

static scree_status no_memory(scree_error *error) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "render: out of memory");
}

/* ---- programs ------------------------------------------------------------ */

static scree_status want_program(const char *program, const char *package,
                                 const char *why, scree_error *error) {
    if (scree_child_exists(program)) return SCREE_OK;
    return scree_fail(error, SCREE_BAD_INPUT,
                      "render: %s is not installed, %s\n"
                      "  on Debian: apt-get install --no-install-recommends %s",
                      program, why, package);
}

static scree_status add_programs(job *j, scree_error *error) {
    const char *display = getenv("DISPLAY");
    TRY(want_program("pvbatch", "python3-paraview", "it draws the pictures",
                     error));
    if (j->options->movie)
        TRY(want_program("ffmpeg", "ffmpeg", "it makes movies of pictures",
                         error));
    if (!display || !*display) {
        const char *why = "and without a display (DISPLAY is not set) ParaView "
                          "needs a virtual one";
        TRY(want_program("xvfb-run", "xvfb xauth", why, error));
        TRY(want_program("xauth", "xvfb xauth", why, error));
        add(j, "xvfb-run");
        add(j, "-a");
        add(j, "-s");
        /* Without -noreset the server may go away between two connections. */
        add(j, "-screen 0 1280x1024x24 -noreset");
    }
    char *script = scree_shared_file("render.py");
    if (!script)
        return scree_fail(error, SCREE_IO_ERROR,
                          "render: share/scree/render.py, which comes with the "
                          "program, is not there: install it again");
    add(j, "pvbatch");
    add(j, "%s", script);
    free(script);
    return SCREE_OK;
}

/* ---- what is drawn ------------------------------------------------------- */

/* ParaView 5.11 does not read many frames in one VTKHDF file, but the XDMF file
 * beside it. */
static scree_status add_packed(job *j, const scree_result_series *s,
                               scree_error *error) {
    const size_t n = strlen(s->path), m = strlen(".vtkhdf");
    const bool known = n > m && strcmp(s->path + n - m, ".vtkhdf") == 0;
    char *xdmf;
    if (asprintf(&xdmf, "%.*s.xmf", (int)(known ? n - m : n), s->path) < 0)
        return no_memory(error);
    /* ParaView finds the arrays beside the file only by its whole path. */
    char *whole = realpath(xdmf, NULL);
    const bool there = whole != NULL;
    if (there)
        add(j, "%s", whole);
    else
        scree_fail(error, SCREE_BAD_INPUT,
                   "%.300s: to draw a packed run, %.300s must be beside it "
                   "(scree pack writes both)",
                   s->path, xdmf);
    free(whole);
    free(xdmf);
    return there ? SCREE_OK : SCREE_BAD_INPUT;
}

/* Bodies are points with a radius, all else is drawn as the polygons it is. */
static const char *role_of(const scree_frame_file *file,
                           const scree_result_series *s) {
    const scree_frame_field *radius = scree_frame_find(file, "radius");
    if (radius && !radius->on_cells) return "--bodies";
    if (strcmp(s->name, "walls") == 0) return "--walls";
    for (int i = 0; i < file->n_frame; i++)
        if (file->frames[i].ids > 2 * file->frames[i].cells)
            return "--surfaces";
    return NULL;
}

/* The planes of the case at that time, for the script to draw what of them is
 * near the bodies. */
static scree_status add_planes(job *j, const scree_frame_file *file,
                               scree_error *error) {
    double planes[6 * MOST_PLANES];
    const int n = scree_frame_planes(file, MOST_PLANES, planes);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return no_memory(error);
    for (int i = 0; i < 6 * n; i++)
        fprintf(out, "%s%.9g", i > 0 ? "," : "", planes[i]);
    fclose(out);
    add(j, "--planes=%s", text ? text : "");
    free(text);
    return SCREE_OK;
}

static scree_status add_series(job *j, const scree_result_series *s,
                               scree_error *error) {
    scree_frame_file *file;
    const scree_result_frame *last = &s->frames[s->n_frame - 1];
    TRY(scree_frame_open(last->path, &file, error));
    const char *role = file->has_grid ? role_of(file, s) : NULL;
    scree_status status = SCREE_OK;
    if (role) {
        const bool moves = strcmp(role, "--walls") != 0;
        if (moves && !j->main) status = add_planes(j, file, error);
        if (moves && !j->main) j->main = s;
        add(j, "%s", role);
        if (status == SCREE_OK && file->n_frame > 1)
            status = add_packed(j, s, error);
        else
            add(j, "%s", s->path);
    }
    scree_frame_close(file);
    return status;
}

static scree_status add_data(job *j, scree_error *error) {
    for (int i = 0; i < j->results->n_series; i++)
        if (strcmp(j->results->series[i].name, "contacts") != 0 &&
            strcmp(j->results->series[i].name, "network") != 0)
            TRY(add_series(j, &j->results->series[i], error));
    if (j->main) return SCREE_OK;
    return scree_fail(error, SCREE_BAD_INPUT,
                      "%.500s: nothing to draw: no bodies with a radius and no "
                      "surfaces",
                      j->results->path);
}

static const char times_file[] = "times";

/* In a file, one a line: a long movie has more of them than an argument holds.
 */
static scree_status write_times(const job *j, int first, int last,
                                scree_error *error) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", j->folder, times_file);
    FILE *out;
    TRY(scree_file_rewrite(path, &out, error));
    for (int k = first; k <= last; k++)
        fprintf(out, "%.17g\n", j->main->frames[k].time);
    const bool failed = ferror(out);
    if (fclose(out) == 0 && !failed) return SCREE_OK;
    return scree_fail(error, SCREE_IO_ERROR, "%s: cannot write: %s", path,
                      strerror(errno));
}

static scree_status add_times(job *j, scree_error *error) {
    int first = 0, last = j->main->n_frame - 1;
    if (!j->options->movie) {
        TRY(scree_results_choose(j->main, &j->options->frame, &first, error));
        last = first;
    }
    TRY(write_times(j, first, last, error));
    add(j, "--times=%s/%s", j->folder, times_file);
    return SCREE_OK;
}

/* ---- pictures and movies ------------------------------------------------- */

static scree_status draw_picture(job *j, const char *log, scree_error *error) {
    TRY(add_programs(j, error));
    TRY(add_data(j, error));
    TRY(add_times(j, error));
    add(j, "--size=%d,%d", j->options->width, j->options->height);
    if (j->options->movie)
        add(j, "--out=%s/frame_%%06d.png", j->folder);
    else
        add(j, "--out=%s", j->made);
    if (j->failed) return no_memory(error);
    return scree_child_run(j->argv, log, error);
}

static void clear_job(job *j) {
    for (int i = 0; i < j->n; i++) free(j->argv[i]);
    memset(j->argv, 0, sizeof j->argv);
    j->n = 0;
}

/* H.264 with sides of even length is what every player shows. */
static scree_status join_pictures(job *j, const char *log, scree_error *error) {
    clear_job(j);
    add(j, "ffmpeg");
    add(j, "-y");
    add(j, "-loglevel");
    add(j, "error");
    add(j, "-framerate");
    add(j, "%d", j->options->rate);
    add(j, "-i");
    add(j, "%s/frame_%%06d.png", j->folder);
    add(j, "-vf");
    add(j, "scale=trunc(iw/2)*2:trunc(ih/2)*2");
    add(j, "-pix_fmt");
    add(j, "yuv420p");
    add(j, "-crf");
    add(j, "18");
    add(j, "%s", j->made);
    if (j->failed) return no_memory(error);
    return scree_child_run(j->argv, log, error);
}

/* The picture or movie as pvbatch or ffmpeg makes it: in the folder, with the
 * ending that says what it is, so that neither sees the user's name, which could
 * look like an option or lead elsewhere. */
static scree_status name_made(job *j, scree_error *error) {
    const char *path = wanted_program(j), *dot = strrchr(path, '.');
    const bool has_end = dot && !strchr(dot, '/') && strlen(dot) < 16;
    for (const char *c = has_end ? dot + 1 : ""; *c; c++)
        if (!isalnum((unsigned char)*c))
            return scree_fail(error, SCREE_BAD_INPUT,
                              "%.500s: the ending of a picture or movie has "
                              "letters and digits only",
                              path);
    snprintf(j->made, sizeof j->made, "%s/made%s", j->folder,
             has_end ? dot : "");
    return SCREE_OK;
}

static scree_status copy_made(void *context, const char *temporary,
                              scree_error *error) {
    const job *j = context;
    int from, to;
    size_t size;
    TRY(scree_file_open(j->made, "a picture", &from, &size, error));
    errno = 0;
    to = scree_file_new(temporary);
    ssize_t n = 0;
    while (to >= 0 && size > 0 && (n = sendfile(to, from, NULL, size)) > 0)
        size -= (size_t)n;
    bool ok = to >= 0 && size == 0 && fsync(to) == 0;
    const int reason = errno;
    if (to >= 0 && close(to) != 0) ok = false;
    close(from);
    return ok ? SCREE_OK
              : scree_fail(error, SCREE_IO_ERROR, "%.500s: cannot write: %s",
                           wanted_program(j), strerror(reason));
}

static scree_status keep_made(job *j, scree_error *error) {
    if (access(j->made, R_OK) != 0)
        return scree_fail(error, SCREE_IO_ERROR, "%.500s: was not written: %s",
                          wanted_program(j), strerror(errno));
    return scree_file_replace_by(wanted_program(j), copy_made, j, error);
}

static void remove_folder(const job *j, const char *log) {
    char path[128];
    const int pictures = j->main ? j->main->n_frame : 0;
    for (int k = 0; k < pictures; k++) {
        snprintf(path, sizeof path, "%s/frame_%06d.png", j->folder, k);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/%s", j->folder, times_file);
    unlink(path);
    if (*j->made) unlink(j->made);
    unlink(log);
    rmdir(j->folder);
}

scree_status scree_render(const scree_results *results,
                          const scree_render_options *options,
                          scree_error *error) {
    job j = {.results = results,
             .options = options,
             .folder = "/tmp/scree-render-XXXXXX"};
    char log[128];
    if (!mkdtemp(j.folder))
        return scree_fail(error, SCREE_IO_ERROR, "%s: %s", j.folder,
                          strerror(errno));
    snprintf(log, sizeof log, "%s/log", j.folder);
    scree_status status = scree_file_may_replace(wanted_program(&j), error);
    if (status == SCREE_OK) status = name_made(&j, error);
    if (status == SCREE_OK) status = draw_picture(&j, log, error);
    if (status == SCREE_OK && options->movie)
        status = join_pictures(&j, log, error);
    if (status == SCREE_OK) status = keep_made(&j, error);
    clear_job(&j);
    remove_folder(&j, log);
    return status;
}
