/* Every method of the table on problems with known answers: masses without
 * rotation, contacts between two of them or with the ground. Problems that live in
 * one plane are solved as such too, where all methods take them; nothing may hang or
 * overrun its iterations. */
#include "tests/conform/fc3d_fixture.h"

enum { MOST = 40 };

/* ---- problems from masses ------------------------------------------------ */

/* Contact of body a on body b, or on the ground (-1); normal and mu. */
typedef struct touch {
    int a, b;
    double n[3], mu;
} touch;

/* (n, t1, t2) as rows; t1 is along y unless n is. */
static void frame(const double n[3], double f[9]) {
    const double y = fabs(n[1]) < 0.9;
    double t[3] = {1 - y, y, 0}, dot = n[0] * t[0] + n[1] * t[1] + n[2] * t[2];
    for (int k = 0; k < 3; k++) t[k] -= dot * n[k];
    const double length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    for (int k = 0; k < 3; k++) f[k] = n[k], f[3 + k] = t[k] / length;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        f[6 + k] = f[i] * f[3 + j] - f[j] * f[3 + i];
    }
}

/* How body `i` enters contact t: +1, -1 or 0. */
static double side(const touch *t, int i) {
    return (t->a == i) - (t->b == i && t->b >= 0);
}

static double shared_mobility(const touch *s, const touch *t, const double *m) {
    double sum = side(s, s->a) * side(t, s->a) / m[s->a];
    if (s->b >= 0) sum += side(s, s->b) * side(t, s->b) / m[s->b];
    return sum;
}

/* W = H^T M^-1 H, q = H^T v. */
static scree_fc3d build(const touch *t, int nc, const double *m,
                        const double (*v)[3]) {
    static scree_entry W[9 * MOST * MOST];
    int n = 0;
    scree_fc3d p;
    scree_arena scratch = {0};
    for (int i = 0; i < nc; i++)
        for (int j = 0; j < nc; j++) {
            const double c = shared_mobility(&t[i], &t[j], m);
            double f[9], g[9];
            if (c == 0 && i != j) continue;
            frame(t[i].n, f), frame(t[j].n, g);
            for (int k = 0; k < 9; k++) {
                const double *a = &f[k / 3 * 3], *b = &g[k % 3 * 3];
                const double x = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
                W[n++] = (scree_entry){3 * i + k / 3, 3 * j + k % 3, c * x};
            }
        }
    assert_ok(scree_fc3d_assemble(&p, nc, n, W, &scratch));
    scree_arena_free(&scratch);
    for (int i = 0; i < nc; i++) {
        double f[9];
        frame(t[i].n, f);
        p.mu[i] = t[i].mu;
        for (int k = 0; k < 9; k++) {
            const double d =
                v[t[i].a][k % 3] - (t[i].b < 0 ? 0 : v[t[i].b][k % 3]);
            p.q[3 * i + k / 3] += f[k] * d;
        }
    }
    return p;
}

/* ---- solving ------------------------------------------------------------- */

/* False: the method does not take it. */
static bool try_solve(scree_fc3d *p, const scree_method *m, double tolerance,
                      int64_t iterations, scree_report *report) {
    if (!takes(m, p)) return false;
    *report = solve(p, m->name, tolerance, iterations);
    assert_int_equal(report->converged, report->stop == SCREE_STOP_TOLERANCE);
    assert_true(report->iterations >= 0 && report->iterations <= iterations);
    if (report->stop == SCREE_STOP_ITERATIONS)
        assert_int_equal(report->iterations, iterations);
    return true;
}

/* Signorini, Coulomb and the cone, each by itself. */
static void check_laws(const scree_fc3d *p, double eps) {
    for (int i = 0; i < p->nc; i++) {
        const double *r = &p->r[3 * i], *u = &p->u[3 * i];
        const double rt = hypot(r[1], r[2]), ut = hypot(u[1], u[2]);
        assert_true(r[0] >= -eps && u[0] >= -eps);
        assert_true(rt <= p->mu[i] * r[0] + eps);
        assert_near(r[0] * u[0], 0, eps);
        assert_near(r[1] * u[1] + r[2] * u[2], -p->mu[i] * r[0] * ut, eps);
    }
}

/* Solved by method m and checked; false: not taken. */
static bool solved(scree_fc3d *p, const scree_method *m) {
    scree_report report;
    if (!try_solve(p, m, 1e-9, 400000, &report)) return false;
    if (!report.converged)
        print_error("%s: residual %g, %s\n", m->name, report.residual,
                    scree_stop_text(report.stop));
    assert_true(report.converged);
    assert_true(scree_fc3d_measure(p).residual <= 1e-9);
    check_laws(p, 1e-6);
    return true;
}

