/* measured.h: figures of what a run measured, for its page and for `scree plot`.
 *
 * A figure is a small table of its own: the abscissa first, then a column for each
 * curve, whose name is what the key shows. At most SCREE_PLOT_LINES curves are taken:
 * the first gates and bodies, the walls with the largest forces, some times. */
#ifndef SCREE_IO_MEASURED_H
#define SCREE_IO_MEASURED_H

#include "io/report/csv_table.h"
#include "io/report/svg_plot.h"

/* The tables that hold measures; NULL ends them. */
extern const char *const scree_measured_files[];

typedef struct scree_figure {
    scree_plot plot; /* its columns are those of the table */
    scree_csv_table table;
    bool whole; /* all memory was there */
} scree_figure;

enum { SCREE_MEASURED_FIGURES = 16 };
typedef struct scree_measured {
    int n;
    scree_figure figures[SCREE_MEASURED_FIGURES];
} scree_measured;

/* Adds the figures of one of the files, which was read as `t`. Those in which nothing
 * is finite are left out. The caller frees, also after a failure. */
scree_status scree_measured_add(scree_measured *m, const char *file,
                                const scree_csv_table *t, scree_error *error);
void scree_measured_free(scree_measured *m);

#endif
