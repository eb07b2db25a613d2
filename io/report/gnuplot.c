#include "io/report/gnuplot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file/memo.h"
#include "io/run/child.h"

const char scree_gnuplot_style[] =
    "set datafile separator ','\n"
    "set datafile columnheaders\n"
    "set grid linecolor rgb '#dddddd'\n"
    "set border linewidth 0.6\n"
    "set key opaque\n"
    "set style line 1 linecolor rgb '#000000' pointtype 7\n"
    "set style line 2 linecolor rgb '#d62728' pointtype 5\n"
    "set style line 3 linecolor rgb '#1f77b4' pointtype 9\n"
    "set style line 4 linecolor rgb '#2ca02c' pointtype 13\n"
    "set style line 5 linecolor rgb '#ff7f0e' pointtype 11\n"
    "set style line 6 linecolor rgb '#9467bd' pointtype 4\n"
    "set style line 9 linecolor rgb '#999999' dashtype 2\n";

void scree_gnuplot_text(FILE *out, const char *text) {
    fputc('\'', out);
    for (; *text; text++) fprintf(out, *text == '\'' ? "''" : "%c", *text);
    fputc('\'', out);
}

/* The command that enters the folder, as gnuplot takes it; the caller frees. */
static char *enter_command(const char *folder) {
    scree_memo memo;
    FILE *out = scree_memo_open(&memo);
    if (!out) return NULL;
    fprintf(out, "cd ");
    scree_gnuplot_text(out, folder);
    return scree_memo_close(&memo);
}

scree_status scree_gnuplot_run(const char *folder, const char *script,
                               bool *missing, scree_error *error) {
    char log[] = "/tmp/scree-gnuplot-XXXXXX", *enter = enter_command(folder),
         *name = strdup(script);
    char program[] = "gnuplot", option[] = "-e";
    char *const argv[] = {program, option, enter, name, NULL};
    *missing = !scree_child_exists(program);
    const int fd = enter && name && !*missing ? mkstemp(log) : -1;
    scree_status status = SCREE_OK;
    if (!enter || !name)
        status =
            scree_fail(error, SCREE_OUT_OF_MEMORY, "gnuplot: out of memory");
    else if (!*missing && fd < 0)
        status =
            scree_fail(error, SCREE_IO_ERROR, "%s: %s", log, strerror(errno));
    else if (!*missing)
        status = scree_child_run(argv, log, error);
    if (fd >= 0) {
        close(fd);
        unlink(log);
    }
    free(enter);
    free(name);
    return status;
}
