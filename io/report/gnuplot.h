/* gnuplot.h: plots by gnuplot, of studies and of runs. */
#ifndef SCREE_IO_GNUPLOT_H
#define SCREE_IO_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "engine/base/error.h"

/* How all plots look: separator, grid, lines. */
extern const char scree_gnuplot_style[];

/* Text as a string of gnuplot: 'text'. */
void scree_gnuplot_text(FILE *out, const char *text);

/* Runs folder/script in the folder. *missing: there is no gnuplot, and nothing was
 * done. */
scree_status scree_gnuplot_run(const char *folder, const char *script,
                               bool *missing, scree_error *error);

#endif
