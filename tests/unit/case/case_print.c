/* case_print.c: what the printer and the builder make of a case. */
#include "tests/unit/case/case_good.h"
#include "tests/unit/case/case_text.h"

#include <math.h>

/* ---- printing ------------------------------------------------------------ */

static void assert_round_trip(const char *text, const char *const *sets) {
    scree_case *c = read_ok(text, sets);
    char *once = print_text(c);
    scree_case *again = read_ok(once, NULL);
    char *twice = print_text(again);
    assert_string_equal(once, twice);
    assert_string_equal(again->name, c->name);
    assert_int_equal(again->n_wall, c->n_wall);
    assert_memory_equal(again->world.gravity, c->world.gravity,
                        sizeof c->world.gravity);
    free(once);
    free(twice);
    scree_case_free(c);
    scree_case_free(again);
}

static void case_print__full_case__reads_back(void **state) {
    (void)state;
    assert_round_trip(full, NULL);
}

static void case_print__defaults__are_explicit(void **state) {
    (void)state;
    scree_case *c = read_ok(BASE, NULL);
    char *text = print_text(c);
    assert_non_null(strstr(text, "gravity: [0, 0, -9.81]\n"));
    assert_non_null(strstr(text, "time: {end: 2, step: 0.001, motion: 0.1}\n"));
    assert_non_null(strstr(text, "relaxation: 1, momentum: 0.85,"));
    assert_non_null(strstr(text, "orientation: [1, 0, 0, 0]"));
    assert_non_null(strstr(text, "\n  material: \"glass\"\n"));
    free(text);
    scree_case_free(c);
}

/* A pour without a bound and a wall without times cannot be printed as such:
 * the keys are left out. */
static void case_print__unbounded_values__are_left_out(void **state) {
    (void)state;
    static const char text[] = TIME MATERIALS
        "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]\n"
        "bodies:\n"
        "  - pour: {box: {min: [0, 0, 0], max: [1, 1, 1]}, rate: 1}\n"
        "    radius: {list: {values: [0.1]}}\n";
    scree_case *c = read_ok(text, NULL);
    char *printed = print_text(c);
    assert_null(strstr(printed, "count"));
    assert_null(strstr(printed, "until"));
    assert_null(strstr(printed, "from"));
    assert_null(strstr(printed, "weights"));
    assert_null(strstr(printed, "oscillation"));
    assert_null(strstr(printed, " inf"));
    assert_null(strstr(printed, ".inf"));
    free(printed);
    scree_case_free(c);
    assert_round_trip(text, NULL);
}

static void case_print__catalyst__reads_back(void **state) {
    (void)state;
    const char *sets[] = {
        "outputs=[{catalyst: {scripts: [/dev/null, /dev/zero], every: 0.5, "
        "on_error: continue, extracts: on, live: 'here:22222'}}]",
        NULL};
    assert_round_trip(BASE, sets);
    scree_case *c = read_ok(BASE, sets);
    char *text = print_text(c);
    assert_non_null(strstr(text, "scripts: [\"/dev/null\", \"/dev/zero\"]"));
    assert_non_null(strstr(text, "on_error: continue, extracts: on"));
    assert_non_null(strstr(text, "live: \"here:22222\""));
    free(text);
    scree_case_free(c);
    const char *bare[] = {"outputs.catalyst.scripts=[/dev/null]", NULL};
    assert_round_trip(BASE, bare);
}

static void case_print__forces__read_back(void **state) {
    (void)state;
    static const char text[] =
        BASE "pairs:\n  - {materials: [glass, steel], collide: off}\n"
             "forces:\n"
             "  - field: {acceleration: [1, 2, 3], torque: [0, 0, 0.25]}\n"
             "    box: {min: [-1, -1, 0], max: [1, 1, 2]}\n"
             "    materials: [steel, glass]\n"
             "  - drag: {linear: 0.5, quadratic: 0.47, density: 1.25,\n"
             "      velocity: [3, 0, 0], spin: 0.125, buoyancy: on}\n";
    assert_round_trip(text, NULL);
    scree_case *c = read_ok(text, NULL);
    char *printed = print_text(c);
    assert_non_null(strstr(printed, "collide: off"));
    assert_non_null(strstr(printed, "materials: [\"steel\", \"glass\"]"));
    assert_non_null(strstr(printed, "spin: 0.125, density: 1.25, velocity: "
                                    "[3, 0, 0], buoyancy: on}"));
    free(printed);
    scree_case_free(c);
}

static void case_print__awkward_texts__read_back(void **state) {
    (void)state;
    const char *sets[] = {"units=\"a: 'b' # \\\"c\\\" \\t\\n \\x80 \\u2028 {\"",
                          "name='null'", "materials[0].name='on, [off]: '",
                          NULL};
    assert_round_trip(BASE, sets);
}

