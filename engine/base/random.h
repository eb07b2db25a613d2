/* random.h: splitmix64, the one source of random numbers.
 *
 * A stream is one 64-bit word, so that a checkpoint can hold it. Streams that
 * belong to different generators are split off the case's seed by index and do
 * not depend on how many numbers another generator drew. */
#ifndef SCREE_BASE_RANDOM_H
#define SCREE_BASE_RANDOM_H

#include <math.h>
#include <stdint.h>

#include "engine/base/elementary/elementary.h"
#include "engine/scree_generate.h"

static inline uint64_t scree_random_next(scree_random *rng) {
    uint64_t z = rng->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Uniform in [0, 1) with 53 random bits. */
static inline double scree_random_unit(scree_random *rng) {
    return (double)(scree_random_next(rng) >> 11) * 0x1p-53;
}

static inline double scree_random_range(scree_random *rng, double lo,
                                        double hi) {
    return lo + (hi - lo) * scree_random_unit(rng);
}

/* Standard normal deviate (Box-Muller, one of the two; keeps no state). */
static inline double scree_random_normal(scree_random *rng) {
    const double u = 1.0 - scree_random_unit(rng), v = scree_random_unit(rng);
    return sqrt(-2.0 * scree_log(u)) * scree_cos(6.283185307179586 * v);
}

/* The stream number `index` of a seed. */
static inline scree_random scree_random_stream(uint64_t seed, uint64_t index) {
    scree_random rng = {seed ^ (index * 0xD1342543DE82EF95u)};
    rng.state = scree_random_next(&rng);
    return rng;
}

#endif
