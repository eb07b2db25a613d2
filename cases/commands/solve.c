/* solve.c: scree solve, the options of a contact problem from a file. */
#include "cases/solve.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases/commands/command.h"
#include "io/case/yaml/case_message.h"

static int take_method(scree_arguments *a, const char *name) {
    scree_solve_request *request = a->own;
    const scree_method *m;
    request->method = scree_method_find(name);
    if (request->method) return EXIT_OK;
    scree_nearest best = {.given = name};
    for (int i = 0; (m = scree_method_on(SCREE_LAYOUT_BLOCKS, i)); i++)
        scree_nearest_consider(&best, m->name);
    return scree_unknown("method", &best);
}

static int take_tolerance(scree_arguments *a, const char *text) {
    char *end;
    const double tolerance = strtod(text, &end);
    ((scree_solve_request *)a->own)->tolerance = tolerance;
    if (end != text && !*end && tolerance > 0 && tolerance <= 1) return EXIT_OK;
    fprintf(stderr,
            "scree: --tolerance wants a number above 0, at most 1, not '%s'\n",
            scree_quote(text).text);
    return EXIT_INPUT;
}

static int take_iterations(scree_arguments *a, const char *text) {
    char *end;
    errno = 0;
    const long n = strtol(text, &end, 10);
    ((scree_solve_request *)a->own)->iterations = (int)n;
    if (!errno && end != text && !*end && n >= 0 && n <= INT_MAX)
        return EXIT_OK;
    fprintf(stderr, "scree: --iterations wants a whole number, not '%s'\n",
            scree_quote(text).text);
    return EXIT_INPUT;
}

static int take_guess(scree_arguments *a, const char *text) {
    char *end;
    errno = 0;
    const long n = strtol(text, &end, 10);
    ((scree_solve_request *)a->own)->guess = (int)n;
    if (!errno && end != text && !*end && n >= 1 && n <= INT_MAX)
        return EXIT_OK;
    fprintf(stderr, "scree: --guess wants a whole number from 1 on, not '%s'\n",
            scree_quote(text).text);
    return EXIT_INPUT;
}

static int take_history(scree_arguments *a, const char *path) {
    ((scree_solve_request *)a->own)->history = path;
    return EXIT_OK;
}

static const scree_option options[] = {{"--method", true, take_method},
                                       {"--tolerance", true, take_tolerance},
                                       {"--iterations", true, take_iterations},
                                       {"--guess", true, take_guess},
                                       {"--history", true, take_history},
                                       {"--out", true, scree_take_out},
                                       {"--help", false, scree_take_help},
                                       {0}};

static int solve_problem(const scree_arguments *a) {
    scree_solve_request *request = a->own;
    scree_error error = {0};
    bool converged;
    request->path = a->path;
    request->out = a->out;
    const scree_status status = scree_solve(request, &converged, &error);
    if (status != SCREE_OK)
        return scree_print_error(&error, scree_exit_code(status));
    return converged ? EXIT_OK : EXIT_UNSOLVED;
}

extern const scree_command scree_command_solve;

static int solve(int argc, char **argv) {
    const scree_solver_options defaults = scree_blocks_options();
    scree_solve_request request = {.method = scree_method_find("auto"),
                                   .tolerance = defaults.tolerance,
                                   .iterations = defaults.iterations};
    scree_arguments a = {.what = "problem", .own = &request};
    int code = scree_parse_arguments(&a, argc, argv, options);
    if (code == EXIT_OK) code = scree_want_path(&a, &scree_command_solve);
    if (code == EXIT_OK)
        code =
            a.help ? scree_print_help(&scree_command_solve) : solve_problem(&a);
    scree_free_arguments(&a);
    return code;
}

const scree_command scree_command_solve = {
    "solve",
    "solve PROBLEM.hdf5 [--method M] [--tolerance T] [--iterations N] "
    "[--guess N] [--history FILE.csv] [--out SOLVED.hdf5]",
    "solve a frictional contact problem from an FCLIB file",
    "  --method M          a method of scree list, default auto\n"
    "  --tolerance T       on |F| / max(|q|, |u|, |r|), where F is the natural "
    "map of\n"
    "                      the cone problem, default 1e-6\n"
    "  --iterations N      at most, default 100000\n"
    "  --guess N           start from guess N of the file (its guesses/N/r), "
    "not from zero\n"
    "  --history FILE.csv  every residual that was measured\n"
    "  --out SOLVED.hdf5   the problem in local form with its solution\n",
    solve,
    false};
