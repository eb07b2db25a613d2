/* trend.h: does the error fall, or do only the percussions grow?
 *
 * The residual is |F| over the largest of |xi(P = 0)|, |xi| and |P / rho|. A problem
 * without solution keeps |F| above what it lacks, and drives P to infinity: the
 * residual falls below any tolerance, as one over the iterations. So does a guess
 * that others drove there. A residual within the tolerance counts as a solution
 *
 *   - if |F| is that small beside the velocities alone, but for a factor SCREE_BESIDE,
 *     which leaves room for percussions that are somewhat larger, and rounding; or
 *   - if the error of the contacts that bear still falls,
 *         sum of p_N |F| / |p|,    p = P / rho,
 *     by half of (k - i) / k or more since an iteration i before k, at most 2/3 k.
 *
 * Without a solution P comes to grow along one direction d, with M^-1 W d = 0: that
 * error becomes that of d, however the methods share it out among its contacts, and
 * stays. Problems that have a solution wait next to never: there it falls by digits
 * while k doubles. */
#ifndef SCREE_SOLVERS_TREND_H
#define SCREE_SOLVERS_TREND_H

#include <stdbool.h>
#include <stdint.h>

static const double SCREE_BESIDE = 4;

typedef struct scree_mark {
    int64_t iteration;
    double error; /* of the contacts that bear [m/s] */
} scree_mark;

typedef struct scree_trend {
    int marks; /* that are set: none, last, both */
    scree_mark last, before;
} scree_trend;

/* Is the last mark at most 2/3 k? */
static inline bool scree_trend_is_old(const scree_trend *t, int64_t k) {
    return t->marks > 0 && 2 * k >= 3 * t->last.iteration + 2;
}

/* `now` is not noted yet. */
static inline bool scree_trend_falls(const scree_trend *t, scree_mark now) {
    const bool old = scree_trend_is_old(t, now.iteration);
    if (!old && t->marks < 2) return false;
    const scree_mark *then = old ? &t->last : &t->before;
    const double part =
        (double)(now.iteration - then->iteration) / (double)now.iteration;
    return now.error <= (1 - 0.5 * part) * then->error;
}

static inline void scree_trend_note(scree_trend *t, scree_mark now) {
    if (t->marks > 0 && !scree_trend_is_old(t, now.iteration)) return;
    t->before = t->last;
    t->last = now;
    if (t->marks < 2) ++t->marks;
}

#endif
