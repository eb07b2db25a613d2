/* output.h: what an output sink is, of worlds and of models. One file each; those of
 * worlds have a line in outputs.def, those of models are in model_output.c.
 *
 * A sink gets a world or a model that it cannot change, so the run is the same bits with
 * any set of sinks. On several ranks each has its part of all sinks; the caller
 * sees to it that all ranks hear of a failure. */
#ifndef SCREE_IO_OUTPUT_H
#define SCREE_IO_OUTPUT_H

#include "engine/base/archive.h"
#include "engine/base/comm.h"
#include "io/case/case.h"

/* What every sink may know when it opens. */
typedef struct scree_output_context {
    const scree_comm *comm; /* ranks that share the run; NULL: only one */
    const char *folder;     /* exists */
    const scree_case *source;
    const scree_world *world;            /* NULL: the run of a model, */
    const scree_dense *system;           /* which is this one, */
    const struct scree_columns *columns; /* with these (model_output.h) */
    const scree_case_output *output;     /* its options; NULL: the defaults */
    /* Where a sink says what does not stop the run; NULL: nowhere. */
    void (*warn)(void *to, const char *text);
    void *warn_to;
    bool
        resumes; /* the folder holds what an earlier part of this run wrote: open
                     leaves it there, and `archive` follows */
} scree_output_context;

const scree_comm *scree_output_comm(const scree_output_context *context);

void scree_output_warn(const scree_output_context *context, const char *format,
                       ...) __attribute__((format(printf, 2, 3)));

typedef struct scree_output_ops {
    const char *name;  /* key in the case file's `outputs` */
    const char *about; /* one line for `scree list`; NULL: of a model */
    const char *file;  /* of a model: the one that it writes in the folder */
    /* What a case can choose from with `fields`, NULL at the end; or NULL. */
    const char *const *fields;
    scree_status (*open)(const scree_output_context *context, void **self,
                         scree_error *error);
    scree_status (*write)(void *self, const scree_output_context *context,
                          scree_error *error);
    /* Looks at the world after each step from its first time to its last, before
     * what that step led to is written; NULL: has no need to. */
    scree_status (*watch)(void *self, const scree_output_context *context,
                          scree_error *error);
    bool paths; /* its bodies must keep where their step began */
    bool
        counts; /* its seconds are a line of their own in the table of phases */
    /* Closes and frees; also after a failed write. */
    scree_status (*close)(void *self, scree_error *error);
    /* What the next writing depends on (number of the next frame, length of the
     * file), saved in a checkpoint; what is written must be on disk by then.
     * Loading, right after an open that resumes, also cuts the files back to
     * that state: what was written later will be written again. Names are below
     * a group of the sink's own. NULL: nothing to save, and what was written
     * stays written. */
    void (*archive)(void *self, scree_archive *archive);
} scree_output_ops;

/* Does a sink of the case need paths of bodies? */
bool scree_output_needs_paths(const scree_case *source);

/* Whether the case wants field i of the sink. */
bool scree_output_wants(const scree_output_context *context, int field);

/* The bodies as one frame of the sink frames, with all its fields, that belongs
 * to no series. Collective. */
scree_status scree_output_frame(const scree_output_context *context,
                                const char *path, scree_error *error);

/* Sink i of outputs.def, NULL past the end. */
const scree_output_ops *scree_output_get(int i);
const scree_output_ops *scree_output_find(const char *name);

#endif
