/* second.c: what a simulated second of the bed costs, beside LIGGGHTS.
 *
 * A soft-sphere code takes twenty steps for one of Scree's, so that steps do
 * not compare: wall time for the same simulated time does. Scree runs as a user
 * would run it, to a tolerance and with warm start, not with a fixed number of
 * sweeps; the penetration left says whether that was enough. */
#include <math.h>

#include "tests/bench/bench.h"

static const double TOLERANCE = 1e-3;
enum { COUNTS = 2, ROUNDS = 2 };
static const int THREADS[COUNTS] = {1, 2}; /* or ranks */

/* ---- runs ---------------------------------------------------------------- */

bench_second bench_second_of(const char *code, const bench_bed *end,
                             int threads, double wall) {
    return (bench_second){
        .code = code,
        .threads = threads,
        .wall = wall,
        .overlap = bench_overlap_of(end),
        .kinetic = bench_kinetic_of(end) / (double)end->n,
    };
}

static bench_second run_scree(const bench_bed *bed, const bench_options *run,
                              const bench_stretch *stretch, int threads) {
    const double dt = 1e-3;
    scree_world_def def = bench_world_def(bed, dt, run->iterations, threads);
    def.solver.tolerance = TOLERANCE;
    scree_world *world = bench_world(bed, &def);
    const int settle = (int)lround(stretch->settle / dt);
    const int timed = (int)lround(stretch->timed / dt);
    for (int i = 0; i < settle; ++i) bench_step(world);
    const double start = bench_clock();
    for (int i = 0; i < timed; ++i) bench_step(world);
    const double wall = (bench_clock() - start) / (timed * dt);
    bench_bed end = bench_scene(bed->n);
    bench_read_world(world, &end);
    scree_world_destroy(world);
    const bench_second s = bench_second_of("scree", &end, threads, wall);
    bench_bed_free(&end);
    return s;
}

static void keep_best(bench_second *best, bench_second now) {
    if (best->wall == 0 || now.wall < best->wall) *best = now;
}

/* ---- table, bars, CSV ---------------------------------------------------- */

static void print_row(const bench_second *s, const bench_second *ours) {
    printf("  %-10s %7d  %10.3f  %7.3f   %10.2e  %10.2e   %10.2e\n", s->code,
           s->threads, s->wall, ours->wall / s->wall,
           s->overlap.mean / BENCH_MEAN_RADIUS,
           s->overlap.max / BENCH_MEAN_RADIUS, s->kinetic);
}

static void print_head(const bench_bed *bed, const bench_stretch *stretch,
                       bool peer) {
    printf("\nA simulated second of the bed of %lld spheres, wall time%s;\n",
           (long long)bed->n,
           stretch->timed < 1 ? ", scaled up from a part of it" : "");
    printf("%g s timed after %g s from the same bed", stretch->timed,
           stretch->settle);
    if (peer) printf(", the codes in turn and %d times, best of each", ROUNDS);
    printf(".\nPenetration over %g m, from positions and radii.\n\n",
           BENCH_MEAN_RADIUS);
    printf("  %-10s %7s  %10s  %7s   %10s  %10s   %10s\n", "code", "threads",
           "wall s / s", "ours/", "mean pen.", "max pen.", "J per body");
}

static int print_bars(const bench_second *ours, const bench_second *peers) {
    int missed = 0;
    for (int i = 0; i < COUNTS; ++i) {
        const double wall = ours[i].wall / peers[i].wall;
        const double depth = ours[i].overlap.mean / peers[i].overlap.mean;
        printf("\n  on threads: %d\n", THREADS[i]);
        missed += bench_print_bar(
            wall < 1, "a second costs less than LIGGGHTS', ratio", wall);
        missed += bench_print_bar(
            depth <= 0.1,
            "mean penetration is at most a tenth of LIGGGHTS', ratio", depth);
    }
    return missed;
}

static void put_row(FILE *csv, const bench_bed *bed,
                    const bench_stretch *stretch, const bench_second *s,
                    const bench_second *ours) {
    if (ftell(csv) == 0)
        fputs("code,threads,bodies,settle_s,timed_s,wall_s_per_s,ours_over,"
              "overlaps,penetration_mean_over_radius,"
              "penetration_max_over_radius,kinetic_per_body\n",
              csv);
    fprintf(csv, "%s,%d,%lld,%g,%g,%.6g,%.6g,%lld,%.6g,%.6g,%.6g\n", s->code,
            s->threads, (long long)bed->n, stretch->settle, stretch->timed,
            s->wall, ours->wall / s->wall, (long long)s->overlap.count,
            s->overlap.mean / BENCH_MEAN_RADIUS,
            s->overlap.max / BENCH_MEAN_RADIUS, s->kinetic);
    fflush(csv);
}

static void report(const bench_bed *bed, const bench_stretch *stretch,
                   const bench_second *s, const bench_second *ours, FILE *csv) {
    print_row(s, ours);
    put_row(csv, bed, stretch, s, ours);
}

int bench_seconds(const bench_bed *bed, const bench_options *run,
                  const bench_stretch *stretch, bool peer, FILE *csv) {
    bench_second ours[COUNTS] = {0}, peers[COUNTS] = {0};
    for (int round = 0; round < (peer ? ROUNDS : 1); ++round)
        for (int i = 0; i < COUNTS; ++i) {
            if (peer)
                keep_best(&peers[i], bench_liggghts(bed, stretch, THREADS[i]));
            keep_best(&ours[i], run_scree(bed, run, stretch, THREADS[i]));
        }
    print_head(bed, stretch, peer);
    for (int i = 0; i < COUNTS; ++i) {
        report(bed, stretch, &ours[i], &ours[i], csv);
        if (peer) report(bed, stretch, &peers[i], &ours[i], csv);
    }
    return peer ? print_bars(ours, peers) : 0;
}
