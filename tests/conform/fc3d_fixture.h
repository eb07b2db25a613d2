/* fc3d_fixture.h: what the tests of contact problems with explicit W share: the
 * residual a second time, from its definition; solving from r = 0; which method
 * must take which problem. */
#ifndef SCREE_TESTS_FC3D_FIXTURE_H
#define SCREE_TESTS_FC3D_FIXTURE_H

#include <string.h>

#include "io/fclib/fclib.h"
#include "solvers/problem/method.h"
#include "tests/conform/exceptions.h"
#include "tests/support.h"

#define DATA SCREE_SOURCE_DIR "/tests/data/fclib/"
static const char CAPSULES[] = DATA "Capsules-i125-1213.hdf5";
static const char SPHERES[] = DATA "spheres-in-a-box-98-i10000-256-10.hdf5";
static const char BED[] = DATA "bed-220.hdf5";
static const char LMGC[] = DATA "LMGC_GlobalFrictionContactProblem00046.hdf5";

#define FOR_EACH_METHOD(m)                                                     \
    const scree_method *m;                                                     \
    for (int i_ = 0; (m = scree_method_on(SCREE_LAYOUT_BLOCKS, i_)); i_++)

/* ---- the residual again -------------------------------------------------- */

/* |r - P_K(r - u - mu |u_T| n)|^2. */
static inline double map2(double mu, const double *r, const double *u) {
    const double s = mu * hypot(u[1], u[2]);
    const double x = r[0] - u[0] - s, y = r[1] - u[1], z = r[2] - u[2];
    const double t = hypot(y, z);
    double n = x, a = y, b = z;
    if (t > mu * x && mu * t <= -x)
        n = a = b = 0;
    else if (t > mu * x) {
        n = (x + mu * t) / (1 + mu * mu);
        a = mu * n * y / t, b = mu * n * z / t;
    }
    return (r[0] - n) * (r[0] - n) + (r[1] - a) * (r[1] - a) +
           (r[2] - b) * (r[2] - b);
}

static inline double norm2(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i];
    return sum;
}

static inline double residual_again(const scree_fc3d *p) {
    double u[3], F2 = 0, u2 = 0;
    for (int i = 0; i < p->nc; i++) {
        memcpy(u, &p->q[3 * i], sizeof u);
        for (int64_t k = p->row[i]; k < p->row[i + 1]; k++)
            for (int a = 0; a < 9; a++)
                u[a / 3] += p->W[9 * k + a] * p->r[3 * p->column[k] + a % 3];
        F2 += map2(p->mu[i], &p->r[3 * i], u);
        u2 += norm2(u, 3);
    }
    const double scale = fmax(norm2(p->q, 3 * p->nc), norm2(p->r, 3 * p->nc));
    return sqrt(F2 / fmax(scale, u2));
}

/* ---- solving ------------------------------------------------------------- */

static inline scree_report solve(scree_fc3d *p, const char *method,
                                 double tolerance, int64_t iterations) {
    scree_solver_options o = scree_blocks_options();
    o.tolerance = tolerance;
    o.iterations = iterations;
    scree_arena scratch = {0};
    scree_report report;
    memset(p->r, 0, 3 * (size_t)p->nc * sizeof *p->r);
    assert_ok(
        scree_blocks_run(scree_method_find(method), p, &o, &scratch, &report));
    scree_arena_free(&scratch);
    return report;
}

static inline void check_solve(scree_fc3d *p, const char *method,
                               double tolerance, int64_t iterations) {
    const scree_report report = solve(p, method, tolerance, iterations);
    if (!report.converged)
        print_error("%s: residual %g after %lld: %s\n", method, report.residual,
                    (long long)report.iterations, scree_stop_text(report.stop));
    assert_true(report.converged);
    assert_int_equal(report.stop, SCREE_STOP_TOLERANCE);
    assert_true(report.residual <= tolerance);
    assert_near(residual_again(p), report.residual, 1e-3 * tolerance);
    assert_near(report.cone, 0, 1e-12);
}

static inline scree_fclib load(const char *path) {
    scree_fclib f;
    scree_error error = {0};
    const scree_status status = scree_fclib_read(&f, path, &error);
    if (status != SCREE_OK) print_error("%s\n", error.text);
    assert_ok(status);
    return f;
}

/* Does the method take the problem? One that does not must say so. */
static inline bool takes(const scree_method *m, scree_fc3d *p) {
    bool friction = false;
    for (int i = 0; i < p->nc; i++) friction |= p->mu[i] > 0;
    if (!(m->lacks & SCREE_NEED_SPACE) || !friction || p->dim == 2) return true;
    const scree_solver_options o = scree_blocks_options();
    scree_arena scratch = {0};
    scree_report report;
    assert_int_equal(scree_inclusion_solve(scree_in_blocks(p), m, &o, &scratch,
                                           &report, NULL),
                     SCREE_UNSUPPORTED);
    scree_arena_free(&scratch);
    return false;
}

/* Without its second tangents: the same problem if nothing goes that way. */
static inline void flatten(scree_fc3d *p) {
    p->dim = 2;
    for (int64_t k = 0; k < p->n_block; k++)
        for (int a = 0; a < 9; a++)
            if (a / 3 == 2 || a % 3 == 2) p->W[9 * k + a] = 0;
    for (int i = 0; i < p->nc; i++) p->q[3 * i + 2] = 0;
}

#endif
