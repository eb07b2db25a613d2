/* case_joints_bad.c: what is refused of joints and nets, by the reader and by the world
 * that is made of the case, and in which words; and that what is printed reads back. */
#include "tests/unit/case/case_rows.h"

#define TIME "time: {end: 1, step: 0.01}\n"
#define MATERIALS "materials: [{name: glass, density: 2500}]\n"
#define BODIES                                                                 \
    "bodies: [{sphere: {position: [0, 0, 1]}, radius: 0.1}, "                  \
    "{sphere: {position: [0, 0, 2]}, radius: 0.1}]\n"
#define BASE TIME MATERIALS BODIES
/* One entry of its list, on line 5. */
#define JOINT(entry) BASE "joints:\n  - {" entry "}\n"
#define NET(entry) BASE "nets:\n  - {" entry "}\n"
#define CHAIN "name: n, corner: [0, 0, 5], along: [1, 0, 0], columns: 2"
#define LINE(entry) JOINT("a: 0, b: 1, " entry)
/* On line 6, in the plane. */
#define PLANE_JOINT(entry)                                                     \
    TIME MATERIALS "planar: on\n"                                              \
                   "bodies: [{sphere: {position: [0, 1]}, radius: 0.1}]\n"     \
                   "joints:\n  - {" entry "}\n"
#define PLANE_NET                                                              \
    TIME MATERIALS                                                             \
        "planar: on\n"                                                         \
        "bodies: [{sphere: {position: [0, 1]}, radius: 0.1}]\n"                \
        "nets:\n  - {name: n, corner: [0, 0, 5], along: [1, 0], columns: 2, "  \
        "radius: 0.02}\n"

