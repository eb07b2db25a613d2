/* siconos.h: Siconos' Gauss-Seidel (NSGS) on a scree_fc3d, to compare with. */
#ifndef SCREE_BENCH_SICONOS_H
#define SCREE_BENCH_SICONOS_H

#include "solvers/blocks/fc3d.h"

typedef struct siconos_result {
    int sweeps;
    double seconds;
    double error; /* its own measure */
} siconos_result;

/* CPU seconds, of the bench. */
double bench_now(void);

bool siconos_is_there(void);

/* From r = 0; leaves the reactions in p->r. False: not there, or no memory. */
bool siconos_nsgs(scree_fc3d *p, double tolerance, int sweeps,
                  siconos_result *result);

#endif
