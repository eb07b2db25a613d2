/* slices.h: sums of doubles whose bits depend on no order, in two doubles each.
 *
 * With a bound 2^E on |x|, x is cut into a multiple of 2^(E-26) and one of 2^(E-52); what
 * is left is below 2^(E-53), and dropped (Demmel and Nguyen 2013, reproducible
 * summation, with two bins). Each part is added without rounding as long as there are
 * fewer than 2^27 of them, so any order, any threads, any ranks, and plain sums by MPI
 * give the same bits. Cost: six additions; engine/base/exact_sum.h needs no bound, and
 * forty times the memory. */
#ifndef SCREE_MEASURE_SLICES_H
#define SCREE_MEASURE_SLICES_H

#include <math.h>

#include "engine/base/comm.h"

enum { SCREE_SLICES = 2 }; /* doubles of a sum */

typedef struct scree_slices {
    double coarse,
        fine; /* adding and subtracting them rounds to the multiples */
} scree_slices;

/* For numbers of size `most` and less; 0: all are 0. */
static inline scree_slices scree_slices_for(double most) {
    int E;
    frexp(most, &E); /* most < 2^E */
    return most > 0 ? (scree_slices){ldexp(1.5, E + 26), ldexp(1.5, E)}
                    : (scree_slices){0, 0};
}

static inline void scree_slices_add(const scree_slices *fold, double x,
                                    double sum[SCREE_SLICES]) {
    const double high = (x + fold->coarse) - fold->coarse, rest = x - high;
    sum[0] += high;
    sum[1] += (rest + fold->fine) - fold->fine;
}

static inline double scree_slices_value(const double sum[SCREE_SLICES]) {
    return sum[0] + sum[1];
}

/* Adds n sums over all ranks (comm NULL: one) to `to`. Collective. */
static inline void scree_slices_reduce(const scree_comm *comm, double *sums,
                                       int64_t n, double *to) {
    const int64_t all = n * SCREE_SLICES, most = 1 << 20; /* of a message */
    for (int64_t k = 0; comm && k < all; k += most)
        scree_comm_sum(comm, sums + k, (int)(all - k < most ? all - k : most));
    for (int64_t k = 0; k < n; ++k)
        to[k] += scree_slices_value(sums + k * SCREE_SLICES);
}

#endif
