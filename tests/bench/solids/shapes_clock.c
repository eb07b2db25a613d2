/* shapes_clock.c: the program is linked with --wrap=clock_gettime, so that the
 * library's wall clock can be that of the thread's CPU time. */
#include <time.h>

#include "shapes.h"

int __real_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_clock_gettime(clockid_t clock, struct timespec *t);

static bool cpu;

void shapes_time_by_cpu(bool by_cpu) {
    cpu = by_cpu;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *t) {
    const bool swap = cpu && clock == CLOCK_MONOTONIC;
    return __real_clock_gettime(swap ? CLOCK_THREAD_CPUTIME_ID : clock, t);
}
