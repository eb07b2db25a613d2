/* check.c: scree check, a case with all values filled in. */
#include <stdio.h>

#include "cases/commands/with_case.h"

static const scree_option options[] = {
    {"--set", true, scree_take_set}, {"--help", false, scree_take_help}, {0}};

static int print_case(const scree_case *c, const scree_arguments *a) {
    (void)a;
    /* Text that could not be written is found when stdout is flushed. */
    const scree_status status = scree_case_print(c, stdout);
    return status == SCREE_OUT_OF_MEMORY ? EXIT_INTERNAL : EXIT_OK;
}

extern const scree_command scree_command_check;

static int check(int argc, char **argv) {
    return scree_with_case(&scree_command_check, argc, argv, options, NULL,
                           print_case);
}

const scree_command scree_command_check = {
    "check",
    "check CASE.yaml [--set key=value ...]",
    "read a case and print it with all values filled in; writes nothing",
    "  --set key=value  replace a value of the case\n",
    check,
    false};
