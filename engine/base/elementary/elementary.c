/* elementary.c: sin, cos, atan, exp, log, erfc, cbrt, hypot by IEEE operations.
 *
 * Each function reduces its argument, with an error far below its last place, to a
 * range where few terms of a series are enough, and adds the largest part last:
 *
 *     sin, cos   x = n pi/2 + r; polynomials in r^2                 (Cody and Waite;
 *                r from 192 bits of x 2/pi where that is not enough: Payne, Hanek)
 *     atan       atan q = atan c + atan((q - c) / (1 + q c)), c = i/64
 *     exp        x = k ln2 / 64 + r;  e^x = 2^(k/64) e^r            (Tang 1989)
 *     log        x = 2^e m, c near 1/m;  log x = e ln2 - log c + log(1 + (m c - 1))
 *     erfc       Taylor's series about the nearest i/16, whose terms follow from
 *                y'' = -2 x y'; from 2.5 on the continued fraction of Laplace
 *     cbrt       Halley's iteration, then a step of Newton's with x - y^3 exact
 *     hypot      x^2 + y^2 and the residual of its root without error
 *
 * A remainder, or a sum whose rounding would count, is a pair of doubles
 * (elementary_pair.h). The constants are in elementary_tables.h. */
#include "engine/base/elementary/elementary.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "engine/base/elementary/elementary_pair.h"

typedef struct log_row {
    double c;
    pair minus_log;
} log_row;

typedef struct erfc_row {
    pair value;
    double slope;
} erfc_row;

#include "engine/base/elementary/elementary_tables.h"

#if FLT_EVAL_METHOD != 0
#error "elementary functions need arithmetic that rounds to double"
#endif

typedef unsigned __int128 uint128;

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static double double_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
/* 2^k, for -1022 <= k <= 1023. */
static double power_of_two(int k) {
    return double_of((uint64_t)(k + 1023) << 52);
}
/* The integer nearest to x, for |x| < 2^51. */
static double nearest_integer(double x) {
    return (x + 0x1.8p52) - 0x1.8p52;
}
/* c[0] + c[1] z + ... */
static double polynomial_at(const double *c, int n, double z) {
    double sum = c[n - 1];
    for (int i = n - 2; i >= 0; --i) sum = sum * z + c[i];
    return sum;
}
#define POLYNOMIAL(c, z) polynomial_at(c, (int)(sizeof(c) / sizeof *(c)), z)

/* ---- sine, cosine ------------------------------------------------------------ */

/* x = quarter pi/2 + r, |r| <= pi/4 or a little more. */
typedef struct reduced {
    int quarter; /* modulo 4 */
    pair r;
} reduced;

/* The 64 bits of 2/pi from bit `at` of the table on. */
static uint64_t bits_from(int at) {
    const int word = at / 64, shift = at % 64;
    const uint128 both =
        (uint128)TWO_OVER_PI[word] << 64 | TWO_OVER_PI[word + 1];
    return (uint64_t)(both >> (64 - shift));
}

/* A fraction of a quarter turn, in units of 2^-128, in radians. */
static pair fraction_angle(uint128 fraction) {
    int zeros = 0;
    for (; zeros < 128 && !(fraction >> 127); ++zeros) fraction <<= 1;
    const uint64_t top = (uint64_t)(fraction >> 75);
    const uint64_t rest = (uint64_t)(fraction >> 22) & ((1ull << 53) - 1);
    const double unit = power_of_two(-53 - zeros);
    return pair_product(
        quick_sum((double)top * unit, (double)rest * (0x1p-53 * unit)),
        HALF_PI);
}

/* |x| = m 2^e. Bits of 2/pi that give multiples of 4 in m 2^e 2/pi are left out; of
 * the rest 192 are taken, so that the error is below m 2^-190 < 2^-137. No double
 * comes nearer than 2^-62 to a multiple of pi/2, hence 75 bits of r are right. */
static reduced reduce_exactly(double x) {
    const uint64_t bits = bits_of(x);
    const uint64_t m = (bits & ((1ull << 52) - 1)) | 1ull << 52;
    const int e = (int)(bits >> 52 & 2047) - 1075, at = e - 2 + 64;
    const uint128 low = (uint128)m * bits_from(at + 128);
    const uint128 middle = (uint128)m * bits_from(at + 64) + (low >> 64);
    const uint64_t high = m * bits_from(at) + (uint64_t)(middle >> 64);
    const uint128 product = (uint128)high << 64 | (uint64_t)middle;
    const uint128 fraction = product << 2 | (uint64_t)low >> 62;
    const int quarter = (int)(high >> 62);
    const int past = (int)(fraction >> 127); /* the next quarter is nearer */
    const pair r = fraction_angle(past ? -fraction : fraction);
    const reduced forward = {(quarter + past) & 3, past ? pair_negative(r) : r};
    const reduced backward = {-forward.quarter & 3, pair_negative(forward.r)};
    return x < 0 ? backward : forward;
}

