/* manual.h: the commands as a manual page, and as words for completion. */
#ifndef SCREE_CASES_MANUAL_H
#define SCREE_CASES_MANUAL_H

#include <stdio.h>

#include "cases/commands/command.h"

/* The page scree(1). */
void scree_print_manual(FILE *out);

/* The options that the usage of a command names, one on a line. */
void scree_print_options(const scree_command *command, FILE *out);

#endif
