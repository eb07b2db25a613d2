/* cold.c: how far sweeps come from a cold start, with the coarse correction and
 * without (solvers/coarse/coarse.h), and what it costs a warm one.
 *
 * The problem is that of the step after some steps of settling (bench.h). Its
 * reference solution is what many sweeps make of the run's own one; errors of u are
 * root mean squares weighed by mass, over g dt. */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/world/world.h"
#include "solvers/problem/method.h"
#include "tests/bench/bench.h"
#include "tests/setting_of.h"

static const char HELP[] =
    "usage: bench_cold [option ...]\n"
    "Solves the contact problem of a settled bed from a cold start, with the\n"
    "coarse correction and without, and holds the figures against the bars.\n"
    "\n"
    "  --n LIST       numbers of spheres (10000,100000); a bed that is not "
    "there\n"
    "                 is made first, which takes minutes\n"
    "  --settle N     steps before the problem is taken (60)\n"
    "  --reference N  sweeps of the reference solution (3000)\n"
    "  --method NAME  of the solver: pgs (default) or jacobi\n"
    "  --beds FOLDER  where beds that are made are kept (the build folder)\n"
    "  --csv FILE     where the figures go (cold.csv in the build folder)\n"
    "  --strict       exit code 1 if a bar is missed\n"
    "  --help         this text\n";

enum { MOST_SIZES = 8, MARKS = 4, ROUNDS = 5, WARM_SWEEPS = 50 };
static const int MARK[MARKS] = {50, 100, 200, 300};
static const double dt = 1e-3, GRAVITY = 9.81, TARGET = 3.5e-4;

typedef struct arguments {
    int64_t sizes[MOST_SIZES];
    int n_size, settle, reference;
    const char *beds, *csv, *method;
    bool strict;
} arguments;

/* After so many sweeps. */
typedef struct point {
    double residual, error; /* error of u over g dt */
} point;

typedef struct figures {
    int64_t n, contacts;
    point at[2][MARKS]; /* [correction][mark] */
    int target[2];      /* sweeps to TARGET */
    point warm[2];
    double warm_seconds[2];
} figures;

/* ---- one problem, again and again ------------------------------------------------ */

typedef struct bench_problem {
    const arguments *a;
    scree_world *world;
    scree_problem *p;
    double *P;                     /* (contacts x 4) of the step's solution */
    scree_twist *free, *reference; /* (bodies + 1) */
    figures *f;
} bench_problem;

static void *room(size_t n, size_t size) {
    void *memory = malloc(n * size + 1);
    if (!memory) bench_die("out of memory for %zu items", n);
    return memory;
}

static void read_P(const scree_problem *p, double *P) {
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_row row = scree_problem_row(p, i);
        const double here[4] = {row.P_n, row.P_t.x, row.P_t.y, row.P_t.z};
        memcpy(P + 4 * i, here, sizeof here);
    }
}

static void set_P(scree_problem *p, const double *P, double factor) {
    for (int64_t i = 0; i < p->n_contact; ++i, P += 4)
        scree_problem_set_P(p, i, factor * P[0],
                            scale(factor, vec(P[1], P[2], P[3])));
}

static size_t twist_bytes(const scree_problem *p) {
    return ((size_t)p->n_body + 1) * sizeof *p->u;
}

/* From nothing (0) or from the step's solution (1). */
static scree_report solve(bench_problem *b, bool coarse, double start,
                          int sweeps) {
    scree_solver_options options = b->world->def.solver;
    options.iterations = sweeps;
    options.tolerance = 0;
    options.coarse = coarse ? SCREE_COARSE_AUTO : SCREE_COARSE_OFF;
    set_P(b->p, b->P, start);
    memcpy(b->p->u, b->free, twist_bytes(b->p));
    scree_report report = {0};
    if (scree_inclusion_solve(scree_in_lanes(b->p),
                              scree_method_find(b->a->method), &options,
                              &b->world->scratch, &report, NULL) != SCREE_OK)
        bench_die("the solver failed");
    return report;
}

static double error_of(const bench_problem *b) {
    double sum = 0, mass = 0;
    for (int32_t i = 0; i < b->p->n_body; ++i) {
        const double m = 1 / b->p->u[i].inv_m;
        const scree_vec3 d = sub(b->p->u[i].v, b->reference[i].v);
        sum += m * dot(d, d);
        mass += m;
    }
    return sqrt(sum / mass) / (GRAVITY * dt);
}

static point point_after(bench_problem *b, bool coarse, double start,
                         int sweeps) {
    const scree_report r = solve(b, coarse, start, sweeps);
    return (point){r.residual, error_of(b)};
}

