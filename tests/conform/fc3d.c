/* Contact problems with explicit W: single contacts in closed form, single methods,
 * units, files, what cannot be solved. */
#include <stdlib.h>
#include <unistd.h>

#include "io/hdf5/hdf5_file.h"
#include "solvers/blocks/fc3d_groups.h"
#include "tests/conform/fc3d_fixture.h"

/* ---- one contact --------------------------------------------------------- */

static scree_fc3d one_contact(double mu, const double q[3]) {
    static const scree_entry W[] = {{0, 0, 2}, {1, 1, 4}, {2, 2, 4}};
    scree_fc3d p;
    scree_arena scratch = {0};
    assert_ok(scree_fc3d_assemble(&p, 1, 3, W, &scratch));
    scree_arena_free(&scratch);
    p.mu[0] = mu;
    memcpy(p.q, q, 3 * sizeof *q);
    return p;
}

/* W = diag(2, 4, 4); in space and in the plane. */
static void check_contact(double mu, double qn, double qt, double rn,
                          double rt) {
    for (int dim = 2; dim <= 3; dim++) {
        const double c = dim == 2 ? 1 : 0.6, s = dim == 2 ? 0 : 0.8;
        const double q[3] = {qn, c * qt, s * qt};
        FOR_EACH_METHOD(method) {
            scree_fc3d p = one_contact(mu, q);
            if (dim == 2) flatten(&p);
            if (takes(method, &p)) {
                check_solve(&p, method->name, 1e-12, 10000);
                assert_near(p.r[0], rn, 1e-10);
                assert_near(p.r[1], c * rt, 1e-10);
                assert_near(p.r[2], s * rt, 1e-10);
            }
            scree_fc3d_free(&p);
        }
    }
}

static void one_contact__modes__closed_form(void **state) {
    (void)state;
    check_contact(0.5, 1, 3, 0, 0);      /* opens */
    check_contact(0.5, -2, 1, 1, -0.25); /* sticks */
    check_contact(0.5, -2, 8, 1, -0.5);  /* slips */
    check_contact(0, -2, 8, 1, 0);       /* no friction */
    check_contact(0.5, 0, 3, 0, 0);      /* touches, carries nothing */
    check_contact(0.5, -2, 2, 1, -0.5);  /* sticks, just so */
}

/* Any block: the exact solve satisfies its own residual. */
static void contact__coupled_block__exact(void **state) {
    (void)state;
    const double W[9] = {2, 0.5, -0.3, 0.5, 1.5, 0.2, -0.3, 0.2, 1};
    for (int k = 0; k < 400; k++) {
        const double b[3] = {-1 + 0.01 * (k % 7), 3 * cos(k), 2 * sin(2.0 * k)};
        const double mu = 0.1 * (k % 11);
        double r[3], u[3];
        scree_fc3d_contact(W, b, mu, r);
        for (int i = 0; i < 3; i++)
            u[i] = b[i] + W[3 * i] * r[0] + W[3 * i + 1] * r[1] +
                   W[3 * i + 2] * r[2];
        assert_near(map2(mu, r, u), 0, 1e-24);
    }
}

/* ---- single methods on problems from files ------------------------------- */

/* Spheres that come to rest at mu = 0.5, more percussions than the bodies can tell
 * apart. Newton steps with sweeps alone are at 4e-7 after all the iterations: the
 * solutions of the regularised problems fold back, in whatever order one sweeps. */
static void bed__in_any_order__folds_are_passed(void **state) {
    (void)state;
    scree_fclib f = load(BED);
    scree_arena scratch = {0};
    scree_report report;
    scree_solver_options o = scree_blocks_options();
    o.tolerance = 1e-8;
    o.iterations = 40000;
    assert_int_equal(f.problem.nc, 469);
    check_solve(&f.problem, "auto", o.tolerance, o.iterations);
    for (o.order = 0; o.order < 3; o.order++) {
        memset(f.problem.r, 0, 3 * (size_t)f.problem.nc * sizeof(double));
        assert_ok(scree_blocks_path(&f.problem, &o, &scratch, &report));
        assert_true(report.converged);
        assert_string_equal(report.by, "path");
        assert_true(residual_again(&f.problem) < 1.001 * o.tolerance);
    }
    scree_arena_free(&scratch);
    scree_fclib_free(&f);
}

