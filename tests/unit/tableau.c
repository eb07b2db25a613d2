/* Lobatto IIIA-IIIB coefficients: printed tableaus and order conditions. */
#include "engine/steppers/tableau.h"
#include "tests/support.h"

enum { MOST = SCREE_TABLEAU_MOST };
static const double ROUNDING = 4e-15;

static scree_tableau lobatto(int s) {
    scree_tableau t;
    assert_true(scree_tableau_lobatto(s, &t));
    return t;
}

static void check(const scree_tableau *t, const double *a,
                  const double *a_hat) {
    for (int i = 0; i < t->s; ++i)
        for (int j = 0; j < t->s; ++j) {
            assert_near(t->a[i][j], a[i * t->s + j], ROUNDING);
            assert_near(t->a_hat[i][j], a_hat[i * t->s + j], ROUNDING);
        }
}

static void tableau__two_and_three_stages__as_printed(void **state) {
    (void)state;
    const scree_tableau two = lobatto(2), three = lobatto(3);
    check(&two, (double[]){0, 0, 1. / 2, 1. / 2},
          (double[]){1. / 2, 0, 1. / 2, 0});
    check(
        &three,
        (double[]){0, 0, 0, 5. / 24, 1. / 3, -1. / 24, 1. / 6, 2. / 3, 1. / 6},
        (double[]){1. / 6, -1. / 6, 0, 1. / 6, 1. / 3, 0, 1. / 6, 5. / 6, 0});
    assert_near(three.c[1], 0.5, 0);
}

static void tableau__four_and_five_stages__nodes_in_closed_form(void **state) {
    (void)state;
    const scree_tableau four = lobatto(4), five = lobatto(5);
    assert_near(four.c[1], 0.5 - sqrt(5) / 10, ROUNDING);
    assert_near(four.b[0], 1. / 12, ROUNDING);
    assert_near(four.b[1], 5. / 12, ROUNDING);
    assert_near(five.c[1], 0.5 - sqrt(21) / 14, ROUNDING);
    assert_near(five.c[2], 0.5, 0);
    assert_near(five.b[0], 1. / 20, ROUNDING);
    assert_near(five.b[1], 49. / 180, ROUNDING);
    assert_near(five.b[2], 16. / 45, ROUNDING);
}

static double power_sum(const double *weights, const double *c, int s, int k) {
    double sum = 0;
    for (int j = 0; j < s; ++j) sum += weights[j] * pow(c[j], k);
    return sum;
}

/* B(p): sum_i b_i c_i^{k-1} = 1/k for k <= p. Sharp: it fails for p + 1. */
static void tableau__weights__order_2s_minus_2(void **state) {
    (void)state;
    for (int s = 2; s <= MOST; ++s) {
        const scree_tableau t = lobatto(s);
        for (int k = 1; k <= 2 * s - 2; ++k)
            assert_near(power_sum(t.b, t.c, s, k - 1), 1.0 / k, ROUNDING);
        const int k = 2 * s - 1;
        assert_true(fabs(power_sum(t.b, t.c, s, k - 1) - 1.0 / k) > 1e-5);
    }
}

/* C(q): sum_j a_ij c_j^{k-1} = c_i^k / k. IIIA: C(s), IIIB: C(s - 2). */
static void tableau__stages__order_s_and_s_minus_2(void **state) {
    (void)state;
    for (int s = 2; s <= MOST; ++s) {
        const scree_tableau t = lobatto(s);
        for (int i = 0; i < s; ++i)
            for (int k = 1; k <= s; ++k) {
                const double exact = pow(t.c[i], k) / k;
                assert_near(power_sum(t.a[i], t.c, s, k - 1), exact, ROUNDING);
                if (k <= s - 2)
                    assert_near(power_sum(t.a_hat[i], t.c, s, k - 1), exact,
                                ROUNDING);
            }
    }
}

/* D(r): sum_i b_i c_i^{k-1} a_ij = b_j (1 - c_j^k) / k. IIIA: D(s - 2), IIIB:
 * D(s). */
static void check_transposed(const scree_tableau *t, double (*a)[MOST], int r) {
    for (int j = 0; j < t->s; ++j)
        for (int k = 1; k <= r; ++k) {
            double sum = 0;
            for (int i = 0; i < t->s; ++i)
                sum += t->b[i] * pow(t->c[i], k - 1) * a[i][j];
            assert_near(sum, t->b[j] * (1 - pow(t->c[j], k)) / k, ROUNDING);
        }
}

static void tableau__transposed__order_s_minus_2_and_s(void **state) {
    (void)state;
    for (int s = 2; s <= MOST; ++s) {
        scree_tableau t = lobatto(s);
        check_transposed(&t, t.a, s - 2);
        check_transposed(&t, t.a_hat, s);
    }
}

/* b_i a_hat_ij + b_j a_ji = b_i b_j: the pair is symplectic. The borders are
 * exact: the scheme is built on them. */
static void tableau__pair__symplectic_with_exact_borders(void **state) {
    (void)state;
    for (int s = 2; s <= MOST; ++s) {
        const scree_tableau t = lobatto(s);
        for (int i = 0; i < s; ++i) {
            for (int j = 0; j < s; ++j)
                assert_near(t.b[i] * t.a_hat[i][j] + t.b[j] * t.a[j][i],
                            t.b[i] * t.b[j], ROUNDING);
            assert_true(t.a[0][i] == 0 && t.a[s - 1][i] == t.b[i]);
            assert_true(t.a_hat[i][0] == t.b[0] && t.a_hat[i][s - 1] == 0);
        }
    }
}

static void tableau__stages_out_of_range__refused(void **state) {
    (void)state;
    scree_tableau t;
    assert_false(scree_tableau_lobatto(1, &t));
    assert_false(scree_tableau_lobatto(MOST + 1, &t));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tableau__two_and_three_stages__as_printed),
        cmocka_unit_test(tableau__four_and_five_stages__nodes_in_closed_form),
        cmocka_unit_test(tableau__weights__order_2s_minus_2),
        cmocka_unit_test(tableau__stages__order_s_and_s_minus_2),
        cmocka_unit_test(tableau__transposed__order_s_minus_2_and_s),
        cmocka_unit_test(tableau__pair__symplectic_with_exact_borders),
        cmocka_unit_test(tableau__stages_out_of_range__refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
