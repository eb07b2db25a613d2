/* case_refusals.c: all that a file is refused for is said at once, and nothing that
 * only follows from it. */
#include "tests/unit/case/case_text.h"

#include <stdio.h>

#define TIME "time: {end: 1, step: 0.01}\n"
#define MATERIALS "materials: [{name: glass, density: 2500}]\n"
#define BODIES "bodies: [{sphere: {position: [0, 0, 1]}, radius: 0.1}]\n"

/* Lines of the message that begin a refusal. */
static int count_refusals(const char *message) {
    int n = 0;
    for (const char *line = message; line;) {
        n += line[0] != ' ' && line[0] != '\0';
        line = strchr(line, '\n');
        if (line) line++;
    }
    return n;
}

static scree_error refuse_case(const char *text, const char *set) {
    const char *sets[] = {set, NULL};
    scree_case *c;
    scree_error error;
    memset(&error, 'x', sizeof error); /* what was there before does not stay */
    assert_int_equal(read_text(text, sets, &c, &error), SCREE_BAD_INPUT);
    assert_int_equal(error.status, SCREE_BAD_INPUT);
    assert_null(c);
    return error;
}

static void expect(const char *text, const char *set, int n,
                   const char *const parts[]) {
    const scree_error error = refuse_case(text, set);
    for (int i = 0; parts[i]; i++)
        if (!strstr(error.text, parts[i]))
            fail_msg("no '%s' in:\n%s", parts[i], error.text);
    if (count_refusals(error.text) != n)
        fail_msg("not %d refusals:\n%s", n, error.text);
}

static void case_read__several_mistakes__all_are_said(void **state) {
    (void)state;
    expect("time: {end: 1, step: fast}\n"
           "gravity: [0, 0]\n"
           "solver: {iteratons: 5, method: pgss}\n" MATERIALS
           "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 0]}}]\n"
           "bodies:\n"
           "  - {sphere: {position: [0, 0, 1]}, radius: -1}\n"
           "  - {sphere: {position: [0, 0, 1]}, radius: 1, material: wood}\n",
           NULL, 7,
           (const char *[]){":1: time.step: expected a number",
                            ":2: gravity: expected a list of 3 numbers",
                            ":3: solver.iteratons: unknown key",
                            "did you mean 'iterations'?",
                            ":3: solver.method: unknown method 'pgss'",
                            ":5: walls[0].plane.normal: zero is no direction",
                            ":7: bodies[0].radius: -1 is out of range",
                            ":8: bodies[1].material: unknown material 'wood'",
                            NULL});
}

static void case_read__misspelt_required_key__is_said_once(void **state) {
    (void)state;
    expect("tiem: {end: 1, step: 0.01}\n" MATERIALS
           "bodies: [{shpere: {position: [0, 0, 1]}, radius: 0.1}]\n",
           NULL, 2, (const char *[]){"tiem: unknown key", "shpere", NULL});
}

static void case_read__refused_material__its_name_is_not(void **state) {
    (void)state;
    expect(TIME "materials: [{name: glass, density: 0}]\n"
                "bodies:\n  - {sphere: {position: [0, 0, 1]}, radius: 0.1, "
                "material: glass}\n",
           NULL, 1, (const char *[]){"materials[0].density", NULL});
    expect(TIME "materials: 5\nbodies:\n  - {sphere: {position: [0, 0, 1]}, "
                "radius: 0.1, material: glass}\n",
           NULL, 1, (const char *[]){"materials: expected a list", NULL});
}

/* Pours end with the run, which has no end here. */
static void case_read__refused_time__pours_are_not(void **state) {
    (void)state;
    expect("time: {end: -1, step: 0.01}\n" MATERIALS
           "bodies:\n  - {pour: {box: {min: [0, 0, 0], max: [1, 1, 1]}, rate: "
           "5, start: 0.5}, radius: 0.1}\n",
           NULL, 1, (const char *[]){"time.end: -1 is out of range", NULL});
}

/* By these the rest of the file has another meaning. */
static void case_read__refused_kind__nothing_more_is_read(void **state) {
    (void)state;
    expect(TIME "planar: maybe\ngravity: [0, -9.81]\n" MATERIALS BODIES, NULL,
           1, (const char *[]){"planar: expected on or off", NULL});
    expect(TIME "model: woodpeker\nparameters: {nothing: 1}\n"
                "outputs: [{scalars: {every: 1}}]\n",
           NULL, 1, (const char *[]){"did you mean 'woodpecker'?", NULL});
}

static void case_read__refused_output__is_still_counted(void **state) {
    (void)state;
    expect(TIME MATERIALS BODIES
           "outputs:\n  - frames: {every: -1}\n  - frames: {every: 0.1}\n",
           NULL, 2,
           (const char *[]){"outputs[0].frames.every",
                            "outputs[0] has this sink already", NULL});
}

static void case_read__more_than_twenty__the_first_are_said(void **state) {
    (void)state;
    char text[4000] = TIME MATERIALS "bodies:\n";
    for (int i = 0; i < 25; i++)
        strcat(text, "  - {sphere: {position: [0, 0, 1]}, radius: 0}\n");
    const scree_error error = refuse_case(text, NULL);
    assert_int_equal(count_refusals(error.text), 20);
    assert_non_null(strstr(error.text, "bodies[19].radius"));
    assert_null(strstr(error.text, "bodies[20].radius"));
    assert_non_null(strstr(error.text, "\n  there are more errors than these "
                                       "20: mend them and look again"));
}

/* Long lists of names do not push the last line out. */
static void case_read__long_refusals__end_with_a_whole_line(void **state) {
    (void)state;
    char text[20000] = TIME "materials:\n";
    for (int i = 0; i < 30; i++)
        sprintf(text + strlen(text), "  - {name: m%050d, density: 1}\n", i);
    strcat(text, "bodies:\n");
    for (int i = 0; i < 20; i++)
        strcat(text, "  - {sphere: {position: [0, 0, 1]}, radius: 1, material: "
                     "a-name-that-is-not-there}\n");
    const scree_error error = refuse_case(text, NULL);
    const char *last = strrchr(error.text, '\n');
    assert_non_null(last);
    if (count_refusals(error.text) < 20)
        assert_memory_equal(last, "\n  there are more errors", 24);
    assert_true(strlen(error.text) < sizeof error.text - 1);
}

static void case_read__refused_option__the_file_is_left(void **state) {
    (void)state;
    expect(TIME MATERIALS BODIES "sovler: {}\n", "gravity=[0, 0", 1,
           (const char *[]){"--set gravity=[0, 0: not valid YAML", NULL});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_read__several_mistakes__all_are_said),
        cmocka_unit_test(case_read__misspelt_required_key__is_said_once),
        cmocka_unit_test(case_read__refused_material__its_name_is_not),
        cmocka_unit_test(case_read__refused_time__pours_are_not),
        cmocka_unit_test(case_read__refused_kind__nothing_more_is_read),
        cmocka_unit_test(case_read__refused_output__is_still_counted),
        cmocka_unit_test(case_read__more_than_twenty__the_first_are_said),
        cmocka_unit_test(case_read__long_refusals__end_with_a_whole_line),
        cmocka_unit_test(case_read__refused_option__the_file_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
