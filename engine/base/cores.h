/* cores.h: physical cores that this process may run on.
 *
 * Two hardware threads of a core share what sweeps need most, its arithmetic
 * and its first caches: one thread per core is the count to start with. */
#ifndef SCREE_BASE_CORES_H
#define SCREE_BASE_CORES_H

#include <stdbool.h>

#include "engine/base/comm.h"

enum { SCREE_MOST_CPUS = 4096 };

/* Different (package, core) of the CPUs with allowed[cpu], as the files
 *     <folder>/cpu<N>/topology/physical_package_id and core_id
 * tell; the number of allowed CPUs if one of them does not. */
int scree_core_count_in(const char *folder,
                        const bool allowed[SCREE_MOST_CPUS]);

/* That of this process and this machine, at least 1. */
int scree_core_count(void);

/* That of all ranks on this machine together. */
int scree_core_count_of(const scree_comm *comm);

#endif
