/* report.c: scree report, a run on one page. */
#include "io/report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cases/commands/command.h"
#include "io/results/render.h"

enum { PICTURES = 2 };

static int take_none(scree_arguments *a, const char *value) {
    (void)value;
    *(bool *)a->own = true;
    return EXIT_OK;
}

static const scree_option options[] = {{"-o", true, scree_take_out},
                                       {"--out", true, scree_take_out},
                                       {"--no-pictures", false, take_none},
                                       {"--help", false, scree_take_help},
                                       {0}};

/* ---- pictures -------------------------------------------------------------- */

typedef struct album {
    char folder[64];
    struct {
        char path[96], caption[40];
    } own[PICTURES];
    scree_page_picture pictures[PICTURES];
    int n;
} album;

static scree_status draw_frame(album *all, const scree_results *results,
                               const scree_result_series *series, int frame,
                               scree_error *error) {
    char *path = all->own[all->n].path, *caption = all->own[all->n].caption;
    strcpy(path, all->folder);
    sprintf(path + strlen(path), "/%d.png", all->n);
    snprintf(caption, sizeof all->own->caption, "t = %g s",
             series->frames[frame].time);
    const scree_render_options how = {
        .frame = {.by = SCREE_FRAME_NUMBER, .number = frame},
        .picture = path,
        .width = 800,
        .height = 600};
    TRY(scree_render(results, &how, error));
    all->pictures[all->n++] = (scree_page_picture){path, caption};
    return SCREE_OK;
}

/* The frame in the middle and the last one: the first may be empty. */
static scree_status draw_frames(album *all, const scree_results *results,
                                scree_error *error) {
    const scree_result_series *series;
    TRY(scree_results_find(results, NULL, &series, error));
    const int last = series->n_frame - 1;
    const int frames[PICTURES] = {last / 2, last};
    for (int i = 0; i < PICTURES; i++)
        if (i == 0 || frames[i] > frames[i - 1])
            TRY(draw_frame(all, results, series, frames[i], error));
    return SCREE_OK;
}

/* A report without pictures is a report: why there are none is said in it. */
static scree_status draw_album(album *all, const char *path,
                               scree_error *error) {
    scree_results *results;
    strcpy(all->folder, "/tmp/scree-report-XXXXXX");
    if (!mkdtemp(all->folder)) {
        all->folder[0] = '\0';
        return scree_fail(error, SCREE_IO_ERROR, "/tmp: %s", strerror(errno));
    }
    TRY(scree_results_open(path, &results, error));
    const scree_status status = draw_frames(all, results, error);
    scree_results_close(results);
    return status;
}

static void drop_album(const album *all) {
    for (int i = 0; i < all->n; i++) unlink(all->own[i].path);
    if (*all->folder) rmdir(all->folder);
}

/* ---- the command ------------------------------------------------------------ */

static bool has_file(const char *folder, const char *name) {
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, R_OK) == 0;
}

static bool has_frames(const char *folder) {
    return has_file(folder, "bodies.hdf.series") ||
           has_file(folder, "surfaces.hdf.series");
}

static scree_status want_folder(const char *folder, scree_error *error) {
    if (has_frames(folder) || has_file(folder, "case.yaml") ||
        has_file(folder, "scalars.csv") || has_file(folder, "model.csv"))
        return SCREE_OK;
    return scree_fail(error, SCREE_BAD_INPUT,
                      "%.400s: this is not the folder of a run: it has no "
                      "case.yaml, scalars.csv, model.csv or bodies.hdf.series",
                      folder);
}

static scree_status write_report(const scree_arguments *a, scree_error *error) {
    const bool no_pictures = *(const bool *)a->own;
    album all = {0};
    scree_error why = {0};
    char *path;
    TRY(want_folder(a->path, error));
    if (a->out)
        path = strdup(a->out);
    else if (asprintf(&path, "%s/report.html", a->path) < 0)
        path = NULL;
    if (!path)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "report: out of memory");
    if (!no_pictures && has_frames(a->path)) draw_album(&all, a->path, &why);
    const scree_page_options how = {.n_picture = all.n,
                                    .pictures = all.pictures,
                                    .no_pictures = *why.text ? why.text : NULL};
    const scree_status status = scree_page_write(a->path, path, &how, error);
    if (status == SCREE_OK) printf("written: %s\n", path);
    drop_album(&all);
    free(path);
    return status;
}

extern const scree_command scree_command_report;

static int report(int argc, char **argv) {
    bool no_pictures = false;
    return scree_with_folder(&scree_command_report, argc, argv, options,
                             &no_pictures, write_report);
}

const scree_command scree_command_report = {
    "report",
    "report DIR [-o FILE.html] [--no-pictures]",
    "write a run on one page: summary, plots, timing, warnings, pictures, case",
    "  DIR is the folder of a run\n"
    "  -o FILE        default DIR/report.html\n"
    "  --no-pictures  none but those in the folder; without ParaView there "
    "are\n"
    "                 no others either\n"
    "The page needs no network. `report: on` in a case writes it, without new\n"
    "pictures, at the end of the run.\n",
    report,
    false};
