/* run.c: scree run, a case from its first to its last step. */
#include "io/run.h"

#include <signal.h>
#include <stdio.h>

#include "cases/commands/with_case.h"

static const scree_option options[] = {
    {"--set", true, scree_take_set},
    {"--threads", true, scree_take_threads},
    {"--out", true, scree_take_out},
    {"--quiet", false, scree_take_quiet},
    {"--catalyst", true, scree_take_catalyst},
    {"--help", false, scree_take_help},
    {0}};

static volatile sig_atomic_t stop;

static void ask_to_stop(int signal_number) {
    stop = signal_number;
}

/* The second signal of a kind ends the program at once. A signal that the
 * parent made us ignore (nohup) stays ignored. */
static void catch_signal(int signal_number) {
    struct sigaction action = {.sa_handler = ask_to_stop,
                               .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    struct sigaction before;
    sigemptyset(&action.sa_mask);
    if (sigaction(signal_number, NULL, &before) == 0 &&
        before.sa_handler != SIG_IGN)
        sigaction(signal_number, &action, NULL);
}

static int run_case(const scree_case *c, const scree_arguments *a) {
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
    scree_error error = {0};
    const scree_run_options run = {
        .out = a->out, .log = stdout, .quiet = a->quiet, .stop = &stop};
    const scree_status status = scree_run(c, &run, &error);
    if (status != SCREE_OK)
        return scree_print_error(&error, scree_exit_code(status));
    return stop ? EXIT_SIGNAL + stop : EXIT_OK;
}

extern const scree_command scree_command_run;

static int run(int argc, char **argv) {
    return scree_with_case(&scree_command_run, argc, argv, options, run_case);
}

const scree_command scree_command_run = {
    "run",
    "run CASE.yaml [--set key=value ...] [--threads N] [--out DIR] [--quiet] "
    "[--catalyst SCRIPT.py ...]",
    "run a case and write its outputs",
    "  --set key=value  replace a value of the case, e.g. --set "
    "solver.iterations=200\n"
    "  --threads N      as --set threads=N; the result is the same for any N;\n"
    "                   else OMP_NUM_THREADS, else one per physical core\n"
    "  --out DIR        where the results go, default out/<case name>;\n"
    "                   results of an earlier run in there are replaced\n"
    "  --quiet          print only the state hash\n"
    "  --catalyst FILE  a ParaView script to run on the state, in situ; may "
    "be\n"
    "                   given several times (see cases/catalyst)\n",
    run};