/* No two contacts of a group share a block, and each has one slot. */
static void check_groups(const scree_fc3d_groups *g, const scree_fc3d *p) {
    int placed = 0;
    for (int slot = 0; slot < 4 * g->n; slot++) {
        const int i = g->contact[slot];
        if (i < 0) continue;
        assert_int_equal(g->slot[i], slot);
        placed++;
        for (int64_t k = p->row[i] + 1; k < p->row[i + 1]; k++)
            assert_int_not_equal(g->slot[p->column[k]] / 4, slot / 4);
    }
    assert_int_equal(placed, p->nc);
}

static void pgs__any_order__groups_without_neighbours(void **state) {
    (void)state;
    scree_fclib f = load(CAPSULES);
    scree_arena scratch = {0};
    scree_report report;
    scree_solver_options o = scree_blocks_options();
    for (o.order = 0; o.order < 4; o.order++) {
        scree_fc3d_groups g;
        assert_ok(scree_fc3d_group(&g, &f.problem, o.order, &scratch));
        check_groups(&g, &f.problem);
        memset(f.problem.r, 0, 3 * (size_t)f.problem.nc * sizeof(double));
        assert_ok(scree_blocks_pgs(&f.problem, &o, &scratch, &report));
        assert_true(report.converged);
    }
    scree_arena_free(&scratch);
    scree_fclib_free(&f);
}

static void pgs__exact_local_solve__reaches_the_tolerance(void **state) {
    (void)state;
    scree_fclib f = load(CAPSULES);
    scree_arena scratch = {0};
    scree_report report;
    scree_solver_options o = scree_blocks_options();
    o.local = SCREE_LOCAL_EXACT;
    o.tolerance = 1e-5;
    memset(f.problem.r, 0, 3 * (size_t)f.problem.nc * sizeof(double));
    assert_ok(scree_blocks_pgs(&f.problem, &o, &scratch, &report));
    assert_true(report.converged);
    scree_arena_free(&scratch);
    scree_fclib_free(&f);
}

/* ---- a few contacts ------------------------------------------------------ */

/* Contacts that all touch each other, W = A A^T + 1, some pulled apart and most
 * dragged sideways so that they slip. */
static scree_fc3d few_contacts(int nc, double mu) {
    scree_fc3d p;
    const int n = 3 * nc;
    double A[48][48];
    assert_ok(scree_fc3d_create(&p, nc, (int64_t)nc * nc));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i][j] = 0.3 * sin(1 + 7 * i + 3 * i * j);
    int64_t k = 0;
    for (int i = 0; i < nc; i++) {
        p.row[i] = k;
        for (int d = 0; d < nc; d++, k++) { /* the diagonal block first */
            p.column[k] = (i + d) % nc;
            for (int e = 0; e < 9; e++) {
                const int row = 3 * i + e / 3, column = 3 * p.column[k] + e % 3;
                p.W[9 * k + e] = row == column;
                for (int m = 0; m < n; m++)
                    p.W[9 * k + e] += A[row][m] * A[column][m];
            }
        }
        p.mu[i] = mu;
        p.q[3 * i] = i % 4 == 3 ? 1 : -1;
        p.q[3 * i + 1] = cos(2.0 * i), p.q[3 * i + 2] = sin(3.0 * i);
    }
    p.row[nc] = k;
    return p;
}

static int count_slipping(const scree_fc3d *p) {
    int n = 0;
    for (int i = 0; i < p->nc; i++) {
        const double *r = &p->r[3 * i];
        n += r[0] > 0 && hypot(r[1], r[2]) > 0.999 * p->mu[i] * r[0];
    }
    return n;
}

