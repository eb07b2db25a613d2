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

static inline double row_xi(const scree_delassus *d, int i) {
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

/* prox of a set of one row that is not a ball. */
static inline double prox_row(const scree_set *s, double x) {
    switch (s->kind) {
    case SCREE_SET_ZERO:
        return 0;
    case SCREE_SET_HALFLINE:
        return x < 0 ? 0 : x;
    case SCREE_SET_INTERVAL:
        return x < s->lo ? s->lo : x > s->hi ? s->hi : x;
    default:
        return x;
    }
}

/* The prox of a ball scales its argument by this. */
static inline double ball_shrink(double radius, double length) {
    return length > radius ? radius / length : 1;
}

#endif
