/* check.c: scree check, a case with all values filled in, and what the audit of a
 * run says of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/commands/with_case.h"
#include "io/ensemble/ensemble_make.h"
#include "io/run/audit.h"
#include "io/run/run_common.h"
#include "io/schema/reference.h"

static int refuse_all_keys(scree_arguments *a, const char *value) {
    (void)a, (void)value;
    fprintf(stderr, "scree: --all-keys goes alone: scree check --all-keys\n");
    return EXIT_INPUT;
}

static const scree_option options[] = {{"--set", true, scree_take_set},
                                       {"--model", true, scree_take_model},
                                       {"--all-keys", false, refuse_all_keys},
                                       {"--help", false, scree_take_help},
                                       {0}};

/* Text that could not be written is found when stdout is flushed. */
static scree_status print_case(const scree_case *c, scree_error *error) {
    const scree_status status = scree_case_print(c, stdout);
    fflush(stdout);
    return status == SCREE_OUT_OF_MEMORY ? scree_run_no_memory(error)
                                         : SCREE_OK;
}

/* It has no world to look at, but places where its trajectories start. */
static scree_status look_at_ensemble(const scree_case *c, scree_error *error) {
    scree_ensemble_made made;
    const scree_comm *alone = scree_comm_alone();
    scree_status status = scree_ensemble_make(c, alone, &made, error);
    if (status == SCREE_OK)
        status = scree_ensemble_look(c, alone, &made, error);
    scree_ensemble_unmake(&made);
    return status;
}

static scree_status build_world(const scree_case *c, scree_world **world,
                                scree_error *error) {
    *world = NULL;
    if (c->model) return SCREE_OK;
    if (c->ensemble.trajectories) return look_at_ensemble(c, error);
    scree_pour_state *pours = calloc((size_t)c->n_body + 1, sizeof *pours);
    if (!pours) return scree_run_no_memory(error);
    const scree_status status = scree_case_build(c, world, pours, error);
    free(pours);
    return status;
}

/* All findings, on standard error: standard output is the case. */
static scree_status audit_world(const scree_case *c, const scree_world *world,
                                scree_error *error) {
    scree_audit audit = {0};
    char *folder = scree_run_choose_folder(c, &(scree_run_options){0});
    if (!folder) return scree_run_no_memory(error);
    scree_status status = scree_case_audit(c, world, folder, &audit, error);
    free(folder);
    if (status == SCREE_OK) {
        scree_audit_print(&audit, SCREE_NOTE, stderr);
        status = scree_audit_judge(&audit, c, error);
    }
    scree_audit_free(&audit);
    return status;
}

static int check_case(const scree_case *c, const scree_arguments *a) {
    (void)a;
    scree_error error = {0};
    scree_world *world = NULL;
    scree_status status = print_case(c, &error);
    if (status == SCREE_OK) status = build_world(c, &world, &error);
    if (status == SCREE_OK) status = audit_world(c, world, &error);
    scree_world_destroy(world);
    if (status == SCREE_OK) return EXIT_OK;
    return scree_print_error(&error, scree_exit_code(status));
}

extern const scree_command scree_command_check;

static int check(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--all-keys") == 0) {
        scree_reference_case(stdout);
        return EXIT_OK;
    }
    return scree_with_look(&scree_command_check, argc, argv, options, NULL,
                           check_case);
}

const scree_command scree_command_check = {
    "check",
    "check CASE.yaml [--set key=value ...] [--model LIBRARY.so ...] | "
    "check --all-keys",
    "read a case, print it with all values filled in, and look for mistakes;\n"
    "    writes nothing",
    "  --set key=value  replace a value of the case\n"
    "  --model FILE     load a library of models, which executes code\n"
    "  --all-keys       print a commented case that has every key\n"
    "The case goes to standard output; notes, warnings and errors of the audit "
    "go to\n"
    "standard error, all at once. Exit code 2 if the run would make no "
    "sense.\n",
    check,
    false};
