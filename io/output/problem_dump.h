/* problem_dump.h: the inclusion problems that solver.dump asks for, as FCLIB files
 * problem-STEP.hdf5 in the folder of the results, with the percussions reached
 * as their solution. Later problems of one step are problem-STEP-2.hdf5, ... */
#ifndef SCREE_IO_PROBLEM_DUMP_H
#define SCREE_IO_PROBLEM_DUMP_H

#include "engine/base/arena.h"
#include "engine/scree.h"

/* A run that never converges must not fill the disk. */
enum { SCREE_DUMPS_MOST = 100 };

typedef struct scree_problem_dump {
    const char *name, *folder;
    int saved;
    int64_t step; /* of the last one */
    int in_step;  /* problems of that step */
    scree_arena scratch;
} scree_problem_dump;

/* Makes the dump the world's saver; it must live as long as the world runs, and be
 * zero or loaded from a checkpoint. */
void scree_problem_dump_attach(scree_problem_dump *d, const char *name,
                               const char *folder, scree_world *world);
void scree_problem_dump_free(scree_problem_dump *d);

#endif
