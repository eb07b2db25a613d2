#include "io/results/render.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/case/yaml/case_message.h"
#include "io/file/memo.h"
#include "io/file/safe_file.h"
#include "io/file/text_file.h"
#include "io/file/whole_file.h"
#include "io/run/child.h"

enum { MOST_ARGUMENTS = 64, MOST_PLANES = 200, MOST_TRAILS = 500 };

/* The command line of the script, and what it is made of. */
typedef struct job {
    const scree_results *results;
    const scree_render_options *options;
    char *argv[MOST_ARGUMENTS];
    int n;
    char folder[64]; /* for all that is made on the way, the user's alone */
    char made[96];   /* the result there */
    const scree_result_series *main; /* whose times are drawn */
    bool has_color;                  /* a series has the field of the colours */
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

/* Bodies are points with a radius, joints lines, all else is drawn as the polygons it
 * is. */
static const char *role_of(const scree_frame_file *file,
                           const scree_result_series *s) {
    const scree_frame_field *radius = scree_frame_find(file, "radius");
    if (radius && !radius->on_cells) return "--bodies";
    if (strcmp(s->name, "walls") == 0) return "--walls";
    if (strcmp(s->name, "joints") == 0) return "--joints";
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
    scree_memo memo;
    FILE *out = scree_memo_open(&memo);
    if (!out) return no_memory(error);
    for (int i = 0; i < 6 * n; i++)
        fprintf(out, "%s%.9g", i > 0 ? "," : "", planes[i]);
    char *text = scree_memo_close(&memo);
    if (!text) return no_memory(error);
    add(j, "--planes=%s", text);
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
        const bool moves = strcmp(role, "--walls") && strcmp(role, "--joints");
        if (moves && !j->main) status = add_planes(j, file, error);
        if (moves && !j->main) j->main = s;
        if (moves && j->options->color)
            j->has_color |= scree_frame_find(file, j->options->color) != NULL;
        add(j, "%s", role);
        if (status == SCREE_OK && file->n_frame > 1)
            status = add_packed(j, s, error);
        else
            add(j, "%s", s->path);
    }
    scree_frame_close(file);
    return status;
}

/* A field of another name is a typing error, not a grey picture. */
static scree_status refuse_color(const job *j, scree_error *error) {
    char names[400] = "";
    size_t used = 0;
    scree_frame_file *file;
    TRY(scree_frame_open(j->main->frames[0].path, &file, error));
    for (int i = 0; i < file->n_field && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i > 0 ? ", " : "", file->fields[i].name);
    scree_frame_close(file);
    return scree_fail(error, SCREE_BAD_INPUT,
                      "%.300s: --color: no field '%s'; %s has: %s",
                      j->results->path, scree_quote(j->options->color).text,
                      j->main->name, names);
}

/* The lines between bodies that touch. */
static scree_status add_network(job *j, scree_error *error) {
    if (!j->options->contacts) return SCREE_OK;
    for (int i = 0; i < j->results->n_series; i++) {
        if (strcmp(j->results->series[i].name, "network") != 0) continue;
        add(j, "--contacts");
        add(j, "%s", j->results->series[i].path);
        return SCREE_OK;
    }
    return scree_fail(error, SCREE_BAD_INPUT,
                      "%.500s: --contacts: the run wrote no lines of contacts; "
                      "they need `outputs: [{contacts: {every: ..., lines: "
                      "on}}]` in the case",
                      j->results->path);
}

/* Bodies, surfaces, walls: what there is to see. Other series are measures. */
static bool is_scenery(const char *name) {
    static const char *const measures[] = {"contacts", "network", "fields",
                                           "pressure"};
    for (size_t k = 0; k < sizeof measures / sizeof *measures; k++)
        if (strcmp(name, measures[k]) == 0) return false;
    return true;
}

static scree_status add_data(job *j, scree_error *error) {
    for (int i = 0; i < j->results->n_series; i++)
        if (is_scenery(j->results->series[i].name))
            TRY(add_series(j, &j->results->series[i], error));
    TRY(add_network(j, error));
    if (j->main && j->options->color && !j->has_color)
        return refuse_color(j, error);
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

/* "--name=1,2,3"; nothing if there are none. */
static void add_numbers(job *j, const char *name, const double *x, int n) {
    char text[256];
    int used = 0;
    for (int i = 0; x && i < n; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%.9g",
                         i > 0 ? "," : "", x[i]);
    if (x) add(j, "--%s=%s", name, text);
}

static void add_looks(job *j) {
    const scree_render_options *o = j->options;
    add(j, "--size=%d,%d", o->width, o->height);
    if (o->color) add(j, "--color=%s", o->color);
    if (o->trails) add(j, "--trails=%d", MOST_TRAILS);
    add_numbers(j, "range", o->range, 2);
    add_numbers(j, "camera", o->camera, 3);
    add_numbers(j, "box", o->box, 6);
}

/* ---- pictures and movies ------------------------------------------------- */

static scree_status draw_picture(job *j, const char *log, scree_error *error) {
    TRY(add_programs(j, error));
    TRY(add_data(j, error));
    TRY(add_times(j, error));
    add_looks(j);
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

/* H.264 with sides of even length is what every player shows. A GIF has 256
 * colours of its own. */
static void add_coding(job *j) {
    add(j, "-vf");
    if (scree_name_ends(j->made, ".gif")) {
        add(j, "split[a][b];[a]palettegen[p];[b][p]paletteuse");
        return;
    }
    add(j, "scale=trunc(iw/2)*2:trunc(ih/2)*2");
    add(j, "-pix_fmt");
    add(j, "yuv420p");
    add(j, "-crf");
    add(j, "18");
}

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
    add_coding(j);
    add(j, "%s", j->made);
    if (j->failed) return no_memory(error);
    return scree_child_run(j->argv, log, error);
}

/* Endings that ParaView and ffmpeg make files of. */
static const char *const picture_endings[] = {".png", ".jpg", ".jpeg", NULL},
                         *const movie_endings[] = {".mp4", ".gif", NULL};

static const char *known_ending(const char *path, const char *const *endings) {
    for (; *endings; endings++)
        if (scree_name_ends(path, *endings)) return *endings;
    return NULL;
}

/* The picture or movie as pvbatch or ffmpeg makes it: in the folder, with the
 * ending that says what it is, so that neither sees the user's name, which could
 * look like an option or lead elsewhere. */
static scree_status name_made(job *j, scree_error *error) {
    const char *path = wanted_program(j);
    const bool moves = j->options->movie != NULL;
    const char *ending =
        known_ending(path, moves ? movie_endings : picture_endings);
    if (!ending)
        return scree_fail(error, SCREE_BAD_INPUT, "%.500s: %s%s", path,
                          moves ? "a movie ends in .mp4 or .gif"
                                : "a picture ends in .png or .jpg",
                          !moves && known_ending(path, movie_endings)
                              ? "; movies are made with --movie FILE"
                              : "");
    snprintf(j->made, sizeof j->made, "%s/made%s", j->folder, ending);
    return SCREE_OK;
}

static scree_status keep_made(job *j, scree_error *error) {
    if (access(j->made, R_OK) != 0)
        return scree_fail(error, SCREE_IO_ERROR, "%.500s: was not written: %s",
                          wanted_program(j), strerror(errno));
    return scree_file_replace_copy(wanted_program(j), j->made, error);
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
