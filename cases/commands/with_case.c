#include "cases/commands/with_case.h"

#include <stdlib.h>

static int read_and_act(const scree_arguments *a, scree_case_action *act) {
    scree_case *c;
    scree_error error = {0};
    const scree_status status =
        scree_case_read(a->path, a->n_set, a->sets, &c, &error);
    if (status != SCREE_OK)
        return scree_print_error(
            &error, status == SCREE_OUT_OF_MEMORY ? EXIT_INTERNAL : EXIT_INPUT);
    const int code = act(c, a);
    scree_case_free(c);
    return code;
}

int scree_with_case(const scree_command *command, int argc, char **argv,
                    const scree_option *options, void *own,
                    scree_case_action *act) {
    scree_arguments a = {.what = "case file", .own = own};
    int code = scree_parse_arguments(&a, argc, argv, options);
    if (code == EXIT_OK) code = scree_want_path(&a, command);
    if (code == EXIT_OK)
        code = a.help ? scree_print_help(command) : read_and_act(&a, act);
    scree_free_arguments(&a);
    return code;
}
