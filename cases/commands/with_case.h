/* with_case.h: what commands on a case share. */
#ifndef SCREE_CASES_WITH_CASE_H
#define SCREE_CASES_WITH_CASE_H

#include "cases/commands/command.h"
#include "io/case/case.h"

typedef int scree_case_action(const scree_case *c, const scree_arguments *a);

/* Parses the command line, reads the case, acts, cleans up. `own`: see
 * scree_arguments. */
int scree_with_case(const scree_command *command, int argc, char **argv,
                    const scree_option *options, void *own,
                    scree_case_action *act);

/* The same with a case that is only looked at (scree_case_look). */
int scree_with_look(const scree_command *command, int argc, char **argv,
                    const scree_option *options, void *own,
                    scree_case_action *act);

#endif
