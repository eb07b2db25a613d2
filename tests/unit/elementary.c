/* elementary.c: the elementary functions against MPFR, which rounds correctly.
 *
 * The error of a result y for the true value t is |y - t| in units of the last place
 * of t (the spacing of doubles at t, that of subnormal ones below DBL_MIN).
 * `test_elementary 100000` draws more arguments than the suite has time for. */
#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/elementary/elementary.h"
#include "engine/base/random.h"
#include "tests/support.h"

enum { PRECISION = 150 };
static int draws = 4000; /* of each range; another number as argument */

typedef int mpfr_function(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int mpfr_function2(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

/* Numbers from lo to hi evenly, or by their logarithm, or so with both signs. */
typedef enum spread { EVEN, SIZES, SIGNED } spread;
typedef struct range {
    double lo, hi;
    spread spread;
} range;

typedef struct function {
    const char *name;
    double (*of)(double);
    mpfr_function *exact;
    range ranges[4];
} function;

#define ALL                                                                    \
    { DBL_TRUE_MIN, DBL_MAX, SIGNED }
#define POSITIVE                                                               \
    { DBL_TRUE_MIN, DBL_MAX, SIZES }

static const function FUNCTIONS[] = {
    {"sin",
     scree_sin,
     mpfr_sin,
     {ALL, {-1, 1, EVEN}, {-50, 50, EVEN}, {1, 1e7, SIGNED}}},
    {"cos",
     scree_cos,
     mpfr_cos,
     {ALL, {-1, 1, EVEN}, {-50, 50, EVEN}, {1, 1e7, SIGNED}}},
    {"atan", scree_atan, mpfr_atan, {ALL, {1e-3, 1e3, SIGNED}, {-2, 2, EVEN}}},
    {"acos",
     scree_acos,
     mpfr_acos,
     {{-1, 1, EVEN},
      {DBL_TRUE_MIN, 1, SIGNED},
      {0.999, 1, EVEN},
      {-1, -0.9999, EVEN}}},
    {"exp",
     scree_exp,
     mpfr_exp,
     {{DBL_TRUE_MIN, 709.78, SIGNED},
      {-745.2, 709.78, EVEN},
      {-745.2, -708, EVEN},
      {-1, 1, EVEN}}},
    {"exp2",
     scree_exp2,
     mpfr_exp2,
     {{DBL_TRUE_MIN, 1023.99, SIGNED},
      {-1075, 1023.99, EVEN},
      {-1075, -1021, EVEN},
      {-1, 1, EVEN}}},
    {"log",
     scree_log,
     mpfr_log,
     {POSITIVE,
      {0.5, 2, EVEN},
      {0.98, 1.02, EVEN},
      {DBL_TRUE_MIN, 1e-300, SIZES}}},
    {"log2",
     scree_log2,
     mpfr_log2,
     {POSITIVE,
      {0.5, 2, EVEN},
      {0.98, 1.02, EVEN},
      {DBL_TRUE_MIN, 1e-300, SIZES}}},
    {"erfc",
     scree_erfc,
     mpfr_erfc,
     {{1e-20, 26.5, SIGNED},
      {-6.5, 6.5, EVEN},
      {2.3, 2.7, EVEN},
      {26, 27.22, EVEN}}},
    {"cbrt",
     scree_cbrt,
     mpfr_cbrt,
     {ALL, {1, 8, EVEN}, {DBL_TRUE_MIN, 1e-300, SIGNED}}},
};
enum { N_FUNCTION = sizeof FUNCTIONS / sizeof *FUNCTIONS };

static double draw_from(const range *r, scree_random *rng) {
    if (r->spread == EVEN) return scree_random_range(rng, r->lo, r->hi);
    const double lo = log2(r->lo), hi = log2(r->hi);
    const double size = exp2(scree_random_range(rng, lo, hi));
    return r->spread == SIGNED && scree_random_next(rng) & 1 ? -size : size;
}

static double last_place(mpfr_t t) {
    const double size = fabs(mpfr_get_d(t, MPFR_RNDZ));
    return size < DBL_MIN ? DBL_TRUE_MIN : ldexp(1, ilogb(size) - 52);
}

static double error_of(double y, mpfr_t t) {
    if (!isfinite(y)) return INFINITY;
    mpfr_t e;
    mpfr_init2(e, PRECISION);
    mpfr_d_sub(e, y, t, MPFR_RNDN);
    mpfr_mul_2si(e, e, -ilogb(last_place(t)), MPFR_RNDN);
    const double error = fabs(mpfr_get_d(e, MPFR_RNDA));
    mpfr_clear(e);
    return error;
}

static double error_at(const function *f, double x) {
    mpfr_t a, t;
    mpfr_inits2(PRECISION, a, t, (mpfr_ptr)0);
    mpfr_set_d(a, x, MPFR_RNDN);
    f->exact(t, a, MPFR_RNDN);
    const double error = error_of(f->of(x), t);
    mpfr_clears(a, t, (mpfr_ptr)0);
    return error;
}

static void note_worst(double error, double at, double worst[2]) {
    if (!(error <= worst[0])) worst[0] = error, worst[1] = at;
}

static void elementary__drawn_arguments__below_one_unit(void **state) {
    (void)state;
    for (int i = 0; i < N_FUNCTION; ++i) {
        const function *f = &FUNCTIONS[i];
        scree_random rng = scree_random_stream(16, (uint64_t)i);
        double worst[2] = {0, 0};
        for (int k = 0; k < 4 && f->ranges[k].hi != 0; ++k)
            for (int n = 0; n < draws; ++n) {
                const double x = draw_from(&f->ranges[k], &rng);
                note_worst(error_at(f, x), x, worst);
            }
        print_message("%5s: at most %.3f units, at %a\n", f->name, worst[0],
                      worst[1]);
        assert_true(worst[0] < 1);
    }
}

/* Doubles next to multiples of pi/2, where the reduced angle has no digits of x. The
 * last two are the nearest of all (Muller, Elementary Functions, 3rd ed., 11.3). */
static void
sine__next_to_multiples_of_right_angle__below_one_unit(void **state) {
    (void)state;
    const function *sine = &FUNCTIONS[0], *cosine = &FUNCTIONS[1];
    scree_random rng = scree_random_stream(17, 0);
    double worst[2] = {0, 0};
    for (int n = 0; n < draws; ++n) {
        const double k = floor(exp2(scree_random_range(&rng, 0, 52)));
        for (int side = -1; side <= 1; ++side) {
            double x = k * 1.5707963267948966;
            if (side) x = nextafter(x, side * INFINITY);
            note_worst(fmax(error_at(sine, x), error_at(cosine, x)), x, worst);
        }
    }
    const double hard[] = {0x1.6ac5b262ca1ffp+849,
                           0x1.921fb54442d18p+0,
                           DBL_MAX,
                           0x1p20,
                           0x1.fffffffffffffp19,
                           0x1p1023};
    for (size_t i = 0; i < sizeof hard / sizeof *hard; ++i)
        note_worst(fmax(error_at(sine, hard[i]), error_at(cosine, -hard[i])),
                   hard[i], worst);
    print_message("next to multiples of pi/2: %.3f units, at %a\n", worst[0],
                  worst[1]);
    assert_true(worst[0] < 1);
}

/* ---- two arguments ------------------------------------------------------------ */

typedef struct function2 {
    const char *name;
    double (*of)(double, double);
    mpfr_function2 *exact;
} function2;

static double error_at2(const function2 *f, double y, double x) {
    mpfr_t a, b, t;
    mpfr_inits2(PRECISION, a, b, t, (mpfr_ptr)0);
    mpfr_set_d(a, y, MPFR_RNDN), mpfr_set_d(b, x, MPFR_RNDN);
    f->exact(t, a, b, MPFR_RNDN);
    const double error = error_of(f->of(y, x), t);
    mpfr_clears(a, b, t, (mpfr_ptr)0);
    return error;
}

static void elementary__drawn_pairs__below_one_unit(void **state) {
    (void)state;
    const function2 two[] = {{"atan2", scree_atan2, mpfr_atan2},
                             {"hypot", scree_hypot, mpfr_hypot}};
    const range ranges[] = {{DBL_TRUE_MIN, 0x1p1022, SIGNED},
                            {1e-3, 1e3, SIGNED},
                            {-1, 1, EVEN},
                            {DBL_TRUE_MIN, 0x1p-1015, SIGNED},
                            {0x1p495, 0x1p505, SIGNED},
                            {0x1p-405, 0x1p-395, SIGNED}};
    for (size_t i = 0; i < 2; ++i) {
        scree_random rng = scree_random_stream(18, i);
        double worst[2] = {0, 0};
        for (size_t k = 0; k < sizeof ranges / sizeof *ranges; ++k)
            for (int n = 0; n < draws; ++n) {
                const double y = draw_from(&ranges[k], &rng);
                const double x = draw_from(&ranges[k], &rng);
                note_worst(error_at2(&two[i], y, x), y / x, worst);
            }
        print_message("%5s: at most %.3f units, at y/x = %a\n", two[i].name,
                      worst[0], worst[1]);
        assert_true(worst[0] < 1);
    }
}

/* ---- special values ---------------------------------------------------------------- */

/* The same double, or both not numbers. */
static void same(double a, double b) {
    if (isnan(b)) {
        assert_true(isnan(a));
        return;
    }
    assert_memory_equal(&a, &b, sizeof a);
}

static void elementary__zeros_and_infinities__as_in_annex_F(void **state) {
    (void)state;
    const double inf = INFINITY;
    same(scree_sin(0.), 0.), same(scree_sin(-0.), -0.), same(scree_cos(-0.), 1);
    same(scree_sin(inf), NAN), same(scree_cos(-inf), NAN);
    same(scree_sin(DBL_TRUE_MIN), DBL_TRUE_MIN);
    same(scree_atan(-0.), -0.), same(scree_atan(inf), M_PI_2);
    same(scree_atan(-inf), -M_PI_2), same(scree_atan(NAN), NAN);
    same(scree_acos(1), 0.), same(scree_acos(-1), M_PI),
        same(scree_acos(0), M_PI_2);
    same(scree_acos(1.0000000000000002), NAN), same(scree_acos(NAN), NAN);
    same(scree_exp(0), 1), same(scree_exp(-0.), 1), same(scree_exp(inf), inf);
    same(scree_exp(-inf), 0.), same(scree_exp(710), inf),
        same(scree_exp(-746), 0.);
    same(scree_exp2(10), 1024), same(scree_exp2(-1074), DBL_TRUE_MIN);
    same(scree_exp2(1024), inf), same(scree_exp2(-inf), 0.),
        same(scree_exp2(NAN), NAN);
    same(scree_exp2(1023), 0x1p1023), same(scree_exp2(-1080), 0.);
    same(scree_log(1), 0.), same(scree_log(0.), -inf),
        same(scree_log(-0.), -inf);
    same(scree_log(inf), inf), same(scree_log(-1), NAN),
        same(scree_log(NAN), NAN);
    same(scree_log2(0x1p-1074), -1074), same(scree_log2(0x1p1023), 1023);
    same(scree_log2(0), -inf), same(scree_log2(-inf), NAN),
        same(scree_log2(1), 0.);
    same(scree_erfc(0.), 1), same(scree_erfc(inf), 0.),
        same(scree_erfc(-inf), 2);
    same(scree_erfc(NAN), NAN), same(scree_erfc(28), 0.);
    same(scree_cbrt(-0.), -0.), same(scree_cbrt(inf), inf),
        same(scree_cbrt(-27), -3);
    same(scree_cbrt(0x1p-1074), 0x1p-358), same(scree_cbrt(NAN), NAN);
    same(scree_exp(NAN), NAN), same(scree_sin(NAN), NAN),
        same(scree_cos(NAN), NAN);
}

static void atan2__axes__as_in_annex_F(void **state) {
    (void)state;
    const double inf = INFINITY;
    same(scree_atan2(0., 0.), 0.), same(scree_atan2(-0., 0.), -0.);
    same(scree_atan2(0., -0.), M_PI), same(scree_atan2(-0., -0.), -M_PI);
    same(scree_atan2(0., 1), 0.), same(scree_atan2(-0., -1), -M_PI);
    same(scree_atan2(1, 0), M_PI_2), same(scree_atan2(-1, -0.), -M_PI_2);
    same(scree_atan2(1, inf), 0.), same(scree_atan2(-1, -inf), -M_PI);
    same(scree_atan2(inf, -1), M_PI_2), same(scree_atan2(-inf, inf), -M_PI_4);
    same(scree_atan2(inf, -inf), 3 * M_PI_4), same(scree_atan2(1, 1), M_PI_4);
    same(scree_atan2(NAN, inf), NAN), same(scree_atan2(1, NAN), NAN);
    same(scree_atan2(DBL_TRUE_MIN, 1), DBL_TRUE_MIN);
    same(scree_atan2(DBL_TRUE_MIN, DBL_MAX), 0.);
    same(scree_atan2(DBL_TRUE_MIN, -DBL_TRUE_MIN), 3 * M_PI_4);
}

static void hypot__extremes__no_overflow_on_the_way(void **state) {
    (void)state;
    same(scree_hypot(3e300, -4e300), 5e300), same(scree_hypot(0., -0.), 0.);
    same(scree_hypot(-INFINITY, NAN), INFINITY), same(scree_hypot(NAN, 1), NAN);
    same(scree_hypot(1, NAN), NAN),
        same(scree_hypot(DBL_MAX, DBL_MAX), INFINITY);
    same(scree_hypot(3 * DBL_TRUE_MIN, 4 * DBL_TRUE_MIN), 5 * DBL_TRUE_MIN);
    same(scree_hypot(DBL_MAX, 1), DBL_MAX), same(scree_hypot(0, -5), 5);
}

int main(int n, char **words) {
    if (n > 1) draws = atoi(words[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elementary__drawn_arguments__below_one_unit),
        cmocka_unit_test(
            sine__next_to_multiples_of_right_angle__below_one_unit),
        cmocka_unit_test(elementary__drawn_pairs__below_one_unit),
        cmocka_unit_test(elementary__zeros_and_infinities__as_in_annex_F),
        cmocka_unit_test(atan2__axes__as_in_annex_F),
        cmocka_unit_test(hypot__extremes__no_overflow_on_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
