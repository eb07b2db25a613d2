/* schedule.c: how many steps a run takes, when its sinks write, and that what
 * it prints keeps to its columns. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "io/run.h"
#include "io/terminal.h"

static void steps__decimal_times__rounded_up_without_surplus(void **state) {
    (void)state;
    assert_int_equal(scree_run_steps(1.0, 0.001), 1000);
    assert_int_equal(scree_run_steps(0.3, 0.1), 3);
    assert_int_equal(scree_run_steps(0.7, 0.1), 7);
    assert_int_equal(scree_run_steps(1.0, 0.3), 4);
    assert_int_equal(scree_run_steps(1e-6, 1.0), 1);
    assert_int_equal(scree_run_steps(3600.0, 1e-4), 36000000);
}

/* Does a sink with this schedule write after step k? */
static bool is_due(int64_t k, double dt, double every) {
    return scree_run_passes((double)(k - 1) * dt, (double)k * dt, every);
}

static void schedule__every_tenth__no_drift_in_a_million_steps(void **state) {
    (void)state;
    for (int64_t k = 1; k <= 1000000; k++)
        if (is_due(k, 0.001, 0.01) != (k % 10 == 0))
            fail_msg("wrong at step %ld", (long)k);
}

static void schedule__not_a_multiple__first_step_past_the_time(void **state) {
    (void)state;
    const bool due[] = {0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1}; /* 2.5, 5, 7.5, 10 */
    for (int64_t k = 1; k <= 10; k++)
        assert_int_equal(is_due(k, 0.001, 0.0025), due[k]);
}

static void schedule__zero_or_short__every_step(void **state) {
    (void)state;
    for (int64_t k = 1; k <= 1000; k++) {
        assert_true(is_due(k, 0.01, 0.0));
        assert_true(is_due(k, 0.01, 0.01));
        assert_true(is_due(k, 0.01, 0.003));
    }
}

/* All that a terminal prints into a plain file. */
static void print_all(fixture *f, FILE *log) {
    scree_terminal terminal;
    scree_terminal_open(&terminal, log);
    const scree_progress first = {0, 1000000, 0.0, 1.23456789e8},
                         middle = {5, 1000000, 617.283945, 1.23456789e8},
                         last = {1000000, 1000000, 1.23456789e8, 1.23456789e8};
    scree_terminal_progress(&terminal, f->world, &first);
    scree_terminal_progress(&terminal, f->world, &middle);
    scree_terminal_progress(&terminal, f->world, &last);
    scree_terminal_summary(
        &terminal, &(scree_summary){f->world, 1.0, 1e-6, 0.0, "out", true});
}

static void terminal__plain_file__few_lines_of_100_columns(void **state) {
    fixture *f = *state;
    fixture_settle(f, 5);
    FILE *log = tmpfile();
    print_all(f, log);
    rewind(log);
    char line[1000];
    int progress = 0, shares = 0;
    while (fgets(line, sizeof line, log)) {
        assert_true(strcspn(line, "\n") <= 100);
        assert_null(strpbrk(line, "\r\033"));
        progress += strstr(line, " %  t ") != NULL;
        for (int p = 0; p < SCREE_PHASE_COUNT; p++)
            shares += strncmp(line + 2, scree_phase_name((scree_phase)p),
                              strlen(scree_phase_name((scree_phase)p))) == 0;
    }
    fclose(log);
    assert_int_equal(progress,
                     2); /* 0 % and 100 %: five seconds did not pass */
    assert_int_equal(shares, SCREE_PHASE_COUNT);
}

static void terminal__no_log__silent(void **state) {
    print_all(*state, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps__decimal_times__rounded_up_without_surplus),
        cmocka_unit_test(schedule__every_tenth__no_drift_in_a_million_steps),
        cmocka_unit_test(schedule__not_a_multiple__first_step_past_the_time),
        cmocka_unit_test(schedule__zero_or_short__every_step),
        cmocka_unit_test_setup_teardown(
            terminal__plain_file__few_lines_of_100_columns, fixture_open,
            fixture_close),
        cmocka_unit_test_setup_teardown(terminal__no_log__silent, fixture_open,
                                        fixture_close)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
