/* outlet.h: boxes through which bodies leave the world. */
#ifndef SCREE_WORLD_OUTLET_H
#define SCREE_WORLD_OUTLET_H

#include "engine/scree.h"

typedef struct scree_outlet {
    scree_outlet_def def;
    int64_t bodies; /* that left through it so far, on all ranks; and their */
    double mass;    /* [kg] */
} scree_outlet;

#endif
