/* timer.h: wall time, charged to the phases of a step. */
#ifndef SCREE_TIMER_H
#define SCREE_TIMER_H

#include <time.h>

static inline double scree_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
