/* sizes.c: radius laws, and the sizes of the bodies of a grain (sizes.h). */
#include "engine/generate/sizes.h"

#include <math.h>
#include <stdlib.h>

#include "engine/base/vec.h"

/* Bounds of patience: draws of a normal law, steps of its inverse. */
enum { NORMAL_TRIES = 1000, NORMAL_STEPS = 60 };

/* ---- radius laws --------------------------------------------------------- */

static double draw_normal(const scree_radius_law *law, scree_random *rng) {
    for (int i = 0; i < NORMAL_TRIES; i++) {
        const double r = law->mean + law->deviation * scree_random_normal(rng);
        if (r > 0 && r >= law->min && r <= law->max) return r;
    }
    /* The bounds cut off all but a far tail: its near end is the likeliest. */
    return fmin(fmax(law->mean, law->min), law->max);
}

static double weight_of(const scree_radius_law *law, int i) {
    return law->weights ? law->weights[i] : 1.0;
}

static double weight_of_all(const scree_radius_law *law) {
    double sum = 0;
    for (int i = 0; i < law->n; i++) sum += weight_of(law, i);
    return sum;
}

/* The value of a list where the weights, in this order, pass `left`; NULL: in
 * the order of the list. */
static double pick_value(const scree_radius_law *law, const int *order,
                         double left) {
    int drawn = order ? order[0] : 0;
    for (int k = 0; k < law->n && left >= 0; k++) {
        const int i = order ? order[k] : k;
        if (weight_of(law, i) > 0) drawn = i;
        left -= weight_of(law, i);
    }
    return law->values[drawn];
}

static double draw_list(const scree_radius_law *law, scree_random *rng) {
    return pick_value(law, NULL, scree_random_unit(rng) * weight_of_all(law));
}

double scree_radius_draw(const scree_radius_law *law, scree_random *rng) {
    switch (law->kind) {
    case SCREE_RADIUS_UNIFORM:
        return scree_random_range(rng, law->min, law->max);
    case SCREE_RADIUS_NORMAL:
        return draw_normal(law, rng);
    case SCREE_RADIUS_LIST:
        return draw_list(law, rng);
    case SCREE_RADIUS_CONSTANT:
        break;
    }
    return law->value;
}

typedef struct bounds {
    double least, most;
} bounds;

static void add_value(bounds *b, double value) {
    b->least = fmin(b->least, value), b->most = fmax(b->most, value);
}

static bounds list_bounds(const scree_radius_law *law) {
    bounds b = {.least = INFINITY};
    for (int i = 0; i < law->n; i++)
        if (weight_of(law, i) > 0) add_value(&b, law->values[i]);
    return b;
}

static bounds radius_bounds(const scree_radius_law *law) {
    switch (law->kind) {
    case SCREE_RADIUS_UNIFORM:
    case SCREE_RADIUS_NORMAL:
        return (bounds){law->min, law->max};
    case SCREE_RADIUS_LIST:
        return list_bounds(law);
    case SCREE_RADIUS_CONSTANT:
        break;
    }
    return (bounds){law->value, law->value};
}

double scree_radius_largest(const scree_radius_law *law) {
    return radius_bounds(law).most;
}

/* ---- pieces -------------------------------------------------------------- */

static bounds grain_bounds(const scree_grain *grain) {
    if (grain->shapes.n == 0) return radius_bounds(&grain->radius);
    bounds b = {.least = INFINITY};
    for (int i = 0; i < grain->shapes.n; i++)
        add_value(&b, grain->shapes.bounds[i]);
    return b;
}

double scree_grain_largest(const scree_grain *grain) {
    return grain_bounds(grain).most;
}

double scree_grain_smallest(const scree_grain *grain) {
    return grain_bounds(grain).least;
}

scree_piece scree_piece_draw(const scree_grain *grain, scree_random *rng) {
    const scree_shape_set *set = &grain->shapes;
    if (set->n == 0)
        return (scree_piece){.ball.r = scree_radius_draw(&grain->radius, rng),
                             .shape = -1};
    const int i =
        set->n > 1 ? (int)(scree_random_unit(rng) * (double)set->n) : 0;
    return (scree_piece){.ball.r = set->bounds[i], .shape = set->first + i};
}

/* ---- sizes in order ------------------------------------------------------ */

