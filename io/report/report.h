/* report.h: report.html, a run on one page.
 *
 * Summary, case, plots, timing, warnings and pictures, all in one file that needs no
 * network: plots are SVG, pictures are in it as text. All is taken from the files of the
 * run (case.yaml, timing.json, run.log, scalars.csv or model.csv, finished.txt, *.png):
 * what is not there is left out, and said. It is written in C, since it is mostly text
 * around tables: a run on a cluster can write it where no Python is. */
#ifndef SCREE_IO_REPORT_H
#define SCREE_IO_REPORT_H

#include "engine/base/error.h"

typedef struct scree_page_picture {
    const char *path, *caption;
} scree_page_picture;

typedef struct scree_page_options {
    int n_picture; /* beside those in the folder */
    const scree_page_picture *pictures;
    const char *no_pictures; /* why there are none; NULL: no reason */
} scree_page_options;

/* Writes the file `path`. */
scree_status scree_page_write(const char *folder, const char *path,
                              const scree_page_options *options,
                              scree_error *error);

#endif
