/* fclib.h: what the parts of bench_fclib share. */
#ifndef SCREE_BENCH_FCLIB_H
#define SCREE_BENCH_FCLIB_H

#include "io/fclib/fclib.h"

enum { LEVELS = 4, POINTS = 4096, METHODS = 16, PROBLEMS = 64 };
extern const double fclib_levels[LEVELS];

/* One method on one problem. Seconds to a level: -1 if not reached. */
typedef struct fclib_run {
    char method[16];
    int64_t sweeps[LEVELS];
    double seconds[LEVELS];
    double best;  /* residual */
    double total; /* seconds until the end, of Siconos: of its last level */
    const char *ended; /* how */
    int points;        /* its history, thinned out when it is full */
    double time[POINTS], residual[POINTS];
} fclib_run;

typedef struct fclib_problem {
    char name[64];
    bool bed;
    int contacts, runs;
    fclib_run *run; /* (METHODS) the first is Siconos */
} fclib_problem;

/* NULL: not run. */
const fclib_run *fclib_find(const fclib_problem *p, const char *method);

/* One line PASS or below for each bar; how many are below. */
int fclib_bars(const fclib_problem *problems, int n);
/* Residual over seconds for three problems; false: gnuplot did not do it. */
bool fclib_plot(const fclib_problem *problems, int n, const char *png);

#endif