static void small__slip_and_stick__as_pgs(void **state) {
    (void)state;
    for (int nc = 1; nc <= SCREE_FC3D_SMALL; nc++)
        for (int s = 0; s < 3; s++) {
            const double mu[3] = {0, 0.1, 0.8};
            scree_fc3d p = few_contacts(nc, mu[s]);
            const scree_report a = solve(&p, "auto", 1e-10, 100000);
            double u[3 * SCREE_FC3D_SMALL];
            memcpy(u, p.u, 3 * (size_t)nc * sizeof *u);
            assert_true(a.converged);
            assert_true(residual_again(&p) <= 1.01e-10);
            if (s == 1 && nc > 4) assert_true(count_slipping(&p) > 0);
            assert_true(solve(&p, "pgs", 1e-10, 100000).converged);
            for (int i = 0; i < 3 * nc; i++) assert_near(p.u[i], u[i], 1e-8);
            scree_fc3d_free(&p);
        }
}

static void small__lmgc__few_sweeps_without_others(void **state) {
    (void)state;
    scree_fclib f = load(LMGC);
    memset(f.problem.r, 0, 3 * (size_t)f.problem.nc * sizeof(double));
    const scree_report report = solve(&f.problem, "auto", 1e-8, 100);
    assert_true(report.converged);
    assert_string_equal(report.by, "small");
    assert_true(report.iterations <= 12);
    assert_true(residual_again(&f.problem) <= 1e-8);
    scree_fclib_free(&f);
}

static void small__many_contacts_or_sweeps__left_to_others(void **state) {
    (void)state;
    scree_arena scratch = {0};
    scree_report report;
    scree_solver_options o = scree_blocks_options();
    scree_fclib f = load(CAPSULES);
    assert_int_equal(scree_blocks_small(&f.problem, &o, &scratch, &report),
                     SCREE_UNSUPPORTED);
    scree_fclib_free(&f);
    scree_fc3d p = few_contacts(9, 0.1);
    o.tolerance = 0;
    assert_ok(scree_blocks_small(&p, &o, &scratch, &report));
    assert_int_equal(report.stop, SCREE_STOP_STALL);
    o.iterations = 3;
    assert_ok(scree_blocks_small(&p, &o, &scratch, &report));
    assert_int_equal(report.stop, SCREE_STOP_ITERATIONS);
    assert_int_equal(report.iterations, 3);
    scree_fc3d_free(&p);
    scree_arena_free(&scratch);
}

/* ---- units --------------------------------------------------------------- */

/* All masses times c: W / c, and the same velocities from c times the
 * percussions. */
static void residual__masses_scaled__unchanged(void **state) {
    (void)state;
    scree_fclib f = load(CAPSULES);
    scree_fc3d *p = &f.problem;
    const double c = 1000;
    solve(p, "pgs", 1e-3, 1000);
    for (int i = 0; i < p->nc; i++) p->rho[i] = 1 / p->W[9 * p->row[i]];
    const double before = scree_fc3d_measure(p).residual;
    for (int64_t k = 0; k < 9 * p->n_block; k++) p->W[k] /= c;
    for (int i = 0; i < 3 * p->nc; i++) p->r[i] *= c;
    const double unit = scree_fc3d_measure(p).residual;
    for (int i = 0; i < p->nc; i++) p->rho[i] = 1 / p->W[9 * p->row[i]];
    assert_true(before > 1e-8);
    assert_near(scree_fc3d_measure(p).residual, before, 1e-12 * before);
    assert_true(fabs(unit - before) > 0.01 * before);
    scree_fclib_free(&f);
}

/* ---- a global problem with a constraint ---------------------------------- */

static void put(scree_hdf5_file *file, const char *group, const char *name,
                hid_t type, int n, const void *values) {
    char path[64];
    snprintf(path, sizeof path, "fclib_global/%s%s", group, name);
    scree_hdf5_write(file, path, &(scree_hdf5_rows){type, n, 1, 0, values});
}