/* Share of a normal law that lies above r, and the same below a mirrored r. */
static double normal_tail(double mean, double deviation, double r) {
    return 0.5 * scree_erfc((r - mean) / (deviation * sqrt(2)));
}

/* r in [lo, hi] with tail(r) = q, by Newton's method between bounds that close.
 */
static double normal_at(double mean, double deviation, double lo, double hi,
                        double q) {
    double r = 0.5 * (lo + hi);
    for (int i = 0; i < NORMAL_STEPS && hi - lo > 4e-16 * hi; i++) {
        const double over = normal_tail(mean, deviation, r) - q;
        const double z = (r - mean) / deviation;
        const double slope =
            scree_exp(-0.5 * z * z) / (deviation * sqrt(2 * SCREE_PI));
        over > 0 ? (lo = r) : (hi = r);
        const double was = r;
        r += over / slope;
        if (!(r > lo && r < hi)) r = 0.5 * (lo + hi);
        if (fabs(r - was) <= 4e-16 * was) break;
    }
    return r;
}

/* Bounds on the lower side are mirrored, since a tail above them has no digits.
 */
static double normal_quantile(const scree_radius_law *law, double p) {
    const double m = law->mean, d = law->deviation;
    const double lo = fmax(law->min, 0), hi = law->max;
    const bool low = hi + lo < 2 * m;
    const double a = low ? 2 * m - hi : lo, b = low ? 2 * m - lo : hi;
    const double all = d > 0 ? normal_tail(m, d, a) - normal_tail(m, d, b) : 0;
    if (!(all > 0)) return fmin(fmax(m, lo), hi);
    const double q = normal_tail(m, d, b) + (low ? 1 - p : p) * all;
    const double r = normal_at(m, d, a, b, q);
    return fmin(fmax(low ? 2 * m - r : r, lo), hi);
}

static double radius_quantile(const scree_sizes *sizes, double p) {
    const scree_radius_law *law = &sizes->grain->radius;
    switch (law->kind) {
    case SCREE_RADIUS_UNIFORM:
        return law->max - (law->max - law->min) * p;
    case SCREE_RADIUS_NORMAL:
        return normal_quantile(law, p);
    case SCREE_RADIUS_LIST:
        return pick_value(law, sizes->order, p * sizes->weight);
    case SCREE_RADIUS_CONSTANT:
        break;
    }
    return law->value;
}

scree_piece scree_sizes_at(const scree_sizes *sizes, double p) {
    const scree_shape_set *set = &sizes->grain->shapes;
    if (set->n == 0)
        return (scree_piece){.ball.r = radius_quantile(sizes, p), .shape = -1};
    const int k = (int)(p * (double)set->n);
    const int i = sizes->order[k < set->n ? k : set->n - 1];
    return (scree_piece){.ball.r = set->bounds[i], .shape = set->first + i};
}

/* Of things of these sizes the larger first, of equal ones the first. */
typedef struct sized {
    double size;
    int i;
} sized;

static int larger_first(const void *a, const void *b) {
    const sized *x = a, *y = b;
    if (x->size != y->size) return x->size < y->size ? 1 : -1;
    return (x->i > y->i) - (x->i < y->i);
}

scree_status scree_sizes_init(scree_sizes *sizes, const scree_grain *grain) {
    const scree_radius_law *law = &grain->radius;
    const bool shapes = grain->shapes.n > 0;
    const int n = shapes ? grain->shapes.n : law->n;
    const double *of = shapes ? grain->shapes.bounds : law->values;
    *sizes = (scree_sizes){.grain = grain};
    if (!shapes && law->kind != SCREE_RADIUS_LIST) return SCREE_OK;
    sized *all = malloc((size_t)n * sizeof *all);
    sizes->order = malloc((size_t)n * sizeof *sizes->order);
    if (!all || !sizes->order) {
        free(all);
        return SCREE_OUT_OF_MEMORY;
    }
    for (int i = 0; i < n; i++) all[i] = (sized){of[i], i};
    qsort(all, (size_t)n, sizeof *all, larger_first);
    for (int i = 0; i < n; i++) sizes->order[i] = all[i].i;
    if (!shapes) sizes->weight = weight_of_all(law);
    free(all);
    return SCREE_OK;
}

void scree_sizes_free(scree_sizes *sizes) {
    free(sizes->order);
}
