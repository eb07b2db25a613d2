/* run_sinks.h: the outputs of a run: open, written when they are due, closed. */
#ifndef SCREE_IO_RUN_SINKS_H
#define SCREE_IO_RUN_SINKS_H

#include "io/output/output.h"

struct scree_runner;

typedef struct scree_sink {
    const scree_output_ops *ops; /* NULL: its turn to open did not come */
    const scree_case_output *output;
    void *self; /* NULL: not open */
    int64_t written;
    int64_t last_step; /* of the last complete writing, -1: none */
    double last_time;  /* the same, simulated [s] */
    double seconds;    /* wall time that it took */
} scree_sink;

/* In the order of the case; each goes on where the checkpoint says. Collective, as
 * are the next two. */
scree_status scree_sinks_open(struct scree_runner *r, scree_error *error);
/* All of them, whatever fails; reports the first failure. */
scree_status scree_sinks_close(struct scree_runner *r, scree_error *error);

/* DUE: by its schedule, after the step that led here; BEHIND: the run ends here, and
 * this state is not written. */
typedef enum scree_wanted { SCREE_SINK_DUE, SCREE_SINK_BEHIND } scree_wanted;
/* Those that look at every step, after one. */
scree_status scree_sinks_watch(struct scree_runner *r, scree_error *error);
scree_status scree_sinks_write(struct scree_runner *r, scree_wanted which,
                               scree_error *error);

/* Saves them in a checkpoint. */
void scree_sinks_archive(struct scree_runner *r, scree_archive *a);

/* Adds to an error what a failed run leaves behind that can be used. */
void scree_sinks_tell(const struct scree_runner *r, scree_error *error);

#endif
