/* fold.h: sums of doubles whose bits depend on no order, in two doubles each.
 *
 * With a bound 2^E on |x|, x is cut into a multiple of 2^(E-26) and one of 2^(E-52); what
 * is left is below 2^(E-53), and dropped (Demmel and Nguyen 2013, reproducible
 * summation, with two bins). Each part is added without rounding as long as there are
 * fewer than 2^27 of them, so any order, any threads, any ranks, and plain sums by MPI
 * give the same bits. Cost: six additions; engine/base/exact_sum.h needs no bound, and
 * forty times the memory. */
#ifndef SCREE_MEASURE_FOLD_H
#define SCREE_MEASURE_FOLD_H

#include <math.h>

enum { SCREE_FOLD = 2 }; /* doubles of a sum */

typedef struct scree_fold {
    double coarse,
        fine; /* adding and subtracting them rounds to the multiples */
} scree_fold;

/* For numbers of size `most` and less; 0: all are 0. */
static inline scree_fold scree_fold_for(double most) {
    int E;
    frexp(most, &E); /* most < 2^E */
    return most > 0 ? (scree_fold){ldexp(1.5, E + 26), ldexp(1.5, E)}
                    : (scree_fold){0, 0};
}

static inline void scree_fold_add(const scree_fold *fold, double x,
                                  double sum[SCREE_FOLD]) {
    const double high = (x + fold->coarse) - fold->coarse, rest = x - high;
    sum[0] += high;
    sum[1] += (rest + fold->fine) - fold->fine;
}

static inline double scree_fold_value(const double sum[SCREE_FOLD]) {
    return sum[0] + sum[1];
}

#endif
