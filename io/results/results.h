/* results.h: what a path names: a run's folder with its series, one series, one
 * frame, or a packed file. All are lists of series, and a series is a list of
 * frames with their times. */
#ifndef SCREE_IO_RESULTS_H
#define SCREE_IO_RESULTS_H

#include "io/output/frame_file.h"
#include "io/scree_results.h"

typedef struct scree_result_frame {
    char *path; /* of the file */
    int index;  /* in the file */
    double time;
} scree_result_frame;

typedef struct scree_result_series {
    char *name; /* bodies, contacts, ...; of a single file: its name */
    char *path; /* of the series file or the file */
    int n_frame;
    scree_result_frame *frames; /* (n_frame) */
} scree_result_series;

struct scree_results {
    char *path;
    int n_series;
    scree_result_series *series; /* (n_series) bodies first */
};

/* The series of that name; with NULL the first one. */
scree_status scree_results_find(const scree_results *results, const char *name,
                                const scree_result_series **series,
                                scree_error *error);

/* Which frame is meant. */
typedef struct scree_frame_choice {
    enum { SCREE_FRAME_LAST, SCREE_FRAME_NUMBER, SCREE_FRAME_TIME } by;
    long number; /* from 0; below 0 from the end */
    double time; /* the nearest one */
} scree_frame_choice;

scree_status scree_results_choose(const scree_result_series *series,
                                  const scree_frame_choice *choice, int *frame,
                                  scree_error *error);

#endif
