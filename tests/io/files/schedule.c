/* schedule.c: how many steps a run takes, when its sinks write, and that what
 * it prints keeps to its columns. */
#include "tests/io/files/fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/run/run.h"
#include "io/run/terminal.h"

static void steps__decimal_times__rounded_up_without_surplus(void **state) {
    (void)state;
    assert_int_equal(scree_run_steps(1.0, 0.001), 1000);
    assert_int_equal(scree_run_steps(0.3, 0.1), 3);
    assert_int_equal(scree_run_steps(0.7, 0.1), 7);
    assert_int_equal(scree_run_steps(1.0, 0.3), 4);
    assert_int_equal(scree_run_steps(1e-6, 1.0), 1);
    assert_int_equal(scree_run_steps(3600.0, 1e-4), 36000000);
}

static bool due_every(int64_t k, double dt, double every) {
    const scree_schedule s = {.every = every, .until = INFINITY};
    return scree_run_is_due((double)(k - 1) * dt, (double)k * dt, &s);
}

static void schedule__every_tenth__no_drift_in_a_million_steps(void **state) {
    (void)state;
    for (int64_t k = 1; k <= 1000000; k++)
        if (due_every(k, 0.001, 0.01) != (k % 10 == 0))
            fail_msg("wrong at step %ld", (long)k);
}

static void schedule__not_a_multiple__first_step_past_the_time(void **state) {
    (void)state;
    const bool due[] = {0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1}; /* 2.5, 5, 7.5, 10 */
    for (int64_t k = 1; k <= 10; k++)
        assert_int_equal(due_every(k, 0.001, 0.0025), due[k]);
}

static void schedule__zero_or_short__every_step(void **state) {
    (void)state;
    for (int64_t k = 1; k <= 1000; k++) {
        assert_true(due_every(k, 0.01, 0.0));
        assert_true(due_every(k, 0.01, 0.01));
        assert_true(due_every(k, 0.01, 0.003));
    }
}

/* The steps up to `last` after which a schedule writes, as a text. */
static const char *steps_due(const scree_schedule *s, double dt, int last) {
    static char text[200];
    *text = '\0';
    for (int k = 0; k <= last; k++)
        if (scree_run_is_due((double)(k - 1) * dt, (double)k * dt, s))
            sprintf(text + strlen(text), "%s%d", *text ? " " : "", k);
    return text;
}

static void schedule__from_and_until__count_from_the_first(void **state) {
    (void)state;
    scree_schedule s = {.every = 0.3, .from = 0.2, .until = 0.8};
    assert_string_equal(steps_due(&s, 0.1, 12), "2 5 8");
    s.until = 0.75;
    assert_string_equal(steps_due(&s, 0.1, 12), "2 5");
    s = (scree_schedule){.from = 0.25, .until = 0.5};
    assert_string_equal(steps_due(&s, 0.1, 12), "3 4 5");
    s = (scree_schedule){.every = 0.4, .until = INFINITY};
    assert_string_equal(steps_due(&s, 0.1, 12), "0 4 8 12");
}

static void schedule__times__first_step_not_before_each(void **state) {
    (void)state;
    const double times[] = {0, 0.3, 0.45, 0.46, 0.9};
    scree_schedule s = {.until = INFINITY, .times = times, .n_time = 5};
    assert_string_equal(steps_due(&s, 0.1, 12), "0 3 5 9");
    s.from = 0.1;
    s.until = 0.5;
    assert_string_equal(steps_due(&s, 0.1, 12), "3 5");
}

/* After step k of 0.1 s. */
static bool wants_end_at(int k, const scree_schedule *s) {
    return scree_run_wants_end((k - 1) * 0.1, k * 0.1, s);
}

static void schedule__end__unless_it_stops_before(void **state) {
    (void)state;
    const double times[] = {0.3};
    scree_schedule s = {.every = 1, .until = INFINITY};
    assert_true(wants_end_at(7, &s));
    s.until = 0.7;
    assert_true(wants_end_at(7, &s));
    assert_false(wants_end_at(8, &s));
    s = (scree_schedule){.from = 0.5, .until = 1};
    assert_false(wants_end_at(4, &s));
    s = (scree_schedule){.until = 1, .times = times, .n_time = 1};
    assert_false(wants_end_at(7, &s));
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
    const int64_t stops[SCREE_STOPS] = {0};
    scree_terminal_summary(&terminal,
                           &(scree_summary){.world = f->world,
                                            .seconds = 1.0,
                                            .tolerance = 1e-6,
                                            .stops = stops,
                                            .folder = "out",
                                            .view = true,
                                            .n_part = 1,
                                            .parts = {{"flux", 0.5}}});
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

/* Nothing goes to where a terminal would print otherwise. */
static void terminal__no_log__silent(void **state) {
    FILE *seen = tmpfile();
    fflush(NULL);
    const int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    dup2(fileno(seen), STDOUT_FILENO);
    dup2(fileno(seen), STDERR_FILENO);
    print_all(*state, NULL);
    fflush(NULL);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    close(out);
    close(err);
    fseek(seen, 0, SEEK_END);
    assert_int_equal(ftell(seen), 0);
    fclose(seen);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps__decimal_times__rounded_up_without_surplus),
        cmocka_unit_test(schedule__every_tenth__no_drift_in_a_million_steps),
        cmocka_unit_test(schedule__not_a_multiple__first_step_past_the_time),
        cmocka_unit_test(schedule__zero_or_short__every_step),
        cmocka_unit_test(schedule__from_and_until__count_from_the_first),
        cmocka_unit_test(schedule__times__first_step_not_before_each),
        cmocka_unit_test(schedule__end__unless_it_stops_before),
        cmocka_unit_test_setup_teardown(
            terminal__plain_file__few_lines_of_100_columns, fixture_open,
            fixture_close),
        cmocka_unit_test_setup_teardown(terminal__no_log__silent, fixture_open,
                                        fixture_close)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
