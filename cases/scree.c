/* scree.c: the program. It reads the command line and hands over. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cases/solve.h"
#include "cases/studies/study.h"
#include "io/case_message.h"
#include "io/output.h"
#include "io/run.h"
#include "io/version.h"

enum {
    EXIT_OK = 0,
    EXIT_INTERNAL = 1,
    EXIT_INPUT = 2,
    EXIT_FILE = 3,
    EXIT_STATE = 4,
    EXIT_UNSOLVED = 6,
    EXIT_SIGNAL = 128
};

enum { MAX_THREADS = 1024 };

static const char exit_help[] =
    "Exit codes:\n"
    "  0      done\n"
    "  1      internal error, or out of memory\n"
    "  2      the case, the problem or the command line is not valid\n"
    "  3      a file could not be written\n"
    "  4      the state is no longer finite\n"
    "  5      a study found a value that differs from its reference\n"
    "  6      solve did not reach the tolerance\n"
    "  128+n  stopped by signal n; the last state is written\n";

typedef struct command {
    const char *name;
    const char *usage;
    const char *about;
    const char *help; /* what follows the usage line */
    int (*run)(int argc, char **argv);
} command;

static const command *find_command(const char *name);

/* ---- messages ------------------------------------------------------------ */

/* Keeps the word nearest to what was given. */
typedef struct nearest {
    const char *given;
    const char *word;
    int distance;
} nearest;

static void consider(nearest *best, const char *word) {
    const int distance = scree_edit_distance(best->given, word);
    if (best->word && best->distance <= distance) return;
    best->word = word;
    best->distance = distance;
}

static int unknown(const char *what, const nearest *best) {
    fprintf(stderr,
            "scree: unknown %s '%s'; did you mean '%s'? (see scree --help)\n",
            what, scree_quote(best->given).text, best->word);
    return EXIT_INPUT;
}

static int exit_code(scree_status status) {
    switch (status) {
    case SCREE_OK:
        return EXIT_OK;
    case SCREE_OUT_OF_MEMORY:
        return EXIT_INTERNAL;
    case SCREE_IO_ERROR:
        return EXIT_FILE;
    case SCREE_NOT_FINITE:
        return EXIT_STATE;
    default:
        return EXIT_INPUT;
    }
}

static int print_error(const scree_error *error, int code) {
    fflush(stdout);
    fprintf(stderr, "scree: %s\n", error->text);
    return code;
}

/* ---- options of run and check -------------------------------------------- */

typedef struct arguments {
    const char *what; /* `path` is, for messages */
    const char *path; /* of the case, or name of the study */
    const char **sets;
    int n_set;
    char threads[32]; /* "threads=N", an override like the others */
    const char *out;
    bool quiet, help;
    scree_solve_request solve;
} arguments;

typedef struct option {
    const char *name;
    bool has_value;
    int (*take)(arguments *a, const char *value);
} option;

static int set_threads(arguments *a, const char *text) {
    char *end;
    errno = 0;
    const long n = strtol(text, &end, 10);
    if (errno || end == text || *end || n < 1 || n > MAX_THREADS) {
        fprintf(
            stderr,
            "scree: --threads wants a whole number from 1 to %d, not '%s'\n",
            MAX_THREADS, scree_quote(text).text);
        return EXIT_INPUT;
    }
    const bool first = !*a->threads;
    snprintf(a->threads, sizeof a->threads, "threads=%ld", n);
    if (first) a->sets[a->n_set++] = a->threads;
    return EXIT_OK;
}

static int add_set(arguments *a, const char *value) {
    a->sets[a->n_set++] = value;
    return EXIT_OK;
}

static int set_out(arguments *a, const char *value) {
    a->out = value;
    return EXIT_OK;
}

static int set_quiet(arguments *a, const char *value) {
    (void)value;
    a->quiet = true;
    return EXIT_OK;
}

static int set_help(arguments *a, const char *value) {
    (void)value;
    a->help = true;
    return EXIT_OK;
}

