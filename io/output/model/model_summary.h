/* model_summary.h: what the end of a model's run reports. */
#ifndef SCREE_IO_MODEL_SUMMARY_H
#define SCREE_IO_MODEL_SUMMARY_H

#include "engine/system/dense.h"
#include "io/run/terminal.h"

/* What the system itself does not sum up. */
typedef struct scree_model_summary {
    double t, energy;    /* at the start */
    int64_t unconverged; /* steps */
    double worst;        /* residual */
    double least_gap;    /* of any contact; INFINITY without contacts */
} scree_model_summary;

void scree_model_summary_begin(scree_model_summary *summary,
                               const scree_dense *system);
/* After each step. */
void scree_model_summary_add(scree_model_summary *summary,
                             const scree_dense *system, bool unconverged);
void scree_model_summary_print(const scree_model_summary *summary,
                               scree_terminal *terminal,
                               const scree_dense *system, double seconds);

#endif