static void case_print__awkward_numbers__keep_their_bits(void **state) {
    (void)state;
    static const char text[] =
        BASE "gravity: [0.30000000000000004, -1.7976931348623157e308, "
             "4.9406564584124654e-324]\n";
    assert_round_trip(text, NULL);
    scree_case *c = read_ok(text, NULL);
    char *printed = print_text(c);
    assert_non_null(strstr(printed, "[0.30000000000000004, -1.79769313486231"));
    free(printed);
    scree_case_free(c);
}

static void case_print__full_device__io_error(void **state) {
    (void)state;
    FILE *file = fopen("/dev/full", "w");
    if (!file) skip();
    scree_case *c = read_ok(BASE, NULL);
    assert_int_equal(scree_case_print(c, file), SCREE_IO_ERROR);
    fclose(file);
    scree_case_free(c);
}

/* ---- building ------------------------------------------------------------ */

static const char pit[] =
    "seed: 7\n" TIME MATERIALS
    "pairs: [{materials: [glass, steel], friction: 0.1}]\n"
    "walls:\n"
    "  - box: {min: [0, 0, 0], max: [4, 4, 4], open: [top]}\n"
    "bodies:\n"
    "  - fill: {box: {min: [0, 0, 2], max: [4, 4, 4]}, count: 20}\n"
    "    radius: {uniform: {min: 0.1, max: 0.2}}\n"
    "  - lattice: {origin: [1, 1, 1], counts: [2, 3, 1], spacing: 0.5}\n"
    "    radius: 0.2\n"
    "    material: steel\n"
    "  - pour: {box: {min: [0, 0, 5], max: [4, 4, 6]}, rate: 10}\n"
    "    radius: 0.1\n"
    "  - sphere: {position: [3, 3, 1]}\n"
    "    radius: 0.25\n";

