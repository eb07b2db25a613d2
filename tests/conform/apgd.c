/* Accelerated projected gradients on bodies and contacts, against the method on
 * the matrix written out (solvers/blocks/apgd_blocks.c), and against pgs where there is no
 * such matrix. */
#include <stdlib.h>
#include <string.h>

#include "solvers/blocks/explicit.h"
#include "solvers/law/ellipse.h"
#include "solvers/methods/apgd.h"
#include "solvers/problem/method.h"
#include "tests/conform/solver_fixture.h"

/* ---- the same iterates -------------------------------------------------------- */

/* G_ij <- sqrt(rho_i rho_j) G_ij and so on: P = sqrt(rho) r. */
static void scale_by_rho(scree_fc3d *w) {
    for (int i = 0; i < w->nc; ++i) {
        for (int k = 0; k < 3; ++k) w->q[3 * i + k] *= sqrt(w->rho[i]);
        for (int64_t b = w->row[i]; b < w->row[i + 1]; ++b)
            for (int k = 0; k < 9; ++k)
                w->W[9 * b + k] *= sqrt(w->rho[i] * w->rho[w->column[b]]);
    }
}

/* Leaves the percussions of the method on the matrix in g. */
static void iterate_matrix(fixture *g, int iterations) {
    scree_fc3d written;
    scree_report report;
    scree_solver_options options = scree_blocks_options();
    options.iterations = iterations;
    options.tolerance = 0;
    options.stall = 0;
    options.keep_last = true;
    options.feedback = 20;
    restart(g);
    assert_ok(scree_problem_sort(&g->p));
    const size_t mark = scree_arena_mark(&g->scratch);
    assert_ok(scree_problem_write_out(&g->p, &g->scratch, &written));
    scale_by_rho(&written);
    assert_ok(scree_blocks_apgd(&written, &options, &g->scratch, &report));
    assert_int_equal(report.iterations, iterations);
    for (int i = 0; i < 3 * written.nc; ++i)
        written.r[i] *= sqrt(written.rho[i / 3]);
    scree_problem_take_over(&g->p, &written);
    scree_arena_pop(&g->scratch, mark);
}

/* As it comes, in sweeps of 7; s for 20 iterations, as on the matrix. */
static void iterate_bodies(fixture *f, int iterations) {
    scree_apgd s;
    restart(f);
    assert_ok(scree_problem_sort(&f->p));
    const size_t mark = scree_arena_mark(&f->scratch);
    assert_true(scree_apgd_begin(&s, &f->p, &f->scratch));
    s.rule.period = 20;
    for (int done = 0; done < iterations; done += 7)
        scree_apgd_sweep(&s, iterations - done < 7 ? iterations - done : 7);
    scree_arena_pop(&f->scratch, mark);
}

static void check_iterates(fixture *f, fixture *g, int iterations) {
    double off = 0, most = 0;
    iterate_bodies(f, iterations);
    iterate_matrix(g, iterations);
    for (int64_t i = 0; i < f->p.n_contact; ++i) {
        const scree_row a = scree_problem_row(&f->p, i);
        const scree_row b = scree_problem_row(&g->p, i);
        const scree_vec3 P = add_scaled(a.P_t, a.P_n, a.n);
        const scree_vec3 Q = add_scaled(b.P_t, b.P_n, b.n);
        off = fmax(off, norm(sub(P, Q)));
        most = fmax(most, norm(Q));
    }
    assert_true(most > 0);
    assert_near(off / most, 0, 1e-10);
    assert_near(momentum_defect(f), 0, 1e-12);
}

/* A bed of which all contacts are general: one inertia per body. */
static fixture general_bed(int n_body, int n_contact, double mu) {
    fixture f = random_kind(n_body, n_contact, mu, true);
    assert_ok(scree_problem_clear(&f.p, n_contact, n_contact));
    scree_random rng = {5};
    for (int k = 0; k < n_contact; ++k) {
        const scree_vec3 n = random_vec(&rng, 1);
        const int b = (k + 1 + k / n_body) % n_body;
        const scree_row row = {.a = k % n_body,
                               .b = b == k % n_body ? n_body : b,
                               .general = true,
                               .n = scale(1 / norm(n), n),
                               .r_a = random_vec(&rng, 0.05),
                               .r_b = random_vec(&rng, 0.05),
                               .mu = mu};
        add_row(&f.p, &row);
    }
    return f;
}

static void iterates__round_and_general__as_on_the_matrix(void **state) {
    (void)state;
    const int iterations[] = {1, 5, 20, 21, 50};
    for (int k = 0; k < 5; ++k) {
        fixture f = random_bed(60, 150, 0.3), g = random_bed(60, 150, 0.3);
        check_iterates(&f, &g, iterations[k]);
        free_fixture(&f);
        free_fixture(&g);
        f = general_bed(40, 90, 0.4), g = general_bed(40, 90, 0.4);
        make_ovals(&f, 2), make_ovals(&g, 2);
        check_iterates(&f, &g, iterations[k]);
        free_fixture(&f);
        free_fixture(&g);
    }
}

/* ---- the same solutions -------------------------------------------------------- */

static scree_report solve_matrix(fixture *f, double tolerance) {
    const scree_solver_options options = {
        .iterations = 20000, .tolerance = tolerance, .relaxation = 1};
    scree_report report;
    restart(f);
    assert_ok(scree_problem_sort(&f->p));
    assert_ok(scree_lanes_write(scree_method_find("apgd"), &f->p, &options,
                                &f->scratch, &report));
    return report;
}

static double apart(const fixture *f, const fixture *g) {
    double most = 0;
    for (int i = 0; i < f->p.n_body; ++i) {
        const scree_twist *u = &f->p.u[i], *v = &g->p.u[i];
        most = fmax(most, norm(sub(u->v, v->v)));
        most = fmax(most, 0.1 * norm(sub(u->w, v->w)));
    }
    return most;
}

