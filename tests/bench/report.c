/* report.c: tables, bars, comparison, CSV. */
#include <math.h>

#include "tests/bench/bench.h"

/* Seconds, in sweeps of the solver. */
static double in_sweeps(const bench_figures *f, double seconds) {
    return seconds / (f->sweeps / f->iterations);
}

static double resting(const bench_figures *f) {
    return (f->kinetic - f->kinetic_fastest) / (f->bodies - 1);
}

/* ---- table --------------------------------------------------------------- */

static void print_phases(const bench_figures *f) {
    double rest = f->step;
    for (int p = 0; p < SCREE_PHASE_OUTPUT; ++p) {
        printf("    %-28s %10.3f ms\n", scree_phase_name((scree_phase)p),
               1e3 * f->phase[p]);
        rest -= f->phase[p];
    }
    printf("    %-28s %10.3f ms\n", "rest", 1e3 * rest);
}

static void print_detection(const bench_figures *f) {
    printf("  %-30s %10.2f sweeps\n", "detection (broad + narrow)",
           in_sweeps(f, f->detect));
    printf("    %-28s %10.2f sweeps; %.0f of them rebuild the pairs",
           "all steps", in_sweeps(f, f->detect_all), f->rebuilds);
    if (f->rebuilds > 0)
        printf(", at %.2f each", in_sweeps(f, f->detect_rebuild));
    printf("\n");
}

static void print_colouring(const bench_figures *f) {
    printf("  %-30s %10.2f sweeps, %.2f %% of a step\n", "colouring",
           in_sweeps(f, f->colour), 100 * f->colour / f->step);
    printf("    %-28s %10.2f sweeps; %.1f %% of the contacts choose\n",
           "all steps", in_sweeps(f, f->colour_all),
           100 * f->chosen / f->contacts);
}

void bench_print(const bench_bed *bed, const bench_options *options,
                 const bench_figures *f) {
    printf("\nSettled bed of %lld spheres on a side of %.2f m, from\n  %s\n",
           (long long)bed->n, bed->side, bed->path);
    printf("after %d steps; the best %d of %d timed steps, threads: %d, %g "
           "sweeps each\n\n",
           options->settle, bench_best_count(options->steps), options->steps,
           options->threads, f->iterations);
    printf("  %-30s %10.0f\n", "bodies", f->bodies);
    printf("  %-30s %10.0f    %.2f per body; each body has %.2f\n", "contacts",
           f->contacts, f->contacts / f->bodies, f->touching);
    printf("  %-30s %10.3f ms\n", "step", 1e3 * f->step);
    print_phases(f);
    printf("  %-30s %10.2f million contact-iterations per s\n", "sweeps alone",
           1e-6 * bench_rate(f, f->sweeps));
    printf("  %-30s %10.2f million, with the overlap recovery\n",
           "whole solve phase",
           1e-6 * bench_rate(f, f->phase[SCREE_PHASE_SOLVE]));
    print_detection(f);
    print_colouring(f);
    printf("  %-30s %10.0f bytes per body\n", "memory", f->bytes / f->bodies);
    printf("  %-30s %10.2e mean, %.2e max\n", "penetration over 0.05 m",
           f->penetration_mean / BENCH_MEAN_RADIUS,
           f->penetration_max / BENCH_MEAN_RADIUS);
    printf("  %-30s %10.2e J per body, %.2e without the fastest\n",
           "kinetic energy", f->kinetic / f->bodies, resting(f));
    printf("  %-30s %10.2e\n", "residual", f->residual);
}

/* ---- bars ---------------------------------------------------------------- */

int bench_print_bar(bool met, const char *bar, double value) {
    printf("  %-6s  %-60s %10.4g\n", met ? "met" : "MISSED", bar, value);
    return !met;
}

