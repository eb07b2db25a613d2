/* checkpoint.h: what a checkpoint holds: the case and the state of a run.
 *
 *     /scree          as in every file of a run: build, case, time, step
 *     /state/case     text, overrides, path and resolved form of the case
 *     /state/...      arrays, by the archive: bodies, pairs, contacts, outputs
 */
#ifndef SCREE_IO_CHECKPOINT_H
#define SCREE_IO_CHECKPOINT_H

#include "engine/base/archive.h"
#include "engine/base/comm.h"
#include "io/hdf5/hdf5_file.h"

typedef void scree_checkpoint_fill(void *context, scree_archive *archive);

/* Several ranks save together: one file, that all of them write (hdf5_ranks.c).
 * Each keeps a copy of what it writes until then. */
scree_status scree_checkpoint_save(const scree_comm *comm, const char *path,
                                   const scree_case *c,
                                   const scree_hdf5_state *state,
                                   scree_checkpoint_fill *fill, void *context,
                                   scree_error *error);

enum { SCREE_CHECKPOINT_NAME_BYTES = 190 };

/* The array of a checkpoint that was asked for last. */
typedef struct scree_checkpoint_array {
    char name[SCREE_CHECKPOINT_NAME_BYTES]; /* "": none */
    hid_t id, type;                         /* id < 0: none is open */
    int64_t n; /* rows, or as scree_archive_ops.count */
    int columns;
} scree_checkpoint_array;

/* A checkpoint that was read and found whole. */
typedef struct scree_checkpoint {
    char *path;
    hid_t file;
    char *text, *overrides, *case_path, *resolved, *version;
    uint64_t files; /* sum over what files beside the case held */
    double time;
    int64_t step;
    scree_checkpoint_array array;
} scree_checkpoint;

/* *out is NULL after a failure. */
scree_status scree_checkpoint_open(const char *path, scree_checkpoint **out,
                                   scree_error *error);
void scree_checkpoint_close(scree_checkpoint *checkpoint);

/* The same for one that another rank has found whole: not all of them need to
 * read every bit of it. */
scree_status scree_checkpoint_open_whole(const char *path,
                                         scree_checkpoint **out,
                                         scree_error *error);

/* The newest whole one of a folder. What is said of damaged ones on the way
 * comes to `skipped`, which may be NULL, as lines. SCREE_BAD_INPUT: there is
 * none. */
scree_status scree_checkpoint_newest(const char *folder, scree_checkpoint **out,
                                     scree_error *skipped, scree_error *error);

/* Do the files that the case names (meshes, terrain) hold what they held when
 * the checkpoint was saved? */
scree_status scree_checkpoint_check_files(const scree_checkpoint *checkpoint,
                                          const scree_case *c,
                                          scree_error *error);

/* For loading; the sentences of errors name the file. */
scree_archive scree_checkpoint_archive(const scree_checkpoint *checkpoint,
                                       scree_error *error);

#endif
