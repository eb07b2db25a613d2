/* resume.c: scree resume, a run that goes on where its last checkpoint is. */
#include "io/run/run_resume.h"

#include "cases/commands/run.h"

static const scree_option options[] = {
    {"--set", true, scree_take_set},
    {"--threads", true, scree_take_threads},
    {"--max-walltime", true, scree_take_walltime},
    {"--max-silence", true, scree_take_silence},
    {"--model", true, scree_take_model},
    {"--no-scripts", false, scree_take_no_scripts},
    {"--quiet", false, scree_take_quiet},
    {"--help", false, scree_take_help},
    {0}};

extern const scree_command scree_command_resume;

static int go_on(const scree_arguments *a) {
    scree_error error = {0};
    const scree_run_options run = scree_prepare_run(a);
    return scree_finish_run(
        scree_resume(a->path, a->n_set, a->sets, &run, &error), &error);
}

static int resume(int argc, char **argv) {
    scree_run_arguments own = {0};
    scree_arguments a = {.what = "folder of a run", .own = &own};
    int code = scree_parse_arguments(&a, argc, argv, options);
    if (code == EXIT_OK) code = scree_want_path(&a, &scree_command_resume);
    if (code == EXIT_OK && !a.help) code = scree_load_models(&a);
    if (code == EXIT_OK)
        code = a.help ? scree_print_help(&scree_command_resume) : go_on(&a);
    scree_free_arguments(&a);
    return code;
}

const scree_command scree_command_resume = {
    "resume",
    "resume DIR [--set key=value ...] [--threads N] [--max-walltime T] "
    "[--max-silence T] [--model LIBRARY.so ...] [--no-scripts] [--quiet]",
    "go on with the run whose results are in DIR, from its last checkpoint",
    "  --set key=value  change a value of the case from here on: solver, "
    "stepper, time,\n"
    "                   outputs, checkpoint, friction ...; bodies, shapes and "
    "walls stay.\n"
    "                   A finished run goes on with --set time.end=...\n"
    "  --threads N      as --set threads=N; the result is the same for any N\n"
    "  --max-walltime T stop before this part has taken T, seconds or "
    "HH:MM:SS\n"
    "  --max-silence T  on several ranks: end if one has not been heard of for "
    "T\n"
    "                   seconds, default 45, while others wait; 0: never\n"
    "  --model FILE     load a library of models, as the run did; it executes "
    "code\n"
    "  --no-scripts     refuse a case that names scripts to run, as one from "
    "a\n"
    "                   stranger may, and --model\n"
    "  --quiet          print only the state hash\n"
    "Under mpirun it goes on with as many processes, whatever it ran on "
    "before.\n",
    resume,
    true};
