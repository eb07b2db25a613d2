/* belt_cycle.h: the limit cycle of the block on a belt, measured in a simulation. */
#ifndef SCREE_STUDIES_BELT_CYCLE_H
#define SCREE_STUDIES_BELT_CYCLE_H

#include "cases/studies/study.h"

/* Periods are counted after the transient. */
enum { BELT_WAIT = 4, BELT_CYCLES = 6 };

typedef struct belt_cycle {
    int n; /* upward passes of the level */
    double first, last, low, high;
    double period; /* mean of BELT_CYCLES */
} belt_cycle;

/* Runs until the cycles are done; a period is measured where x passes the level upwards.
 * out: t, x, v, percussion over dt (0 without a law); NULL: nothing is kept. */
belt_cycle belt_cycle_run(trial *r, double level, series *out);

#endif