static const option run_options[] = {
    {"--set", true, add_set},    {"--threads", true, set_threads},
    {"--out", true, set_out},    {"--quiet", false, set_quiet},
    {"--help", false, set_help}, {0}};
static const option check_options[] = {
    {"--set", true, add_set}, {"--help", false, set_help}, {0}};

static const option *find_option(const option *options, const char *name) {
    for (const option *o = options; o->name; o++)
        if (strcmp(o->name, name) == 0) return o;
    return NULL;
}

static int unknown_option(const option *options, const char *name) {
    nearest best = {.given = name};
    for (const option *o = options; o->name; o++) consider(&best, o->name);
    return unknown("option", &best);
}

/* argv[*i] as "--name value" or "--name=value"; moves *i past the value. */
static int take_option(arguments *a, int argc, char **argv, int *i,
                       const option *options) {
    char name[64];
    const size_t length = strcspn(argv[*i], "=");
    snprintf(name, sizeof name, "%.*s", (int)length, argv[*i]);
    const option *o = find_option(options, name);
    if (!o) return unknown_option(options, name);
    const char *value = argv[*i][length] ? argv[*i] + length + 1 : NULL;
    if (o->has_value && !value && *i + 1 < argc) value = argv[++*i];
    if (o->has_value == (value != NULL)) return o->take(a, value);
    fprintf(stderr, "scree: option '%s' %s a value\n", name,
            o->has_value ? "wants" : "does not take");
    return EXIT_INPUT;
}

static int take_path(arguments *a, const char *path) {
    if (a->path) {
        fprintf(stderr, "scree: one %s at a time, not '%s' and '%s'\n", a->what,
                scree_quote(a->path).text, scree_quote(path).text);
        return EXIT_INPUT;
    }
    a->path = path;
    return EXIT_OK;
}

/* Fills `a`, whose `sets` the caller frees. argv[0] is the command. */
static int parse(arguments *a, int argc, char **argv, const option *options) {
    a->sets = calloc((size_t)argc + 1, sizeof *a->sets);
    if (!a->sets) {
        fprintf(stderr, "scree: out of memory\n");
        return EXIT_INTERNAL;
    }
    int code = EXIT_OK;
    for (int i = 1; i < argc && code == EXIT_OK; i++)
        code = *argv[i] == '-' ? take_option(a, argc, argv, &i, options)
                               : take_path(a, argv[i]);
    return code;
}

static int want_case(const arguments *a, const char *command_name) {
    if (a->path || a->help) return EXIT_OK;
    fprintf(stderr, "scree %s: no case file is given (see scree --help)\n",
            command_name);
    return EXIT_INPUT;
}

static int print_help(const char *name) {
    const command *c = find_command(name);
    printf("usage: scree %s\n%s.\n%s\n%s", c->usage, c->about, c->help,
           exit_help);
    return EXIT_OK;
}

/* ---- commands ------------------------------------------------------------ */

typedef int case_action(const scree_case *c, const arguments *a);

/* What run and check share: parse, read the case, act, clean up. */
static int with_case(int argc, char **argv, const option *options,
                     case_action *act) {
    arguments a = {.what = "case file"};
    int code = parse(&a, argc, argv, options);
    if (code == EXIT_OK) code = want_case(&a, argv[0]);
    if (code == EXIT_OK && a.help)
        code = print_help(argv[0]);
    else if (code == EXIT_OK) {
        scree_case *c;
        scree_error error = {0};
        const scree_status status =
            scree_case_read(a.path, a.n_set, a.sets, &c, &error);
        if (status == SCREE_OK) {
            code = act(c, &a);
            scree_case_free(c);
        } else
            code = print_error(&error, status == SCREE_OUT_OF_MEMORY
                                           ? EXIT_INTERNAL
                                           : EXIT_INPUT);
    }
    free(a.sets);
    return code;
}

static volatile sig_atomic_t stop;

static void ask_to_stop(int signal_number) {
    stop = signal_number;
}

/* The second signal of a kind ends the program at once. A signal that the
 * parent made us ignore (nohup) stays ignored. */