static void put_matrix(scree_hdf5_file *file, const char *group, const int *mnz,
                       int n_p, const int *p, int n, const int *i,
                       const double *x) {
    put(file, group, "m", H5T_NATIVE_INT, 1, &mnz[0]);
    put(file, group, "n", H5T_NATIVE_INT, 1, &mnz[1]);
    put(file, group, "nz", H5T_NATIVE_INT, 1, &mnz[2]);
    put(file, group, "p", H5T_NATIVE_INT, n_p, p);
    put(file, group, "i", H5T_NATIVE_INT, n, i);
    put(file, group, "x", H5T_NATIVE_DOUBLE, n, x);
}

/* A mass of 2 in a plane, v_2 + v_3 + 3 = 0: M as triplets, H by rows, G by
 * columns. */
static void write_constrained(const char *path) {
    const int three = 3, zero_to_3[] = {0, 1, 2, 3}, g_p[] = {0, 2};
    const int g_i[] = {1, 2}, M[] = {3, 3, 3}, H[] = {3, 3, -2},
              G[] = {3, 1, -1};
    const double two[] = {2, 2, 2}, one[] = {1, 1, 1}, mu = 0.3, b = 3;
    const double f[] = {-2, 4, 0}, w[] = {0.1, 0, 0};
    scree_hdf5_file *file = scree_hdf5_create();
    put(file, "", "spacedim", H5T_NATIVE_INT, 1, &three);
    put_matrix(file, "M/", M, 3, zero_to_3, 3, zero_to_3, two);
    put_matrix(file, "H/", H, 4, zero_to_3, 3, zero_to_3, one);
    put_matrix(file, "G/", G, 2, g_p, 2, g_i, one);
    put(file, "vectors/", "mu", H5T_NATIVE_DOUBLE, 1, &mu);
    put(file, "vectors/", "f", H5T_NATIVE_DOUBLE, 3, f);
    put(file, "vectors/", "w", H5T_NATIVE_DOUBLE, 3, w);
    put(file, "vectors/", "b", H5T_NATIVE_DOUBLE, 1, &b);
    scree_error error;
    assert_ok(scree_hdf5_close(file, path, &error));
}

/* M^-1 without the part along g = (0, 1, 1): W = (I - g g^T / 2) / 2, and
 * lambda = -(g^T f / 2 + b) = -5 gives q = f / 2 + g lambda / 2 + w. */
static void global__constraint__eliminated(void **state) {
    (void)state;
    const double W[9] = {0.5, 0, 0, 0, 0.25, -0.25, 0, -0.25, 0.25};
    const double q[3] = {-0.9, -0.5, -2.5};
    char path[] = "/tmp/scree-fc3d-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    write_constrained(path);
    scree_fclib f = load(path);
    unlink(path);
    assert_int_equal(f.problem.n_block, 1);
    for (int i = 0; i < 9; i++) assert_near(f.problem.W[i], W[i], 1e-15);
    for (int i = 0; i < 3; i++) assert_near(f.problem.q[i], q[i], 1e-15);
    check_solve(&f.problem, "pgs", 1e-10, 1000);
    scree_fclib_free(&f);
}

/* ---- what cannot be solved ----------------------------------------------- */

/* With friction and without, so that every method takes it. */
static void every_method__not_finite_or_infeasible__ends(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        FOR_EACH_METHOD(method) {
            const double q[3] = {NAN, 0, 0}, push[3] = {-1, 0, 0};
            scree_fc3d p = one_contact(0.5 * k, q);
            if (takes(method, &p)) {
                scree_report report = solve(&p, method->name, 1e-6, 50);
                assert_false(report.converged);
                assert_int_equal(report.stop, SCREE_STOP_NOT_FINITE);
                memcpy(p.q, push, sizeof push);
                memset(p.W, 0, 9 * sizeof *p.W); /* nothing can hold it */
                report = solve(&p, method->name, 1e-6, 50);
                assert_false(report.converged);
                assert_int_not_equal(report.stop, SCREE_STOP_TOLERANCE);
            }
            scree_fc3d_free(&p);
        }
    }
}

