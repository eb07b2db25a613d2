/* delassus.c: what all methods for explicit Delassus matrices share: xi, the
 * natural-map residual, and the modes of 002 section 4.
 *
 * The residual of a set is |P - prox_C(P - rho xi)| / rho, in m/s. Where the
 * prox does not move its argument that is |xi|, and is computed as such: P is
 * not subtracted from itself. */
#include "solvers/dense/delassus_sets.h"

#include <float.h>

/* Rows below this part of the largest diagonal entry come from rounding. */
static const double MASSLESS = 1e-24;

void scree_delassus_xi(const scree_delassus *d, double *xi) {
    for (int i = 0; i < d->n; ++i) xi[i] = row_xi(d, i);
}

/* ---- scales ------------------------------------------------------------- */

static double block_row_sum(const scree_delassus *d, const scree_set *s) {
    double largest = 0;
    for (int i = s->row; i < s->row + s->n; ++i) {
        double sum = 0;
        for (int j = s->row; j < s->row + s->n; ++j)
            sum += fabs(G_row(d, i)[j]);
        largest = fmax(largest, sum);
    }
    return largest;
}

void scree_delassus_rho(const scree_delassus *d, double *rho) {
    double largest = 0;
    for (int i = 0; i < d->n; ++i) largest = fmax(largest, G_row(d, i)[i]);
    for (int k = 0; k < d->n_set; ++k) {
        const double sum = block_row_sum(d, &d->sets[k]);
        rho[k] = sum > MASSLESS * largest ? 1 / sum : 0;
    }
}

double scree_delassus_reachable(const scree_delassus *d, double tolerance) {
    double rounding = 0, b = 0;
    for (int i = 0; i < d->n; ++i) {
        double sum = fabs(d->b[i]);
        b = fmax(b, sum);
        for (int j = 0; j < d->n; ++j) sum += fabs(G_row(d, i)[j] * d->P[j]);
        rounding = fmax(rounding, sum);
    }
    return fmax(tolerance, fmin(8 * DBL_EPSILON * rounding, 1e-10 * b));
}

/* ---- residual ----------------------------------------------------------- */

static double row_defect(const scree_set *s, double P, double xi, double rho) {
    const double x = P - rho * xi, y = prox_row(s, x);
    return y == x ? fabs(xi) : fabs(P - y) / rho;
}

static double ball_defect(const scree_set *s, const double *P, const double *xi,
                          double rho) {
    const double length = set_length(s, P, xi, rho);
    const double shrink = ball_shrink(ball_radius_at(s, P), length);
    double sum = 0;
    for (int i = s->row; i < s->row + s->n; ++i) {
        const double y = shrink * (P[i] - rho * xi[i]);
        const double e = shrink == 1 ? xi[i] : (P[i] - y) / rho;
        sum += e * e;
    }
    return sqrt(sum);
}

double scree_delassus_worst(const scree_delassus *d, const double *xi,
                            const double *rho) {
    double worst = 0;
    for (int k = 0; k < d->n_set; ++k) {
        const scree_set *s = &d->sets[k];
        const double r = rho[k] > 0 ? rho[k] : 1; /* without mass: any scale */
        const double e = s->kind == SCREE_SET_BALL
                             ? ball_defect(s, d->P, xi, r)
                             : row_defect(s, d->P[s->row], xi[s->row], r);
        if (isnan(e)) return e;
        worst = fmax(worst, e);
    }
    return worst;
}

/* xi and rho of d, pushed on scratch; false without memory. */
static bool measure(const scree_delassus *d, scree_arena *scratch, double **xi,
                    double **rho) {
    *xi = scree_arena_push(scratch, (size_t)d->n * sizeof **xi);
    *rho = scree_arena_push(scratch, (size_t)d->n_set * sizeof **rho);
    if (!*xi || !*rho) return false;
    scree_delassus_xi(d, *xi);
    scree_delassus_rho(d, *rho);
    return true;
}

double scree_delassus_residual(const scree_delassus *d, scree_arena *scratch) {
    const size_t mark = scree_arena_mark(scratch);
    double *xi, *rho, residual = NAN;
    if (measure(d, scratch, &xi, &rho))
        residual = scree_delassus_worst(d, xi, rho);
    scree_arena_pop(scratch, mark);
    return residual;
}

/* ---- modes -------------------------------------------------------------- */

/* Constraint only where the argument is inside C, not on its border: a friction
 * disc of radius 0 is all border, so an open contact never sticks. */
static bool is_inside(const scree_set *s, const double *P, const double *xi,
                      double rho) {
    const double x = P[s->row] - rho * xi[s->row];
    switch (s->kind) {
    case SCREE_SET_FREE:
        return true;
    case SCREE_SET_ZERO:
        return false;
    case SCREE_SET_HALFLINE:
        return x > 0;
    case SCREE_SET_INTERVAL:
        return s->lo < x && x < s->hi;
    case SCREE_SET_BALL:
        return set_length(s, P, xi, rho) < ball_radius_at(s, P);
    }
    return false;
}

void scree_delassus_modes(const scree_delassus *d, int *mode,
                          scree_arena *scratch) {
    const size_t mark = scree_arena_mark(scratch);
    double *xi, *rho;
    const bool room = measure(d, scratch, &xi, &rho);
    for (int k = 0; k < d->n_set; ++k)
        mode[k] = !room || !is_inside(&d->sets[k], d->P, xi, rho[k]);
    scree_arena_pop(scratch, mark);
}
