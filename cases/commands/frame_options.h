/* frame_options.h: what commands on results share: which frame of which
 * series. `own` of the arguments is, or begins with, a scree_frame_request. */
#ifndef SCREE_CASES_FRAME_OPTIONS_H
#define SCREE_CASES_FRAME_OPTIONS_H

#include "cases/commands/command.h"
#include "io/results/results.h"

typedef struct scree_frame_request {
    scree_frame_choice choice;
    const char *series; /* NULL: the first */
} scree_frame_request;

int scree_take_frame(scree_arguments *a, const char *value);
int scree_take_time(scree_arguments *a, const char *value);
int scree_take_series(scree_arguments *a, const char *value);

/* A whole number within [lo, hi], or a message with the option's name. */
int scree_take_integer(const char *option, const char *text, long lo, long hi,
                       long *value);

typedef scree_status scree_results_action(const scree_results *results,
                                          const scree_arguments *a,
                                          scree_error *error);

/* Parses the command line, opens the results, acts, cleans up. */
int scree_with_results(const scree_command *command, int argc, char **argv,
                       const scree_option *options, void *own,
                       scree_results_action *act);

#endif
