/* Semismooth Newton and the linear algebra below it. */
#include <string.h>

#include "engine/base/random.h"
#include "solvers/dense/semismooth.h"
#include "tests/support.h"

enum { MOST = 12 };

static void multiply(const double *A, int n, const double *x, double *y) {
    for (int i = 0; i < n; ++i) {
        y[i] = 0;
        for (int j = 0; j < n; ++j) y[i] += A[i * n + j] * x[j];
    }
}

static void multiply_transposed(const double *A, int n, const double *x,
                                double *y) {
    for (int j = 0; j < n; ++j) {
        y[j] = 0;
        for (int i = 0; i < n; ++i) y[j] += A[i * n + j] * x[i];
    }
}

static void random_vector(scree_random *rng, double *x, int n) {
    for (int i = 0; i < n; ++i) x[i] = scree_random_normal(rng);
}

/* ---- LU ------------------------------------------------------------------ */

static void lu__known_inverse__exact_columns(void **state) {
    (void)state;
    /* Zero leading entry: needs the pivoting. */
    const double A[9] = {0, 2, 1, 1, 1, 0, 2, 0, 1};
    const double inverse[9] = {-1. / 4, 1. / 2, 1. / 4, 1. / 4, 1. / 2,
                               -1. / 4, 1. / 2, -1,     1. / 2};
    double LU[9];
    int pivot[3];
    memcpy(LU, A, sizeof A);
    assert_true(scree_lu_factor(LU, pivot, 3));
    for (int j = 0; j < 3; ++j) {
        double b[3] = {0};
        b[j] = 1;
        scree_lu_solve(LU, pivot, 3, b);
        for (int i = 0; i < 3; ++i)
            assert_near(b[i], inverse[3 * i + j], 1e-15);
    }
}

static void lu__random_systems__residual_at_rounding(void **state) {
    (void)state;
    scree_random rng = {11};
    for (int n = 1; n <= MOST; ++n) {
        double A[MOST * MOST], LU[MOST * MOST], b[MOST], x[MOST], y[MOST];
        int pivot[MOST];
        random_vector(&rng, A, n * n);
        random_vector(&rng, b, n);
        memcpy(LU, A, sizeof A);
        memcpy(x, b, sizeof b);
        assert_true(scree_lu_factor(LU, pivot, n));
        scree_lu_solve(LU, pivot, n, x);
        multiply(A, n, x, y);
        double size = 1;
        for (int i = 0; i < n; ++i) size = fmax(size, fabs(x[i]));
        for (int i = 0; i < n; ++i) assert_near(y[i], b[i], 1e-13 * size);
    }
}

/* n x n of rank r: sums of r random outer products. */
static void random_rank(scree_random *rng, int n, int r, double *A) {
    memset(A, 0, (size_t)(n * n) * sizeof *A);
    for (int k = 0; k < r; ++k) {
        double a[MOST], b[MOST];
        random_vector(rng, a, n);
        random_vector(rng, b, n);
        for (int i = 0; i < n * n; ++i) A[i] += a[i / n] * b[i % n];
    }
}

static void lu__rank_deficient__reported_singular(void **state) {
    (void)state;
    scree_random rng = {12};
    int pivot[MOST];
    for (int n = 2; n <= MOST; ++n) {
        double A[MOST * MOST];
        random_rank(&rng, n, n - 1, A);
        assert_false(scree_lu_factor(A, pivot, n));
    }
    double zero[1] = {0};
    assert_false(scree_lu_factor(zero, pivot, 1));
}

/* ---- least norm ---------------------------------------------------------- */

/* x is the pseudo-inverse solution if and only if the residual is normal to the
 * range, A^T (A x - b) = 0, and x is normal to the kernel. */
static void check_least_norm(const double *A, int n, const double *b,
                             const double *x, const double *kernel,
                             int n_kernel) {
    double r[MOST], t[MOST];
    multiply(A, n, x, r);
    for (int i = 0; i < n; ++i) r[i] -= b[i];
    multiply_transposed(A, n, r, t);
    for (int i = 0; i < n; ++i) assert_near(t[i], 0, 1e-10);
    for (int k = 0; k < n_kernel; ++k) {
        double sum = 0;
        for (int i = 0; i < n; ++i) sum += kernel[k * n + i] * x[i];
        assert_near(sum, 0, 1e-10);
    }
}

/* Rank r with a kernel known by construction: the columns j >= r are
 * combinations z of the first r, so (z, -e_j) is in the kernel. */
static void random_with_kernel(scree_random *rng, int n, int r, double *A,
                               double *kernel) {
    random_vector(rng, A, n * n);
    memset(kernel, 0, (size_t)(n * (n - r)) * sizeof *kernel);
    for (int j = r; j < n; ++j) {
        double *z = &kernel[(j - r) * n];
        random_vector(rng, z, r);
        z[j] = -1;
        for (int i = 0; i < n; ++i) {
            A[i * n + j] = 0;
            for (int k = 0; k < r; ++k) A[i * n + j] += A[i * n + k] * z[k];
        }
    }
}