/* Between the checks that the residual of a whole run is measured at. */
static int sweeps_to_target(bench_problem *b, bool coarse) {
    int low = 0, high = 32;
    while (high < 4096 && solve(b, coarse, 0, high).residual > TARGET)
        low = high, high *= 2;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (solve(b, coarse, 0, middle).residual > TARGET)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static void measure_warm(bench_problem *b) {
    figures *f = b->f;
    f->warm_seconds[0] = f->warm_seconds[1] = INFINITY;
    for (int round = 0; round < ROUNDS; ++round)
        for (int coarse = 0; coarse < 2; ++coarse) {
            const double start = bench_clock();
            solve(b, coarse, 1, WARM_SWEEPS);
            const double seconds = bench_clock() - start;
            f->warm_seconds[coarse] = fmin(f->warm_seconds[coarse], seconds);
        }
    for (int coarse = 0; coarse < 2; ++coarse)
        f->warm[coarse] = point_after(b, coarse, 1, WARM_SWEEPS);
}

static void find_reference(bench_problem *b) {
    const size_t bytes = twist_bytes(b->p);
    read_P(b->p, b->P);
    set_P(b->p, b->P, -1);
    scree_problem_apply(b->p);
    memcpy(b->free, b->p->u, bytes);
    solve(b, false, 1, b->a->reference);
    memcpy(b->reference, b->p->u, bytes);
}

/* The step goes on from its own solution. */
static scree_status measure(void *context, const scree_world *world,
                            scree_error *error) {
    bench_problem *b = context;
    scree_problem *p = b->p = &b->world->state.problem;
    (void)world, (void)error;
    const size_t n = (size_t)p->n_contact, bytes = twist_bytes(p);
    b->P = room(4 * n, sizeof *b->P);
    b->free = room(1, bytes), b->reference = room(1, bytes);
    scree_twist *solved = room(1, bytes);
    memcpy(solved, p->u, bytes);
    b->f->contacts = p->n_contact;
    find_reference(b);
    for (int coarse = 0; coarse < 2; ++coarse) {
        for (int k = 0; k < MARKS; ++k)
            b->f->at[coarse][k] = point_after(b, coarse, 0, MARK[k]);
        b->f->target[coarse] = sweeps_to_target(b, coarse);
    }
    measure_warm(b);
    set_P(p, b->P, 1);
    memcpy(p->u, solved, bytes);
    free(solved), free(b->P), free(b->free), free(b->reference);
    return SCREE_OK;
}

static figures run_size(const arguments *a, int64_t n) {
    bench_bed bed = bench_bed_alike(n, a->beds);
    scree_world_def def = bench_world_def(&bed, dt, WARM_SWEEPS, 1);
    scree_world *world = bench_world(&bed, &def);
    figures f = {.n = n};
    bench_problem b = {.a = a, .world = world, .f = &f};
    for (int k = 0; k < a->settle; ++k) bench_step(world);
    setting_of(world)->solver.dump = SCREE_DUMP_ALL;
    world->scene.saver = measure, world->scene.saver_context = &b;
    bench_step(world);
    scree_world_destroy(world);
    bench_bed_free(&bed);
    return f;
}

/* ---- report ---------------------------------------------------------------------- */

static const char *NAME[2] = {"off", "auto"};

static void print_figures(const figures *f, FILE *csv) {
    printf("\n%lld spheres, %lld contacts, cold start: residual, error of u / "
           "(g dt)\n",
           (long long)f->n, (long long)f->contacts);
    for (int c = 0; c < 2; ++c) {
        printf("  coarse %-4s", NAME[c]);
        for (int k = 0; k < MARKS; ++k) {
            const point *x = &f->at[c][k];
            printf("  %d: %.2e %.3f", MARK[k], x->residual, x->error);
            fprintf(csv, "%lld,%lld,%s,cold,%d,%g,%g,\n", (long long)f->n,
                    (long long)f->contacts, NAME[c], MARK[k], x->residual,
                    x->error);
        }
        printf("  to %g: %d sweeps\n", TARGET, f->target[c]);
        fprintf(csv, "%lld,%lld,%s,cold,%d,%g,,\n", (long long)f->n,
                (long long)f->contacts, NAME[c], f->target[c], TARGET);
    }
    for (int c = 0; c < 2; ++c) {
        printf("  coarse %-4s  warm, %d sweeps: %.2e %.3f, %.2f ms\n", NAME[c],
               WARM_SWEEPS, f->warm[c].residual, f->warm[c].error,
               1e3 * f->warm_seconds[c]);
        fprintf(csv, "%lld,%lld,%s,warm,%d,%g,%g,%g\n", (long long)f->n,
                (long long)f->contacts, NAME[c], WARM_SWEEPS,
                f->warm[c].residual, f->warm[c].error, f->warm_seconds[c]);
    }
}

static int print_bars(const figures *f) {
    const point *off = &f->at[0][1], *on = &f->at[1][1];
    int missed = 0;
    missed += bench_print_bar(on->error <= 0.35,
                              "error of u after 100 sweeps at most 0.35 g dt",
                              on->error);
    missed +=
        bench_print_bar(f->n < 100000 || 3 * on->residual <= off->residual,
                        "residual after 100 sweeps, over that without, at "
                        "most 1/3 from 100000 spheres on",
                        on->residual / off->residual);
    missed += bench_print_bar(
        f->warm[1].error <= 1.02 * f->warm[0].error,
        "error after a warm start, over that without, at most 1.02",
        f->warm[1].error / f->warm[0].error);
    missed += bench_print_bar(f->warm_seconds[1] <= 1.03 * f->warm_seconds[0],
                              "time of a warm solve, over that without, at "
                              "most 1.03",
                              f->warm_seconds[1] / f->warm_seconds[0]);
    return missed;
}

static int print_depth(const figures *f, int n) {
    if (n < 2) return 0;
    const double ratio = (double)f[n - 1].target[1] / f[0].target[1];
    printf("\nsweeps with the correction, %lld spheres over %lld\n",
           (long long)f[n - 1].n, (long long)f[0].n);
    return bench_print_bar(ratio <= 1.2, "at most 1.2", ratio);
}

/* ---- options --------------------------------------------------------------------- */

static int64_t parse_number(const char *text, char **end, int64_t least) {
    const long long value = strtoll(text, end, 10);
    if (*end == text || value < least || value > 10000000) {
        fprintf(stderr, "bench_cold: '%s' is no such number; see --help\n",
                text);
        exit(2);
    }
    return value;
}

static void parse_sizes(arguments *a, const char *text) {
    char *end;
    a->n_size = 0;
    do {
        if (a->n_size == MOST_SIZES) bench_die("too many numbers for --n");
        a->sizes[a->n_size++] = parse_number(text, &end, BENCH_LEAST_N);
        text = end + 1;
    } while (*end == ',');
}

static void take_option(arguments *a, int option, const char *text) {
    char *end;
    switch (option) {
    case 'n':
        parse_sizes(a, text);
        break;
    case 's':
        a->settle = (int)parse_number(text, &end, 0);
        break;
    case 'r':
        a->reference = (int)parse_number(text, &end, 1);
        break;
    case 'm':
        a->method = text;
        break;
    case 'b':
        a->beds = text;
        break;
    case 'c':
        a->csv = text;
        break;
    case 'x':
        a->strict = true;
        break;
    case 'h':
        fputs(HELP, stdout);
        exit(0);
    default:
        exit(2); /* getopt has said why */
    }
}

static arguments parse(int argc, char **argv) {
    static const struct option options[] = {
        {"n", required_argument, NULL, 'n'},
        {"settle", required_argument, NULL, 's'},
        {"reference", required_argument, NULL, 'r'},
        {"method", required_argument, NULL, 'm'},
        {"beds", required_argument, NULL, 'b'},
        {"csv", required_argument, NULL, 'c'},
        {"strict", no_argument, NULL, 'x'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    arguments a = {.sizes = {10000, 100000},
                   .n_size = 2,
                   .settle = 60,
                   .reference = 3000,
                   .beds = BENCH_FOLDER,
                   .csv = BENCH_FOLDER "/cold.csv",
                   .method = "pgs"};
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;)
        take_option(&a, o, optarg);
    return a;
}

int main(int argc, char **argv) {
    const arguments a = parse(argc, argv);
    figures f[MOST_SIZES];
    int missed = 0;
    if (!scree_method_find(a.method))
        bench_die("there is no solver '%s'", a.method);
    FILE *csv = fopen(a.csv, "w");
    if (!csv) bench_die("cannot write %s", a.csv);
    fputs("spheres,contacts,coarse,start,sweeps,residual,error,seconds\n", csv);
    for (int i = 0; i < a.n_size; ++i) {
        f[i] = run_size(&a, a.sizes[i]);
        print_figures(&f[i], csv);
        missed += print_bars(&f[i]);
        fflush(stdout);
    }
    missed += print_depth(f, a.n_size);
    if (fclose(csv)) bench_die("cannot write %s", a.csv);
    printf("\nThe figures are in %s\n", a.csv);
    return a.strict && missed ? 1 : 0;
}