static void case_build__whole_case__in_file_order(void **state) {
    (void)state;
    enum { FILL = 20, LATTICE = 6, ALL = FILL + LATTICE + 1 };
    scree_case *c = read_ok(pit, NULL);
    scree_world *world;
    scree_pour_state pours[4];
    scree_error error = {0};
    if (scree_case_build(c, &world, pours, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    assert_int_equal(scree_world_body_count(world), ALL);
    assert_int_equal(scree_world_wall_count(world), 5);
    double position[ALL][3], radius[ALL];
    int32_t material[ALL];
    scree_world_read_state(world, &(scree_state_view){.position = *position,
                                                      .radius = radius,
                                                      .material = material});
    assert_values(position[FILL], 1, 1, 1);
    assert_values(position[FILL + 1], 1.5, 1, 1);
    assert_int_equal(material[FILL], 1);
    assert_int_equal(material[FILL - 1], 0);
    assert_values(position[ALL - 1], 3, 3, 1);
    assert_values(&radius[ALL - 1], 0.25);
    scree_world_destroy(world);
    scree_case_free(c);
}

static void case_build__pour__starts_from_its_own_stream(void **state) {
    (void)state;
    scree_case *c = read_ok(pit, NULL);
    scree_world *world;
    scree_pour_state pours[4];
    memset(pours, 0xFF, sizeof pours);
    assert_int_equal(scree_case_build(c, &world, pours, NULL), SCREE_OK);
    assert_int_equal(pours[2].inserted, 0);
    assert_int_equal(pours[2].calls, 0);
    assert_true(pours[2].seed == scree_random_stream(7, 2).state);
    scree_world_destroy(world);
    scree_case_free(c);
}

/* A ball slides on a floor: with the friction of the materials it slows down,
 * with the pair's friction of 0 it does not. */
static void case_build__pair__replaces_the_mixing_rule(void **state) {
    (void)state;
    scree_case *c = read_ok(
        TIME MATERIALS "pairs: [{materials: [glass, steel], friction: 0}]\n"
                       "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1]}, "
                       "material: steel}]\n"
                       "bodies:\n"
                       "  - sphere: {position: [0, 0, 0.1]}\n"
                       "    radius: 0.1\n"
                       "    velocity: [1, 0, 0]\n",
        NULL);
    scree_world *world;
    scree_pour_state pours[1];
    assert_int_equal(scree_case_build(c, &world, pours, NULL), SCREE_OK);
    for (int i = 0; i < 20; i++)
        assert_int_equal(scree_world_step(world), SCREE_OK);
    double velocity[3];
    scree_world_read_state(world, &(scree_state_view){.velocity = velocity});
    assert_true(scree_world_contact_count(world) == 1);
    assert_true(fabs(velocity[0] - 1) < 1e-12);
    scree_world_destroy(world);
    scree_case_free(c);
}

static uint64_t built_hash(const char *const *sets) {
    scree_case *c = read_ok(pit, sets);
    scree_world *world;
    scree_pour_state pours[4];
    assert_int_equal(scree_case_build(c, &world, pours, NULL), SCREE_OK);
    const uint64_t hash = scree_world_hash(world);
    scree_world_destroy(world);
    scree_case_free(c);
    return hash;
}

/* A ball of glass falls through another one of glass, onto steel. */
static void case_build__collide_off__passes(void **state) {
    (void)state;
    static const char text[] = TIME MATERIALS
        "pairs: [{materials: [glass, glass], collide: off}]\n"
        "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: "
        "steel}]\n"
        "bodies:\n"
        "  - {sphere: {position: [0, 0, 0.1]}, radius: 0.1}\n"
        "  - {sphere: {position: [0, 0, 0.5]}, radius: 0.1}\n"
        "forces: [{field: {acceleration: [2, 0, 0]}, box: {min: [-9, -9, "
        "0.3], max: [9, 9, 9]}}]\n";
    scree_case *c = read_ok(text, NULL);
    scree_world *world;
    scree_error error = {0};
    scree_pour_state pours[2];
    if (scree_case_build(c, &world, pours, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    for (int k = 0; k < 1000; ++k)
        assert_int_equal(scree_world_step(world), SCREE_OK);
    double x[2][3];
    assert_int_equal(
        scree_world_read_state(world, &(scree_state_view){.position = x[0]}),
        SCREE_OK);
    for (int k = 0; k < 2; ++k) assert_true(fabs(x[k][2] - 0.1) < 1e-4);
    assert_true(x[0][0] == 0 && x[1][0] > 0.03); /* the field, above 0.3 m */
    scree_world_destroy(world);
    scree_case_free(c);
}

static void case_build__seed__decides_the_bodies(void **state) {
    (void)state;
    const char *other[] = {"seed=8", NULL};
    assert_true(built_hash(NULL) == built_hash(NULL));
    assert_true(built_hash(NULL) != built_hash(other));
}

static void case_build__no_room__names_the_line(void **state) {
    (void)state;
    char path[64], expected[100];
    write_text(pit, path);
    const char *sets[] = {"bodies[0].fill.count=100000"};
    scree_case *c;
    scree_world *world;
    scree_pour_state pours[4];
    scree_error error = {0};
    assert_int_equal(scree_case_read(path, 1, sets, &c, &error), SCREE_OK);
    unlink(path);
    assert_int_equal(scree_case_build(c, &world, pours, &error), SCREE_NO_ROOM);
    assert_null(world);
    snprintf(expected, sizeof expected, "%s:11: bodies[0].fill: ", path);
    assert_memory_equal(error.text, expected, strlen(expected));
    assert_true(strlen(error.text) > strlen(expected));
    scree_case_free(c);
}

/* A whole list from the command line has no line to name. */
static void case_build__list_from_override__names_the_entry(void **state) {
    (void)state;
    const char *sets[] = {"bodies=[{fill: {box: {min: [0, 0, 0], max: "
                          "[1, 1, 1]}, count: 1000}, radius: 0.4}]",
                          NULL};
    scree_case *c = read_ok(BASE, sets);
    scree_world *world;
    scree_pour_state pours[1];
    scree_error error = {0};
    assert_int_equal(scree_case_build(c, &world, pours, &error), SCREE_NO_ROOM);
    assert_non_null(strstr(error.text, ".yaml: bodies[0].fill: "));
    scree_case_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_print__full_case__reads_back),
        cmocka_unit_test(case_print__defaults__are_explicit),
        cmocka_unit_test(case_print__unbounded_values__are_left_out),
        cmocka_unit_test(case_print__catalyst__reads_back),
        cmocka_unit_test(case_print__forces__read_back),
        cmocka_unit_test(case_print__awkward_texts__read_back),
        cmocka_unit_test(case_print__awkward_numbers__keep_their_bits),
        cmocka_unit_test(case_print__full_device__io_error),
        cmocka_unit_test(case_build__whole_case__in_file_order),
        cmocka_unit_test(case_build__pour__starts_from_its_own_stream),
        cmocka_unit_test(case_build__pair__replaces_the_mixing_rule),
        cmocka_unit_test(case_build__collide_off__passes),
        cmocka_unit_test(case_build__seed__decides_the_bodies),
        cmocka_unit_test(case_build__no_room__names_the_line),
        cmocka_unit_test(case_build__list_from_override__names_the_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