/* ---- the plane ----------------------------------------------------------- */

/* W = [2 0.5; 0.5 4]: slips with r_T = -mu r_N, u_N = 0. */
static void plane__slip__closed_form(void **state) {
    (void)state;
    static const scree_entry W[] = {
        {0, 0, 2}, {0, 1, 0.5}, {1, 0, 0.5}, {1, 1, 4}};
    FOR_EACH_METHOD(method) {
        scree_fc3d p;
        scree_arena scratch = {0};
        assert_ok(scree_fc3d_assemble(&p, 1, 4, W, &scratch));
        scree_arena_free(&scratch);
        p.dim = 2, p.mu[0] = 0.4, p.q[0] = -1, p.q[1] = 5;
        check_solve(&p, method->name, 1e-11, 10000);
        assert_near(p.r[0], 1 / (2 - 0.5 * 0.4), 1e-9);
        assert_near(p.r[1], -0.4 * p.r[0], 1e-9);
        assert_near(p.r[2], 0, 0);
        scree_fc3d_free(&p);
    }
}

/* Two rows per contact in the file, three in memory. */
static void plane__written_and_read__same_problem(void **state) {
    (void)state;
    static const scree_entry W[] = {{0, 0, 2}, {0, 4, 0.5}, {4, 0, 0.5},
                                    {1, 1, 4}, {3, 3, 1},   {4, 4, 3}};
    char path[] = "/tmp/scree-fc3d-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    scree_arena scratch = {0};
    scree_error error;
    scree_fclib f = {.title = "plane"};
    assert_ok(scree_fc3d_assemble(&f.problem, 2, 6, W, &scratch));
    scree_arena_free(&scratch);
    f.problem.dim = 2;
    for (int i = 0; i < 2; i++) f.problem.mu[i] = 0.2 + i;
    for (int i = 0; i < 6; i++) f.problem.q[i] = i % 3 == 2 ? 0 : -1 - i;
    check_solve(&f.problem, "lemke", 1e-10, 1000);
    assert_ok(scree_fclib_write(&f, path, &error));
    scree_fclib g = load(path);
    unlink(path);
    assert_int_equal(g.problem.dim, 2);
    assert_string_equal(g.title, "plane");
    assert_int_equal(g.problem.n_block, f.problem.n_block);
    assert_memory_equal(g.problem.W, f.problem.W,
                        9 * sizeof(double) * (size_t)f.problem.n_block);
    assert_memory_equal(g.problem.q, f.problem.q, 6 * sizeof(double));
    assert_memory_equal(g.problem.r, f.problem.r, 6 * sizeof(double));
    assert_memory_equal(g.solution_u, f.problem.u, 6 * sizeof(double));
    scree_fclib_free(&f);
    scree_fclib_free(&g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_contact__modes__closed_form),
        cmocka_unit_test(contact__coupled_block__exact),
        cmocka_unit_test(bed__in_any_order__folds_are_passed),
        cmocka_unit_test(pgs__any_order__groups_without_neighbours),
        cmocka_unit_test(pgs__exact_local_solve__reaches_the_tolerance),
        cmocka_unit_test(small__slip_and_stick__as_pgs),
        cmocka_unit_test(small__lmgc__few_sweeps_without_others),
        cmocka_unit_test(small__many_contacts_or_sweeps__left_to_others),
        cmocka_unit_test(residual__masses_scaled__unchanged),
        cmocka_unit_test(global__constraint__eliminated),
        cmocka_unit_test(every_method__not_finite_or_infeasible__ends),
        cmocka_unit_test(plane__slip__closed_form),
        cmocka_unit_test(plane__written_and_read__same_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
