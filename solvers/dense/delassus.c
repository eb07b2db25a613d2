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

bool scree_delassus_reserve(scree_delassus *d, scree_arena *scratch) {
    const size_t n = (size_t)d->n;
    return SCREE_PUSH(scratch, d->G, n * n) && SCREE_PUSH(scratch, d->b, n) &&
           SCREE_PUSH(scratch, d->P, n);
}

void scree_delassus_xi(const scree_delassus *d, double *xi) {
    for (int i = 0; i < d->n; ++i) xi[i] = xi_of_row(d, i);
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

static double set_defect(const scree_set *s, const double *P, const double *xi,
                         double rho) {
    const double shrink = set_shrink(s, P, xi, rho);
    double sum = 0;
    for (int i = s->row; i < s->row + s->n; ++i) {
        const double x = P[i] - rho * xi[i], y = prox_row(s, shrink, x);
        const double e = shrink == 1 && y == x ? xi[i] : (P[i] - y) / rho;
        sum += e * e;
    }
    return sqrt(sum);
}

double scree_delassus_worst(const scree_delassus *d, const double *xi,
                            const double *rho) {
    double worst = 0;
    for (int k = 0; k < d->n_set; ++k) {
        const double r = rho[k] > 0 ? rho[k] : 1; /* without mass: any scale */
        const double e = set_defect(&d->sets[k], d->P, xi, r);
        if (isnan(e)) return e;
        worst = fmax(worst, e);
    }
    return worst;
}

/* xi and rho of d, pushed on scratch; false without memory. */
static bool measure_laws(const scree_delassus *d, scree_arena *scratch,
                         double **xi, double **rho) {
    if (!SCREE_PUSH(scratch, *xi, d->n) || !SCREE_PUSH(scratch, *rho, d->n_set))
        return false;
    scree_delassus_xi(d, *xi);
    scree_delassus_rho(d, *rho);
    return true;
}

double scree_delassus_residual(const scree_delassus *d, scree_arena *scratch) {
    const size_t mark = scree_arena_mark(scratch);
    double *xi, *rho, residual = NAN;
    if (measure_laws(d, scratch, &xi, &rho))
        residual = scree_delassus_worst(d, xi, rho);
    scree_arena_pop(scratch, mark);
    return residual;
}

/* ---- modes -------------------------------------------------------------- */

void scree_delassus_modes(const scree_delassus *d, int *mode,
                          scree_arena *scratch) {
    const size_t mark = scree_arena_mark(scratch);
    double *xi, *rho;
    const bool room = measure_laws(d, scratch, &xi, &rho);
    for (int k = 0; k < d->n_set; ++k)
        mode[k] = !room || !set_is_inside(&d->sets[k], d->P, xi, rho[k]);
    scree_arena_pop(scratch, mark);
}
