/* messages.c: what commands say to the user. */
#include <stdio.h>

#include "cases/commands/command.h"
#include "io/case/yaml/case_message.h"

const char scree_exit_help[] =
    "Exit codes:\n"
    "  0      done, or stopped as planned\n"
    "  1      internal error, or out of memory\n"
    "  2      the case, the problem or the command line is not valid\n"
    "  3      a file could not be written, or a ParaView script failed\n"
    "  4      the state is no longer finite, or a body left the domain\n"
    "  5      a study found a value that differs from its reference\n"
    "  6      solve did not reach the tolerance\n"
    "  7      too many steps of a run did not converge "
    "(solver.unconverged_share),\n"
    "         or one at which solver.unconverged says to stop\n"
    "  8      on several ranks: one was not heard of for --max-silence, or "
    "all\n"
    "         wait for one another\n"
    "  128+n  stopped by signal n; scree resume goes on\n";

void scree_nearest_consider(scree_nearest *best, const char *word) {
    const int distance = scree_edit_distance(best->given, word);
    if (best->word && best->distance <= distance) return;
    best->word = word;
    best->distance = distance;
}

int scree_unknown(const char *what, const scree_nearest *best) {
    fprintf(stderr,
            "scree: unknown %s '%s'; did you mean '%s'? (see scree --help)\n",
            what, scree_quote(best->given).text, best->word);
    return EXIT_INPUT;
}

int scree_exit_code(scree_status status) {
    switch (status) {
    case SCREE_OK:
        return EXIT_OK;
    case SCREE_OUT_OF_MEMORY:
        return EXIT_INTERNAL;
    case SCREE_IO_ERROR:
        return EXIT_FILE;
    case SCREE_NOT_FINITE:
    case SCREE_LEFT:
        return EXIT_STATE;
    case SCREE_NOT_CONVERGED:
        return EXIT_UNCONVERGED;
    default:
        return EXIT_INPUT;
    }
}

int scree_print_error(const scree_error *error, int code) {
    fflush(stdout);
    fprintf(stderr, "scree: %s\n", error->text);
    return code;
}

int scree_print_help(const scree_command *command) {
    printf("usage: scree %s\n%s.\n%s\n%s", command->usage, command->about,
           command->help, scree_exit_help);
    return EXIT_OK;
}

void scree_print_table(const char *title, scree_table_entry *entry) {
    printf("%s\n", title);
    const char *about = "", *name;
    for (int i = 0; (name = entry(i, &about)); i++)
        printf("  %-16s %s\n", name, about);
}