int bench_print_bars(const bench_figures *f) {
    const double rate = bench_rate(f, f->sweeps);
    const double sweeps = in_sweeps(f, f->detect_all);
    const double bytes = f->bytes / f->bodies;
    const double colouring = f->colour_all / f->step_all;
    int missed = 0;
    printf("\n");
    if (f->bodies == 10000)
        missed += bench_print_bar(
            rate >= 4e7, "at least 40 million contact-iterations per s",
            1e-6 * rate);
    if (f->bodies == 100000)
        missed += bench_print_bar(
            rate >= 3e7, "at least 30 million contact-iterations per s",
            1e-6 * rate);
    missed += bench_print_bar(
        sweeps < 20,
        "detection costs less than 20 sweeps, mean of all timed steps", sweeps);
    missed += bench_print_bar(colouring <= 0.02,
                              "colouring costs at most 0.02 of all timed steps",
                              colouring);
    missed += bench_print_bar(
        bytes <= 1500, "at most 1500 bytes per body with 5 contacts each",
        bytes);
    return missed;
}

/* ---- comparison ---------------------------------------------------------- */

/* One line of the comparison, read off the figures of each code. */
typedef struct line {
    const char *name;
    double (*of)(const bench_figures *f);
} line;

static double contacts_of(const bench_figures *f) {
    return f->contacts;
}
static double step_of(const bench_figures *f) {
    return 1e3 * f->step;
}
static double step_all_of(const bench_figures *f) {
    return 1e3 * f->step_all;
}
static double detect_of(const bench_figures *f) {
    return 1e3 * f->detect;
}
static double solve_of(const bench_figures *f) {
    return 1e3 * f->solve;
}
static double rate_of(const bench_figures *f) {
    return 1e-6 * bench_rate(f, f->sweeps);
}
static double solve_rate_of(const bench_figures *f) {
    return 1e-6 * bench_rate(f, f->solve);
}
static double mean_of(const bench_figures *f) {
    return f->penetration_mean / BENCH_MEAN_RADIUS;
}
static double max_of(const bench_figures *f) {
    return f->penetration_max / BENCH_MEAN_RADIUS;
}
static double kinetic_of(const bench_figures *f) {
    return f->kinetic / f->bodies;
}

static void print_line(const line *l, const bench_figures *ours,
                       const bench_figures *peers, int n_peer) {
    const double own = l->of(ours);
    printf("  %-34s %11.4g", l->name, own);
    for (int i = 0; i < n_peer; ++i) {
        const double other = l->of(&peers[i]);
        printf("  %13.4g %7.3f", other, own / other);
    }
    printf("\n");
}

/* Of spheres that lie still: against the peer in single precision, the last. */
static int print_peer_bars(const bench_figures *f, const bench_figures *peer) {
    const double rate = rate_of(f) / rate_of(peer), step = f->step / peer->step;
    const double depth = f->penetration_mean / peer->penetration_mean;
    const double kinetic = f->kinetic / peer->kinetic;
    printf("\n  against %s\n", peer->code);
    return bench_print_bar(rate >= 2.5, "sweeps at least 2.5 times as fast",
                           rate) +
           bench_print_bar(step <= 0.35, "step at most 0.35 of its step",
                           step) +
           bench_print_bar(depth <= 1, "mean penetration at most its", depth) +
           bench_print_bar(kinetic <= 1, "kinetic energy at most its", kinetic);
}

int bench_print_comparison(const bench_figures *ours,
                           const bench_figures *peers, int n_peer) {
    static const line lines[] = {
        {"contacts", contacts_of},
        {"step, ms", step_of},
        {"step, mean of all timed, ms", step_all_of},
        {"detection, ms", detect_of},
        {"setup and solve, ms", solve_of},
        {"sweeps alone, million c.-i. per s", rate_of},
        {"setup and solve, million c.-i.", solve_rate_of},
        {"mean penetration over 0.05 m", mean_of},
        {"max penetration over 0.05 m", max_of},
        {"kinetic energy per body, J", kinetic_of},
        {"same, without the fastest body", resting},
    };
    printf("\nThe peers and Scree ran in turn, twice; of each the run with the"
           " best step.\n'ours/' is Scree's figure over the peer's.\n\n"
           "  %-34s %11s",
           "", ours->code);
    for (int i = 0; i < n_peer; ++i)
        printf("  %13s %7s", peers[i].code, "ours/");
    printf("\n");
    for (size_t k = 0; k < sizeof lines / sizeof *lines; ++k)
        print_line(&lines[k], ours, peers, n_peer);
    return ours->bodies == 10000 ? print_peer_bars(ours, &peers[n_peer - 1])
                                 : 0;
}

