/* study.h: a study repeats an example of a paper. It runs the simulations, puts
 * the numbers beside published or independently computed ones with a verdict
 * each, writes its data as CSV and draws the figure with gnuplot.
 *
 * One file in cases/studies and one line in studies.def each. A study is a list
 * of what it does: the first failure (memory, a file, a state that is not
 * finite) sticks in the `study`, and whatever follows does nothing. */
#ifndef SCREE_STUDY_H
#define SCREE_STUDY_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/base/error.h"
#include "engine/system/dense.h"

/* The number of entries of an array. */
#define STUDY_COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

typedef struct study {
    const char *name, *folder;
    scree_error error; /* .status: SCREE_OK, or the failure that stuck */
    int n_ok, n_differ;
    bool no_gnuplot;
} study;

typedef struct scree_study_ops {
    const char *name, *about;
    void (*run)(study *st);
} scree_study_ops;

const scree_study_ops *scree_study_get(int i); /* NULL past the end */
const scree_study_ops *scree_study_find(const char *name);

/* Runs one study, or all of them one after the other if ops is NULL. `out` is
 * the folder of one study, or the parent of the folders of all; NULL: in
 * out/studies. Returns the exit code of the program. */
int scree_study_main(const scree_study_ops *ops, const char *out);

enum { STUDY_EXIT_FILE = 3, STUDY_EXIT_DIFFERS = 5 };

/* ---- table.c: numbers beside their references ---------------------------- */

/* A line over the columns of what follows. */
void study_heading(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
/* A sentence under a table. */
void study_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One row each; the format names the quantity. ok if
 * |value - reference| <= tolerance, */
void study_near(study *st, double value, double reference, double tolerance,
                const char *format, ...) __attribute__((format(printf, 5, 6)));
/* if value <= bound, */
void study_at_most(study *st, double value, double bound, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));
/* if value >= bound, */
void study_at_least(study *st, double value, double bound, const char *format,
                    ...) __attribute__((format(printf, 4, 5)));
/* and a value without a verdict, beside a reference unless that is NAN. */
void study_show(study *st, double value, double reference, const char *format,
                ...) __attribute__((format(printf, 4, 5)));

/* What a stage of rattle took, at most `most` in a step, beside the average that 000
 * prints in Table 1. Stage 1 counts linearisations of (41), each of which is solved as an
 * inclusion; 000 counts Newton steps on all of it. Stage 2 is linear: its Newton steps
 * are counted. */
void study_work(study *st, const scree_dense *s, int stage, int most,
                double published);

/* ---- trial.c: a simulation ----------------------------------------------- */

typedef struct trial {
    study *st;
    scree_dense *s; /* NULL if there is no memory; then nothing steps */
    const char *stepper;
    scree_dense_options options;
    double dt; /* options.dt is lowered to meet an end */
} trial;

/* At the start of the model, with the published friction law and an inner
 * tolerance of 1e-12. */
trial trial_make(study *st, const char *model, const char *stepper, double dt);
/* Before the first step: changes a parameter and starts anew. */
void trial_set(trial *r, const char *parameter, double value);
/* One step that does not pass t_end; false, and no step, at t_end and after a
 * failure: while (trial_step(&r, 1)) ... */
bool trial_step(trial *r, double t_end);
void trial_run(trial *r, double t_end);
void trial_end(trial *r);

/* Where y is crossed upwards between two times. */
double study_crossing(double t_0, double y_0, double t_1, double y_1, double y);
/* Slope of log e over log dt by least squares: the observed order. */
double study_order(const double *dt, const double *e, int n);

/* ---- series.c: rows of numbers, which become CSV ------------------------- */

typedef struct series {
    int columns;
    size_t n, room;
    double *values; /* (n x columns) */
} series;

/* series_add(st, &s, a, b, ...): a row; all rows have the same length. */
#define series_add(st, s, ...)                                                 \
    series_put(st, s, (const double[]){__VA_ARGS__},                           \
               (int)(sizeof(double[]){__VA_ARGS__} / sizeof(double)))
void series_put(study *st, series *s, const double *row, int columns);
const double *series_row(const series *s, size_t i);
/* Writes folder/file with the header line, and frees the series. */
void series_write(study *st, series *s, const char *file, const char *header);
void series_free(series *s);

/* ---- plot.c: pictures ---------------------------------------------------- */

/* Keeps folder/name.gp and lets gnuplot make folder/name.png from it. The
 * script reads the CSV files of the folder, columns by their names. Without
 * gnuplot the study goes on. */
void study_plot(study *st, const char *name, int width, int height,
                const char *script);

#endif