static void least_norm_case(scree_random *rng, int n, int r, bool consistent,
                            scree_arena *scratch) {
    double A[MOST * MOST], copy[MOST * MOST], kernel[MOST * MOST];
    double b[MOST], x[MOST], z[MOST];
    random_with_kernel(rng, n, r, A, kernel);
    random_vector(rng, z, n);
    multiply(A, n, z, b);
    if (!consistent) random_vector(rng, b, n);
    memcpy(copy, A, sizeof A);
    memcpy(x, b, sizeof b);
    assert_ok(scree_least_norm(copy, n, x, scratch));
    check_least_norm(A, n, b, x, kernel, n - r);
}

static void least_norm__every_rank__pseudo_inverse(void **state) {
    (void)state;
    scree_arena scratch = {0};
    scree_random rng = {13};
    for (int n = 1; n <= MOST; ++n)
        for (int r = 0; r <= n; ++r) {
            least_norm_case(&rng, n, r, true, &scratch);
            least_norm_case(&rng, n, r, false, &scratch);
        }
    assert_int_equal(scree_arena_mark(&scratch), 0);
    scree_arena_free(&scratch);
}

static void least_norm__two_equal_rows__shares_the_load(void **state) {
    (void)state;
    scree_arena scratch = {0};
    double A[9] = {1, 1, 0, 1, 1, 0, 0, 0, 3}, b[3] = {2, 2, 6};
    assert_ok(scree_least_norm(A, 3, b, &scratch));
    assert_near(b[0], 1, 1e-15);
    assert_near(b[1], 1, 1e-15);
    assert_near(b[2], 2, 1e-15);
    scree_arena_free(&scratch);
}

/* ---- Newton -------------------------------------------------------------- */

typedef struct trace {
    double F[64]; /* max |F| of the unfrozen calls */
    int n;
    double x_last[MOST];
    bool last_frozen;
} trace;

static void record(trace *t, const double *x, const double *F, int n,
                   bool frozen) {
    double most = 0;
    for (int i = 0; i < n; ++i) most = fmax(most, fabs(F[i]));
    if (!frozen && t->n < 64) t->F[t->n++] = most;
    memcpy(t->x_last, x, (size_t)n * sizeof *x);
    t->last_frozen = frozen;
}

/* x^2 + y^2 = 4, e^x + y = 1: the root with x > 0. */
static void circle(void *context, const double *x, double *F, int *active,
                   bool frozen) {
    (void)active;
    F[0] = x[0] * x[0] + x[1] * x[1] - 4;
    F[1] = exp(x[0]) + x[1] - 1;
    record(context, x, F, 2, frozen);
}

static void newton__smooth_system__quadratic(void **state) {
    (void)state;
    scree_arena scratch = {0};
    trace t = {.n = 0};
    const scree_residual_function f = {2, 0, circle, &t};
    double x[2] = {1.2, -1.5};
    scree_newton_report report;
    assert_ok(scree_semismooth_newton(&f, x, 1e-14, 20, &scratch, &report));
    assert_true(report.converged);
    assert_false(report.singular);
    assert_near(x[0], 1.00416873847466, 1e-13);
    assert_true(report.iterations <= 5);
    /* F_{k+1} <= 5 F_k^2 until the differences' error takes over. */
    for (int k = 0; k + 1 < t.n; ++k)
        assert_true(t.F[k + 1] <= 5 * t.F[k] * t.F[k] + 1e-6 * t.F[k] + 1e-15);
    scree_arena_free(&scratch);
}

/* Complementarity 0 <= x _|_ A x + b >= 0 as x - max(0, x - r (A x + b)) = 0
 * for an M-matrix A: the active sets settle after finitely many steps and the
 * last step is exact, from any start. */
typedef struct complementarity {
    int n;
    double A[MOST * MOST], b[MOST];
    trace trace;
} complementarity;

static void natural_map(void *context, const double *x, double *F, int *active,
                        bool frozen) {
    complementarity *c = context;
    double y[MOST];
    multiply(c->A, c->n, x, y);
    for (int i = 0; i < c->n; ++i) {
        y[i] += c->b[i];
        if (!frozen) active[i] = x[i] - 0.3 * y[i] > 0;
        F[i] = active[i] ? y[i] : x[i];
    }
    record(&c->trace, x, F, c->n, frozen);
}

static void laplacian(complementarity *c, scree_random *rng) {
    memset(c->A, 0, sizeof c->A);
    for (int i = 0; i < c->n; ++i) {
        c->A[i * c->n + i] = 2.1;
        if (i) c->A[i * c->n + i - 1] = -1;
        if (i + 1 < c->n) c->A[i * c->n + i + 1] = -1;
    }
    random_vector(rng, c->b, c->n);
}

