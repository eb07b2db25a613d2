/* settled.c: how fast a settled bed of spheres is stepped, bench.h. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/bench/bench.h"

static const char HELP[] =
    "usage: bench_settled [option ...]\n"
    "Times steps of a settled bed of spheres and holds them against the bars.\n"
    "\n"
    "  --n LIST         numbers of spheres (2000,10000); a bed that is not "
    "there\n"
    "                   is made first, which takes minutes from 10000 on\n"
    "  --steps N        timed steps (60); the best tenth of them counts\n"
    "  --settle N       steps before them (500): the bed comes from another "
    "program\n"
    "                   with its overlaps, each code first lets it rest its "
    "way\n"
    "  --iterations N   sweeps of each step (50)\n"
    "  --threads LIST   numbers of threads (1); with several a table of the "
    "gain\n"
    "  --peer LIST      bullet, liggghts or both: run them too, in turn, and\n"
    "                   compare steps with Bullet, a simulated second with\n"
    "                   LIGGGHTS\n"
    "  --second LENGTH  what a simulated second costs on one thread and on "
    "two,\n"
    "                   from a tenth of it (short) or all of it (full); short "
    "if\n"
    "                   LIGGGHTS is a peer\n"
    "  --beds FOLDER    where beds that are made are kept (the build folder)\n"
    "  --csv FILE       where the figures go (settled.csv in the build "
    "folder)\n"
    "  --strict         exit code 1 if a bar is missed\n"
    "  --help           this text\n"
    "\n"
    "Exit code: 0 it ran, 1 it failed, 2 an option is wrong.\n";

enum { MOST_SIZES = 16, PEERS = 2, ROUNDS = 2, THREAD_ROUNDS = 5 };

typedef struct arguments {
    int sizes[MOST_SIZES];
    int n_size;
    int threads[MOST_SIZES];
    int n_threads;
    bench_options run;
    bool bullet, liggghts, second, strict;
    bench_stretch stretch;
    const char *beds, *csv;
} arguments;

typedef struct peer {
    const char *program, *code;
} peer;

static const peer PEER[PEERS] = {
    {BENCH_FOLDER "/bench_bullet_double", "bullet-double"},
    {BENCH_FOLDER "/bench_bullet_float", "bullet-float"},
};

/* ---- options ------------------------------------------------------------- */

static _Noreturn void usage(const char *option, const char *value) {
    fprintf(stderr, "bench_settled: '%s' is no value for --%s; see --help\n",
            value, option);
    exit(2);
}

/* A number from the start of `text`; `end` is set to what follows it. */
static int parse_part(const char *option, const char *text, int least,
                      const char **end) {
    char *rest;
    const long value = strtol(text, &rest, 10);
    if (rest == text || value < least || value > 10000000) usage(option, text);
    *end = rest;
    return (int)value;
}

static int parse_int(const char *option, const char *text, int least) {
    const char *end;
    const int value = parse_part(option, text, least, &end);
    if (*end) usage(option, text);
    return value;
}

static int parse_list(const char *option, const char *text, int least,
                      int *list) {
    const char *at = text;
    int n = 0;
    do {
        if (n == MOST_SIZES) usage(option, text);
        list[n++] = parse_part(option, at, least, &at);
    } while (*at++ == ',');
    if (at[-1]) usage(option, text);
    return n;
}

/* Takes `word` off the start of a list; `text` is set to what follows it. */
static bool take_word(const char **text, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0) return false;
    const char end = (*text)[length];
    if (end && end != ',') return false;
    *text += length + (end == ',');
    return true;
}

static void parse_peers(arguments *a, const char *text) {
    const char *at = text;
    do {
        if (take_word(&at, "bullet"))
            a->bullet = true;
        else if (take_word(&at, "liggghts"))
            a->liggghts = a->second = true;
        else
            usage("peer", text);
    } while (*at || at[-1] == ',');
}

static void parse_second(arguments *a, const char *text) {
    a->second = true;
    if (strcmp(text, "short") == 0)
        a->stretch.timed = 0.1;
    else if (strcmp(text, "full") == 0)
        a->stretch.timed = 1;
    else
        usage("second", text);
}

