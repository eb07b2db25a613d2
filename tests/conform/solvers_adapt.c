/* What a solver changes on its way: auto its method, pgs its relaxation. */
#include <string.h>

#include "tests/conform/solver_fixture.h"

/* A heap of spheres in a trough, three to four contacts each, pressed down: more
 * percussions than the bodies can tell apart. */
static fixture crowded_bed(void) {
    enum { N = 120 };
    scree_random rng = {21};
    fixture f = new_fixture(N, 4 * N);
    for (int i = 0; i < N; ++i)
        set_body(&f, i, 1, 0.1,
                 add(random_vec(&rng, 1e-3), vec(0, 0, -9.81e-3)),
                 vec(0, 0, 0));
    for (int i = 0; i < N; ++i)
        for (int k = 0; k < 4; ++k) {
            const double turn = 0.5 * SCREE_PI * k + scree_random_unit(&rng);
            const int below = i - 1 - (int)(10 * scree_random_unit(&rng));
            add_contact(&f, i, below, vec(cos(turn), sin(turn), 0.7), 0.1, 0.1,
                        0.5, vec(0, 0, 0));
        }
    keep_u_free(&f);
    return f;
}

static scree_report solve_within(fixture *f, const char *method, int iterations,
                                 double tolerance) {
    const scree_solver_options options = {.iterations = iterations,
                                          .tolerance = tolerance,
                                          .relaxation = 1,
                                          .momentum = 0.85};
    scree_report report;
    restart(f);
    assert_ok(scree_inclusion_solve(scree_in_lanes(&f->p),
                                    scree_method_find(method), &options,
                                    &f->scratch, &report, NULL));
    print_message("%s: residual %.1e after %d: %s, by %s\n", method,
                  report.residual, report.iterations,
                  scree_stop_text(report.stop), report.by);
    return report;
}

static void auto__bed_where_pgs_stalls__changes_over(void **state) {
    (void)state;
    fixture f = crowded_bed();
    const scree_report sweeps = solve_within(&f, "pgs", 100, 1e-6);
    assert_false(sweeps.converged);
    assert_int_equal(sweeps.stop, SCREE_STOP_ITERATIONS);
    assert_string_equal(sweeps.by, "pgs");
    const scree_report report = solve_within(&f, "auto", 100, 1e-6);
    assert_true(report.converged);
    assert_int_equal(report.stop, SCREE_STOP_TOLERANCE);
    assert_true(report.iterations <= 100);
    assert_string_not_equal(report.by, "pgs");
    assert_near(momentum_defect(&f), 0, 1e-12);
    assert_near(law_defect(&f), 0, 10 * report.residual * size_of(&f));
    /* What pgs does in time is left to it. */
    const scree_report easy = solve_within(&f, "auto", 100, 1e-2);
    assert_true(easy.converged);
    assert_string_equal(easy.by, "pgs");
    free_fixture(&f);
}

/* With few iterations Newton steps may lead nowhere: auto returns what pgs does then,
 * or better, and says who made it. */
static void auto__few_iterations__no_worse_than_pgs(void **state) {
    (void)state;
    fixture beds[] = {crowded_bed(), random_kind(200, 700, 0.6, true)};
    int by_pgs = 0, by_others = 0;
    for (int k = 0; k < 2; ++k) {
        fixture *f = &beds[k];
        for (int n = 20; n <= 80; n += 15) {
            const scree_report sweeps = solve_within(f, "pgs", n, 1e-9);
            const scree_report report = solve_within(f, "auto", n, 1e-9);
            const bool same = strcmp(report.by, "pgs") == 0;
            if (same)
                assert_true(report.residual == sweeps.residual);
            else
                assert_true(report.residual < sweeps.residual);
            by_pgs += same, by_others += !same;
            assert_true(report.iterations <= n);
            assert_near(momentum_defect(f), 0, 1e-11);
        }
        free_fixture(f);
    }
    assert_true(by_pgs > 0 && by_others > 0);
}

/* Over-relaxation that makes the residual grow is taken back: without that these beds
 * stay at 0.17 and 0.53. */
static void pgs__relaxed_too_far__taken_back(void **state) {
    (void)state;
    fixture beds[] = {random_kind(200, 700, 0.6, true),
                      random_bed(300, 900, 0.5)};
    for (int k = 0; k < 2; ++k) {
        const scree_solver_options options = {.iterations = 800,
                                              .tolerance = 1e-9,
                                              .relaxation = 1.9,
                                              .momentum = k ? 0.85 : 0};
        scree_report report;
        restart(&beds[k]);
        assert_ok(scree_inclusion_solve(scree_in_lanes(&beds[k].p),
                                        scree_method_find("pgs"), &options,
                                        &beds[k].scratch, &report, NULL));
        print_message("relaxation 1.9: residual %.1e\n", report.residual);
        assert_true(report.residual < 1e-2);
        free_fixture(&beds[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto__bed_where_pgs_stalls__changes_over),
        cmocka_unit_test(auto__few_iterations__no_worse_than_pgs),
        cmocka_unit_test(pgs__relaxed_too_far__taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
