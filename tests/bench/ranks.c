/* ranks.c: a bed of spheres on several ranks; one row of figures from rank 0.
 *
 * tests/bench/scaling and tests/bench/million run it under mpirun, without it as
 * well, and make tables of the rows. Times are wall times of rank 0, which ends a
 * step when all do; the best tenth of the steps counts. */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "engine/base/comm.h"
#include "engine/domain/domain.h"
#include "engine/world/make.h"
#include "tests/bench/bench.h"

static const char HELP[] =
    "usage: [mpirun -np R] bench_ranks [option ...]\n"
    "One row of figures of a bed of spheres on R ranks.\n"
    "\n"
    "  --n N            spheres (10000)\n"
    "  --threads N      of each rank (1)\n"
    "  --settle N       steps before the timed ones (20)\n"
    "  --steps N        timed steps (40)\n"
    "  --iterations N   sweeps of each step (50)\n"
    "  --stacked        spheres that begin to settle, in close rows, instead "
    "of a\n"
    "                   settled bed\n"
    "  --reproducible   the same bits on any number of ranks\n"
    "  --beds FOLDER    where settled beds are kept (the build folder)\n"
    "  --header         names of the columns first\n"
    "  --help           this text\n";

/* In a hundred of these stacked spheres fall onto each other [s]. */
static const double SETTLING_STEP = 4e-3;

typedef struct arguments {
    int64_t n;
    bench_options run;
    bool stacked, reproducible, header;
    const char *beds;
} arguments;

static int number(const char *option, const char *text, int least) {
    char *end;
    const long x = strtol(text, &end, 10);
    if (*end || end == text || x < least || x > INT_MAX)
        bench_die("--%s wants a number from %d on, not '%s'", option, least,
                  text);
    return (int)x;
}

static arguments read_arguments(int argc, char **argv) {
    static const struct option options[] = {
        {"n", required_argument, NULL, 'n'},
        {"threads", required_argument, NULL, 't'},
        {"settle", required_argument, NULL, 'e'},
        {"steps", required_argument, NULL, 's'},
        {"iterations", required_argument, NULL, 'i'},
        {"stacked", no_argument, NULL, 'k'},
        {"reproducible", no_argument, NULL, 'r'},
        {"beds", required_argument, NULL, 'b'},
        {"header", no_argument, NULL, 'H'},
        {"help", no_argument, NULL, 'h'},
        {0}};
    arguments a = {
        .n = 10000,
        .run = {.settle = 20, .steps = 40, .iterations = 50, .threads = 1},
        .beds = BENCH_FOLDER};
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (c) {
        case 'n':
            a.n = number("n", optarg, BENCH_LEAST_N);
            break;
        case 't':
            a.run.threads = number("threads", optarg, 1);
            break;
        case 'e':
            a.run.settle = number("settle", optarg, 0);
            break;
        case 's':
            a.run.steps = number("steps", optarg, 1);
            break;
        case 'i':
            a.run.iterations = number("iterations", optarg, 1);
            break;
        case 'k':
            a.stacked = true;
            break;
        case 'r':
            a.reproducible = true;
            break;
        case 'b':
            a.beds = optarg;
            break;
        case 'H':
            a.header = true;
            break;
        case 'h':
            fputs(HELP, stdout);
            exit(0);
        default:
            exit(2);
        }
    }
    if (optind < argc) bench_die("no argument '%s'", argv[optind]);
    return a;
}

/* The same world on all ranks; a bed that must be made is made by rank 0. */
static scree_world *make_world(const arguments *a, const scree_comm *comm) {
    bench_bed bed;
    if (a->stacked) {
        bed = bench_scene(a->n);
        bench_stack(&bed);
    } else {
        if (comm->rank == 0) {
            bed = bench_bed_open(a->n, a->beds);
            bench_bed_free(&bed);
        }
        scree_comm_wait(comm);
        bed = bench_bed_open(a->n, a->beds);
    }
    const double dt = a->stacked ? SETTLING_STEP : 1e-3;
    scree_world_def def =
        bench_world_def(&bed, dt, a->run.iterations, a->run.threads);
    def.capacity /= comm->size;
    def.reproducible = a->reproducible;
    scree_world *world = bench_box(&bed, &def);
    if (scree_world_distribute(world, comm) != SCREE_OK)
        scree_comm_abort(comm, 1, scree_world_error(world));
    bench_fill(world, &bed); /* each rank keeps its own */
    bench_bed_free(&bed);
    return world;
}

static int ascending(const void *p, const void *q) {
    const double a = *(const double *)p, b = *(const double *)q;
    return (a > b) - (a < b);
}

typedef struct times {
    double best, mean; /* of the timed steps [s] */
} times;

static times take_steps(scree_world *world, const bench_options *run) {
    double *step = malloc((size_t)run->steps * sizeof *step);
    if (!step) bench_die("out of memory for %d steps", run->steps);
    times t = {0};
    for (int i = 0; i < run->settle; ++i) bench_step(world);
    for (int i = 0; i < run->steps; ++i) {
        const double start = bench_clock();
        bench_step(world);
        step[i] = bench_clock() - start;
        t.mean += step[i] / run->steps;
    }
    qsort(step, (size_t)run->steps, sizeof *step, ascending);
    const int best = bench_best_count(run->steps);
    for (int i = 0; i < best; ++i) t.best += step[i] / best;
    free(step);
    return t;
}

/* Of all ranks, at their highest [bytes]. */
static double resident(const scree_comm *comm) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double bytes = 1024.0 * (double)usage.ru_maxrss;
    scree_comm_sum(comm, &bytes, 1);
    return bytes;
}

static void print_row(const arguments *a, const scree_world *world, times t,
                      double bytes) {
    scree_ranks r;
    scree_scalars s;
    scree_world_read_ranks(world, &r);
    scree_world_read_scalars(world, &s);
    const double steps = (double)scree_world_steps(world);
    if (a->header)
        printf("ranks,threads,bodies,contacts,sweeps,step_ms,step_mean_ms,"
               "broad_ms,narrow_ms,assemble_ms,solve_ms,integrate_ms,"
               "waiting_ms,copies,messages,kilobytes,imbalance,"
               "bytes_per_body,resident_per_body,kinetic_per_body,residual\n");
    printf("%d,%d,%lld,%lld,%d,%.4f,%.4f", r.n, a->run.threads,
           (long long)s.bodies, (long long)s.contacts, a->run.iterations,
           1e3 * t.best, 1e3 * t.mean);
    for (int p = SCREE_PHASE_BROAD; p <= SCREE_PHASE_INTEGRATE; ++p)
        printf(",%.4f", 1e3 * r.seconds[p].mean / steps);
    const double n = (double)s.bodies;
    printf(",%.4f,%.0f,%.1f,%.2f,%.3f,%.0f,%.0f,%.3e,%.3e\n",
           1e3 * r.waiting.mean / steps, r.copies.mean, r.messages.mean,
           r.bytes.mean / 1e3, scree_world_imbalance(world),
           r.memory.mean * r.n / n, bytes / n, s.kinetic / n, s.solve.residual);
}

int main(int argc, char **argv) {
    const scree_comm *comm = scree_comm_begin(&argc, &argv);
    if (comm->rank > 0 && !freopen("/dev/null", "w", stdout)) return 1;
    const arguments a = read_arguments(argc, argv);
    scree_world *world = make_world(&a, comm);
    const times t = take_steps(world, &a.run);
    print_row(&a, world, t, resident(comm));
    scree_world_destroy(world);
    scree_comm_end();
    return 0;
}