/* Multiples below 2^20 of the first two parts of pi/2 are exact, and the error of
 * the third is below 2^-98. */
static reduced reduce_angle(double x) {
    if (fabs(x) <= 0.785) return (reduced){0, {x, 0}};
    if (!(fabs(x) < 0x1p20)) return reduce_exactly(x);
    const double n = nearest_integer(x * (1 / HALF_PI.hi));
    const pair a = exact_sum(x - n * HALF_PI_PARTS[0], -n * HALF_PI_PARTS[1]);
    if (fabs(a.hi) < 0x1p-20) return reduce_exactly(x);
    return (reduced){(int)n & 3, quick_sum(a.hi, a.lo - n * HALF_PI_PARTS[2])};
}

static double sine_near_zero(pair r) {
    const double z = r.hi * r.hi;
    return r.hi + (r.hi * z * POLYNOMIAL(SINE, z) + r.lo * (1 - 0.5 * z));
}
static double cosine_near_zero(pair r) {
    const double z = r.hi * r.hi, half = 0.5 * z, c = 1 - half;
    return c +
           (((1 - c) - half) + (z * z * POLYNOMIAL(COSINE, z) - r.hi * r.lo));
}

/* sin(x + turn pi/2) */
static double sine_turned(double x, int turn) {
    const reduced a = reduce_angle(x);
    const int quarter = (a.quarter + turn) & 3;
    const double s = quarter & 1 ? cosine_near_zero(a.r) : sine_near_zero(a.r);
    return quarter & 2 ? -s : s;
}

double scree_sin(double x) {
    if (!isfinite(x)) return x - x;
    return fabs(x) < 0x1p-27 ? x : sine_turned(x, 0);
}

double scree_cos(double x) {
    return isfinite(x) ? sine_turned(x, 1) : x - x;
}

/* ---- arcs ---------------------------------------------------------------------- */

/* atan q, 0 <= q <= 1. */
static pair arc_of(pair q) {
    static const double TERMS[] = {-1 / 3., 1 / 5., -1 / 7., 1 / 9.};
    const int i = (int)(q.hi * 64 + 0.5);
    const double c = i / 64.;
    const pair above = quick_sum(q.hi - c, q.lo);
    pair below = exact_product(q.hi, c);
    below = pair_sum((pair){1, 0}, (pair){below.hi, below.lo + q.lo * c});
    const pair t = pair_quotient(above, below);
    const double z = t.hi * t.hi;
    const pair more = quick_sum(t.hi, t.lo + t.hi * z * POLYNOMIAL(TERMS, z));
    return pair_sum(ARC[i], more);
}

/* The angle in [0, pi/2] of (x, y), both >= 0 and of sizes that the exact product
 * bears. */
static pair angle_of(pair y, pair x) {
    if (y.hi <= x.hi) return arc_of(pair_quotient(y, x));
    return pair_sum(HALF_PI, pair_negative(arc_of(pair_quotient(x, y))));
}

/* pi - a for a point with x < 0. */
static double angle_sided(pair a, int left) {
    return left ? pair_sum(PI, pair_negative(a)).hi : a.hi;
}

/* Sizes so far apart that the angle is that of an axis, or y/x. */
static double angle_extreme(double y, double x, int left) {
    const double infinite = isinf(x) && isinf(y) ? 0.5 * HALF_PI.hi : 0;
    if (infinite > 0) return left ? 3 * infinite : infinite;
    if (y > x) return HALF_PI.hi;
    if (left) return PI.hi;
    return x > 0 ? y / x : 0;
}

double scree_atan2(double y, double x) {
    if (isnan(x) || isnan(y)) return x + y;
    const int left = signbit(x) != 0;
    const double a = fabs(x), b = fabs(y), most = a > b ? a : b;
    const double least = a > b ? b : a;
    double angle;
    if (!(least > 0x1p-60 * most) || isinf(most)) {
        angle = angle_extreme(b, a, left);
    } else {
        const double s = most > 1 ? 0x1p-500 : 0x1p500;
        const double k = most > 0x1p400 || most < 0x1p-400 ? s : 1;
        angle = angle_sided(angle_of((pair){k * b, 0}, (pair){k * a, 0}), left);
    }
    return copysign(angle, y);
}

