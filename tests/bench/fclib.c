/* fclib.c: how fast the methods of scree solve reach a residual, and Siconos'
 * NSGS on the same problems in the same run. One thread, cold start.
 *
 *   bench_fclib [--iterations N] [--csv FILE] [PROBLEM.hdf5 ...]
 *
 * Levels of Scree are read off one run to the last level, those of Siconos
 * need a run each. Both count the time of their own residual. */
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/fclib.h"
#include "tests/bench/siconos.h"

enum { LEVELS = 4 };
static const double levels[LEVELS] = {1e-3, 1e-4, 1e-6, 1e-8};
static const char *const methods[] = {"pgs", "apgd", "jacobi", "auto"};
enum { METHODS = sizeof methods / sizeof *methods };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Sweeps and seconds to each level; -1: not reached. */
typedef struct times {
    double start;
    int64_t sweeps[LEVELS];
    double seconds[LEVELS];
    double best;
} times;

typedef struct bench {
    int iterations;
    FILE *csv;
    const char *problem; /* its file name */
    times peer;
} bench;

static times no_times(void) {
    times t = {.start = now(), .best = 1e300};
    for (int k = 0; k < LEVELS; k++) t.sweeps[k] = -1;
    return t;
}

static void note(void *context, int64_t iteration, const scree_fc3d_error *e) {
    times *t = context;
    if (e->residual < t->best) t->best = e->residual;
    for (int k = 0; k < LEVELS; k++) {
        if (t->sweeps[k] >= 0 || !(e->residual <= levels[k])) continue;
        t->sweeps[k] = iteration;
        t->seconds[k] = now() - t->start;
    }
}

static times run_scree(scree_fc3d *p, const char *method, int iterations) {
    scree_fc3d_options o = scree_fc3d_options_default();
    scree_fc3d_report report;
    scree_arena scratch = {0};
    o.tolerance = levels[LEVELS - 1];
    o.iterations = iterations;
    o.watch = note;
    memset(p->r, 0, 3 * (size_t)p->nc * sizeof *p->r);
    times t = no_times();
    o.context = &t;
    scree_fc3d_find(method)->solve(p, &o, &scratch, &report);
    scree_arena_free(&scratch);
    return t;
}

/* Ends at the first level that it does not reach. *measured is the residual of
 * its last reactions by our formula, to see that both measure the same. */
static times run_siconos(scree_fc3d *p, int iterations, double *own,
                         double *measured) {
    times t = no_times();
    for (int k = 0; k < LEVELS; k++) {
        siconos_result s;
        siconos_nsgs(p, levels[k], iterations, &s);
        *own = s.error;
        *measured = scree_fc3d_measure(p).residual;
        if (*measured < t.best) t.best = *measured;
        if (s.sweeps >= iterations) break;
        t.sweeps[k] = s.sweeps;
        t.seconds[k] = s.seconds;
    }
    return t;
}

static void print_row(const bench *b, const char *method, const times *t) {
    printf("%-10s", method);
    for (int k = 0; k < LEVELS; k++) {
        if (t->sweeps[k] < 0) {
            printf(" %24s", "-");
            continue;
        }
        printf(" %7" PRId64 " %8.2g", t->sweeps[k], t->seconds[k]);
        if (b->peer.sweeps[k] > 0 && t != &b->peer)
            printf(" %6.1fx", b->peer.seconds[k] / t->seconds[k]);
        else printf(" %7s", "");
        if (b->csv)
            fprintf(b->csv, "%s,%s,%g,%" PRId64 ",%.6f\n", b->problem, method,
                    levels[k], t->sweeps[k], t->seconds[k]);
    }
    printf("  best %.1e\n", t->best);
}

static void print_head(const bench *b, const scree_fc3d *p) {
    printf("\n%s: %d contacts, %" PRId64 " blocks, at most %d sweeps\n",
           b->problem, p->nc, p->n_block, b->iterations);
    printf("%-10s", "method");
    for (int k = 0; k < LEVELS; k++)
        printf(" %7s %8s %7g", "sweeps", "seconds", levels[k]);
    printf("\n");
}

static void run_peer(bench *b, scree_fc3d *p) {
    double own = 0, measured = 0;
    b->peer = no_times();
    if (!siconos_is_there() || p->dim != 3) return;
    b->peer = run_siconos(p, b->iterations, &own, &measured);
    print_row(b, "siconos", &b->peer);
    printf("%-10s last error by its measure %.3e, by ours %.3e\n", "", own,
           measured);
}

static bool run_problem(bench *b, const char *path) {
    scree_fclib f;
    scree_error error = {0};
    if (scree_fclib_read(&f, path, &error) != SCREE_OK) {
        fprintf(stderr, "bench_fclib: %s\n", error.text);
        return false;
    }
    const char *slash = strrchr(path, '/');
    b->problem = slash ? slash + 1 : path;
    print_head(b, &f.problem);
    run_peer(b, &f.problem);
    for (int m = 0; m < METHODS; m++) {
        const times t = run_scree(&f.problem, methods[m], b->iterations);
        print_row(b, methods[m], &t);
        fflush(stdout);
    }
    scree_fclib_free(&f);
    return true;
}

/* The shared problems if they are there, else the tests' own. */
static bool run_default(bench *b) {
    glob_t found = {0};
    bool good = true;
    if (glob(BENCH_SHARED "/*.hdf5", 0, NULL, &found) != 0)
        glob(BENCH_OWN "/*.hdf5", 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++)
        good &= run_problem(b, found.gl_pathv[i]);
    good &= found.gl_pathc > 0;
    globfree(&found);
    return good;
}

/* Takes the options out of argv; the number of paths left, or -1. */
static int take_options(bench *b, int argc, char **argv) {
    int paths = 0;
    for (int i = 1; i < argc; i++) {
        const bool more = i + 1 < argc;
        if (strcmp(argv[i], "--iterations") == 0 && more)
            b->iterations = atoi(argv[++i]);
        else if (strcmp(argv[i], "--csv") == 0 && more) {
            b->csv = fopen(argv[++i], "w");
            if (!b->csv) return -1;
        } else if (*argv[i] == '-') return -1;
        else argv[paths++] = argv[i];
    }
    return b->iterations > 0 ? paths : -1;
}

int main(int argc, char **argv) {
    bench b = {.iterations = 20000};
    const int paths = take_options(&b, argc, argv);
    if (paths < 0) {
        fprintf(stderr, "usage: bench_fclib [--iterations N] [--csv FILE] "
                        "[PROBLEM.hdf5 ...]\n");
        return 2;
    }
    if (b.csv) fprintf(b.csv, "problem,method,residual,sweeps,seconds\n");
    printf(siconos_is_there()
               ? "x: times faster than Siconos NSGS\n"
               : "Siconos is not installed (libsiconos-numerics-dev): Scree "
                 "alone\n");
    bool good = paths || run_default(&b);
    for (int i = 0; i < paths; i++) good &= run_problem(&b, argv[i]);
    if (b.csv && fclose(b.csv) != 0) good = false;
    return good ? 0 : 1;
}