static void take_option(arguments *a, int option, const char *text) {
    switch (option) {
    case 'n':
        a->n_size = parse_list("n", text, BENCH_LEAST_N, a->sizes);
        break;
    case 't':
        a->run.steps = parse_int("steps", text, 1);
        break;
    case 's':
        a->run.settle = parse_int("settle", text, 0);
        break;
    case 'i':
        a->run.iterations = parse_int("iterations", text, 1);
        break;
    case 'w':
        a->n_threads = parse_list("threads", text, 1, a->threads);
        break;
    case 'p':
        parse_peers(a, text);
        break;
    case 'o':
        parse_second(a, text);
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
        {"steps", required_argument, NULL, 't'},
        {"settle", required_argument, NULL, 's'},
        {"iterations", required_argument, NULL, 'i'},
        {"threads", required_argument, NULL, 'w'},
        {"peer", required_argument, NULL, 'p'},
        {"second", required_argument, NULL, 'o'},
        {"beds", required_argument, NULL, 'b'},
        {"csv", required_argument, NULL, 'c'},
        {"strict", no_argument, NULL, 'x'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    arguments a = {
        .sizes = {2000, 10000},
        .n_size = 2,
        .threads = {1},
        .n_threads = 1,
        .run = {.settle = 500, .steps = 60, .iterations = 50, .threads = 1},
        .stretch = {.settle = 0.1, .timed = 0.1},
        .beds = BENCH_FOLDER,
        .csv = BENCH_FOLDER "/settled.csv",
    };
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;)
        take_option(&a, o, optarg);
    if (optind < argc) {
        fprintf(stderr, "bench_settled: '%s' is no option; see --help\n",
                argv[optind]);
        exit(2);
    }
    a.run.threads = a.threads[0];
    return a;
}

/* ---- runs ---------------------------------------------------------------- */

static void keep_best(bench_figures *best, bench_figures now) {
    if (best->step == 0 || now.step < best->step) *best = now;
}

/* In turn and twice, so that a slow minute of the machine does not fall on one
 * of them alone. */
static void run_with_peers(const bench_bed *bed, const bench_options *run,
                           bench_figures *ours, bench_figures peers[PEERS]) {
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < PEERS; ++i)
            keep_best(&peers[i],
                      bench_peer(PEER[i].program, PEER[i].code, bed, run));
        keep_best(ours, bench_measure(bed, run));
    }
}

/* Before the first bed is made, which may take minutes. */
static void check_bullet(void) {
    for (int i = 0; i < PEERS; ++i)
        if (access(PEER[i].program, X_OK))
            bench_die("%s is not built: it needs the packages libbullet-dev "
                      "and g++ (tests/bench/settled --peer bullet gets them)",
                      PEER[i].program);
}

static void check_liggghts(void) {
    if (!bench_liggghts_is_there())
        bench_die("liggghts or mpirun is not there: it needs the packages "
                  "liggghts and openmpi-bin (tests/bench/settled --peer "
                  "liggghts gets them)");
}

/* The thread counts in turn, best of each: what a second core is worth changes by the
 * minute on a machine that others use too. Returns the number of bars
 * missed. */
static int run_threads(const arguments *a, const bench_bed *bed, FILE *csv) {
    bench_figures best[MOST_SIZES] = {0};
    bench_options run = a->run;
    for (int round = 0; round < THREAD_ROUNDS; ++round)
        for (int i = 0; i < a->n_threads; ++i) {
            run.threads = a->threads[i];
            keep_best(&best[i], bench_measure(bed, &run));
        }
    const int missed = bench_print_threads(best, a->threads, a->n_threads);
    for (int i = 0; i < a->n_threads; ++i) {
        run.threads = a->threads[i];
        bench_csv_row(csv, bed, &run, &best[i]);
    }
    return missed;
}

/* The files that figures go to; `second` only if it is asked for. */
typedef struct files {
    FILE *steps, *second;
    char second_path[PATH_MAX];
} files;

static FILE *open_csv(const char *path) {
    FILE *csv = fopen(path, "w");
    if (!csv) bench_die("cannot write %s", path);
    return csv;
}

static void close_csv(FILE *csv, const char *path) {
    const bool failed = ferror(csv);
    if (fclose(csv) || failed) bench_die("cannot write %s", path);
    printf("\nThe figures are in %s\n", path);
}

static files open_files(const arguments *a) {
    files f = {.steps = open_csv(a->csv)};
    if (!a->second) return f;
    size_t stem = strlen(a->csv);
    if (stem > 4 && strcmp(a->csv + stem - 4, ".csv") == 0) stem -= 4;
    snprintf(f.second_path, sizeof f.second_path, "%.*s_second.csv", (int)stem,
             a->csv);
    f.second = open_csv(f.second_path);
    return f;
}

static void close_files(const arguments *a, const files *f) {
    close_csv(f->steps, a->csv);
    if (f->second) close_csv(f->second, f->second_path);
}

/* Returns the number of bars missed. */
static int run_size(const arguments *a, int n, const files *f) {
    bench_bed bed = bench_bed_open(n, a->beds);
    bench_figures ours = {0}, peers[PEERS] = {0};
    if (a->bullet)
        run_with_peers(&bed, &a->run, &ours, peers);
    else
        ours = bench_measure(&bed, &a->run);

    bench_print(&bed, &a->run, &ours);
    int missed = bench_print_bars(&ours);
    if (a->n_threads > 1) missed += run_threads(a, &bed, f->steps);
    if (a->bullet) missed += bench_print_comparison(&ours, peers, PEERS);
    fflush(stdout);
    bench_csv_row(f->steps, &bed, &a->run, &ours);
    for (int i = 0; a->bullet && i < PEERS; ++i)
        bench_csv_row(f->steps, &bed, &a->run, &peers[i]);
    if (a->second)
        missed +=
            bench_seconds(&bed, &a->run, &a->stretch, a->liggghts, f->second);
    fflush(stdout);
    bench_bed_free(&bed);
    return missed;
}

int main(int argc, char **argv) {
    const arguments a = parse(argc, argv);
    if (a.bullet) check_bullet();
    if (a.liggghts) check_liggghts();
    const files f = open_files(&a);
    int missed = 0;
    for (int i = 0; i < a.n_size; ++i) missed += run_size(&a, a.sizes[i], &f);
    close_files(&a, &f);
    return a.strict && missed ? 1 : 0;
}
