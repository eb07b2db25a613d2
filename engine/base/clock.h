/* clock.h: wall time [s], from any start; it never goes back. */
#ifndef SCREE_CLOCK_H
#define SCREE_CLOCK_H

#include <time.h>

static inline double scree_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
