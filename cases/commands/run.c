/* run.c: scree run, a case from its first to its last step. */
#include "cases/commands/run.h"

#include "cases/commands/with_case.h"
#include "io/run/run_resume.h"

static int take_restart(scree_arguments *a, const char *value) {
    ((scree_run_arguments *)a->own)->restart = value;
    return EXIT_OK;
}

static int take_force(scree_arguments *a, const char *value) {
    (void)value;
    ((scree_run_arguments *)a->own)->force = true;
    return EXIT_OK;
}

static const scree_option options[] = {
    {"--set", true, scree_take_set},
    {"--threads", true, scree_take_threads},
    {"--out", true, scree_take_out},
    {"--force", false, take_force},
    {"--restart", true, take_restart},
    {"--max-walltime", true, scree_take_walltime},
    {"--max-silence", true, scree_take_silence},
    {"--catalyst", true, scree_take_catalyst},
    {"--model", true, scree_take_model},
    {"--no-scripts", false, scree_take_no_scripts},
    {"--quiet", false, scree_take_quiet},
    {"--help", false, scree_take_help},
    {0}};

static int run_case(const scree_case *c, const scree_arguments *a) {
    const char *restart = ((scree_run_arguments *)a->own)->restart;
    scree_error error = {0};
    const scree_run_options run = scree_prepare_run(a);
    return scree_finish_run(restart ? scree_restart(c, restart, &run, &error)
                                    : scree_run(c, &run, &error),
                            &error);
}

extern const scree_command scree_command_run;

static int run(int argc, char **argv) {
    scree_run_arguments own = {0};
    return scree_with_case(&scree_command_run, argc, argv, options, &own,
                           run_case);
}

const scree_command scree_command_run = {
    "run",
    "run CASE.yaml [--set key=value ...] [--threads N] [--out DIR] "
    "[--force] [--restart CHECKPOINT] [--max-walltime T] [--max-silence T] "
    "[--catalyst SCRIPT.py ...] [--model LIBRARY.so ...] [--no-scripts] "
    "[--quiet]",
    "run a case and write its outputs",
    "  --set key=value  replace a value of the case, e.g. --set "
    "solver.iterations=200\n"
    "  --threads N      as --set threads=N; the result is the same for any N;\n"
    "                   else OMP_NUM_THREADS, else one per physical core\n"
    "  --out DIR        where the results go, default out/<case name>;\n"
    "                   those of a finished run in there are not replaced\n"
    "  --force          replace them\n"
    "  --restart FILE   begin with the state of this checkpoint; in its "
    "folder\n"
    "                   the outputs go on, in another one they begin there\n"
    "  --max-walltime T stop before the run has taken T, seconds or HH:MM:SS\n"
    "  --max-silence T  on several ranks: end if one has not been heard of for "
    "T\n"
    "                   seconds, default 45, while others wait; 0: never\n"
    "  --catalyst FILE  a ParaView script to run on the state, in situ; may "
    "be\n"
    "                   given several times (see cases/catalyst)\n"
    "  --model FILE     load a library of models (scree_model.h), which runs "
    "the code\n"
    "                   in it; the case names one by its key model\n"
    "  --no-scripts     refuse a case that names scripts to run, as one from "
    "a\n"
    "                   stranger may, and --model\n"
    "  --quiet          print only the state hash\n"
    "SIGUSR1 (planned, exit code 0), SIGTERM and SIGINT finish the step, save "
    "a\n"
    "checkpoint and say how to go on; scree resume DIR does it.\n"
    "mpirun -np R scree run CASE.yaml spreads the bodies over R processes, "
    "each\n"
    "with its share of the cores; checkpoints go on with any R. SIGUSR1 to "
    "mpirun\n"
    "reaches them all; after SIGTERM it gives them a second to end.\n",
    run,
    true};
