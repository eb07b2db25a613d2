#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cases/commands/run.h"
#include "engine/base/comm.h"
#include "io/case/yaml/case_message.h"

/* ---- signals ------------------------------------------------------------- */

static volatile sig_atomic_t stop, listens, speaks;

/* While the world is made nothing is written, so nothing can be lost. A planned
 * stop (SIGUSR1) waits all the same: it ends with a checkpoint. */
static _Noreturn void stop_at_once(int signal_number) {
    static const char words[] =
        "scree: stopped by a signal before the first step; nothing was "
        "changed\n";
    if (speaks && write(STDERR_FILENO, words, sizeof words - 1) < 0)
        _exit(EXIT_SIGNAL + signal_number);
    _exit(EXIT_SIGNAL + signal_number);
}

static void ask_to_stop(int signal_number) {
    if (!listens && signal_number != SIGUSR1) stop_at_once(signal_number);
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

/* ---- time ---------------------------------------------------------------- */

static int not_a_time(const char *text) {
    fprintf(stderr,
            "scree: --max-walltime wants seconds or HH:MM:SS, not '%s'\n",
            scree_quote(text).text);
    return EXIT_INPUT;
}

int scree_take_walltime(scree_arguments *a, const char *text) {
    scree_run_arguments *own = a->own;
    double total = 0;
    const char *rest = text;
    for (int part = 0; part < 3; part++) {
        char *end;
        errno = 0;
        const double x = strtod(rest, &end);
        if (end == rest || errno || !isfinite(x) || x < 0 || *rest == '-')
            return not_a_time(text);
        total = 60 * total + x;
        rest = end;
        if (!*rest && part != 1) { /* MM:SS would be taken for HH:MM */
            own->max_walltime = total;
            return total > 0 ? EXIT_OK : not_a_time(text);
        }
        if (*rest++ != ':') break;
    }
    return not_a_time(text);
}

int scree_take_silence(scree_arguments *a, const char *text) {
    char *end;
    errno = 0;
    const double x = strtod(text, &end);
    if (end == text || *end || errno || !isfinite(x) || x < 0) {
        fprintf(stderr, "scree: --max-silence wants seconds, not '%s'\n",
                scree_quote(text).text);
        return EXIT_INPUT;
    }
    ((scree_run_arguments *)a->own)->max_silence = x > 0 ? x : -1;
    return EXIT_OK;
}

/* ---- begin and end ------------------------------------------------------- */

scree_run_options scree_prepare_run(const scree_arguments *a) {
    const scree_run_arguments *own = a->own;
    /* Among ranks it is mpirun who ends those that are left, and says why. */
    speaks = scree_comm_all()->size == 1;
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
    catch_signal(SIGUSR1);
    return (scree_run_options){.comm = scree_comm_all(),
                               .out = a->out,
                               .log = stdout,
                               .complaints = stderr,
                               .force = own->force,
                               .no_scripts = a->no_scripts,
                               .quiet = a->quiet,
                               .stop = &stop,
                               .listens = &listens,
                               .max_walltime = own->max_walltime,
                               .max_silence = own->max_silence,
                               .program = program_invocation_name};
}

int scree_finish_run(scree_status status, const scree_error *error) {
    if (status != SCREE_OK)
        return scree_print_error(error, scree_exit_code(status));
    double number = stop; /* it may have come to one rank only */
    scree_comm_max(scree_comm_all(), &number, 1);
    return number != 0 && number != SIGUSR1 ? EXIT_SIGNAL + (int)number
                                            : EXIT_OK;
}
