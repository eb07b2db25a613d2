/* delassus_sets.h: the sets of a scree_delassus and their prox functions,
 * shared by its methods.
 *
 *     prox_C(x) = argmin over y in C of |x - y|            (002, equation 20)
 *
 * A NaN passes through every prox, so that the residual shows it. */
#ifndef SCREE_SOLVERS_DELASSUS_SETS_H
#define SCREE_SOLVERS_DELASSUS_SETS_H

#include "solvers/dense/delassus.h"

#include <math.h>
#include <string.h>

/* The scale of each set, rho = 1 / (largest row sum of |G| in its diagonal
 * block), which bounds 1 / (largest eigenvalue) from below; one row: 1 / G_ii.
 * 0 for a set without mass, whose P does nothing. */
void scree_delassus_rho(const scree_delassus *d, double *rho);

/* The residual of delassus.h for the xi and rho given. NaN if any set has one.
 */
double scree_delassus_worst(const scree_delassus *d, const double *xi,
                            const double *rho);

/* The tolerance, or what rounding alone leaves of the residual if that is more:
 * a few eps (|G| |P| + |b|), and never more than 1e-10 of |b|, so that
 * percussions that run away do not pass for a solution. */
double scree_delassus_reachable(const scree_delassus *d, double tolerance);

static inline const double *G_row(const scree_delassus *d, int i) {
    return &d->G[(size_t)i * (size_t)d->n];
}

static inline double xi_of_row(const scree_delassus *d, int i) {
    const double *G = G_row(d, i);
    double sum = d->b[i];
    for (int j = 0; j < d->n; ++j) sum += G[j] * d->P[j];
    return sum;
}

/* mu P_N + radius; a negative one stands for the point 0. */
static inline double ball_radius(const scree_set *s, double P_normal) {
    const double a = s->radius + (s->normal >= 0 ? s->mu * P_normal : 0);
    return a < 0 ? 0 : a;
}

static inline double ball_radius_at(const scree_set *s, const double *P) {
    return ball_radius(s, s->normal >= 0 ? P[s->normal] : 0);
}

/* |x|, x = P - r xi on the rows of the set. */
static inline double set_length(const scree_set *s, const double *P,
                                const double *xi, double r) {
    double sum = 0;
    for (int i = s->row; i < s->row + s->n; ++i)
        sum += (P[i] - r * xi[i]) * (P[i] - r * xi[i]);
    return sqrt(sum);
}

/* What the prox of a ball scales its argument by. */
static inline double set_shrink(const scree_set *s, const double *P,
                                const double *xi, double r) {
    if (s->kind != SCREE_SET_BALL) return 1;
    const double radius = ball_radius_at(s, P),
                 length = set_length(s, P, xi, r);
    return length > radius ? radius / length : 1;
}

/* Every set of one row but a ball is an interval. */
static inline double set_lo(const scree_set *s) {
    return s->kind == SCREE_SET_INTERVAL ? s->lo
           : s->kind == SCREE_SET_FREE   ? -INFINITY
                                         : 0;
}
static inline double set_hi(const scree_set *s) {
    return s->kind == SCREE_SET_INTERVAL ? s->hi
           : s->kind == SCREE_SET_ZERO   ? 0
                                         : INFINITY;
}

/* The prox of a set, row by row. */
static inline double prox_row(const scree_set *s, double shrink, double x) {
    if (s->kind == SCREE_SET_BALL) return shrink * x;
    const double lo = set_lo(s), hi = set_hi(s);
    return x < lo ? lo : x > hi ? hi : x;
}

/* P <- prox_C(P - r xi) on the rows of the set. */
static inline void set_project(const scree_set *s, double *P, const double *xi,
                               double r) {
    const double shrink = set_shrink(s, P, xi, r);
    for (int i = s->row; i < s->row + s->n; ++i)
        P[i] = prox_row(s, shrink, P[i] - r * xi[i]);
}

/* Is P - r xi inside C, not on its border? A friction disc of radius 0 is all border, so
 * that an open contact never sticks. */
static inline bool set_is_inside(const scree_set *s, const double *P,
                                 const double *xi, double r) {
    if (s->kind == SCREE_SET_BALL)
        return set_length(s, P, xi, r) < ball_radius_at(s, P);
    const double x = P[s->row] - r * xi[s->row];
    return set_lo(s) < x && x < set_hi(s);
}

#endif
