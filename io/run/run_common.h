/* run_common.h: what runs of worlds and runs of models share. */
#ifndef SCREE_IO_RUN_COMMON_H
#define SCREE_IO_RUN_COMMON_H

#include "engine/base/archive.h"
#include "io/run/run.h"

/* Name of the folder of the results, NULL: no memory; the caller frees it. */
char *scree_run_choose_folder(const scree_case *c,
                              const scree_run_options *options);

/* Makes the folder of the results. The caller frees *folder, also after a
 * failure. */
scree_status scree_run_folder(const scree_case *c,
                              const scree_run_options *options, char **folder,
                              scree_error *error);

/* With options->no_scripts: refuses the scripts of the output catalyst, and its
 * connection to a client. */
scree_status scree_run_refuse_scripts(const scree_case *c,
                                      const scree_run_options *options,
                                      scree_error *error);

/* What became of a part that was loaded from the checkpoint. */
scree_status scree_run_loaded(const scree_run_options *options,
                              const scree_archive *archive,
                              const scree_error *why, scree_error *error);

scree_status scree_run_no_memory(scree_error *error);

/* Adds to the sentence of an error, which may be NULL. */
void scree_run_append(scree_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
