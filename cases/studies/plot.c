/* plot.c: pictures by gnuplot, each with its script beside it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cases/studies/study.h"
#include "io/file/safe_file.h"
#include "io/report/gnuplot.h"
#include "io/version.h"

enum { ROOM = 4200 };

static const char prologue[] =
    "# %s.gp: makes %s.png from the CSV files beside it:  gnuplot %s.gp\n"
    "# Study '%s' of scree %s, commit %s\n"
    "set terminal pngcairo size %d,%d font 'sans,11' linewidth 1.5\n"
    "set output '%s.png'\n"
    "%s";

static bool write_script(study *st, const char *name, int width, int height,
                         const char *script) {
    char path[ROOM];
    snprintf(path, sizeof path, "%s/%s.gp", st->folder, name);
    FILE *file;
    if (scree_file_rewrite(path, &file, &st->error) != SCREE_OK) return false;
    fprintf(file, prologue, name, name, name, st->name, scree_build_version,
            scree_build_commit, width, height, name, scree_gnuplot_style);
    fprintf(file, "%s", script);
    const bool bad = ferror(file);
    if (fclose(file) != 0 || bad)
        scree_fail(&st->error, SCREE_IO_ERROR, "%s: cannot write: %s", path,
                   strerror(errno));
    return st->error.status == SCREE_OK;
}

void study_plot(study *st, const char *name, int width, int height,
                const char *script) {
    char file[300];
    bool missing;
    if (st->error.status != SCREE_OK) return;
    if (!write_script(st, name, width, height, script)) return;
    snprintf(file, sizeof file, "%s.gp", name);
    scree_gnuplot_run(st->folder, file, &missing, &st->error);
    if (missing) st->no_gnuplot = true;
}