/* ---- closed forms -------------------------------------------------------- */

/* Three masses of 2 on each other, falling with 1: r_N = 6, 4, 2. Sliding
 * together, each loses mu = 0.3, carried up by sticking contacts. */
static void stack__at_rest_and_sliding__closed_form(void **state) {
    (void)state;
    const touch t[] = {{0, -1, {0, 0, 1}, 0.3},
                       {1, 0, {0, 0, 1}, 0.8},
                       {2, 1, {0, 0, 1}, 0.8}};
    const double m[] = {2, 2, 2};
    const double rest[][3] = {{0, 0, -1}, {0, 0, -1}, {0, 0, -1}};
    const double slide[][3] = {{0, 1, -1}, {0, 1, -1}, {0, 1, -1}};
    FOR_EACH_METHOD(method) {
        for (int k = 0; k < 4; k++) {
            const int moves = k % 2;
            scree_fc3d p = build(t, 3, m, moves ? slide : rest);
            if (k >= 2) flatten(&p);
            for (int i = 0; i < 3 && solved(&p, method); i++) {
                assert_near(p.r[3 * i], 6 - 2 * i, 1e-6);
                assert_near(p.r[3 * i + 1], moves ? -0.3 * (6 - 2 * i) : 0,
                            1e-6);
                assert_near(p.u[3 * i + 1], moves && i == 0 ? 0.7 : 0, 1e-6);
            }
            scree_fc3d_free(&p);
        }
    }
}

/* One mass on four equal contacts: only the sum of the reactions is told. */
static void box__hyperstatic__weight_carried(void **state) {
    (void)state;
    const touch t[] = {{0, -1, {0, 0, 1}, 0.5},
                       {0, -1, {0, 0, 1}, 0.5},
                       {0, -1, {0, 0, 1}, 0.5},
                       {0, -1, {0, 0, 1}, 0.5}};
    const double m[] = {3}, v[][3] = {{0.1, 0.2, -1}};
    FOR_EACH_METHOD(method) {
        scree_fc3d p = build(t, 4, m, v);
        if (solved(&p, method)) {
            assert_near(p.r[0] + p.r[3] + p.r[6] + p.r[9], 3, 1e-6);
            for (int i = 0; i < 12; i++) assert_near(p.u[i], 0, 1e-6);
        }
        scree_fc3d_free(&p);
    }
}

/* A mass on an incline sticks up to tan(angle) = mu, then slides down with
 * sin - mu cos. */
static void incline__around_the_limit__closed_form(void **state) {
    (void)state;
    const double m[] = {1.5}, v[][3] = {{0, 0, -1}}, mu = 0.5;
    FOR_EACH_METHOD(method) {
        for (int n = 0; n < 4; n++) {
            const int k = n % 2;
            const double angle = atan(mu) + (k ? 0.05 : -0.05);
            const double s = sin(angle), c = cos(angle);
            const touch t[] = {{0, -1, {0, s, c}, mu}};
            scree_fc3d p = build(t, 1, m, v);
            if (n >= 2) flatten(&p);
            if (solved(&p, method)) {
                assert_near(p.r[0], 1.5 * c, 1e-6);
                assert_near(hypot(p.u[1], p.u[2]), k ? s - mu * c : 0, 1e-6);
            }
            scree_fc3d_free(&p);
        }
    }
}

/* A mass sliding along a V with half angle a: two normals of m / (2 sin a), so
 * it loses mu / sin a, or all if that is more. */
static void wedge__sliding_along__closed_form(void **state) {
    (void)state;
    const double a = 0.5, m[] = {2}, mu = 0.3;
    const touch t[] = {{0, -1, {cos(a), 0, sin(a)}, mu},
                       {0, -1, {-cos(a), 0, sin(a)}, mu}};
    FOR_EACH_METHOD(method) {
        for (int k = 0; k < 2; k++) {
            const double v[][3] = {{0, k ? 2 : 0.5, -1}};
            scree_fc3d p = build(t, 2, m, v);
            if (solved(&p, method)) {
                assert_near(p.u[1], k ? 2 - mu / sin(a) : 0, 1e-6);
                if (k) assert_near(p.r[0], 2 / (2 * sin(a)), 1e-5);
            }
            scree_fc3d_free(&p);
        }
    }
}

/* A wedge of angle a on the ground under a load that a smooth wall guides: friction
 * tan(phi) holds it up to a = phi + atan(tan(phi) (1 + m/M)); tests/conform/solvers.c
 * has the velocity with which it is driven out beyond that. */
