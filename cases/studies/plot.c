/* plot.c: pictures by gnuplot, each with its script beside it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cases/studies/study.h"
#include "io/file/safe_file.h"

enum { ROOM = 4200, NOT_FOUND = 127 /* what a shell says of a command */ };

static const char prologue[] =
    "# %s.gp: makes %s.png from the CSV files beside it:  gnuplot %s.gp\n"
    "set terminal pngcairo size %d,%d font 'sans,11' linewidth 1.5\n"
    "set output '%s.png'\n"
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

static bool write_script(study *st, const char *name, int width, int height,
                         const char *script) {
    char path[ROOM];
    snprintf(path, sizeof path, "%s/%s.gp", st->folder, name);
    FILE *file;
    if (scree_file_rewrite(path, &file, &st->error) != SCREE_OK) return false;
    fprintf(file, prologue, name, name, name, width, height, name);
    fprintf(file, "%s", script);
    const bool bad = ferror(file);
    if (fclose(file) != 0 || bad)
        scree_fail(&st->error, SCREE_IO_ERROR, "%s: cannot write: %s", path,
                   strerror(errno));
    return st->error.status == SCREE_OK;
}

/* Text as one word of a shell: 'text', with ' as '\''. */
static void quote(const char *text, char *word, size_t room) {
    size_t n = 0;
    word[n++] = '\'';
    for (; *text && n + 6 < room; ++text) {
        if (*text == '\'') {
            memcpy(&word[n], "'\\'", 3);
            n += 3;
        }
        word[n++] = *text;
    }
    word[n++] = '\'';
    word[n] = '\0';
}

/* The exit code of gnuplot; its first words are kept for the message. */
static int run_gnuplot(const study *st, const char *name, char *said,
                       size_t room) {
    char folder[ROOM], command[2 * ROOM];
    quote(st->folder, folder, sizeof folder);
    snprintf(command, sizeof command, "cd %s && gnuplot '%s.gp' 2>&1", folder,
             name);
    fflush(stdout);
    FILE *pipe = popen(command, "r");
    if (!pipe) return -1;
    said[fread(said, 1, room - 1, pipe)] = '\0';
    const int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void study_plot(study *st, const char *name, int width, int height,
                const char *script) {
    if (st->error.status != SCREE_OK) return;
    if (!write_script(st, name, width, height, script)) return;
    char said[400] = "";
    const int code = run_gnuplot(st, name, said, sizeof said);
    if (code == NOT_FOUND)
        st->no_gnuplot = true;
    else if (code != 0)
        scree_fail(&st->error, SCREE_IO_ERROR, "gnuplot failed on %s/%s.gp: %s",
                   st->folder, name, said);
}