static void check_solution(fixture *f, fixture *g, double tolerance) {
    const scree_report matrix = solve_matrix(g, tolerance);
    const scree_report report = solve(f, "apgd", tolerance);
    print_message("%d iterations, on the matrix %d\n", report.iterations,
                  matrix.iterations);
    assert_true(matrix.converged && report.converged);
    assert_true(report.residual <= tolerance);
    assert_true(report.iterations <= 1.5 * matrix.iterations);
    assert_near(apart(f, g), 0, 1e4 * tolerance);
}

static void solution__beds__that_of_the_matrix_in_like_time(void **state) {
    (void)state;
    for (int k = 0; k < 4; ++k) {
        const double mu = 0.3 * k;
        fixture f = random_bed(300, 600, mu), g = random_bed(300, 600, mu);
        check_solution(&f, &g, 1e-8);
        free_fixture(&f);
        free_fixture(&g);
    }
    fixture f = general_bed(60, 100, 0.3), g = general_bed(60, 100, 0.3);
    make_ovals(&f, 2), make_ovals(&g, 2);
    check_solution(&f, &g, 1e-8);
    free_fixture(&f);
    free_fixture(&g);
}

/* ---- moments ------------------------------------------------------------------ */

/* Contacts that roll, that drill, that do both, with and without ellipses. */
static fixture turning_bed(void) {
    fixture f = general_bed(60, 80, 0.8);
    make_ovals(&f, 3);
    for (int64_t i = 0; i < f.p.n_contact; ++i) {
        scree_row row = scree_problem_row(&f.p, i);
        row.roll = i % 4 & 1 ? 0.1 : 0;
        row.drill = i % 4 & 2 ? 0.2 : 0;
        row.laws |=
            (i % 4 & 1 ? SCREE_ROLLING : 0) | (i % 4 & 2 ? SCREE_CONTENSOU : 0);
        scree_problem_fill(&f.p, i, &row);
    }
    keep_u_free(&f);
    return f;
}

/* u = u_free, P = 0, M = 0 */
static scree_report solve_turning(fixture *f, const char *method) {
    for (int64_t i = 0; i < f->p.n_contact; ++i) {
        scree_row row = scree_problem_row(&f->p, i);
        row.M = vec(0, 0, 0);
        scree_problem_fill(&f->p, i, &row);
    }
    return solve(f, method, 1e-10);
}

/* How many contacts hold, and how many yield, by a law's |x| <= limit. */
typedef struct tally {
    int hold, yield;
} tally;
static void count(tally *t, double size, double limit) {
    if (limit == 0) return;
    assert_true(size <= limit * (1 + 1e-9));
    if (size < 0.99 * limit)
        ++t->hold;
    else
        ++t->yield;
}

/* The moments stay within their laws, and some of each kind reach them. */
static void check_moments(const fixture *f) {
    tally roll = {0}, drill = {0};
    for (int64_t i = 0; i < f->p.n_contact; ++i) {
        const scree_row r = scree_problem_row(&f->p, i);
        const double M_n = dot(r.n, r.M);
        const scree_vec3 M_t = add_scaled(r.M, -M_n, r.n);
        const scree_vec3 P_t =
            scree_row_is_oval(&r) ? scree_row_shrink(&r, r.P_t) : r.P_t;
        count(&roll, norm(M_t), r.roll * r.P_n);
        if (r.drill > 0)
            count(&drill, hypot(norm(P_t), M_n / r.drill), r.mu * r.P_n);
    }
    print_message("rolling: %d hold, %d yield; drilling: %d, %d\n", roll.hold,
                  roll.yield, drill.hold, drill.yield);
    assert_true(roll.hold > 0 && roll.yield > 0);
    assert_true(drill.hold > 0 && drill.yield > 0);
}

static void moments__bed__agree_with_pgs(void **state) {
    (void)state;
    fixture f = turning_bed(), g = turning_bed();
    assert_true(solve_turning(&g, "pgs").converged);
    const scree_report report = solve_turning(&f, "apgd");
    assert_true(report.converged);
    check_moments(&f);
    assert_near(apart(&f, &g), 0, 1e-7);
    free_fixture(&f);
    free_fixture(&g);
}

/* ---- the best iterate ------------------------------------------------------------ */

/* However many iterations: the residual is never worse than with fewer, as far as
 * both were checked (after 4, 9, 15, 22, 31 ...). */
static void best__any_number_of_iterations__never_worse(void **state) {
    (void)state;
    const int checks[] = {4, 9, 15, 22, 31, 42, 56, 74, 96, 124};
    fixture f = random_bed(100, 250, 3); /* swings */
    double last = INFINITY;
    for (int k = 0; k < 10; ++k) {
        const scree_solver_options options = {.iterations = checks[k],
                                              .relaxation = 1};
        scree_report report;
        restart(&f);
        assert_ok(scree_inclusion_solve(scree_in_lanes(&f.p),
                                        scree_method_find("apgd"), &options,
                                        &f.scratch, &report, NULL));
        assert_int_equal(report.iterations, checks[k]);
        assert_int_equal(report.stop, SCREE_STOP_ITERATIONS);
        assert_true(report.residual <= last);
        assert_near(momentum_defect(&f), 0, 1e-12);
        last = report.residual;
    }
    free_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iterates__round_and_general__as_on_the_matrix),
        cmocka_unit_test(solution__beds__that_of_the_matrix_in_like_time),
        cmocka_unit_test(moments__bed__agree_with_pgs),
        cmocka_unit_test(best__any_number_of_iterations__never_worse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
