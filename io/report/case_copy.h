/* case_copy.h: case.yaml in the folder of a run, the case with every key and its value,
 * which runs as it is. */
#ifndef SCREE_IO_CASE_COPY_H
#define SCREE_IO_CASE_COPY_H

#include "io/case/case.h"

/* `resolved`: the case as it is printed, NULL: print it. A case.yaml that no run has
 * written is somebody's own: it is left alone, and *left is set. */
scree_status scree_case_copy(const char *folder, const scree_case *c,
                             const char *resolved, bool *left,
                             scree_error *error);

#endif
