/* shapes.c: how fast settled beds of boxes, rocks and discs are stepped,
 * shapes.h. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shapes.h"

static const char HELP[] =
    "usage: bench_shapes [option ...]\n"
    "Times steps of settled beds of boxes, of rocks (polyhedra) and of discs "
    "in\n"
    "the plane, and holds them against the bars.\n"
    "\n"
    "  --kind LIST      beds (boxes,rocks,discs)\n"
    "  --n N            boxes and rocks (5000); a bed that is not there is "
    "made\n"
    "                   first\n"
    "  --discs N        discs (10000)\n"
    "  --steps N        timed steps (30); the best tenth of them counts\n"
    "  --settle N       steps before them (30)\n"
    "  --iterations N   sweeps of each step (50)\n"
    "  --threads N      time these too, beside one thread (2)\n"
    "  --peer bullet    run Bullet too, in turn, and compare; or none, the "
    "default\n"
    "                   here, while tests/bench/shapes takes bullet\n"
    "  --beds FOLDER    where beds that are made are kept (the build folder)\n"
    "  --csv FILE       where the figures go (shapes.csv in the build folder)\n"
    "  --strict         exit code 1 if a bar is missed\n"
    "  --help           this text\n"
    "\n"
    "Exit code: 0 it ran, 1 it failed, 2 an option is wrong.\n";

enum { KINDS = SHAPES_DISCS + 1, ROUNDS = 2, PEERS = 2, ROWS = 2 + PEERS };

typedef struct arguments {
    bool kind[KINDS];
    int n, discs;
    bench_options run;
    bool bullet, strict;
    const char *beds, *csv;
} arguments;

static const struct peer {
    const char *program, *code;
} PEER[PEERS] = {
    {BENCH_FOLDER "/bench_bullet_shapes_double", "bullet-double"},
    {BENCH_FOLDER "/bench_bullet_shapes_float", "bullet-float"},
};

/* ---- options ------------------------------------------------------------- */

static _Noreturn void usage(const char *option, const char *value) {
    fprintf(stderr, "bench_shapes: '%s' is no value for --%s; see --help\n",
            value, option);
    exit(2);
}

static int parse_int(const char *option, const char *text, int least) {
    char *rest;
    const long value = strtol(text, &rest, 10);
    if (rest == text || *rest || value < least || value > 10000000)
        usage(option, text);
    return (int)value;
}

static void parse_kinds(arguments *a, const char *list) {
    memset(a->kind, 0, sizeof a->kind);
    for (const char *at = list;; ++at) {
        const size_t length = strcspn(at, ",");
        int k = 0;
        while (k < KINDS &&
               (strlen(shapes_kind_name((shapes_kind)k)) != length ||
                strncmp(at, shapes_kind_name((shapes_kind)k), length) != 0))
            ++k;
        if (k == KINDS) usage("kind", list);
        a->kind[k] = true;
        at += length;
        if (!*at) return;
    }
}

static void parse_option(arguments *a, const char *name, const char *value) {
    if (!strcmp(name, "kind")) parse_kinds(a, value);
    if (!strcmp(name, "n")) a->n = parse_int(name, value, 20);
    if (!strcmp(name, "discs")) a->discs = parse_int(name, value, 20);
    if (!strcmp(name, "steps")) a->run.steps = parse_int(name, value, 1);
    if (!strcmp(name, "settle")) a->run.settle = parse_int(name, value, 0);
    if (!strcmp(name, "iterations"))
        a->run.iterations = parse_int(name, value, 1);
    if (!strcmp(name, "threads")) a->run.threads = parse_int(name, value, 1);
    if (!strcmp(name, "beds")) a->beds = value;
    if (!strcmp(name, "csv")) a->csv = value;
    if (!strcmp(name, "strict")) a->strict = true;
    if (!strcmp(name, "peer")) {
        a->bullet = strcmp(value, "bullet") == 0;
        if (!a->bullet && strcmp(value, "none") != 0) usage(name, value);
    }
    if (!strcmp(name, "help")) {
        fputs(HELP, stdout);
        exit(0);
    }
}

