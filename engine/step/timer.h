/* timer.h: wall time, charged to the phases of a step. Whoever works for a phase
 * reads scree_clock() before, and charges it after. */
#ifndef SCREE_TIMER_H
#define SCREE_TIMER_H

#include "engine/base/clock.h"
#include "engine/scree.h"

/* The time since `start`, charged and returned [s]. */
static inline double scree_phase_charge(scree_cost *cost, scree_phase phase,
                                        double start) {
    const double seconds = scree_clock() - start;
    cost->seconds[phase] += seconds;
    return seconds;
}

#endif
