/* arguments.c: the command line of one command. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/commands/command.h"
#include "engine/base/comm.h"
#include "engine/scree_model.h"
#include "io/case/yaml/case_message.h"
#include "io/catalyst/catalyst.h"

enum { MAX_THREADS = 1024 };

int scree_take_threads(scree_arguments *a, const char *text) {
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

int scree_take_set(scree_arguments *a, const char *value) {
    a->sets[a->n_set++] = value;
    return EXIT_OK;
}

int scree_take_out(scree_arguments *a, const char *value) {
    a->out = value;
    return EXIT_OK;
}

int scree_take_model(scree_arguments *a, const char *value) {
    a->models[a->n_model++] = value;
    return EXIT_OK;
}

int scree_take_no_scripts(scree_arguments *a, const char *value) {
    (void)value;
    a->no_scripts = true;
    return EXIT_OK;
}

int scree_take_quiet(scree_arguments *a, const char *value) {
    (void)value;
    a->quiet = true;
    return EXIT_OK;
}

int scree_take_help(scree_arguments *a, const char *value) {
    (void)value;
    a->help = true;
    return EXIT_OK;
}

/* The path as a YAML text in single quotes, in which '' is a quote. */
static char *quote_path(const char *path) {
    char *quoted = malloc(2 * strlen(path) + 3), *to = quoted;
    if (!quoted) return NULL;
    *to++ = '\'';
    for (const char *from = path; *from; from++) {
        if (*from == '\'') *to++ = '\'';
        *to++ = *from;
    }
    strcpy(to, "'");
    return quoted;
}

/* On one rank maybe: the others, who read the same words, would wait for it. */
static _Noreturn void give_up(void) {
    scree_comm_abort(scree_comm_all(), EXIT_INTERNAL, "out of memory");
}

int scree_take_catalyst(scree_arguments *a, const char *script) {
    char *whole = realpath(script, NULL);
    const int reason = errno;
    if (!whole) whole = scree_catalyst_ready(script);
    if (!whole) {
        fprintf(stderr, "scree: --catalyst '%s': %s\n",
                scree_quote(script).text, strerror(reason));
        return EXIT_INPUT;
    }
    char *quoted = quote_path(whole), *set = NULL;
    const bool ok =
        quoted && asprintf(&set, "outputs.catalyst.scripts+=%s", quoted) >= 0;
    free(quoted);
    free(whole);
    if (!ok) give_up();
    a->made[a->n_made++] = set;
    return scree_take_set(a, set);
}

static const scree_option *find_option(const scree_option *options,
                                       const char *name) {
    for (const scree_option *o = options; o->name; o++)
        if (strcmp(o->name, name) == 0) return o;
    return NULL;
}

static int unknown_option(const scree_option *options, const char *name) {
    scree_nearest best = {.given = name};
    for (const scree_option *o = options; o->name; o++)
        scree_nearest_consider(&best, o->name);
    return scree_unknown("option", &best);
}

/* argv[*i] as "--name value" or "--name=value"; moves *i past the value. */
static int take_option(scree_arguments *a, int argc, char **argv, int *i,
                       const scree_option *options) {
    char name[64];
    const size_t length = strcspn(argv[*i], "=");
    snprintf(name, sizeof name, "%.*s", (int)length, argv[*i]);
    const scree_option *o = find_option(options, name);
    if (!o) return unknown_option(options, name);
    const char *value = argv[*i][length] ? argv[*i] + length + 1 : NULL;
    if (o->has_value && !value && *i + 1 < argc) value = argv[++*i];
    if (o->has_value == (value != NULL)) return o->take(a, value);
    fprintf(stderr, "scree: option '%s' %s a value\n", name,
            o->has_value ? "wants" : "does not take");
    return EXIT_INPUT;
}

static int take_path(scree_arguments *a, const char *path) {
    if (a->path) {
        fprintf(stderr, "scree: one %s at a time, not '%s' and '%s'\n", a->what,
                scree_quote(a->path).text, scree_quote(path).text);
        return EXIT_INPUT;
    }
    a->path = path;
    return EXIT_OK;
}

int scree_parse_arguments(scree_arguments *a, int argc, char **argv,
                          const scree_option *options) {
    a->sets = calloc((size_t)argc + 1, sizeof *a->sets);
    a->made = calloc((size_t)argc + 1, sizeof *a->made);
    a->models = calloc((size_t)argc + 1, sizeof *a->models);
    if (!a->sets || !a->made || !a->models) give_up();
    int code = EXIT_OK;
    for (int i = 1; i < argc && code == EXIT_OK; i++)
        code = *argv[i] == '-' ? take_option(a, argc, argv, &i, options)
                               : take_path(a, argv[i]);
    return code;
}

void scree_free_arguments(scree_arguments *a) {
    for (int i = 0; i < a->n_made; i++) free(a->made[i]);
    free(a->made);
    free(a->sets);
    free(a->models);
}

int scree_load_models(const scree_arguments *a) {
    scree_error error = {0};
    if (a->n_model > 0 && a->no_scripts) {
        fprintf(stderr,
                "scree: --no-scripts refuses to load '%s': a library of models "
                "is a program; leave one of the two options out\n",
                scree_quote(a->models[0]).text);
        return EXIT_INPUT;
    }
    for (int i = 0; i < a->n_model; i++)
        if (scree_model_load(a->models[i], &error) != SCREE_OK)
            return scree_print_error(&error, EXIT_INPUT);
    return EXIT_OK;
}

int scree_want_path(const scree_arguments *a, const scree_command *command) {
    if (a->path || a->help) return EXIT_OK;
    fprintf(stderr, "scree %s: no %s is given (see scree --help)\n",
            command->name, a->what);
    return EXIT_INPUT;
}

int scree_with_folder(const scree_command *command, int argc, char **argv,
                      const scree_option *options, void *own,
                      scree_folder_action *act) {
    scree_arguments a = {.what = "folder of a run", .own = own};
    scree_error error = {0};
    int code = scree_parse_arguments(&a, argc, argv, options);
    if (code == EXIT_OK) code = scree_want_path(&a, command);
    if (code == EXIT_OK && a.help) {
        code = scree_print_help(command);
    } else if (code == EXIT_OK) {
        const scree_status status = act(&a, &error);
        if (status != SCREE_OK)
            code = scree_print_error(&error, scree_exit_code(status));
    }
    scree_free_arguments(&a);
    return code;
}
