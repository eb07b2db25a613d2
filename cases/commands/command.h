/* command.h: what a command of the program is, and what commands share: exit
 * codes, messages, options. One file and one line in commands.def each. */
#ifndef SCREE_CASES_COMMAND_H
#define SCREE_CASES_COMMAND_H

#include <stdbool.h>

#include "engine/base/error.h"

enum {
    EXIT_OK = 0,
    EXIT_INTERNAL = 1,
    EXIT_INPUT = 2,
    EXIT_FILE = 3,
    EXIT_STATE = 4,
    EXIT_UNSOLVED = 6,
    EXIT_UNCONVERGED = 7,
    EXIT_SIGNAL = 128
};

/* What the help says of them. */
extern const char scree_exit_help[];

typedef struct scree_command {
    const char *name;
    const char *usage;
    const char *about;
    const char *help;                  /* what follows the usage line */
    int (*run)(int argc, char **argv); /* argv[0] is the command */
    bool on_all_ranks; /* under mpirun; else the first one does it alone */
} scree_command;

/* Command i of commands.def, NULL past the end. */
const scree_command *scree_command_get(int i);
const scree_command *scree_command_find(const char *name);

/* ---- messages ------------------------------------------------------------ */

/* Keeps the word nearest to what was given. */
typedef struct scree_nearest {
    const char *given;
    const char *word;
    int distance;
} scree_nearest;

void scree_nearest_consider(scree_nearest *best, const char *word);

/* "unknown WHAT 'given'; did you mean 'word'?"; returns EXIT_INPUT. */
int scree_unknown(const char *what, const scree_nearest *best);

int scree_exit_code(scree_status status);

/* Prints the sentence; returns `code`. */
int scree_print_error(const scree_error *error, int code);

/* `scree COMMAND --help` on standard output; returns EXIT_OK. */
int scree_print_help(const scree_command *command);

/* A table of names: entry i, NULL past the end. */
typedef const char *scree_table_entry(int i, const char **about);
void scree_print_table(const char *title, scree_table_entry *entry);

/* ---- options ------------------------------------------------------------- */

typedef struct scree_arguments {
    const char *what; /* `path` is, for messages */
    const char *path; /* of the case, or name of the study, ... */
    const char **sets;
    int n_set;
    char **made; /* (n_made) sets that an option wrote */
    int n_made;
    char threads[32]; /* "threads=N", an override like the others */
    const char *out;
    const char **models; /* (n_model) libraries to load */
    int n_model;
    bool quiet, help, no_scripts;
    void *own; /* what only this command has */
} scree_arguments;

typedef struct scree_option {
    const char *name;
    bool has_value;
    int (*take)(scree_arguments *a, const char *value);
} scree_option;

/* Ready ones; tables of options end with {0}. */
int scree_take_set(scree_arguments *a, const char *value);
int scree_take_threads(scree_arguments *a, const char *value);
int scree_take_out(scree_arguments *a, const char *value);
int scree_take_quiet(scree_arguments *a, const char *value);
int scree_take_help(scree_arguments *a, const char *value);
/* A library of models; and no code that a case or an option names. */
int scree_take_model(scree_arguments *a, const char *value);
int scree_take_no_scripts(scree_arguments *a, const char *value);
/* A script, looked up from the working folder, for the output `catalyst`. */
int scree_take_catalyst(scree_arguments *a, const char *value);

/* Fills `a`, also after a failure to be freed. Options are "--name value" or
 * "--name=value". */
int scree_parse_arguments(scree_arguments *a, int argc, char **argv,
                          const scree_option *options);
void scree_free_arguments(scree_arguments *a);

/* Loads the libraries of --model, before a case is read; returns the exit code. */
int scree_load_models(const scree_arguments *a);

/* A command on the folder of a run: parses the arguments, acts, says what went wrong;
 * returns the exit code. */
typedef scree_status scree_folder_action(const scree_arguments *a,
                                         scree_error *error);
int scree_with_folder(const scree_command *command, int argc, char **argv,
                      const scree_option *options, void *own,
                      scree_folder_action *act);

/* EXIT_OK if a path or --help is given. */
int scree_want_path(const scree_arguments *a, const scree_command *command);

#endif
