/* Every method of the table on the problems from files in tests/data/fclib: the
 * tolerance, the laws contact by contact, and the same velocities where they are
 * unique. */
#include <stdlib.h>

#include "tests/conform/fc3d_fixture.h"

#define CAPSULES_FILE "Capsules-i125-1213.hdf5"
#define SPHERES_FILE "spheres-in-a-box-98-i10000-256-10.hdf5"
#define BED_FILE "bed-220.hdf5"
static const char DENSE[] = "the dense sweep of 3 ms needs 100 000 and more";
static const exception EXCEPTIONS[] = {
    {CAPSULES_FILE, "prox", DENSE},
    {SPHERES_FILE, "prox", DENSE},
    {BED_FILE, "prox", DENSE},
    {SPHERES_FILE, "jacobi",
     "more percussions than the bodies can tell apart: "
     "1.2e-4 after 20 000"},
    {SPHERES_FILE, "apgd", "the same: 1.9e-6 after 20 000"},
};

/* Signorini and Coulomb, each by itself: r in its cone, u_N >= 0, and nothing but
 * the dissipation of slip between them. */
static void check_laws(const scree_fc3d *p, double eps) {
    const double size =
        sqrt(fmax(norm2(p->r, 3 * p->nc), norm2(p->q, 3 * p->nc)));
    for (int i = 0; i < p->nc; i++) {
        const double *r = &p->r[3 * i], *u = &p->u[3 * i];
        const double rt = hypot(r[1], r[2]), ut = hypot(u[1], u[2]);
        const double e =
            eps * size * (1 + sqrt(norm2(r, 3)) + sqrt(norm2(u, 3)));
        assert_true(r[0] >= -e && u[0] >= -e);
        assert_true(rt <= p->mu[i] * r[0] + e);
        assert_near(r[0] * u[0], 0, e);
        assert_near(r[1] * u[1] + r[2] * u[2], -p->mu[i] * r[0] * ut, e);
    }
}

/* What a method is excepted from, it begins without harm. */
static void check_start(scree_fc3d *p, const char *method) {
    memset(p->r, 0, 3 * (size_t)p->nc * sizeof *p->r);
    const double first = scree_fc3d_measure(p).residual;
    const scree_report report = solve(p, method, 1e-12, 100);
    assert_true(report.iterations <= 100);
    assert_true(report.residual <= first);
}

/* Where velocities are unique, they are those stored, or those of the first method. */
static void check_sample(const char *path, int contacts, double tolerance,
                         int64_t iterations, bool unique, double apart) {
    const char *name = strrchr(path, '/') + 1;
    scree_fclib f = load(path);
    scree_fc3d *p = &f.problem;
    const size_t bytes = 3 * (size_t)p->nc * sizeof(double);
    double *u = f.solution_u;
    f.solution_u = NULL;
    assert_int_equal(p->nc, contacts);
    FOR_EACH_METHOD(method) {
        if (!takes(method, p)) continue;
        if (IS_EXCEPTED(EXCEPTIONS, name, method->name)) {
            check_start(p, method->name);
            continue;
        }
        const double start = scree_loop_now();
        check_solve(p, method->name, tolerance, iterations);
        print_message("%s: %s %.2f s\n", name, method->name,
                      scree_loop_now() - start);
        check_laws(p, 10 * tolerance);
        if (!u) u = memcpy(malloc(bytes), p->u, bytes);
        for (int i = 0; unique && i < 3 * p->nc; i++)
            assert_near(p->u[i], u[i], apart);
    }
    f.solution_u = u;
    scree_fclib_free(&f);
}

static void lmgc__every_method__same_velocities(void **state) {
    (void)state;
    check_sample(LMGC, 9, 1e-9, 200000, true, 1e-6);
}

static void capsules__every_method__stored_velocities(void **state) {
    (void)state;
    check_sample(CAPSULES, 286, 1e-7, 100000, true, 1e-5);
}

static void spheres__every_method__tolerance(void **state) {
    (void)state;
    check_sample(SPHERES, 256, 1e-6, 100000, false, 0);
}

static void bed__every_method__tolerance(void **state) {
    (void)state;
    check_sample(BED, 469, 1e-3, 40000, false, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lmgc__every_method__same_velocities),
        cmocka_unit_test(capsules__every_method__stored_velocities),
        cmocka_unit_test(spheres__every_method__tolerance),
        cmocka_unit_test(bed__every_method__tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