static void driven_wedge__around_the_limit__closed_form(void **state) {
    (void)state;
    const double m[] = {0.5, 3}, mu = 0.25, phi = atan(mu);
    const double v[][3] = {{0, 0, -1}, {0, 0, -1}};
    for (int n = 0; n < 6; n++) {
        const double beyond = n % 3 == 0 ? -0.02 : n % 3 == 1 ? 0.02 : 0.2;
        const double a = phi + atan(mu * (1 + m[0] / m[1])) + beyond;
        const double T = tan(a - phi) - mu;
        const double w =
            beyond > 0 ? (m[1] * T - m[0] * mu) / (m[0] + m[1] * T * tan(a))
                       : 0;
        const touch t[] = {{0, -1, {0, 0, 1}, mu},
                           {1, 0, {0, -sin(a), cos(a)}, mu},
                           {1, -1, {0, 1, 0}, 0}};
        FOR_EACH_METHOD(method) {
            scree_fc3d p = build(t, 3, m, v);
            if (n >= 3) flatten(&p);
            if (solved(&p, method)) {
                assert_near(fabs(p.u[1]), w, 1e-6);
                assert_near(p.u[6], 0, 1e-6);
            }
            scree_fc3d_free(&p);
        }
    }
}

/* ---- random -------------------------------------------------------------- */

static const exception EXCEPTIONS[] = {
    {"random, friction", "apgd",
     "its feedback of slip goes round in circles near mu = 1"},
};

static uint64_t seed;
static double random_unit(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) * 0x1p-53;
}

/* v = 0 satisfies all contacts, so a solution exists; unless the last two squeeze a
 * body. */
/* closing: of two plates on both sides of a body [m/s], 0: none. */
static scree_fc3d random_heap(double closing) {
    enum { BODIES = 6, CONTACTS = 14 };
    touch t[CONTACTS];
    double m[BODIES], v[BODIES][3];
    for (int i = 0; i < BODIES; i++) {
        m[i] = 0.5 + random_unit();
        for (int k = 0; k < 3; k++)
            v[i][k] = random_unit() - (k == 2 ? 1.2 : 0.5);
    }
    for (int i = 0; i < CONTACTS; i++) {
        const int a = (int)(BODIES * random_unit());
        const double z = 0.3 + 0.7 * random_unit(),
                     turn = 6.2831853 * random_unit();
        const double s = sqrt(1 - z * z);
        t[i] = (touch){a,
                       (int)(a * random_unit()) - 1,
                       {s * cos(turn), s * sin(turn), z},
                       random_unit()};
    }
    if (closing == 0) return build(t, CONTACTS, m, (const double(*)[3])v);
    t[CONTACTS - 2] = (touch){3, -1, {1, 0, 0}, 0.5};
    t[CONTACTS - 1] = (touch){3, -1, {-1, 0, 0}, 0.5};
    scree_fc3d p = build(t, CONTACTS, m, (const double(*)[3])v);
    p.q[3 * CONTACTS - 6] = p.q[3 * CONTACTS - 3] = -closing;
    return p;
}

static scree_fc3d random_problem(void) {
    return random_heap(0);
}

static void drop_friction(scree_fc3d *p) {
    memset(p->mu, 0, (size_t)p->nc * sizeof *p->mu);
}

/* Without friction the velocities are unique. */
static void random__feasible__solved_by_every_method(void **state) {
    (void)state;
    double u[3 * MOST];
    seed = 7;
    for (int n = 0; n < 30; n++) {
        scree_fc3d p = random_problem();
        if (n % 3 == 2) drop_friction(&p);
        FOR_EACH_METHOD(method) {
            const char *name = n % 3 == 2 ? "random" : "random, friction";
            if (IS_EXCEPTED(EXCEPTIONS, name, method->name)) continue;
            if (!solved(&p, method) || n % 3 != 2) continue;
            if (i_ == 0) memcpy(u, p.u, 3 * (size_t)p.nc * sizeof *u);
            for (int i = 0; i < 3 * p.nc; i++) assert_near(p.u[i], u[i], 1e-6);
        }
        scree_fc3d_free(&p);
    }
}

/* ---- what has no solution ------------------------------------------------ */