/* ---- CSV ----------------------------------------------------------------- */

typedef struct cell {
    const char *name;
    double value;
} cell;

/* The name of each column, or its value; empty where the code does not tell. */
static void put(FILE *csv, const char *suffix, cell c, bool header) {
    if (header)
        fprintf(csv, ",%s%s", c.name, suffix);
    else if (isnan(c.value))
        fputc(',', csv);
    else
        fprintf(csv, ",%.6g", c.value);
}

static void put_line(FILE *csv, const bench_bed *bed,
                     const bench_options *options, const bench_figures *f,
                     bool header) {
    const cell cells[] = {
        {"bodies", f->bodies},
        {"side", bed->side},
        {"settle_steps", options->settle},
        {"timed_steps", options->steps},
        {"threads", options->threads},
        {"iterations", f->iterations},
        {"contacts", f->contacts},
        {"touching", f->touching},
        {"step_ms", 1e3 * f->step},
        {"detect_ms", 1e3 * f->detect},
        {"setup_solve_ms", 1e3 * f->solve},
        {"sweeps_ms", 1e3 * f->sweeps},
        {"sweep_rate", bench_rate(f, f->sweeps)},
        {"step_all_ms", 1e3 * f->step_all},
        {"detect_all_ms", 1e3 * f->detect_all},
        {"colour_ms", 1e3 * f->colour},
        {"colour_all_ms", 1e3 * f->colour_all},
        {"chosen", f->chosen},
        {"rebuilds", f->rebuilds},
        {"bytes", f->bytes},
        {"penetration_mean", f->penetration_mean},
        {"penetration_max", f->penetration_max},
        {"kinetic", f->kinetic},
        {"kinetic_fastest", f->kinetic_fastest},
        {"residual", f->residual},
    };
    fputs(header ? "code" : f->code, csv);
    for (size_t k = 0; k < sizeof cells / sizeof *cells; ++k)
        put(csv, "", cells[k], header);
    for (int p = 0; p < SCREE_PHASE_OUTPUT; ++p) {
        const cell c = {scree_phase_name((scree_phase)p), 1e3 * f->phase[p]};
        put(csv, "_ms", c, header);
    }
    fputc('\n', csv);
}

void bench_csv_row(FILE *csv, const bench_bed *bed,
                   const bench_options *options, const bench_figures *f) {
    if (ftell(csv) == 0) put_line(csv, bed, options, f, true);
    put_line(csv, bed, options, f, false);
    fflush(csv); /* the next size may take long, and be broken off */
}

static int print_thread_bars(const bench_figures *one,
                             const bench_figures *two) {
    const double sweeps = one->sweeps / two->sweeps;
    const double step = one->step / two->step;
    printf("\n");
    return bench_print_bar(sweeps >= 1.8,
                           "two threads at least 1.8 times one in the sweeps",
                           sweeps) +
           bench_print_bar(step >= 1.6,
                           "two threads at least 1.6 times one in the step",
                           step);
}

int bench_print_threads(const bench_figures *f, const int *threads, int n) {
    int missed = 0;
    printf("\n  threads     step, ms   solve, ms   sweeps, million/s   faster "
           "than "
           "with %d (step, sweeps)\n",
           threads[0]);
    for (int i = 0; i < n; ++i)
        printf("  %7d   %10.3f  %10.3f   %17.2f   %8.2f %10.2f\n", threads[i],
               1e3 * f[i].step, 1e3 * f[i].phase[SCREE_PHASE_SOLVE],
               1e-6 * bench_rate(&f[i], f[i].sweeps), f[0].step / f[i].step,
               f[0].sweeps / f[i].sweeps);
    for (int i = 1; i < n && f[0].bodies >= 10000; ++i)
        if (threads[0] == 1 && threads[i] == 2)
            missed += print_thread_bars(&f[0], &f[i]);
    return missed;
}
