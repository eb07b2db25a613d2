/* audit.h: the audit of a case before it runs, and what it prints.
 *
 * To what the engine finds in the world (engine/audit/audit.h) comes what only the case
 * knows: when outputs are written, and how much that will be. */
#ifndef SCREE_IO_AUDIT_H
#define SCREE_IO_AUDIT_H

#include "engine/audit/audit.h"
#include "io/case/case.h"

/* Adds to `audit`. `world`: as it was built, NULL for a model; `folder`: where the
 * results will go. Where the case says `audit: warn`, errors become warnings.
 * Collective. */
scree_status scree_case_audit(const scree_case *c, const scree_world *world,
                              const char *folder, scree_audit *audit,
                              scree_error *error);

/* Findings from this severity on, each on lines of its own, the gravest first. */
void scree_audit_print(const scree_audit *audit, scree_severity from,
                       FILE *file);

/* SCREE_BAD_INPUT if there are errors among them. */
scree_status scree_audit_judge(const scree_audit *audit, const scree_case *c,
                               scree_error *error);

/* The audit of a run that is to begin: refuses it if there are errors, before
 * anything is touched, and then prints what it found. Collective. */
struct scree_run_options;
scree_status scree_run_audit(const scree_case *c,
                             const struct scree_run_options *options,
                             const scree_world *world, scree_audit *audit,
                             scree_error *error);

/* Bytes that the results of a world will take, about, if it has so many bodies. */
double scree_case_bytes(const scree_case *c, double bodies);

#endif
