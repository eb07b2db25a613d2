/* run.h: what the commands that run a case share: signals, the time they may
 * take, and the exit code. */
#ifndef SCREE_CASES_RUN_H
#define SCREE_CASES_RUN_H

#include "cases/commands/command.h"
#include "io/run/run.h"

/* What only these commands have; scree_arguments.own points to it. */
typedef struct scree_run_arguments {
    double max_walltime; /* [s], 0: none */
    double max_silence;  /* [s], 0: the default, below: any */
    const char *restart; /* file, or NULL */
    bool force;
} scree_run_arguments;

/* SECONDS, or HH:MM:SS as SLURM writes it. */
int scree_take_walltime(scree_arguments *a, const char *value);

/* SECONDS, 0: any. */
int scree_take_silence(scree_arguments *a, const char *value);

/* Options of a run that signals can stop. */
scree_run_options scree_prepare_run(const scree_arguments *a);

/* 0 for a stop that was planned (SIGUSR1, --max-walltime), 128 + n for signals
 * that end programs. */
int scree_finish_run(scree_status status, const scree_error *error);

#endif
