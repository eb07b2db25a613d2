/* fclib.c: how fast the methods of scree solve reach a residual, and Siconos'
 * NSGS on the same problems in the same run. One thread, cold start.
 *
 *   bench_fclib [--seconds S] [--peer S | --full] [--csv FILE]
 *               [--plot FILE.png] [--dumped FOLDER] [--strict]
 *               [PROBLEM.hdf5 ...]
 *
 * --seconds is for each method on each problem (10; path gets twelve times that,
 * those that cannot win a third), --peer for each level of Siconos (twelve times
 * that as well; --full: 300). --strict: exit code 1 if a bar is missed.
 *
 * Levels are read off one run of Scree to the last level; those that took less
 * than a second are then timed by runs of their own, as Siconos' are, which end
 * with the first level that it does not reach in its time. Short runs of both are
 * repeated and the fastest of five counts, those of Scree that the clock is too
 * coarse for in batches. Seconds are of CPU time; both count their own residual,
 * Scree its preparation too, Siconos not the copy of the problem into its
 * storage. */
#include "tests/bench/problems/fclib.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "solvers/problem/method.h"
#include "tests/bench/problems/siconos.h"

const double fclib_levels[LEVELS] = {1e-3, 1e-4, 1e-6, 1e-8};

typedef struct bench {
    double seconds; /* for a method, times its patience */
    double peer;    /* for a level of Siconos */
    FILE *csv;
    const char *plot;
    int n;
    fclib_problem problem[PROBLEMS];
} bench;

/* A machine that others use too takes time away, but no CPU time. */
double bench_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- one run ------------------------------------------------------------- */

typedef struct watcher {
    fclib_run *run;
    double start;
} watcher;

static void add_point(fclib_run *r, double time, double residual) {
    if (r->points == POINTS) {
        for (int i = 0; i < POINTS / 2; i++)
            r->time[i] = r->time[2 * i], r->residual[i] = r->residual[2 * i];
        r->points = POINTS / 2;
    }
    r->time[r->points] = time;
    r->residual[r->points++] = residual;
}

static void note(void *context, int64_t iteration, const scree_residual *e) {
    const watcher *w = context;
    fclib_run *r = w->run;
    const double time = bench_now() - w->start;
    add_point(r, time, e->residual);
    if (e->residual < r->best) r->best = e->residual;
    for (int k = 0; k < LEVELS; k++) {
        if (r->sweeps[k] >= 0 || !(e->residual <= fclib_levels[k])) continue;
        r->sweeps[k] = iteration;
        r->seconds[k] = time;
    }
}

static void clear_run(fclib_run *r, const char *method) {
    *r = (fclib_run){.best = 1e300, .ended = ""};
    snprintf(r->method, sizeof r->method, "%s", method);
    for (int k = 0; k < LEVELS; k++) r->sweeps[k] = -1, r->seconds[k] = -1;
}

static scree_solver_options level_options(int k, double seconds) {
    scree_solver_options o = scree_blocks_options();
    o.tolerance = fclib_levels[k];
    o.iterations = INT32_MAX;
    o.seconds = seconds;
    return o;
}

static void run_watched(scree_fc3d *p, const scree_method *m, double seconds,
                        scree_arena *scratch, fclib_run *r) {
    scree_solver_options o = level_options(LEVELS - 1, seconds);
    scree_report report = {0};
    clear_run(r, m->name);
    o.watch = note;
    memset(p->r, 0, 3 * (size_t)p->nc * sizeof *p->r);
    watcher w = {r, bench_now()};
    o.context = &w;
    const scree_status status = scree_inclusion_solve(scree_in_blocks(p), m, &o,
                                                      scratch, &report, NULL);
    r->total = bench_now() - w.start;
    r->ended = status != SCREE_OK ? "not taken"
               : report.converged ? "solved"
                                  : scree_stop_text(report.stop);
}

/* Seconds of one cold run to level k, over n of them; the sweeps of the last. */
static double time_batch(scree_fc3d *p, const scree_method *m, int k, int n,
                         scree_arena *scratch, scree_report *report) {
    const scree_solver_options o = level_options(k, 3);
    const double start = bench_now();
    for (int i = 0; i < n; i++) {
        memset(p->r, 0, 3 * (size_t)p->nc * sizeof *p->r);
        scree_blocks_run(m, p, &o, scratch, report);
    }
    return (bench_now() - start) / n;
}

/* The fastest of five, in batches of about a millisecond. */
static void time_level(scree_fc3d *p, const scree_method *m, int k,
                       scree_arena *scratch, fclib_run *r) {
    const int n = 1 + (int)(1e-3 / r->seconds[k]);
    scree_report report = {0};
    for (int i = 0; i < 5; i++) {
        const double seconds = time_batch(p, m, k, n, scratch, &report);
        if (!report.converged) return;
        if (i > 0 && seconds > r->seconds[k]) continue;
        r->seconds[k] = seconds;
        r->sweeps[k] = report.iterations;
    }
}

