#include "cases/commands/frame_options.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/case/yaml/case_message.h"

int scree_take_integer(const char *option, const char *text, long lo, long hi,
                       long *value) {
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    if (!errno && end != text && !*end && *value >= lo && *value <= hi)
        return EXIT_OK;
    fprintf(stderr, "scree: %s wants a whole number", option);
    if (lo > LONG_MIN) fprintf(stderr, " from %ld to %ld", lo, hi);
    fprintf(stderr, ", not '%s'\n", scree_quote(text).text);
    return EXIT_INPUT;
}

int scree_take_frame(scree_arguments *a, const char *value) {
    scree_frame_request *request = a->own;
    request->choice.by = SCREE_FRAME_NUMBER;
    return scree_take_integer("--frame", value, LONG_MIN, LONG_MAX,
                              &request->choice.number);
}

int scree_take_time(scree_arguments *a, const char *value) {
    scree_frame_request *request = a->own;
    char *end;
    request->choice.by = SCREE_FRAME_TIME;
    request->choice.time = strtod(value, &end);
    if (end != value && !*end && isfinite(request->choice.time)) return EXIT_OK;
    fprintf(stderr, "scree: --time wants a number of seconds, not '%s'\n",
            scree_quote(value).text);
    return EXIT_INPUT;
}

int scree_take_series(scree_arguments *a, const char *value) {
    ((scree_frame_request *)a->own)->series = value;
    return EXIT_OK;
}

static int open_and_act(const scree_arguments *a, scree_results_action *act) {
    scree_results *results;
    scree_error error = {0};
    scree_status status = scree_results_open(a->path, &results, &error);
    if (status == SCREE_OK) {
        status = act(results, a, &error);
        scree_results_close(results);
    }
    return status == SCREE_OK
               ? EXIT_OK
               : scree_print_error(&error, scree_exit_code(status));
}

int scree_with_results(const scree_command *command, int argc, char **argv,
                       const scree_option *options, void *own,
                       scree_results_action *act) {
    scree_arguments a = {.what = "file or folder", .own = own};
    int code = scree_parse_arguments(&a, argc, argv, options);
    if (code == EXIT_OK) code = scree_want_path(&a, command);
    if (code == EXIT_OK)
        code = a.help ? scree_print_help(command) : open_and_act(&a, act);
    scree_free_arguments(&a);
    return code;
}
