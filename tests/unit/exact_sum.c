/* Sums that do not depend on the order of what is added. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/base/exact_sum.h"
#include "engine/base/random.h"
#include "tests/support.h"

enum { N = 1000 };

static double sum_of(const double *x, int n) {
    scree_exact_sum sum = {0};
    for (int i = 0; i < n; ++i) scree_exact_add(&sum, x[i]);
    return scree_exact_value(&sum);
}

/* Two sums of parts, merged. */
static double sum_in_parts(const double *x, int n) {
    scree_exact_sum a = {0}, b = {0};
    for (int i = 0; i < n; ++i) scree_exact_add(i % 3 ? &a : &b, x[i]);
    scree_exact_merge(&a, &b);
    return scree_exact_value(&a);
}

static void shuffle(double *x, int n, scree_random *rng) {
    for (int i = n - 1; i > 0; --i) {
        const int j = (int)(scree_random_next(rng) % (uint64_t)(i + 1));
        const double swap = x[i];
        x[i] = x[j], x[j] = swap;
    }
}

static bool same(double a, double b) {
    return !memcmp(&a, &b, sizeof a);
}

static void exact_sum__any_order__same_bits(void **state) {
    (void)state;
    scree_random rng = {1};
    double x[N];
    for (int i = 0; i < N; ++i)
        x[i] = ldexp(scree_random_range(&rng, -1, 1),
                     (int)(scree_random_next(&rng) % 1000) - 500);
    const double once = sum_of(x, N);
    for (int round = 0; round < 20; ++round) {
        shuffle(x, N, &rng);
        assert_true(same(sum_of(x, N), once));
        assert_true(same(sum_in_parts(x, N), once));
    }
}

/* Against integers, whose sum the machine knows. */
static void exact_sum__integers__rounded_once(void **state) {
    (void)state;
    scree_random rng = {2};
    for (int round = 0; round < 200; ++round) {
        const int scale = (int)(scree_random_next(&rng) % 1800) - 1000;
        double x[N];
        int64_t sum = 0;
        for (int i = 0; i < N; ++i) {
            const int64_t k =
                (int64_t)(scree_random_next(&rng) >> 12) - (INT64_C(1) << 51);
            sum += k;
            x[i] = ldexp((double)k, scale);
        }
        assert_true(same(sum_of(x, N), ldexp((double)sum, scale)));
    }
}

static void exact_sum__extremes__no_bit_is_lost(void **state) {
    (void)state;
    const double least = 0x1p-1074;
    const double cancel[] = {1e300, 1, -1e300, least, -1};
    assert_true(same(sum_of(cancel, 5), least));
    const double huge[] = {DBL_MAX, DBL_MAX, -DBL_MAX};
    assert_true(same(sum_of(huge, 3), DBL_MAX));
    assert_true(sum_of(huge, 2) == INFINITY);
    const double half[] = {1, 0x1p-53, least, -least, -least};
    assert_true(same(sum_of(half, 2), 1)); /* to even */
    assert_true(same(sum_of(half, 3), 1 + DBL_EPSILON));
    assert_true(same(sum_of(half, 5), 1));
    const double negative[] = {-0x1p-1060, -3, 1};
    assert_true(same(sum_of(negative, 3), -2));
    assert_true(same(sum_of(negative, 1), -0x1p-1060));
    const double lost[] = {1, NAN, INFINITY, -INFINITY};
    assert_true(isnan(sum_of(lost, 2)));
    assert_true(sum_of(lost + 2, 1) == INFINITY);
    assert_true(isnan(sum_of(lost + 2, 2)));
    assert_true(same(sum_of(lost, 0), 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_sum__any_order__same_bits),
        cmocka_unit_test(exact_sum__integers__rounded_once),
        cmocka_unit_test(exact_sum__extremes__no_bit_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
