/* svg_plot.h: columns of a table over time, as a drawing in SVG that stands in HTML. */
#ifndef SCREE_IO_SVG_PLOT_H
#define SCREE_IO_SVG_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "io/report/csv_table.h"

enum { SCREE_PLOT_LINES = 6 };

typedef struct scree_plot {
    const char *title, *unit; /* unit "": none */
    bool log;           /* values above 0 alone are drawn, in 12 decades */
    const char *time;   /* column of the x axis [s] */
    const char *across; /* what that is; NULL: t [s] */
    bool upright;       /* it runs upwards, and values across: heights */
    bool changes;       /* drawn only if values above 0 change */
    int n;
    const char *columns[SCREE_PLOT_LINES];
} scree_plot;

/* Columns that are not there are left out. False, and nothing is drawn, if there is
 * no finite value, or none that changes where that is asked for. */
bool scree_plot_draw(FILE *out, const scree_csv_table *table,
                     const scree_plot *plot);

/* Text between tags and quotes of XML and HTML. */
void scree_put_xml(FILE *out, const char *text);

#endif
