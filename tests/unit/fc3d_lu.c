/* The block LU of Newton steps against its own equation (I + W C) x = b. */
#include <string.h>

#include "solvers/blocks/fc3d_lu.h"
#include "tests/support.h"

enum { NC = 60, REACH = 7 };

static uint64_t seed = 5;
static double random_half(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) * 0x1p-53 - 0.5;
}

/* A ring in which each contact touches two others on either side. */
static scree_fc3d ring(void) {
    static scree_entry W[NC * 9 * 5];
    int n = 0;
    scree_fc3d p;
    scree_arena scratch = {0};
    for (int i = 0; i < NC; i++)
        for (int d = -2; d <= 2; d++)
            for (int k = 0; k < 9; k++) {
                const int j = (i + d * REACH + 2 * NC) % NC;
                const double diagonal = d == 0 && k % 4 == 0 ? 8 : 0;
                W[n++] = (scree_entry){3 * i + k / 3, 3 * j + k % 3,
                                       diagonal + random_half()};
            }
    assert_ok(scree_fc3d_assemble(&p, NC, n, W, &scratch));
    scree_arena_free(&scratch);
    return p;
}

static void random_blocks(double *C, bool *active) {
    memset(C, 0, 9 * NC * sizeof *C);
    for (int i = 0; i < NC; i++) {
        active[i] = i % 3 != 0;
        for (int k = 0; k < 9 && active[i]; k++)
            C[9 * i + k] = (k % 4 == 0 ? 3 : 0) + random_half();
    }
}

/* (x + W C x - b)_i by its definition; r is used for C x, q for -b. */
static double defect(scree_fc3d *p, const double *C, const double *x) {
    double most = 0;
    for (int i = 0; i < 3 * NC; i++) {
        const double *c = &C[3 * i], *at = &x[i / 3 * 3];
        p->r[i] = c[0] * at[0] + c[1] * at[1] + c[2] * at[2];
    }
    for (int i = 0; i < NC; i++) {
        double u[3];
        scree_fc3d_row(p, i, u);
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(u[k] + x[3 * i + k]));
    }
    return most;
}

static void lu__some_contacts_active__solves_all_rows(void **state) {
    (void)state;
    scree_fc3d p = ring();
    scree_arena scratch = {0};
    double C[9 * NC], x[3 * NC];
    bool active[NC];
    int64_t work = 0;
    random_blocks(C, active);
    for (int i = 0; i < 3 * NC; i++) p.q[i] = -(x[i] = random_half());
    assert_int_equal(scree_fc3d_lu(&p, C, active, 100000, x, &work, &scratch),
                     SCREE_LU_OK);
    assert_near(defect(&p, C, x), 0, 1e-12);
    assert_true(work > 0);
    scree_arena_free(&scratch);
    scree_fc3d_free(&p);
}

static void lu__no_room_or_singular__told(void **state) {
    (void)state;
    scree_fc3d p = ring();
    scree_arena scratch = {0};
    double C[9 * NC], x[3 * NC] = {0};
    bool active[NC];
    int64_t work = 0;
    random_blocks(C, active);
    assert_int_equal(scree_fc3d_lu(&p, C, active, 3, x, &work, &scratch),
                     SCREE_LU_TOO_LARGE);
    memset(p.W, 0, 9 * (size_t)p.n_block * sizeof *p.W);
    for (int i = 0; i < NC; i++) p.W[9 * p.row[i]] = 1;
    for (int i = 0; i < NC; i++) C[9 * i] = -1, C[9 * i + 1] = C[9 * i + 2] = 0;
    assert_int_equal(scree_fc3d_lu(&p, C, active, 100000, x, &work, &scratch),
                     SCREE_LU_SINGULAR);
    scree_arena_free(&scratch);
    scree_fc3d_free(&p);
}

/* E + W D with D = C: E = I makes it the matrix above; the same order serves
 * other numbers. */
static void factors__kept__solve_again_and_again(void **state) {
    (void)state;
    scree_fc3d p = ring();
    scree_arena scratch = {0};
    double C[9 * NC], E[9 * NC] = {0}, x[3 * NC];
    bool active[NC];
    for (int i = 0; i < 9 * NC; i++) E[i] = i % 9 % 4 == 0;
    scree_factors *f = scree_factors_create(&p, 100000, &scratch);
    assert_non_null(f);
    for (int n = 0; n < 4; n++) {
        if (n % 2 == 0) {
            random_blocks(C, active);
            assert_true(scree_factors_compute(f, E, C));
        }
        for (int i = 0; i < 3 * NC; i++) p.q[i] = -(x[i] = random_half());
        scree_factors_solve(f, x);
        assert_near(defect(&p, C, x), 0, 1e-12);
    }
    assert_true(scree_factors_work(f) > 0);
    assert_null(scree_factors_create(&p, 3, &scratch));
    scree_arena_free(&scratch);
    scree_fc3d_free(&p);
}

/* The determinant of a block diagonal matrix is the product of those of its
 * blocks; one row negated turns its sign. */
static void factors__rows_negated__sign_of_determinant(void **state) {
    (void)state;
    scree_fc3d p = ring();
    scree_arena scratch = {0};
    double D[9 * NC] = {0}, E[9 * NC] = {0};
    for (int i = 0; i < 9 * NC; i++) E[i] = i % 9 % 4 == 0;
    scree_factors *f = scree_factors_create(&p, 100000, &scratch);
    for (int n = 0; n < 5; n++) {
        assert_true(scree_factors_compute(f, E, D));
        assert_int_equal(scree_factors_are_negative(f), n % 2);
        E[9 * (7 * n + 1) + 4] = -2;
    }
    E[0] = 0;
    assert_false(scree_factors_compute(f, E, D));
    scree_arena_free(&scratch);
    scree_fc3d_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lu__some_contacts_active__solves_all_rows),
        cmocka_unit_test(lu__no_room_or_singular__told),
        cmocka_unit_test(factors__kept__solve_again_and_again),
        cmocka_unit_test(factors__rows_negated__sign_of_determinant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