static void run_scree(scree_fc3d *p, const scree_method *m, double seconds,
                      fclib_run *r) {
    scree_arena scratch = {0};
    run_watched(p, m, seconds, &scratch, r);
    for (int k = 0; k < LEVELS; k++)
        if (r->sweeps[k] >= 0 && r->seconds[k] < 1)
            time_level(p, m, k, &scratch, r);
    scree_arena_free(&scratch);
}

/* Its sweeps take equally long, so a few tell how many fit into the time. */
static int affordable_sweeps(scree_fc3d *p, double seconds) {
    siconos_result s;
    siconos_nsgs(p, 1e-14, 20, &s);
    const double n = seconds / (s.seconds / (s.sweeps + 1) + 1e-9);
    return n < 1e8 ? (int)n : 100000000;
}

static void run_siconos(scree_fc3d *p, double seconds, fclib_run *r) {
    clear_run(r, "siconos");
    const int most = affordable_sweeps(p, seconds);
    for (int k = 0; k < LEVELS; k++) {
        siconos_result s = {0};
        siconos_nsgs(p, fclib_levels[k], most, &s);
        for (int n = 1; n < 5 && s.seconds < 3; n++) {
            const double before = s.seconds;
            siconos_nsgs(p, fclib_levels[k], most, &s);
            if (before < s.seconds) s.seconds = before;
        }
        const double measured = scree_fc3d_measure(p).residual;
        if (measured < r->best) r->best = measured;
        r->total = s.seconds;
        r->ended = "time used up";
        add_point(r, s.seconds, measured);
        if (!(measured <= 1.01 * fclib_levels[k])) return;
        r->sweeps[k] = s.sweeps;
        r->seconds[k] = s.seconds;
    }
    r->ended = "solved";
}

/* ---- tables -------------------------------------------------------------- */

static void print_head(const fclib_problem *p, int64_t blocks) {
    printf("\n%s: %d contacts, %" PRId64 " blocks\n%-8s", p->name, p->contacts,
           blocks, "method");
    for (int k = 0; k < LEVELS; k++)
        printf(" | %-6g %6s %7s %6s", fclib_levels[k], "sweeps", "seconds", "");
    printf("\n");
}

static void print_level(const fclib_run *r, const fclib_run *peer, int k) {
    if (r->sweeps[k] < 0) {
        printf(" | %28s", "-");
        return;
    }
    printf(" | %13" PRId64 " %7.2g", r->sweeps[k], r->seconds[k]);
    if (peer && peer != r && peer->seconds[k] > 0)
        printf(" %5.*fx", peer->seconds[k] / r->seconds[k] < 10,
               peer->seconds[k] / r->seconds[k]);
    else
        printf(" %6s", "");
}

static void write_csv(FILE *csv, const fclib_problem *p, const fclib_run *r) {
    for (int k = 0; csv && k < LEVELS; k++)
        fprintf(csv, "%s,%d,%s,%g,%" PRId64 ",%.6g,%.6g,%.4g,%s\n", p->name,
                p->contacts, r->method, fclib_levels[k], r->sweeps[k],
                r->seconds[k], r->total, r->best, r->ended);
}

static void print_row(const bench *b, const fclib_problem *p,
                      const fclib_run *r) {
    printf("%-8s", r->method);
    for (int k = 0; k < LEVELS; k++)
        print_level(r, fclib_find(p, "siconos"), k);
    if (r->best < 1e300)
        printf(" | best %.1e, %s\n", r->best, r->ended);
    else
        printf(" | %s\n", r->ended);
    write_csv(b->csv, p, r);
    fflush(stdout);
}

/* ---- problems ------------------------------------------------------------ */

const fclib_run *fclib_find(const fclib_problem *p, const char *method) {
    for (int i = 0; i < p->runs; i++)
        if (strcmp(p->run[i].method, method) == 0) return &p->run[i];
    return NULL;
}

/* Methods that may win, and the one that gets there in the end, take their time. */
static double patience(const char *method) {
    if (strcmp(method, "path") == 0) return 12;
    return strcmp(method, "auto") == 0 || strcmp(method, "pgs") == 0 ||
                   strcmp(method, "newton") == 0
               ? 1
               : 1. / 3;
}