double scree_atan(double x) {
    return scree_atan2(x, 1);
}

/* The angle of (x, sqrt(1 - x^2)). */
double scree_acos(double x) {
    if (!(fabs(x) <= 1)) return (x - x) / (x - x);
    if (fabs(x) < 0x1p-60) return HALF_PI.hi;
    const pair y =
        pair_root(pair_sum((pair){1, 0}, pair_negative(exact_square(x))));
    return angle_sided(angle_of(y, (pair){fabs(x), 0}), x < 0);
}

/* ---- powers of e and 2 ----------------------------------------------------------- */

/* value 2^n, value in [0.9, 2.1]. */
typedef struct scaled {
    pair value;
    int n;
} scaled;

/* Twice where 2^n is not a normal number. */
static double scale_by(double x, int n) {
    if (n > 1023) return x * 0x1p1023 * power_of_two(n - 1023);
    if (n < -1022) return x * power_of_two(n + 200) * 0x1p-200;
    return x * power_of_two(n);
}

/* 2^(k/64) e^r, |r| < 0.006. */
static scaled power_parts(int k, pair r) {
    static const double TERMS[] = {1 / 2., 1 / 6., 1 / 24., 1 / 120., 1 / 720.};
    const double over = r.hi + (r.lo + r.hi * r.hi * POLYNOMIAL(TERMS, r.hi));
    const pair root = ROOTS[k & 63];
    return (scaled){quick_sum(root.hi, root.lo + root.hi * over), k >> 6};
}

/* e^(x + x_lo), -1000 < x < 1000. */
static scaled exp_parts(double x, double x_lo) {
    const double k = nearest_integer(x * (64 * LOG2_E.hi));
    const pair r = exact_sum(x - k * LN2_64TH.hi, -k * LN2_64TH.lo);
    return power_parts((int)k, quick_sum(r.hi, r.lo + x_lo));
}

double scree_exp(double x) {
    if (isnan(x)) return x;
    if (x > 710) return INFINITY;
    if (x < -746) return 0;
    const scaled e = exp_parts(x, 0);
    return scale_by(e.value.hi, e.n);
}

double scree_exp2(double x) {
    if (isnan(x)) return x;
    if (x >= 1024) return INFINITY;
    if (x < -1076) return 0;
    const double k = nearest_integer(x * 64);
    const pair r = pair_product((pair){x - k / 64, 0}, LN2);
    const scaled e = power_parts((int)k, r);
    return scale_by(e.value.hi, e.n);
}

/* ---- logarithms --------------------------------------------------------------------- */

/* x = 2^e m, and log m = table + r + rest: the first two exact, rest small. */
typedef struct log_parts {
    double e, table;
    pair r;
    double rest;
} log_parts;

static log_parts take_log(double x) {
    static const double TERMS[] = {-1 / 2., 1 / 3., -1 / 4., 1 / 5.,
                                   -1 / 6., 1 / 7., -1 / 8.};
    const int tiny = x < DBL_MIN;
    const uint64_t bits = bits_of(tiny ? x * 0x1p54 : x);
    const int j = (int)(bits >> 45 & 127);
    const double m = double_of((bits & ((1ull << 52) - 1)) | 1023ull << 52);
    const double head = double_of(bits_of(m) & ~((1ull << 26) - 1));
    const log_row *row = &LOGS[j];
    const pair r = quick_sum(head * row->c - 1, (m - head) * row->c);
    return (log_parts){
        .e = (int)(bits >> 52) - 1023 + (j >= 53) - (tiny ? 54 : 0),
        .table = row->minus_log.hi,
        .r = r,
        .rest =
            row->minus_log.lo + r.lo + r.hi * r.hi * POLYNOMIAL(TERMS, r.hi)};
}

/* Limits of a logarithm where there are no parts. */
static double log_extreme(double x) {
    if (x == 0) return -INFINITY;
    return x > 0 ? x : (x - x) / (x - x); /* infinite, or none */
}

