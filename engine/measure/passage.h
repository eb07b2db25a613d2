/* passage.h: the way of a body through a step, and what it carries. */
#ifndef SCREE_MEASURE_PASSAGE_H
#define SCREE_MEASURE_PASSAGE_H

#include "engine/base/error.h"
#include "engine/base/vec.h"

/* What is carried, in this order. */
enum {
    SCREE_FLUX_NUMBER,
    SCREE_FLUX_MASS,
    SCREE_FLUX_MOMENTUM, /* 3 of them */
    SCREE_FLUX_ENERGY = SCREE_FLUX_MOMENTUM + 3,
    SCREE_FLUX_WIDTH
};

typedef struct scree_passage {
    scree_vec3 from, to; /* of the centre [m] */
    double carried[SCREE_FLUX_WIDTH];
    double diameter; /* of the ball around it [m] */
    int32_t material;
} scree_passage;

/* Of body i in the last step of a world that keeps paths. */
scree_passage scree_passage_of(const scree_world *world, int32_t i);

#endif
