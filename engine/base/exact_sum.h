/* exact_sum.h: sums whose bits do not depend on the order of what is added.
 *
 * A sum is an integer in units of the least double, 2^-1074, in words of 32 bits
 * (Kulisch's long accumulator): adding is exact, so any order, any threads and any
 * ranks give the same integer, which is rounded once, to the nearest double. Words
 * are kept in 64 bits, so that carries can wait. Cost: three additions of integers
 * per double, 584 bytes per sum. */
#ifndef SCREE_BASE_EXACT_SUM_H
#define SCREE_BASE_EXACT_SUM_H

#include "engine/base/comm.h"

/* 2098 bits of a double's range, 63 for how many there are. */
enum { SCREE_EXACT_WORDS = 68 };

/* All zeros: nothing was added. */
typedef struct scree_exact_sum {
    int64_t word[SCREE_EXACT_WORDS]; /* the last one has the sign */
    int64_t n;                       /* additions since the last carry */
    int64_t nan, above, below;       /* NaN, +infinity, -infinity */
} scree_exact_sum;

void scree_exact_add(scree_exact_sum *sum, double x);
/* Adds another sum. */
void scree_exact_merge(scree_exact_sum *sum, const scree_exact_sum *more);
/* n sums become those over all ranks. */
void scree_exact_reduce(const scree_comm *comm, scree_exact_sum *sums, int n);
/* The nearest double. */
double scree_exact_value(const scree_exact_sum *sum);

#endif