static arguments parse(int argc, char **argv) {
    static const struct option options[] = {
        {"kind", required_argument, NULL, 0},
        {"n", required_argument, NULL, 0},
        {"discs", required_argument, NULL, 0},
        {"steps", required_argument, NULL, 0},
        {"settle", required_argument, NULL, 0},
        {"iterations", required_argument, NULL, 0},
        {"threads", required_argument, NULL, 0},
        {"peer", required_argument, NULL, 0},
        {"beds", required_argument, NULL, 0},
        {"csv", required_argument, NULL, 0},
        {"strict", no_argument, NULL, 0},
        {"help", no_argument, NULL, 0},
        {0}};
    arguments a = {.kind = {true, true, true},
                   .n = 5000,
                   .discs = 10000,
                   .run = {30, 30, 50, 2},
                   .beds = BENCH_FOLDER,
                   .csv = BENCH_FOLDER "/shapes.csv"};
    int at;
    for (int c; (c = getopt_long(argc, argv, "", options, &at)) != -1;) {
        if (c != 0) exit(2); /* getopt has said why */
        parse_option(&a, options[at].name, optarg);
    }
    if (optind < argc) {
        fprintf(stderr, "bench_shapes: '%s' is no option; see --help\n",
                argv[optind]);
        exit(2);
    }
    return a;
}

/* ---- trials -------------------------------------------------------------- */

static void check_bullet(void) {
    for (int i = 0; i < PEERS; ++i)
        if (access(PEER[i].program, X_OK))
            bench_die("%s is not built: it needs the packages libbullet-dev "
                      "and g++ (tests/bench/shapes --peer bullet gets them)",
                      PEER[i].program);
}

static void keep_best(shapes_figures *best, shapes_figures row,
                      const char *code) {
    row.f.code = code;
    if (best->f.step == 0 || row.f.step < best->f.step) *best = row;
}

/* All in turn and twice, best of each. Returns how many rows there are. */
static int run_rows(const arguments *a, const shapes_bed *bed,
                    shapes_figures rows[ROWS]) {
    bench_options one = a->run, many = a->run;
    one.threads = 1;
    static char code[32];
    snprintf(code, sizeof code, "%d threads", many.threads);
    const bool bullet = a->bullet && bed->kind != SHAPES_DISCS;
    int n = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        n = 0;
        keep_best(&rows[n++], shapes_measure(bed, &one), "scree");
        for (int i = 0; bullet && i < PEERS; ++i)
            keep_best(&rows[n++],
                      shapes_bullet(PEER[i].program, PEER[i].code, bed, &one),
                      PEER[i].code);
        if (many.threads > 1)
            keep_best(&rows[n++], shapes_measure(bed, &many), code);
    }
    return n;
}

/* Returns the number of bars missed. */
static int run_kind(const arguments *a, shapes_kind kind, FILE *csv) {
    shapes_bed bed =
        shapes_bed_open(kind, kind == SHAPES_DISCS ? a->discs : a->n, a->beds);
    shapes_figures rows[ROWS] = {0};
    const int n = run_rows(a, &bed, rows);
    const int missed = shapes_print(&bed, &a->run, rows, n);
    for (int i = 0; i < n; ++i) shapes_csv(csv, &bed, &a->run, &rows[i]);
    fflush(stdout);
    shapes_bed_free(&bed);
    return missed;
}

int main(int argc, char **argv) {
    const arguments a = parse(argc, argv);
    if (a.bullet) check_bullet();
    FILE *csv = fopen(a.csv, "w");
    if (!csv) bench_die("cannot write %s", a.csv);
    int missed = 0;
    for (int k = 0; k < KINDS; ++k)
        if (a.kind[k]) missed += run_kind(&a, (shapes_kind)k, csv);
    const bool failed = ferror(csv);
    if (fclose(csv) || failed) bench_die("cannot write %s", a.csv);
    printf("\nThe figures are in %s\n", a.csv);
    return a.strict && missed ? 1 : 0;
}
