/* case_servo.c: walls that a servo drives, and tables of displacement: as the case reader
 * takes them, prints them, and refuses them. */
#include "tests/unit/case/case_rows.h"

#include <math.h>

#define HEAD                                                                   \
    "time: {end: 1, step: 0.01}\n"                                             \
    "materials: [{name: glass, density: 2500}]\n"
#define SPHERE "bodies: [{sphere: {position: [0.5, 0.5, 0.5]}, radius: 0.1}]\n"
#define BASE HEAD SPHERE
#define WALL(entry) BASE "walls:\n  - " entry "\n"
#define FLOOR(servo)                                                           \
    WALL("plane: {point: [0, 0, 0], normal: [0, 0, 1]}\n"                      \
         "    servo: {" servo "}")
#define BOX(keys) WALL("box: {min: [0, 0, 0], max: [1, 1, 1]}\n    " keys)
#define MESH "mesh: {file: " SCREE_SOURCE_DIR "/tests/data/shapes/open.obj}\n"

static const bad_case rows[] = {
    {"servo__nothing", FLOOR("mass: 2"),
     .first =
         ":6: walls[0].servo: missing key: one of force, pressure, torque"},
    {"servo__force_and_pressure", FLOOR("force: 2, pressure: 3"),
     .first =
         ":6: walls[0].servo.pressure: cannot be with 'force' in one entry"},
    {"servo__no_mass", FLOOR("force: 2, mass: 0"),
     .first = ":6: walls[0].servo.mass: 0 is out of range",
     .hints = {"\n  allowed: number > 0 [kg]"}},
    {"servo__negative_speed", FLOOR("force: 2, speed: -1"),
     .first = ":6: walls[0].servo.speed: -1 is out of range"},
    {"servo__nothing_presses", FLOOR("force: 0"),
     .first = ":6: walls[0].servo.force: a wall that nothing presses has no "
              "mass by itself",
     .hints = {"\n  remedy: give a mass"}},
    {"servo__area_of_a_force", FLOOR("force: 2, area: 1"),
     .first = ":6: walls[0].servo.area: does not go with force",
     .hints = {"\n  remedy: leave the key out"}},
    {"servo__mass_of_a_torque",
     FLOOR("torque: 2, axis: [0, 1, 0], inertia: 1, mass: 1"),
     .first = ":6: walls[0].servo.mass: does not go with torque"},
    {"servo__inertia_of_a_force", FLOOR("force: 2, inertia: 1"),
     .first = ":6: walls[0].servo.inertia: does not go with force"},
    {"servo__pressure_on_nothing", FLOOR("pressure: 2"),
     .first = ":6: walls[0].servo.pressure: acts on an area that is not given",
     .hints = {"\n  remedy: give an area, or the name of a room"}},
    {"servo__two_areas", FLOOR("pressure: 2, area: 1, room: cell"),
     .first = ":6: walls[0].servo.room: the area is given already"},
    {"servo__no_such_room", FLOOR("pressure: 2, room: cell"),
     .first = ": walls: 'wall-0': servo: the planes 'cell.*' span no area "
              "across its direction",
     .hints = {"\n  remedy: a box with all four sides, or an area"}},
    {"servo__speed_and_damping", FLOOR("force: 2, speed: 1, damping: 3"),
     .first = ":6: walls[0].servo.damping: the highest speed follows from the "
              "damping"},
    {"servo__torque_without_axis", FLOOR("torque: 2, inertia: 1"),
     .first = ":6: walls[0].servo: a torque has no axis by itself"},
    {"servo__torque_without_bound", FLOOR("torque: 2, axis: [0, 1, 0]"),
     .first = ":6: walls[0].servo.torque: without inertia it has no bound"},
    {"servo__then_without_until", FLOOR("force: 2, then: 1"),
     .first = ":6: walls[0].servo.then: without until it never comes to that"},
    {"servo__faces_of_a_plane", FLOOR("force: 2, faces: [top]"),
     .first = ":6: walls[0].servo.faces: only a box has faces"},
    {"servo__moves_along_by_prescription",
     WALL("plane: {point: [0, 0, 0], normal: [0, 0, 1]}\n"
          "    motion: {velocity: [1, 0, 0.1]}\n    servo: {force: 2}"),
     .first = ":6: walls[0].motion.velocity: the wall is driven in that "
              "direction by a servo",
     .hints = {"\n  remedy: leave it out, or move the wall across"}},
    {"servo__rotates_by_prescription",
     WALL("plane: {point: [0, 0, 0], normal: [0, 0, 1]}\n"
          "    motion: {rotation: {axis: [0, 0, 1], rate: 1}}\n"
          "    servo: {force: 2}"),
     .first = ":6: walls[0].motion.rotation: the wall is driven in that "
              "direction by a servo"},
    {"servo__table_along",
     WALL("plane: {point: [0, 0, 0], normal: [0, 0, 1]}\n    motion: "
          "{displacement: {direction: [0, 0, 1], table: [[0, 0], [1, 1]]}}\n"
          "    servo: {force: 2}"),
     .first = ":6: walls[0].motion.displacement: the wall is driven in that "
              "direction by a servo"},
    {"servo__box_that_moves",
     BOX("motion: {velocity: [0, 1, 0]}\n    servo: {pressure: 2}"),
     .first = ":6: walls[0].motion.velocity: the wall is driven in that "
              "direction by a servo"},
    {"servo__torque_on_a_box",
     BOX("servo: {torque: 2, inertia: 1, axis: [0, 0, 1]}"),
     .first = ":6: walls[0].servo.torque: faces of a box are driven along "
              "their normals"},
    {"servo__open_face",
     WALL("box: {min: [0, 0, 0], max: [1, 1, 1], open: [top]}\n"
          "    servo: {force: 2, faces: [top]}"),
     .first = ":6: walls[0].servo.faces: the box has no such face"},
    {"servo__open_box",
     WALL("box: {min: [0, 0, 0], max: [1, 1, 1], open: [top]}\n"
          "    servo: {pressure: 2}"),
     .first = ": walls: 'wall-0.left': servo: the planes 'wall-0.*' span no "
              "area across its direction"},
    {"servo__mesh_without_direction", WALL(MESH "    servo: {force: 2}"),
     .first = ":6: walls[0].servo: a surface has no direction by itself"},
    {"servo__prism",
     WALL("prism: {center: [0, 0, 0], axis: [0, 1, 0], radius: 1, length: 1, "
          "sides: 9}\n    servo: {force: 2}"),
     .first =
         ":6: walls[0].servo: prisms and terrain are not driven by forces"},
    {"servo__rattle",
     BASE "stepper: rattle\nwalls:\n  - plane: {point: [0, 0, "
          "0], normal: [0, 0, 1]}\n    servo: {force: 2}\n",
     .first = ":4: stepper: 'rattle' does not know walls that a servo drives, "
              "as 'wall-0'",
     .hints = {"\n  take moreau"}},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* ---- what is taken --------------------------------------------------------------- */

static void assert_round_trip(const char *text) {
    scree_case *c = read_ok(text, NULL);
    char *once = print_text(c);
    scree_case *again = read_ok(once, NULL);
    char *twice = print_text(again);
    assert_string_equal(once, twice);
    assert_int_equal(again->n_wall, c->n_wall);
    for (int i = 0; i < c->n_wall; i++)
        assert_memory_equal(&again->walls[i].def.servo, &c->walls[i].def.servo,
                            sizeof c->walls[i].def.servo);
    free(once);
    free(twice);
    scree_case_free(c);
    scree_case_free(again);
}

/* Each face for itself, with what the others span; those that are not named stand. */
static void case_read__box_with_servo__drives_its_faces(void **state) {
    (void)state;
    static const char text[] =
        BOX("name: cell\n    servo: {pressure: 10e3, mass: 3, damping: 0,\n"
            "      faces: [left, top]}");
    scree_case *c = read_ok(text, NULL);
    assert_int_equal(c->n_wall, 6);
    for (int i = 0; i < 6; i++) {
        const scree_servo *s = &c->walls[i].def.servo;
        const bool driven = i == 0 || i == 5;
        assert_int_equal(s->kind,
                         driven ? SCREE_SERVO_PRESSURE : SCREE_SERVO_NONE);
        if (!driven) continue;
        assert_values(&s->target, 1e4);
        assert_values(&s->mass, 3);
        assert_values(&s->damping, 0);
        const int across[2][4] = {{2, 3, 4, 5}, {0, 1, 2, 3}};
        assert_memory_equal(s->across, across[i == 5], sizeof s->across);
    }
    scree_case_free(c);
    assert_round_trip(text);
}

static void case_read__plane_of_a_room__finds_its_sides(void **state) {
    (void)state;
    static const char text[] =
        WALL("plane: {point: [0, 0, 1], normal: [0, 0, -1]}\n    name: c.top\n"
             "    servo: {pressure: 5, room: c, until: 0.5, then: -0.1}\n"
             "  - box: {min: [0, 0, 0], max: [1, 1, 1], open: [top]}\n"
             "    name: c");
    scree_case *c = read_ok(text, NULL);
    const scree_servo *s = &c->walls[0].def.servo;
    const int across[4] = {1, 2, 3, 4};
    assert_memory_equal(s->across, across, sizeof across);
    assert_values(&s->until, 0.5);
    assert_values(&s->then, -0.1);
    scree_case_free(c);
    assert_round_trip(text);
}

static void case_read__mesh_with_torque__turns_about_its_axis(void **state) {
    (void)state;
    static const char text[] =
        WALL(MESH "    servo: {torque: 3, axis: [0, 2, 0], origin: [1, 2, 3],\n"
                  "      inertia: 4, speed: 5}");
    scree_case *c = read_ok(text, NULL);
    const scree_servo *s = &c->walls[0].def.servo;
    assert_int_equal(s->kind, SCREE_SERVO_TORQUE);
    assert_values(s->axis, 0, 2, 0);
    assert_values(s->origin, 1, 2, 3);
    assert_values(&s->mass, 4);
    assert_values(&s->speed, 5);
    scree_case_free(c);
    assert_round_trip(text);
}

static void case_read__table__is_kept(void **state) {
    (void)state;
    static const char text[] =
        WALL("plane: {point: [0, 0, 0], normal: [0, 0, 1]}\n    motion:\n"
             "      displacement: {direction: [0, 3, 0],\n"
             "        table: [[0, 0], [0.5, 0.25], [1, -1]]}");
    scree_case *c = read_ok(text, NULL);
    const scree_motion *m = &c->walls[0].def.motion;
    assert_int_equal(m->n_table, 3);
    assert_values(m->table, 0, 0, 0, 0.5, 0.25, 0, 1, -1, 0);
    assert_values(m->along, 0, 3, 0);
    scree_case_free(c);
    assert_round_trip(text);
}

/* In the plane a length stands for the area, and the plates bear what they press with. */
static void case_build__plane_world__presses(void **state) {
    (void)state;
    static const char text[] =
        HEAD "planar: on\ngravity: [0, 0]\nwalls:\n"
             "  - {name: c, box: {min: [0, 0], max: [1, 1]},\n"
             "     servo: {pressure: 1e3}}\n"
             "bodies: [{sphere: {position: [0.5, 0.5]}, radius: 0.3}]\n";
    assert_round_trip(text);
    scree_case *c = read_ok(text, NULL);
    scree_world *world;
    scree_pour_state pours[1];
    scree_error error = {0};
    if (scree_case_build(c, &world, pours, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    for (int n = 0; n < 150; n++)
        assert_int_equal(scree_world_step(world), SCREE_OK);
    for (int w = 0; w < 4; w++) {
        double force[3];
        scree_servo_view view;
        scree_world_read_wall_force(world, w, force);
        scree_world_read_servo(world, w, &view);
        assert_true(fabs(view.area - 0.6) < 1e-3);
        assert_true(fabs(fabs(force[0] + force[1]) - 600) < 2);
    }
    scree_world_destroy(world);
    scree_case_free(c);
}

int main(void) {
    static struct CMUnitTest tests[ROWS + 5] = {
        cmocka_unit_test(case_read__box_with_servo__drives_its_faces),
        cmocka_unit_test(case_read__plane_of_a_room__finds_its_sides),
        cmocka_unit_test(case_read__mesh_with_torque__turns_about_its_axis),
        cmocka_unit_test(case_read__table__is_kept),
        cmocka_unit_test(case_build__plane_world__presses),
    };
    for (int i = 0; i < ROWS; i++) tests[5 + i] = test_of_row(&rows[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
