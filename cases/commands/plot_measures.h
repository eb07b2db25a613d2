/* plot_measures.h: figures of what a run measured: flux.csv and profile.csv. */
#ifndef SCREE_COMMANDS_PLOT_MEASURES_H
#define SCREE_COMMANDS_PLOT_MEASURES_H

#include <stdio.h>

#include "io/report/csv_table.h"

typedef struct scree_measured {
    char flux_path[4097], profile_path[4097]; /* whole; "": there is none */
    scree_csv_table flux, profile;
} scree_measured;

/* Reads what is there. The caller frees, also after a failure. */
scree_status scree_measured_read(scree_measured *m, const char *folder,
                                 scree_error *error);
void scree_measured_free(scree_measured *m);

int scree_measured_count(const scree_measured *m); /* of figures */
/* Plot commands of gnuplot, a figure each. */
void scree_measured_put(FILE *out, const scree_measured *m);

#endif