static void newton__complementarity__finite(void **state) {
    (void)state;
    scree_arena scratch = {0};
    scree_random rng = {14};
    for (int trial = 0; trial < 50; ++trial) {
        complementarity c = {.n = 1 + trial % MOST};
        laplacian(&c, &rng);
        const scree_residual_function f = {c.n, c.n, natural_map, &c};
        double x[MOST], y[MOST];
        random_vector(&rng, x, c.n);
        scree_newton_report report;
        assert_ok(scree_semismooth_newton(&f, x, 1e-12, 40, &scratch, &report));
        assert_true(report.converged);
        assert_true(report.iterations <= c.n + 3);
        multiply(c.A, c.n, x, y);
        for (int i = 0; i < c.n; ++i)
            assert_near(fmin(x[i], y[i] + c.b[i]), 0, 1e-12);
    }
    scree_arena_free(&scratch);
}

/* Two supports of one load: R_1 + R_2 = 1 twice. */
static void two_supports(void *context, const double *x, double *F, int *active,
                         bool frozen) {
    (void)active;
    F[0] = x[0] + x[1] - 1;
    F[1] = 2 * F[0];
    record(context, x, F, 2, frozen);
}

static void newton__singular_jacobian__least_norm_step(void **state) {
    (void)state;
    scree_arena scratch = {0};
    trace t = {.n = 0};
    const scree_residual_function f = {2, 0, two_supports, &t};
    double x[2] = {0, 0};
    scree_newton_report report;
    assert_ok(scree_semismooth_newton(&f, x, 1e-13, 10, &scratch, &report));
    assert_true(report.converged && report.singular);
    assert_int_equal(report.iterations, 1);
    assert_near(x[0], 0.5, 1e-9);
    assert_near(x[1], 0.5, 1e-9);
    scree_arena_free(&scratch);
}

/* x^2 + 1 has no root: Newton wanders, and the smallest |F| seen is returned.
 */
static void rootless(void *context, const double *x, double *F, int *active,
                     bool frozen) {
    (void)active;
    F[0] = x[0] * x[0] + 1;
    record(context, x, F, 1, frozen);
}

static void newton__no_root__best_iterate(void **state) {
    (void)state;
    scree_arena scratch = {0};
    trace t = {.n = 0};
    const scree_residual_function f = {1, 0, rootless, &t};
    double x[1] = {0.8};
    scree_newton_report report;
    assert_ok(scree_semismooth_newton(&f, x, 1e-12, 9, &scratch, &report));
    assert_false(report.converged);
    assert_int_equal(report.iterations, 9);
    double best = INFINITY;
    for (int i = 0; i < t.n; ++i) best = fmin(best, t.F[i]);
    assert_near(report.residual, best, 0);
    assert_near(x[0] * x[0] + 1, best, 0);
    /* The context was left at the returned x, on free branches. */
    assert_false(t.last_frozen);
    assert_near(t.x_last[0], x[0], 0);
    scree_arena_free(&scratch);
}

/* sqrt(x) - 1/2 from far right: the full step lands at x < 0, not a number. */
static void root(void *context, const double *x, double *F, int *active,
                 bool frozen) {
    (void)active;
    F[0] = sqrt(x[0]) - 0.5;
    record(context, x, F, 1, frozen);
}

static void newton__not_a_number__step_is_halved(void **state) {
    (void)state;
    scree_arena scratch = {0};
    trace t = {.n = 0};
    const scree_residual_function f = {1, 0, root, &t};
    double x[1] = {9};
    scree_newton_report report;
    assert_ok(scree_semismooth_newton(&f, x, 1e-13, 30, &scratch, &report));
    assert_true(report.converged);
    assert_near(x[0], 0.25, 1e-12);

    x[0] = NAN;
    assert_ok(scree_semismooth_newton(&f, x, 1e-13, 30, &scratch, &report));
    assert_false(report.converged);
    assert_int_equal(report.iterations, 0);
    scree_arena_free(&scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lu__known_inverse__exact_columns),
        cmocka_unit_test(lu__random_systems__residual_at_rounding),
        cmocka_unit_test(lu__rank_deficient__reported_singular),
        cmocka_unit_test(least_norm__every_rank__pseudo_inverse),
        cmocka_unit_test(least_norm__two_equal_rows__shares_the_load),
        cmocka_unit_test(newton__smooth_system__quadratic),
        cmocka_unit_test(newton__complementarity__finite),
        cmocka_unit_test(newton__singular_jacobian__least_norm_step),
        cmocka_unit_test(newton__no_root__best_iterate),
        cmocka_unit_test(newton__not_a_number__step_is_halved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