/* A mass between two plates that close on it: q_N < 0 on both sides. */
static void squeezed__no_solution__ends_unconverged(void **state) {
    (void)state;
    const touch t[] = {{0, -1, {0, 0, 1}, 0.5}, {0, -1, {0, 0, -1}, 0.5}};
    const double m[] = {1}, v[][3] = {{0, 0.1, 0}};
    FOR_EACH_METHOD(method) {
        scree_fc3d p = build(t, 2, m, v);
        scree_report report;
        p.q[0] = p.q[3] = -1;
        for (int n = 0; n < 2; n++) {
            if (n) drop_friction(&p);
            if (!try_solve(&p, method, 1e-6, 3000, &report)) continue;
            assert_false(report.converged);
            assert_true(report.stop == SCREE_STOP_ITERATIONS ||
                        report.stop == SCREE_STOP_STALL);
            assert_true(isfinite(report.residual));
        }
        scree_fc3d_free(&p);
    }
}

/* From the r that is there. */
static scree_report go_on(scree_fc3d *p, const scree_method *m,
                          double tolerance, int64_t iterations) {
    scree_solver_options o = scree_blocks_options();
    scree_arena scratch = {0};
    scree_report report;
    o.tolerance = tolerance;
    o.iterations = iterations;
    assert_ok(scree_blocks_run(m, p, &o, &scratch, &report));
    scree_arena_free(&scratch);
    return report;
}

/* Bodies of random heaps between two plates that close on them, faster and more
 * slowly than all else; and again from the percussions that the method left. */
static void random__infeasible__ends_unconverged(void **state) {
    (void)state;
    static const double closing[] = {2, 0.2, 0.05};
    seed = 5;
    for (int n = 0; n < 24; n++) {
        const double tolerance = n / 3 % 2 ? 1e-3 : 1e-6;
        scree_fc3d p = random_heap(closing[n % 3]);
        if (n / 6 % 2) drop_friction(&p);
        FOR_EACH_METHOD(method) {
            scree_report report;
            if (!try_solve(&p, method, tolerance, 3000, &report)) continue;
            assert_false(report.converged);
            assert_true(isfinite(report.residual));
            assert_false(go_on(&p, method, tolerance, 3000).converged);
        }
        scree_fc3d_free(&p);
    }
}

/* One contact of many that nothing can hold, and one that is not a number. */
static void one_bad_contact__random__ends_unconverged(void **state) {
    (void)state;
    seed = 11;
    FOR_EACH_METHOD(method) {
        scree_fc3d p = random_problem();
        scree_report report;
        for (int64_t k = p.row[3]; k < p.row[4]; k++)
            memset(&p.W[9 * k], 0, 9 * sizeof *p.W);
        for (int n = 0; n < 2; n++) {
            if (n) drop_friction(&p);
            p.q[9] = -1;
            if (!try_solve(&p, method, 1e-6, 3000, &report)) continue;
            assert_false(report.converged);
            assert_true(report.stop == SCREE_STOP_ITERATIONS ||
                        report.stop == SCREE_STOP_STALL);
            p.q[9] = NAN;
            assert_true(try_solve(&p, method, 1e-6, 3000, &report));
            assert_false(report.converged);
            assert_int_equal(report.stop, SCREE_STOP_NOT_FINITE);
        }
        scree_fc3d_free(&p);
    }
}

/* ---- limits -------------------------------------------------------------- */

static void limits__iterations_and_seconds__kept(void **state) {
    (void)state;
    seed = 3;
    scree_fc3d p = random_problem();
    FOR_EACH_METHOD(method) {
        for (int n = 0; n < 40; n += 1 + n / 3) {
            scree_report report;
            if (!try_solve(&p, method, 0, n, &report)) break;
            assert_false(report.converged && report.residual > 0);
        }
    }
    scree_solver_options o = scree_blocks_options();
    scree_report report;
    scree_arena scratch = {0};
    o.tolerance = 0, o.iterations = INT32_MAX, o.seconds = 0.05;
    const double start = scree_loop_now();
    assert_ok(scree_blocks_auto(&p, &o, &scratch, &report));
    assert_true(scree_loop_now() - start < 2);
    scree_arena_free(&scratch);
    scree_fc3d_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stack__at_rest_and_sliding__closed_form),
        cmocka_unit_test(box__hyperstatic__weight_carried),
        cmocka_unit_test(incline__around_the_limit__closed_form),
        cmocka_unit_test(wedge__sliding_along__closed_form),
        cmocka_unit_test(driven_wedge__around_the_limit__closed_form),
        cmocka_unit_test(random__feasible__solved_by_every_method),
        cmocka_unit_test(random__infeasible__ends_unconverged),
        cmocka_unit_test(squeezed__no_solution__ends_unconverged),
        cmocka_unit_test(one_bad_contact__random__ends_unconverged),
        cmocka_unit_test(limits__iterations_and_seconds__kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