double scree_log(double x) {
    if (!(x > 0 && x <= DBL_MAX)) return log_extreme(x);
    const log_parts l = take_log(x);
    const pair s = exact_sum(l.e * LN2_SHORT.hi + l.table, l.r.hi);
    return s.hi + (s.lo + (l.e * LN2_SHORT.lo + l.rest));
}

double scree_log2(double x) {
    if (!(x > 0 && x <= DBL_MAX)) return log_extreme(x);
    const log_parts l = take_log(x);
    const pair s = exact_sum(l.table, l.r.hi);
    const pair m = pair_product(quick_sum(s.hi, s.lo + l.rest), LOG2_E);
    return pair_sum((pair){l.e, 0}, m).hi;
}

/* ---- the error function's complement -------------------------------------------------- */

/* int_0^d g dt of g = exp(-2 a t - t^2), by the series of g = sum g_k t^k, for which
 * k g_k = -2 (a g_(k-1) + g_(k-2)). */
static double slope_integral(double a, double d) {
    double before = 0, g = 1, power = d, sum = 0;
    for (int k = 1; k <= 13; ++k) { /* from the second term on */
        const double next = -2 * (a * g + before) / k;
        before = g, g = next, power *= d;
        sum += g * power / (k + 1);
    }
    return d + sum;
}

/* erfc, 0 <= x < 2.53. */
static pair erfc_near(double x) {
    const int i = (int)(x * 16 + 0.5);
    const double a = i / 16., d = x - a;
    return pair_sum(ERFC[i].value,
                    (pair){-ERFC[i].slope * slope_integral(a, d), 0});
}

/* sqrt(pi) e^(x^2) erfc(x) = 1/(x + (1/2)/(x + (2/2)/(x + (3/2)/ ...))), x >= 2.5. */
static double erfc_far(double x) {
    double t = 0;
    for (int k = 60; k > 0; --k) t = 0.5 * k / (x + t);
    const pair square = exact_square(x);
    const scaled e = exp_parts(-square.hi, -square.lo);
    const pair below = pair_product(quick_sum(x, t), ROOT_PI);
    return scale_by(pair_quotient(e.value, below).hi, e.n);
}

double scree_erfc(double x) {
    if (isnan(x)) return x;
    if (x < -6) return 2;
    if (x > 28) return 0;
    if (x >= 2.5) return erfc_far(x);
    if (x >= 0) return erfc_near(x).hi;
    const pair mirror = x > -2.5 ? erfc_near(-x) : (pair){erfc_far(-x), 0};
    return pair_sum((pair){2, 0}, pair_negative(mirror)).hi;
}

/* ---- roots -------------------------------------------------------------------------------- */

/* The cube root of m in [1, 8). */
static double cube_root(double m) {
    double y = 0.72 + m * (0.318 - 0.0198 * m);
    for (int i = 0; i < 3; ++i) {
        const double cube = y * y * y;
        y *= (cube + 2 * m) / (2 * cube + m);
    }
    const pair cube = pair_product(exact_square(y), (pair){y, 0});
    return y + ((m - cube.hi) - cube.lo) / (3 * y * y);
}

double scree_cbrt(double x) {
    if (x == 0 || !isfinite(x)) return x;
    const double a = fabs(x), big = a < DBL_MIN ? a * 0x1p54 : a;
    const int e = (int)(bits_of(big) >> 52) - 1023;
    const int third = (e + 1200) / 3 - 400; /* rounded down */
    const double m = double_of((bits_of(big) & ((1ull << 52) - 1)) |
                               (uint64_t)(1023 + e - 3 * third) << 52);
    const double y = cube_root(m) * power_of_two(third);
    return copysign(a < DBL_MIN ? y * 0x1p-18 : y, x);
}

/* a >= b >= 2^-54 a, of sizes whose squares neither overflow nor underflow. */
static double hypot_within(double a, double b) {
    return pair_root(pair_sum(exact_square(a), exact_square(b))).hi;
}

double scree_hypot(double x, double y) {
    const double p = fabs(x), q = fabs(y);
    if (isinf(p) || isinf(q)) return INFINITY;
    const double a = p > q ? p : q, b = p > q ? q : p;
    if (!(b > 0x1p-54 * a)) return a + 0 * b; /* b counts if it is a NaN */
    if (a > 0x1p500) return hypot_within(0x1p-600 * a, 0x1p-600 * b) * 0x1p600;
    if (a < 0x1p-400) return hypot_within(0x1p600 * a, 0x1p600 * b) * 0x1p-600;
    return hypot_within(a, b);
}