static const bad_case rows[] = {
    /* joints */
    {"joint__no_kind", JOINT("a: 0"),
     .first = ":5: joints[0]: missing key 'kind'",
     .hints = {"\n  allowed: ball, hinge, slider, fixed, rod, spring, cable"}},
    {"joint__unknown_kind", JOINT("kind: hnge, a: 0"),
     .first = ":5: joints[0].kind: unknown kind 'hnge'",
     .hints = {"\n  did you mean 'hinge'?"}},
    {"joint__no_body", JOINT("kind: ball"),
     .first = ":5: joints[0]: missing key 'a'"},
    {"joint__misspelt_key", JOINT("kind: ball, a: 0, pont: [0, 0, 1]"),
     .first = ":5: joints[0].pont: unknown key",
     .hints = {"\n  did you mean 'point'?"}},
    {"joint__negative_body", JOINT("kind: ball, a: -1"),
     .first = ":5: joints[0].a: -1 is out of range"},
    {"joint__fraction_of_a_body", JOINT("kind: ball, a: 0.5"),
     .first = ":5: joints[0].a: expected an integer, found the number 0.5"},
    {"joint__to_itself", JOINT("kind: ball, a: 1, b: 1"),
     .first = ":5: joints[0].b: this is a itself"},
    {"joint__short_point", JOINT("kind: ball, a: 0, point: [0, 1]"),
     .first = ":5: joints[0].point: expected a list of 3 numbers, found a list "
              "of 2",
     .hints = {"\n  allowed: list of 3 numbers [m]"}},
    {"ball__axis", JOINT("kind: ball, a: 0, axis: [0, 0, 1]"),
     .first = ":5: joints[0].axis: a ball has none; a hinge or slider may"},
    {"ball__limits", JOINT("kind: ball, a: 0, limits: {from: -1, to: 1}"),
     .first = ":5: joints[0].limits: a ball has none; a hinge or slider may"},
    {"fixed__motor", JOINT("kind: fixed, a: 0, motor: {speed: 1, strength: 1}"),
     .first = ":5: joints[0].motor: a fixed has none; a hinge or slider may"},
    {"rod__friction", LINE("kind: rod, friction: 1"),
     .first = ":5: joints[0].friction: a rod has none; a hinge or slider may"},
    {"hinge__length", JOINT("kind: hinge, a: 0, length: 1"),
     .first = ":5: joints[0].length: a hinge has none; a rod, spring or cable "
              "may"},
    {"hinge__stiffness", JOINT("kind: hinge, a: 0, stiffness: 1"),
     .first = ":5: joints[0].stiffness: a hinge has none; a rod, spring or "
              "cable may"},
    {"slider__brake", JOINT("kind: slider, a: 0, slips_at: 1"),
     .first = ":5: joints[0].slips_at: a slider has none; a rod, spring or "
              "cable may"},
    {"hinge__no_axis", JOINT("kind: hinge, a: 0, axis: [0, 0, 0]"),
     .first = ":5: joints[0].axis: zero is no direction"},
    {"hinge__axis_is_a_number", JOINT("kind: hinge, a: 0, axis: 1"),
     .first = ":5: joints[0].axis: expected a list of 3 numbers, found the "
              "number 1"},
    {"hinge__limits_without_now",
     JOINT("kind: hinge, a: 0, limits: {from: 0.1, to: 1}"),
     .first = ":5: joints[0].limits.from: 0.1 is out of range",
     .hints = {"\n  allowed: number <= 0 [rad, m]"}},
    {"hinge__limit_missing", JOINT("kind: hinge, a: 0, limits: {from: -1}"),
     .first = ":5: joints[0].limits: missing key 'to'"},
    {"motor__no_strength", JOINT("kind: hinge, a: 0, motor: {speed: 1}"),
     .first = ":5: joints[0].motor: missing key 'strength'"},
    {"motor__strength_zero",
     JOINT("kind: hinge, a: 0, motor: {speed: 1, strength: 0}"),
     .first = ":5: joints[0].motor.strength: 0 is out of range",
     .hints = {"\n  allowed: number > 0 [N m, N]"}},
    {"motor__friction_beside",
     JOINT("kind: hinge, a: 0, friction: 1, motor: {speed: 1, strength: 1}"),
     .first = ":5: joints[0].friction: cannot be beside a motor: take it from "
              "its strength"},
    {"rod__nowhere_on_the_ground", JOINT("kind: rod, a: 0"),
     .first = ":5: joints[0].kind: where on the ground? 'to' or 'b' is "
              "missing"},
    {"cable__negative_length", LINE("kind: cable, length: -1"),
     .first = ":5: joints[0].length: -1 is out of range"},
    {"cable__restitution", LINE("kind: cable, restitution: 1.5"),
     .first = ":5: joints[0].restitution: 1.5 is out of range"},
    {"spring__negative_stiffness", LINE("kind: spring, stiffness: -5"),
     .first = ":5: joints[0].stiffness: -5 is out of range",
     .hints = {"\n  allowed: number >= 0 [N/m]"}},
    /* nets */
    {"net__no_name", NET("corner: [0, 0, 5], along: [1, 0, 0], columns: 2"),
     .first = ":5: nets[0]: missing key 'name'"},
    {"net__name_twice",
     NET(CHAIN ", radius: 0.02}\n  - {" CHAIN ", radius: 0.02"),
     .first = ":6: nets[1].name: nets[0] has this name already"},
    {"net__no_columns",
     NET("name: n, corner: [0, 0, 5], along: [1, 0, 0], radius: 0.02"),
     .first = ":5: nets[0]: missing key 'columns'"},
    {"net__zero_columns",
     NET("name: n, corner: [0, 0, 5], along: [1, 0, 0], "
         "columns: 0, radius: 0.02"),
     .first = ":5: nets[0].columns: 0 is out of range"},
    {"net__rows_without_across", NET(CHAIN ", radius: 0.02, rows: 2"),
     .first = ":5: nets[0].rows: 'across' is missing"},
    {"net__radius_zero", NET(CHAIN ", radius: 0"),
     .first = ":5: nets[0].radius: 0 is out of range"},
    {"net__unknown_material", NET(CHAIN ", radius: 0.02, material: steal"),
     .first = ":5: nets[0].material: unknown material 'steal'"},
    {"net__slack_below_one", NET(CHAIN ", radius: 0.02, slack: 0.9"),
     .first = ":5: nets[0].slack: 0.9 is out of range"},
    {"net__unknown_anchors", NET(CHAIN ", radius: 0.02, anchors: poles"),
     .first = ":5: nets[0].anchors: unknown anchors 'poles'",
     .hints = {"\n  allowed: corners, sides, edges, none"}},
    {"net__brake_without_length",
     NET(CHAIN ", radius: 0.02, anchors: sides, brake: 5"),
     .first = ":5: nets[0].brake: needs anchors with an anchor_length"},
    {"net__length_without_anchors",
     NET(CHAIN ", radius: 0.02, anchors: none, anchor_length: 1"),
     .first = ":5: nets[0].anchor_length: no node is anchored: 'anchors' is "
              "none"},
    {"net__anchor_without_length",
     NET(CHAIN ", radius: 0.02, anchors: sides, anchor: {stiffness: 1e5}"),
     .first = ":5: nets[0].anchor: is no cable without an anchor_length: nodes "
              "are held where they are"},
    {"net__rope_not_roped", NET(CHAIN ", radius: 0.02, rope: {stiffness: 5}"),
     .first = ":5: nets[0].rope: 'roped: on' is missing"},
    {"net__misspelt_strand", NET(CHAIN ", radius: 0.02, cable: {stifness: 4}"),
     .first = ":5: nets[0].cable.stifness: unknown key",
     .hints = {"\n  did you mean 'stiffness'?"}},
    {"net__in_the_plane", PLANE_NET,
     .first = ":6: nets[0].corner: in a plane world z is 0"},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* What needs the bodies is refused as the world is made, with the line of its entry. */
static const struct {
    const char *text, *said;
} late[] = {
    {JOINT("kind: ball, a: 7"), ":5: joints[0]: ball: there is no body 7"},
    {JOINT("kind: ball, a: 0, b: 9"),
     ":5: joints[0]: ball: there is no body 9"},
    {JOINT("kind: hinge, a: 0, limits: {from: 0, to: 0}"),
     ":5: joints[0]: hinge: limits 0 to 0 do not contain 0, where it is now"},
    {JOINT("kind: rod, a: 0, to: [0, 0, 1]"),
     ":5: joints[0]: rod: its two points are one"},
    {LINE("kind: rod, length: 3"),
     ":5: joints[0]: rod: length 3 is not the distance of its points, 1"},
    {LINE("kind: rod, stiffness: 3"),
     ":5: joints[0]: rod: only springs and cables have stiffness and damping"},
    {LINE("kind: cable, length: 0.5"),
     ":5: joints[0]: cable: 0.5 m long, and its points are 1 m apart"},
    {LINE("kind: cable, damping: 5"),
     ":5: joints[0]: cable: an inextensible cable has no damping"},
    {LINE("kind: cable, prestress: 5"),
     ":5: joints[0]: cable: only a spring has a prestress"},
    {LINE("kind: cable, slips_at: 5, breaks_at: 4"),
     ":5: joints[0]: cable: it breaks at 4 N before it slips at 5 N"},
    {LINE("kind: spring"),
     ":5: joints[0]: spring: has neither stiffness, damping nor prestress"},
    {LINE("kind: spring, stiffness: 5, slips_at: 4"),
     ":5: joints[0]: spring: only a cable slips"},
    {NET(CHAIN ", radius: 0.02, rows: 2, across: [2, 0, 0]"),
     ":5: nets[0]: net: along and across must span it"},
    {NET("name: n, corner: [0, 0, 5], along: [0, 0, 0], columns: 2, radius: "
         "0.02"),
     ":5: nets[0]: net: along is zero"},
    {NET(CHAIN ", radius: 0.02, cable: {damping: 4}"),
     ":5: nets[0]: cable: an inextensible cable has no damping"},
    {NET(CHAIN ", radius: 0.02, anchors: sides, anchor_length: 1, brake: 5, "
               "anchor: {breaks_at: 4}"),
     ":5: nets[0]: cable: it breaks at 4 N before it slips at 5 N"},
    {PLANE_JOINT("kind: hinge, a: 0, axis: [1, 0]"),
     ":6: joints[0]: hinge: its axis must be z in a plane world"},
    {PLANE_JOINT("kind: slider, a: 0"),
     ":6: joints[0]: slider: its axis must be in the plane in a plane world"},
    {BASE "joints:\n  - {kind: ball, a: 0}\nstepper: lobatto\n",
     ":5: joints[0]: stepper lobatto does not know of joints, which moreau and "
     "rattle do"},
    {BASE "joints:\n  - {kind: ball, a: 0}\nsolver: {method: apgd}\n",
     ":5: joints[0]: apgd does not run on worlds with joints, which pgs, "
     "jacobi and dense do"},
    {BASE "joints:\n  - {kind: spring, a: 0, b: 1, stiffness: 1e9}\n"
          "stepper: rattle\n",
     ":5: joints[0]: spring: rattle needs steps below 0.000145 s for its "
     "stiffness; moreau takes any"},
};
enum { LATE = sizeof late / sizeof *late };

static void case_build__bad_joint__says_where_and_what(void **state) {
    (void)state;
    for (int i = 0; i < LATE; i++) {
        scree_case *c = read_ok(late[i].text, NULL);
        scree_world *world = NULL;
        scree_error error = {0};
        scree_pour_state pours[1];
        assert_int_equal(scree_case_build(c, &world, pours, &error),
                         SCREE_BAD_INPUT);
        const char *end = strstr(error.text, ".yaml:");
        assert_non_null(end);
        assert_string_equal(end + strlen(".yaml"), late[i].said);
        scree_case_free(c);
    }
}

/* Keys that a kind has not are left out, or what is printed would be refused. */
static void case_print__joints__read_back(void **state) {
    (void)state;
    static const char *const texts[] = {
        JOINT("kind: ball, a: 0}\n  - {kind: hinge, a: 1, axis: [0, 1, 0], "
              "motor: {speed: 1, strength: 2}}\n  - {kind: slider, a: 0, b: 1, "
              "limits: {from: -1, to: 1}}\n  - {kind: fixed, a: 0, b: 1}\n"
              "  - {kind: rod, a: 0, b: 1}\n  - {kind: cable, a: 0, b: 1, "
              "slips_at: 5}\n  - {kind: spring, a: 0, b: 1, prestress: 5"),
        PLANE_JOINT(
            "kind: hinge, a: 0}\n  - {kind: slider, a: 0, axis: [1, 0]"),
        NET(CHAIN ", radius: 0.02, anchors: sides"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        scree_case *c = read_ok(texts[i], NULL);
        char *once = print_text(c);
        scree_case *again = read_ok(once, NULL);
        char *twice = print_text(again);
        assert_string_equal(once, twice);
        scree_world *world;
        scree_error error;
        scree_pour_state pours[1];
        if (scree_case_build(again, &world, pours, &error) != SCREE_OK)
            fail_msg("%s", error.text);
        scree_world_destroy(world);
        free(once);
        free(twice);
        scree_case_free(c);
        scree_case_free(again);
    }
}

int main(void) {
    static struct CMUnitTest tests[ROWS + 2] = {
        cmocka_unit_test(case_build__bad_joint__says_where_and_what),
        cmocka_unit_test(case_print__joints__read_back),
    };
    for (int i = 0; i < ROWS; i++) tests[2 + i] = test_of_row(&rows[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
