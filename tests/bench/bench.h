/* bench.h: the parts of bench_settled, the settled bed as a benchmark.
 *
 * Scene: n spheres of radius 0.04 to 0.06 m, density 2500, mu = 0.5, e = 0, on
 * a floor between four walls. A trial restarts from the bed that is left after
 * 2 s, lets it settle for some steps, and times the next ones with a fixed
 * number of sweeps and warm start, with one thread if nothing else is asked.
 *
 *   scene.c    the spheres before they fall; a world from a bed
 *   bed.c      finds, reads, makes and keeps settled beds
 *   measure.c  one trial of Scree, by the public interface only
 *   peer.c     the same trial by another engine, run as a program
 *   overlap.c  penetration from positions and radii
 *   second.c   what a simulated second costs, beside a soft-sphere code
 *   liggghts.c that code
 *   report.c   tables, bars, comparison, CSV
 *   settled.c  options, and the order of it all
 */
#ifndef SCREE_BENCH_H
#define SCREE_BENCH_H

#include <limits.h>
#include <scree.h>
#include <stdio.h>

/* Prints the reason and ends the program with exit code 1. */
_Noreturn void bench_die(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

double bench_clock(void); /* wall time [s], as in scree_cost */

/* ---- scene and bed ------------------------------------------------------- */

typedef struct bench_body {
    double x[3], r; /* [m] */
    double v[3];    /* [m/s] */
    double w[3];    /* [rad/s] */
} bench_body;

typedef struct bench_bed {
    int64_t n;
    double side;        /* of the square floor, centred at the origin [m] */
    bench_body *bodies; /* (n) */
    char path[PATH_MAX];
} bench_bed;

#define BENCH_MEAN_RADIUS 0.05 /* penetration is told relative to it [m] */

/* The smallest scene whose box is wider than one sphere. */
enum { BENCH_LEAST_N = 10 };

bench_bed bench_scene(int64_t n);
/* Moves the spheres of a scene as close as their largest allow, so that they
 * have less far to fall. */
void bench_stack(bench_bed *bed);
/* The bed of n spheres: the reference one, else the one kept in `folder`, else
 * a new one, which is then kept there. */
bench_bed bench_bed_open(int64_t n, const char *folder);
/* The same, made in one way whatever n: beds of several sizes can be compared. */
bench_bed bench_bed_alike(int64_t n, const char *folder);
void bench_bed_free(bench_bed *bed);
/* Positions and velocities of all bodies, into a bed with their radii. */
void bench_read_world(const scree_world *world, bench_bed *bed);

/* What the benchmark runs with; a caller may change it. */
scree_world_def bench_world_def(const bench_bed *bed, double dt, int iterations,
                                int threads);
scree_world *bench_world(const bench_bed *bed, const scree_world_def *def);
/* The same in two parts: walls alone, then the spheres. */
scree_world *bench_box(const bench_bed *bed, const scree_world_def *def);
void bench_fill(scree_world *world, const bench_bed *bed);
void bench_step(scree_world *world);

/* ---- trials -------------------------------------------------------------- */

typedef struct bench_options {
    int settle; /* steps before the timed ones */
    int steps;  /* timed steps */
    int iterations;
    int threads;
} bench_options;

/* Times and counts are per step, means over the best tenth of the timed steps
 * if nothing else is said; the state is that of the last step. What a peer does
 * not tell is NAN. */
typedef struct bench_figures {
    const char *code;
    double bodies, contacts;
    double touching;                 /* contacts that a body has, on average */
    double step;                     /* [s] */
    double detect;                   /* broad and narrow phase [s] */
    double solve;                    /* from contacts to percussions [s] */
    double sweeps;                   /* the iterations of it alone [s] */
    double colour;                   /* colours and places alone [s] */
    double phase[SCREE_PHASE_COUNT]; /* [s] */
    double iterations;
    /* The best steps are those that keep their list of pairs. What all timed
     * steps cost, and those that build a new one (0 if none did): */
    double step_all, detect_all, colour_all; /* [s] */
    double chosen;                           /* contacts that chose a colour */
    double rebuilds;                         /* number of them */
    double detect_rebuild;                   /* [s] */
    double bytes;
    double penetration_mean, penetration_max; /* [m] */
    double kinetic, kinetic_fastest; /* of all bodies, of the fastest [J] */
    double residual;
} bench_figures;

/* How many of the timed steps count. */
int bench_best_count(int steps);

bench_figures bench_measure(const bench_bed *bed, const bench_options *options);
/* Of a world that is there; its threads are its own. */
bench_figures bench_measure_world(scree_world *world,
                                  const bench_options *options);

/* Runs `program` on the bed; `code` is what the figures are called. */
bench_figures bench_peer(const char *program, const char *code,
                         const bench_bed *bed, const bench_options *options);

/* Contact-iterations per second, if they took `seconds` of each step. */
double bench_rate(const bench_figures *f, double seconds);

/* ---- a simulated second -------------------------------------------------- */

/* What lies in each other, sphere in sphere or in a wall. */
typedef struct bench_overlap {
    int64_t count;
    double mean, max; /* over those that do [m] */
} bench_overlap;

bench_overlap bench_overlap_of(const bench_bed *bed);
double bench_kinetic_of(const bench_bed *bed); /* of all bodies [J] */

/* Simulated time, untimed and then timed [s]. */
typedef struct bench_stretch {
    double settle, timed;
} bench_stretch;

typedef struct bench_second {
    const char *code;
    int threads;    /* or ranks */
    double wall;    /* for a simulated second [s] */
    double kinetic; /* per body, at the end [J] */
    bench_overlap overlap;
} bench_second;

bench_second bench_second_of(const char *code, const bench_bed *end,
                             int threads, double wall);

bool bench_liggghts_is_there(void);
bench_second bench_liggghts(const bench_bed *bed, const bench_stretch *stretch,
                            int ranks);
/* The last loop time in LIGGGHTS' output [s]; negative if there is none, or of
 * other ranks or steps. */
double bench_liggghts_loop(FILE *output, int ranks, int steps);
/* Reads a dump of bed->n spheres; false if it is not one. */
bool bench_liggghts_dump(FILE *file, bench_bed *bed);

/* Table and bars of one and two threads; LIGGGHTS too if `peer`. Returns the
 * number of bars missed. */
int bench_seconds(const bench_bed *bed, const bench_options *run,
                  const bench_stretch *stretch, bool peer, FILE *csv);

/* ---- report -------------------------------------------------------------- */

void bench_print(const bench_bed *bed, const bench_options *options,
                 const bench_figures *f);
/* Returns 1 if it is missed. */
int bench_print_bar(bool met, const char *bar, double value);
/* Returns the number of bars missed. */
int bench_print_bars(const bench_figures *f);
/* Times of several thread counts over those of the first; the number of bars
 * missed. */
int bench_print_threads(const bench_figures *f, const int *threads, int n);
/* ours, and n_peer others from runs in turn with it; the number of bars missed. */
int bench_print_comparison(const bench_figures *ours,
                           const bench_figures *peers, int n_peer);

/* One row, and the names of the columns above the first. */
void bench_csv_row(FILE *csv, const bench_bed *bed,
                   const bench_options *options, const bench_figures *f);

#endif