static void catch_signal(int signal_number) {
    struct sigaction action = {.sa_handler = ask_to_stop,
                               .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    struct sigaction before;
    sigemptyset(&action.sa_mask);
    if (sigaction(signal_number, NULL, &before) == 0 &&
        before.sa_handler != SIG_IGN)
        sigaction(signal_number, &action, NULL);
}

static int run_case(const scree_case *c, const arguments *a) {
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
    scree_error error = {0};
    const scree_run_options options = {
        .out = a->out, .log = stdout, .quiet = a->quiet, .stop = &stop};
    const scree_status status = scree_run(c, &options, &error);
    if (status != SCREE_OK) return print_error(&error, exit_code(status));
    return stop ? EXIT_SIGNAL + stop : EXIT_OK;
}

static int print_case(const scree_case *c, const arguments *a) {
    (void)a;
    /* Text that could not be written is found when stdout is flushed. */
    const scree_status status = scree_case_print(c, stdout);
    return status == SCREE_OUT_OF_MEMORY ? EXIT_INTERNAL : EXIT_OK;
}

static int command_run(int argc, char **argv) {
    return with_case(argc, argv, run_options, run_case);
}

static int command_check(int argc, char **argv) {
    return with_case(argc, argv, check_options, print_case);
}

typedef const char *table_entry(int i, const char **about);

static const char *output_entry(int i, const char **about) {
    const scree_output_ops *ops = scree_output_get(i);
    if (!ops) return NULL;
    *about = ops->about;
    return ops->name;
}

static const char *method_entry(int i, const char **about) {
    const scree_fc3d_method *method = scree_fc3d_get(i);
    if (!method) return NULL;
    *about = method->about;
    return method->name;
}

static const char *model_entry(int i, const char **about) {
    const scree_model_ops *ops = scree_model_get(i);
    if (!ops) return NULL;
    *about = ops->about;
    return ops->name;
}

static void print_table(const char *title, table_entry *entry) {
    printf("%s\n", title);
    const char *about = "", *name;
    for (int i = 0; (name = entry(i, &about)); i++)
        printf("  %-16s %s\n", name, about);
}

static int list_tables(void) {
    print_table("steppers", scree_stepper_name);
    print_table("solvers", scree_solver_name);
    print_table("methods of scree solve", method_entry);
    print_table("shapes", scree_shape_name);
    print_table("outputs", output_entry);
    print_table("models (scree list MODEL tells the parameters)", model_entry);
    return EXIT_OK;
}

static int unknown_model(const char *given) {
    nearest best = {.given = given};
    const scree_model_ops *ops;
    for (int i = 0; (ops = scree_model_get(i)); i++)
        consider(&best, ops->name);
    return unknown("model", &best);
}

static int list_model(const char *name) {
    const scree_model_ops *model = scree_model_find(name);
    if (!model) return unknown_model(name);
    printf("%s: %s\nparameters\n", model->name, model->about);
    for (int i = 0; i < model->n_parameter; i++) {
        const scree_parameter *p = &model->parameters[i];
        printf("  %-16s %-12g %-10s %s\n", p->name, p->value,
               p->unit ? p->unit : "", p->about ? p->about : "");
    }
    return EXIT_OK;
}

static int command_list(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--help") == 0) return print_help(argv[0]);
    if (argc == 1) return list_tables();
    if (argc == 2) return list_model(argv[1]);
    fprintf(stderr, "scree list: one model at a time, not '%s' and '%s'\n",
            scree_quote(argv[1]).text, scree_quote(argv[2]).text);
    return EXIT_INPUT;
}

/* ---- studies ------------------------------------------------------------- */

static const option study_options[] = {
    {"--out", true, set_out}, {"--help", false, set_help}, {0}};

static const char *study_entry(int i, const char **about) {
    const scree_study_ops *ops = scree_study_get(i);
    if (!ops) return NULL;
    *about = ops->about;
    return ops->name;
}

/* The begin of a name is nearer to it than any short word is. */
static int unknown_study(const char *given) {
    nearest best = {.given = given};
    const scree_study_ops *ops;
    consider(&best, "all");
    for (int i = 0; (ops = scree_study_get(i)); i++)
        if (*given && strncmp(ops->name, given, strlen(given)) == 0)
            best = (nearest){.given = given, .word = ops->name};
        else
            consider(&best, ops->name);
    return unknown("study", &best);
}

static int run_study(const char *name, const char *out) {
    const scree_study_ops *ops = scree_study_find(name);
    if (!ops && strcmp(name, "all") != 0) return unknown_study(name);
    return scree_study_main(ops, out);
}

static int command_study(int argc, char **argv) {
    arguments a = {.what = "study"};
    int code = parse(&a, argc, argv, study_options);
    if (code == EXIT_OK && a.help) code = print_help(argv[0]);
    if (code == EXIT_OK && (a.help || !a.path))
        print_table("studies", study_entry);
    else if (code == EXIT_OK)
        code = run_study(a.path, a.out);
    free(a.sets);
    return code;
}

/* ---- contact problems from files ----------------------------------------- */

static int set_method(arguments *a, const char *name) {
    a->solve.method = scree_fc3d_find(name);
    if (a->solve.method) return EXIT_OK;
    nearest best = {.given = name};
    for (int i = 0; scree_fc3d_get(i); i++)
        consider(&best, scree_fc3d_get(i)->name);
    return unknown("method", &best);
}

static int set_tolerance(arguments *a, const char *text) {
    char *end;
    a->solve.tolerance = strtod(text, &end);
    if (end != text && !*end && a->solve.tolerance > 0 &&
        a->solve.tolerance <= 1)
        return EXIT_OK;
    fprintf(stderr,
            "scree: --tolerance wants a number above 0, at most 1, not '%s'\n",
            scree_quote(text).text);
    return EXIT_INPUT;
}

static int set_iterations(arguments *a, const char *text) {
    char *end;
    errno = 0;
    a->solve.iterations = strtoll(text, &end, 10);
    if (!errno && end != text && !*end && a->solve.iterations >= 0)
        return EXIT_OK;
    fprintf(stderr, "scree: --iterations wants a whole number, not '%s'\n",
            scree_quote(text).text);
    return EXIT_INPUT;
}

static int set_history(arguments *a, const char *path) {
    a->solve.history = path;
    return EXIT_OK;
}

static const option solve_options[] = {{"--method", true, set_method},
                                       {"--tolerance", true, set_tolerance},
                                       {"--iterations", true, set_iterations},
                                       {"--history", true, set_history},
                                       {"--out", true, set_out},
                                       {"--help", false, set_help},
                                       {0}};

static int solve_problem(arguments *a) {
    scree_error error = {0};
    bool converged;
    if (!a->path) {
        fprintf(stderr, "scree solve: no problem is given (see scree --help)\n");
        return EXIT_INPUT;
    }
    a->solve.path = a->path;
    a->solve.out = a->out;
    const scree_status status = scree_solve(&a->solve, &converged, &error);
    if (status != SCREE_OK) return print_error(&error, exit_code(status));
    return converged ? EXIT_OK : EXIT_UNSOLVED;
}

static int command_solve(int argc, char **argv) {
    const scree_fc3d_options defaults = scree_fc3d_options_default();
    arguments a = {.what = "problem",
                   .solve = {.method = scree_fc3d_find("auto"),
                             .tolerance = defaults.tolerance,
                             .iterations = defaults.iterations}};
    int code = parse(&a, argc, argv, solve_options);
    if (code == EXIT_OK)
        code = a.help ? print_help(argv[0]) : solve_problem(&a);
    free(a.sets);
    return code;
}

/* ---- the program --------------------------------------------------------- */

static const command commands[] = {
    {"run",
     "run CASE.yaml [--set key=value ...] [--threads N] [--out DIR] [--quiet]",
     "run a case and write its outputs",
     "  --set key=value  replace a value of the case, e.g. --set "
     "solver.iterations=200\n"
     "  --threads N      as --set threads=N; the result is the same for any N;\n"
     "                   else OMP_NUM_THREADS, else one per physical core\n"
     "  --out DIR        where the results go, default out/<case name>;\n"
     "                   results of an earlier run in there are replaced\n"
     "  --quiet          print only the state hash\n",
     command_run},
    {"check", "check CASE.yaml [--set key=value ...]",
     "read a case and print it with all values filled in; writes nothing",
     "  --set key=value  replace a value of the case\n", command_check},
    {"list", "list [MODEL]",
     "list the steppers, solvers, methods, shapes, outputs and models, or the "
     "parameters of a model",
     "", command_list},
    {"solve",
     "solve PROBLEM.hdf5 [--method M] [--tolerance T] [--iterations N] "
     "[--history FILE.csv] [--out SOLVED.hdf5]",
     "solve a frictional contact problem from an FCLIB file",
     "  --method M          a method of scree list, default auto\n"
     "  --tolerance T       on |F| / max(|q|, |u|, |r|), where F is the natural "
     "map of\n"
     "                      the cone problem, default 1e-6\n"
     "  --iterations N      at most, default 100000\n"
     "  --history FILE.csv  every residual that was measured\n"
     "  --out SOLVED.hdf5   the problem in local form with its solution\n",
     command_solve},
    {"study", "study [NAME | all] [--out DIR]",
     "repeat the examples of the papers: tables with verdicts, CSV, pictures; "
     "without a name: list them",
     "  --out DIR  where the results go, default out/studies/NAME; for all, "
     "each\n"
     "             study goes to DIR/NAME\n"
     "Pictures need gnuplot (package gnuplot-nox); without it tables and CSV\n"
     "are still made, with exit code 3.\n",
     command_study},
};
enum { N_COMMAND = sizeof commands / sizeof *commands };

static const command *find_command(const char *name) {
    for (int i = 0; i < N_COMMAND; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

static int print_usage(FILE *file) {
    fprintf(file, "Scree: simulation with hard contact.\n\n");
    for (int i = 0; i < N_COMMAND; i++)
        fprintf(file, "scree %s\n    %s\n", commands[i].usage,
                commands[i].about);
    fprintf(file, "scree --version\nscree --help, scree COMMAND --help\n\n%s",
            exit_help);
    return EXIT_OK;
}

static int print_version(void) {
    printf("scree %s\ncommit: %s\ncompiler: %s\nfeatures: %s\n",
           scree_build_version, scree_build_commit, scree_build_compiler,
           scree_build_features);
    return EXIT_OK;
}

static int unknown_command(const char *given) {
    nearest best = {.given = given};
    for (int i = 0; i < N_COMMAND; i++) consider(&best, commands[i].name);
    consider(&best, "--help");
    consider(&best, "--version");
    return unknown(*given == '-' ? "option" : "command", &best);
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_INPUT;
    }
    if (strcmp(argv[1], "--help") == 0) return print_usage(stdout);
    if (strcmp(argv[1], "--version") == 0) return print_version();
    const command *c = find_command(argv[1]);
    return c ? c->run(argc - 1, argv + 1) : unknown_command(argv[1]);
}

/* A result file must not land on a standard stream that the parent closed. */
static void open_standard_streams(void) {
    int fd;
    do fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0) close(fd);
}

/* Lost text is an error unless its reader left on purpose (EPIPE). */
static int flush_output(int code) {
    errno = 0;
    const bool lost = fflush(stdout) != 0 || ferror(stdout);
    if (!lost || errno == EPIPE || code != EXIT_OK) return code;
    fprintf(stderr, "scree: cannot write to standard output: %s\n",
            errno ? strerror(errno) : "an earlier write failed");
    return EXIT_FILE;
}

int main(int argc, char **argv) {
    open_standard_streams();
    signal(SIGPIPE, SIG_IGN); /* a closed pipe must not end a run */
    signal(SIGXFSZ, SIG_IGN); /* a size limit becomes an error of write */
    return flush_output(dispatch(argc, argv));
}
