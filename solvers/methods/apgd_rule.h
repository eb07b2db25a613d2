/* apgd_rule.h: accelerated projected gradients (Nesterov), what all layouts share.
 *
 *     minimise  f(P) = P^T G P / 2 + P^T (q + s n)   over P in K,   s fixed,
 *
 * whose solution has K* containing xi + s n. With steps rho over the bound L,
 *     x = P_K(y - rho (xi(y) + s n) / L),  L grows until
 *     f(x) <= f(y) + grad f(y) (x - y) + L |x - y|^2 / (2 rho),
 *     y = x + beta (x - x_last),
 * and momentum starts anew when it points uphill, grad f(y) (x - x_last) > 0.
 * f is quadratic: with d = x - y the bound reads d^T G d <= L sum |d_i|^2 / rho_i.
 *
 * Coulomb's law wants s = mu |xi_T|. It is fed back after every iteration, which on
 * beds with mu of 0.3 to 0.6 takes a half to a sixth of the iterations of feeding
 * back after 20, but may go round in circles where mu is 1 or more, and in beds
 * near rest. So each time a check finds the residual hardly below the least so far,
 * s stays for twice as many iterations, up to 20. */
#ifndef SCREE_SOLVERS_APGD_RULE_H
#define SCREE_SOLVERS_APGD_RULE_H

#include <math.h>
#include <stdbool.h>

/* Over contacts, of a trial x: d^T G d, sum of |d|^2 / rho, and
 * grad f(y) (x - x_last). */
typedef struct scree_apgd_sums {
    double bend, length, slope;
} scree_apgd_sums;

typedef struct scree_apgd_rule {
    double L, theta, beta;
    int trials;  /* of L in this iteration */
    bool feeds;  /* s becomes the slip before the next iteration */
    bool fixed;  /* the period */
    int period;  /* iterations with one s */
    int spent;   /* of them */
    double best; /* least residual so far */
} scree_apgd_rule;

/* feedback: the period, 0: as many iterations as the residual tells. */
static inline scree_apgd_rule scree_apgd_rule_begin(double L, int feedback) {
    return (scree_apgd_rule){.L = L,
                             .theta = 1,
                             .feeds = true,
                             .fixed = feedback > 0,
                             .period = feedback > 0 ? feedback : 1,
                             .best = INFINITY};
}

/* Does L bound the curvature along the step to the trial x? Else L grows. */
static inline bool scree_apgd_accepts(scree_apgd_rule *r,
                                      const scree_apgd_sums *sums) {
    enum { TRIALS = 60 };
    if (r->trials < TRIALS && sums->bend > r->L * sums->length * (1 + 1e-12)) {
        ++r->trials;
        r->L *= 2;
        return false;
    }
    r->trials = 0;
    return true;
}

/* beta for the next y, and whether s is fed back. */
static inline void scree_apgd_go_on(scree_apgd_rule *r, double slope) {
    if (slope > 0) r->theta = 1;
    const double next = 0.5 * (1 + sqrt(1 + 4 * r->theta * r->theta));
    r->beta = (r->theta - 1) / next;
    r->theta = next;
    r->feeds = ++r->spent >= r->period;
    if (r->feeds) r->spent = 0;
    r->L *= 0.97; /* lets a step that was too careful grow again */
}

/* After a check of the residual; returns whether it is the least so far. */
static inline bool scree_apgd_watch(scree_apgd_rule *r, double residual) {
    enum { LONGEST = 20 };
    const double SLOW = 0.8; /* a residual that fell by less falls too slowly */
    if (!r->fixed && residual > SLOW * r->best)
        r->period = 2 * r->period < LONGEST ? 2 * r->period : LONGEST;
    if (!(residual < r->best)) return false;
    r->best = residual;
    return true;
}

#endif
