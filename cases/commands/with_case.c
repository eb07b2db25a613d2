#include "cases/commands/with_case.h"

#include <stdlib.h>

#include "engine/base/comm.h"

typedef scree_status case_reader(const char *path, int n_set,
                                 const char *const *sets, scree_case **out,
                                 scree_error *error);

/* Files that a case names may be missing on one machine of many. */
static int read_and_act(const scree_command *command, const scree_arguments *a,
                        case_reader *read, scree_case_action *act) {
    const scree_comm *comm =
        command->on_all_ranks ? scree_comm_all() : scree_comm_alone();
    scree_case *c = NULL;
    scree_error error = {0};
    const scree_status status = scree_comm_agree(
        comm, read(a->path, a->n_set, a->sets, &c, &error), &error);
    if (status != SCREE_OK) {
        scree_case_free(c);
        return scree_print_error(
            &error, status == SCREE_OUT_OF_MEMORY ? EXIT_INTERNAL : EXIT_INPUT);
    }
    const int code = act(c, a);
    scree_case_free(c);
    return code;
}

static int with_case(const scree_command *command, int argc, char **argv,
                     const scree_option *options, void *own, case_reader *read,
                     scree_case_action *act) {
    scree_arguments a = {.what = "case file", .own = own};
    int code = scree_parse_arguments(&a, argc, argv, options);
    if (code == EXIT_OK) code = scree_want_path(&a, command);
    if (code == EXIT_OK && !a.help) code = scree_load_models(&a);
    if (code == EXIT_OK)
        code = a.help ? scree_print_help(command)
                      : read_and_act(command, &a, read, act);
    scree_free_arguments(&a);
    return code;
}

int scree_with_case(const scree_command *command, int argc, char **argv,
                    const scree_option *options, void *own,
                    scree_case_action *act) {
    return with_case(command, argc, argv, options, own, scree_case_read, act);
}

int scree_with_look(const scree_command *command, int argc, char **argv,
                    const scree_option *options, void *own,
                    scree_case_action *act) {
    return with_case(command, argc, argv, options, own, scree_case_look, act);
}