static void run_methods(bench *b, fclib_problem *p, scree_fc3d *problem) {
    const scree_method *m;
    if (siconos_is_there() && problem->dim == 3) {
        run_siconos(problem, b->peer, &p->run[p->runs++]);
        print_row(b, p, &p->run[p->runs - 1]);
    }
    for (int i = 0;
         (m = scree_method_on(SCREE_LAYOUT_BLOCKS, i)) && p->runs < METHODS;
         i++) {
        run_scree(problem, m, patience(m->name) * b->seconds,
                  &p->run[p->runs++]);
        print_row(b, p, &p->run[p->runs - 1]);
    }
}

static bool run_problem(bench *b, const char *path, bool bed) {
    scree_fclib f;
    scree_error error = {0};
    if (b->n == PROBLEMS) return false;
    if (scree_fclib_read(&f, path, &error) != SCREE_OK) {
        fprintf(stderr, "bench_fclib: %s\n", error.text);
        return false;
    }
    fclib_problem *p = &b->problem[b->n++];
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    snprintf(p->name, sizeof p->name, "%.*s", (int)strcspn(name, "."), name);
    p->bed = bed || strncmp(name, "bed", 3) == 0;
    p->contacts = f.problem.nc;
    p->run = calloc(METHODS, sizeof *p->run);
    if (p->run) {
        print_head(p, f.problem.n_block);
        run_methods(b, p, &f.problem);
    }
    scree_fclib_free(&f);
    return p->run;
}

/* All problems of a folder; how many, or -1 if one failed. */
static int run_folder(bench *b, const char *folder, bool bed) {
    char pattern[4096];
    glob_t found = {0};
    snprintf(pattern, sizeof pattern, "%s/*.hdf5", folder);
    glob(pattern, 0, NULL, &found);
    int n = (int)found.gl_pathc;
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (!run_problem(b, found.gl_pathv[i], bed)) n = -1;
    globfree(&found);
    return n;
}

/* ---- the program --------------------------------------------------------- */

static const char *dumped;
static bool strict;

/* Takes the options out of argv; the number of paths left, or -1. */
static int take_options(bench *b, int argc, char **argv) {
    int paths = 0;
    for (int i = 1; i < argc; i++) {
        const bool more = i + 1 < argc;
        if (strcmp(argv[i], "--full") == 0)
            b->peer = 300;
        else if (strcmp(argv[i], "--strict") == 0)
            strict = true;
        else if (strcmp(argv[i], "--seconds") == 0 && more)
            b->seconds = atof(argv[++i]);
        else if (strcmp(argv[i], "--peer") == 0 && more)
            b->peer = atof(argv[++i]);
        else if (strcmp(argv[i], "--plot") == 0 && more)
            b->plot = argv[++i];
        else if (strcmp(argv[i], "--dumped") == 0 && more)
            dumped = argv[++i];
        else if (strcmp(argv[i], "--csv") == 0 && more) {
            b->csv = fopen(argv[++i], "w");
            if (!b->csv) return -1;
        } else if (*argv[i] == '-')
            return -1;
        else
            argv[paths++] = argv[i];
    }
    if (!b->peer) b->peer = 12 * b->seconds;
    return b->seconds > 0 && b->peer > 0 ? paths : -1;
}

/* The files named; else the shared problems, else the tests' own. */
static bool run_all(bench *b, int paths, char **argv) {
    bool good = true;
    for (int i = 0; i < paths; i++) good &= run_problem(b, argv[i], false);
    if (!paths) {
        int n = run_folder(b, BENCH_SHARED, false);
        if (n == 0) n = run_folder(b, BENCH_OWN, false);
        good &= n > 0;
    }
    if (dumped) good &= run_folder(b, dumped, true) > 0;
    return good;
}

int main(int argc, char **argv) {
    static bench b = {.seconds = 10};
    const int paths = take_options(&b, argc, argv);
    if (paths < 0) {
        fprintf(stderr,
                "usage: bench_fclib [--seconds S] [--peer S | --full] "
                "[--csv FILE] [--plot FILE.png] [--dumped FOLDER] [--strict] "
                "[PROBLEM.hdf5 ...]\n");
        return 2;
    }
    if (b.csv)
        fprintf(b.csv, "problem,contacts,method,residual,sweeps,seconds,total,"
                       "best,ended\n");
    printf(siconos_is_there()
               ? "x: times faster than Siconos NSGS\n"
               : "Siconos is not installed (libsiconos-numerics-dev): Scree "
                 "alone\n");
    bool good = run_all(&b, paths, argv);
    const int below = fclib_bars(b.problem, b.n);
    if (strict && below) good = false;
    if (b.plot) good &= fclib_plot(b.problem, b.n, b.plot);
    if (b.csv && fclose(b.csv) != 0) good = false;
    for (int i = 0; i < b.n; i++) free(b.problem[i].run);
    return good ? 0 : 1;
}
