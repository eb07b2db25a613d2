/* study.c: scree study, the examples of the papers. */
#include "cases/studies/study.h"

#include <stdlib.h>
#include <string.h>

#include "cases/commands/command.h"

static const scree_option options[] = {
    {"--out", true, scree_take_out}, {"--help", false, scree_take_help}, {0}};

static const char *study_entry(int i, const char **about) {
    const scree_study_ops *ops = scree_study_get(i);
    if (!ops) return NULL;
    *about = ops->about;
    return ops->name;
}

/* The begin of a name is nearer to it than any short word is. */
static int unknown_study(const char *given) {
    scree_nearest best = {.given = given};
    const scree_study_ops *ops;
    scree_nearest_consider(&best, "all");
    for (int i = 0; (ops = scree_study_get(i)); i++)
        if (*given && strncmp(ops->name, given, strlen(given)) == 0)
            best = (scree_nearest){.given = given, .word = ops->name};
        else
            scree_nearest_consider(&best, ops->name);
    return scree_unknown("study", &best);
}

static int run_study(const char *name, const char *out) {
    const scree_study_ops *ops = scree_study_find(name);
    if (!ops && strcmp(name, "all") != 0) return unknown_study(name);
    return scree_study_main(ops, out);
}

extern const scree_command scree_command_study;

static int study_command(int argc, char **argv) {
    scree_arguments a = {.what = "study"};
    int code = scree_parse_arguments(&a, argc, argv, options);
    if (code == EXIT_OK && a.help)
        code = scree_print_help(&scree_command_study);
    if (code == EXIT_OK && (a.help || !a.path))
        scree_print_table("studies", study_entry);
    else if (code == EXIT_OK)
        code = run_study(a.path, a.out);
    scree_free_arguments(&a);
    return code;
}

const scree_command scree_command_study = {
    "study",
    "study [NAME | all] [--out DIR]",
    "repeat the examples of the papers: tables with verdicts, CSV, pictures; "
    "without a name: list them",
    "  --out DIR  where the results go, default out/studies/NAME; for all, "
    "each\n"
    "             study goes to DIR/NAME\n"
    "Pictures need gnuplot (package gnuplot-nox); without it tables and CSV\n"
    "are still made, with exit code 3.\n",
    study_command,
    false};
