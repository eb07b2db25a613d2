/* lobatto_world.h: lobatto and generalized-alpha on small worlds. */
#ifndef SCREE_STEPPERS_LOBATTO_WORLD_H
#define SCREE_STEPPERS_LOBATTO_WORLD_H

#include "engine/scree.h"

/* One step. SCREE_UNSUPPORTED, with what to take instead: worlds that are too large, or
 * laws that world_dense.h does not know. */
scree_status scree_world_lobatto(scree_world *world);

#endif
