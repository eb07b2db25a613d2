/* elementary_pair.h: numbers hi + lo of two doubles, for elementary.c alone.
 *
 * Sums and products of doubles without error (Knuth 1969, Dekker 1971): with
 * s = fl(a + b) the error is a double, and so it is for a product if nothing
 * overflows or underflows. A pair has |lo| <= ulp(hi) / 2, or nearly. */
#ifndef SCREE_BASE_ELEMENTARY_PAIR_H
#define SCREE_BASE_ELEMENTARY_PAIR_H

typedef struct pair {
    double hi, lo;
} pair;

/* a + b, for |a| >= |b| or a = 0. */
static inline pair quick_sum(double a, double b) {
    const double s = a + b;
    return (pair){s, b - (s - a)};
}
static inline pair exact_sum(double a, double b) {
    const double s = a + b, c = s - a;
    return (pair){s, (a - (s - c)) + (b - c)};
}

/* a in two halves of 26 bits. */
static inline pair split_double(double a) {
    const double c = 0x1.0000002p27 * a, hi = c - (c - a);
    return (pair){hi, a - hi};
}
static inline pair exact_product(double a, double b) {
    const pair x = split_double(a), y = split_double(b);
    const double p = a * b;
    const double e =
        ((x.hi * y.hi - p) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo;
    return (pair){p, e};
}
static inline pair exact_square(double a) {
    const pair x = split_double(a);
    const double p = a * a;
    return (pair){p, ((x.hi * x.hi - p) + 2 * (x.hi * x.lo)) + x.lo * x.lo};
}

static inline pair pair_sum(pair a, pair b) {
    const pair s = exact_sum(a.hi, b.hi);
    return quick_sum(s.hi, s.lo + (a.lo + b.lo));
}
static inline pair pair_negative(pair a) {
    return (pair){-a.hi, -a.lo};
}
static inline pair pair_product(pair a, pair b) {
    const pair p = exact_product(a.hi, b.hi);
    return quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
static inline pair pair_quotient(pair a, pair b) {
    const double q = a.hi / b.hi;
    const pair p = exact_product(q, b.hi);
    return quick_sum(q, ((a.hi - p.hi) - p.lo + (a.lo - q * b.lo)) / b.hi);
}
static inline pair pair_root(pair a) {
    if (a.hi == 0) return a;
    const double s = sqrt(a.hi);
    const pair p = exact_square(s);
    return quick_sum(s, ((a.hi - p.hi) - p.lo + a.lo) / (2 * s));
}

#endif
