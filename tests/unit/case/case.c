/* case.c: what the case reader makes of valid files and of overrides. */
#include "tests/unit/case/case_good.h"
#include "tests/unit/case/case_text.h"

#include "io/case/yaml/case_message.h"

#include <math.h>

/* ---- helpers ------------------------------------------------------------- */

static void assert_law(const scree_contact_law *law, double friction,
                       double e_n, double e_t) {
    const double values[] = {law->friction, law->e_n, law->e_t};
    assert_values(values, friction, e_n, e_t);
}

/* ---- values -------------------------------------------------------------- */

static void case_read__least_file__has_defaults(void **state) {
    (void)state;
    scree_case *c = read_ok(TIME "materials: [{name: a, density: 1}]\n" BODIES
                                 "walls: [{plane: {point: [0, 0, 0], normal: "
                                 "[0, 0, 1]}}]\n",
                            NULL);
    const scree_world_def def = scree_world_def_default();
    assert_memory_equal(c->name, "scree-case-", 11);
    assert_null(strchr(c->name, '.'));
    assert_string_equal(c->units, "SI");
    assert_string_equal(c->overrides, "");
    assert_int_equal(c->seed, 1);
    assert_values(&c->end, 2);
    assert_values(&c->world.dt, 1e-3);
    assert_values(c->world.gravity, 0, 0, -9.81);
    assert_string_equal(c->world.stepper, def.stepper);
    assert_string_equal(c->world.solver.method, def.solver.method);
    assert_int_equal(c->world.solver.iterations, def.solver.iterations);
    assert_int_equal(c->world.cookie, def.cookie);
    assert_values(&c->materials[0].def.law.friction, 0);
    assert_int_equal(c->n_pair, 0);
    assert_int_equal(c->n_output, 0);
    assert_string_equal(c->walls[0].name, "wall-0");
    assert_int_equal(c->walls[0].def.material, 0);
    assert_true(c->walls[0].def.from == -INFINITY);
    assert_true(c->walls[0].def.until == INFINITY);
    assert_values(c->bodies[0].as.sphere.orientation, 1, 0, 0, 0);
    assert_int_equal(c->bodies[0].line, 4);
    scree_case_free(c);
}

static void case_read__full_file__world_values(void **state) {
    (void)state;
    scree_case *c = read_ok(full, NULL);
    assert_string_equal(c->name, "column-collapse");
    assert_string_equal(c->units, "cgs");
    assert_string_equal(c->text, full);
    assert_int_equal(c->seed, 42);
    assert_values(c->world.gravity, 1, -2, 3.5);
    assert_string_equal(c->world.stepper, "moreau");
    assert_int_equal(c->world.threads, 3);
    assert_true(c->world.reproducible);
    assert_string_equal(c->world.solver.method, "jacobi");
    assert_int_equal(c->world.solver.iterations, 5000);
    assert_values(&c->world.solver.tolerance, 0);
    assert_values(&c->world.solver.relaxation, 0.5);
    assert_values(&c->world.solver.momentum, 0.25);
    assert_false(c->world.solver.warm_start);
    assert_false(c->world.gap_control);
    assert_values(&c->world.recovery_velocity, -1);
    assert_values(&c->world.restitution_speed, 0.25);
    assert_int_equal(c->n_output, 2);
    assert_string_equal(c->outputs[0].sink, "frames");
    assert_values(&c->outputs[0].schedule.every, 0.02);
    assert_string_equal(c->outputs[1].sink, "scalars");
    assert_values(&c->outputs[1].schedule.every, 0);
    scree_case_free(c);
}

/* What a pair does not give follows the rule at scree_material_def. */
static void case_read__pairs__mix_what_is_missing(void **state) {
    (void)state;
    scree_case *c = read_ok(full, NULL);
    assert_int_equal(c->n_material, 2);
    assert_string_equal(c->materials[1].name, "steel");
    assert_values(&c->materials[1].def.density, 7800);
    assert_law(&c->materials[0].def.law, 0.5, 0.25, 0.75);
    assert_int_equal(c->n_pair, 2);
    assert_int_equal(c->pairs[0].a, 1);
    assert_int_equal(c->pairs[0].b, 0);
    assert_law(&c->pairs[0].law, 0.4, 1, 0);
    assert_law(&c->pairs[1].law, 0.75, 0.5, 0);
    scree_case_free(c);
}

static void case_read__bare_pair__is_the_mixing_rule(void **state) {
    (void)state;
    scree_case *c =
        read_ok(BASE "pairs: [{materials: [glass, steel]}]\n", NULL);
    assert_law(&c->pairs[0].law, 0.4, 0.25, 0);
    scree_case_free(c);
}

#define GRAINED                                                                \
    TIME "materials:\n"                                                        \
         "  - {name: sand, density: 2000, friction: 0.5}\n"                    \
         "  - {name: wood, density: 600, friction: 0.5,\n"                     \
         "     anisotropy: {ratio: 0.25, direction: [0, 2, 0]}}\n" BODIES

/* A pair without a word of it has the axes of the material that has some, which
 * comes first then; ratios mix as frictions do. */
static void case_read__anisotropy__given_or_mixed(void **state) {
    (void)state;
    scree_case *c =
        read_ok(GRAINED "pairs:\n"
                        "  - {materials: [sand, wood], friction: 0.3}\n"
                        "  - {materials: [wood, wood], friction: 0.4}\n"
                        "  - {materials: [sand, sand],\n"
                        "     anisotropy: {ratio: 3, direction: [1, 0, 1]}}\n",
                NULL);
    const scree_anisotropy *wood = &c->materials[1].def.law.anisotropy;
    assert_values(&wood->ratio, 0.25);
    assert_values(wood->direction, 0, 2, 0);
    assert_values(&c->materials[0].def.law.anisotropy.ratio, 0);
    assert_int_equal(c->pairs[0].a, 1);
    assert_int_equal(c->pairs[0].b, 0);
    assert_values(&c->pairs[0].law.friction, 0.3);
    assert_values(&c->pairs[0].law.anisotropy.ratio, 0.5);
    assert_values(c->pairs[0].law.anisotropy.direction, 0, 2, 0);
    assert_values(&c->pairs[1].law.anisotropy.ratio, 0.25);
    assert_values(&c->pairs[2].law.anisotropy.ratio, 3);
    assert_values(c->pairs[2].law.anisotropy.direction, 1, 0, 1);
    char *printed = print_text(c);
    assert_non_null(strstr(printed, "anisotropy: {ratio: 0.25, direction: [0, "
                                    "2, 0]}"));
    assert_non_null(strstr(printed, "materials: [\"wood\", \"sand\"]"));
    scree_case *again = read_ok(printed, NULL);
    assert_memory_equal(again->pairs, c->pairs, 3 * sizeof *c->pairs);
    free(printed);
    scree_case_free(c);
    scree_case_free(again);
}

static void case_read__plane__all_keys(void **state) {
    (void)state;
    scree_case *c = read_ok(full, NULL);
    const scree_plane_def *plane = &c->walls[0].def;
    assert_string_equal(c->walls[0].name, "floor");
    assert_values(plane->point, 1, 2, 3);
    assert_values(plane->normal, 0, 0, 2);
    assert_int_equal(plane->material, 1);
    assert_values(plane->motion.velocity, 1, 0, 0);
    assert_values(plane->motion.amplitude, 0, 0, 0.5);
    assert_values(&plane->motion.frequency, 20);
    assert_values(&plane->motion.phase, 0.5);
    assert_values(plane->motion.axis, 0, 1, 0);
    assert_values(plane->motion.origin, 4, 5, 6);
    assert_values(&plane->motion.rate, -2);
    assert_values(&plane->from, -1);
    assert_values(&plane->until, 0.5);
    scree_case_free(c);
}

static void case_read__box__closed_faces_look_inwards(void **state) {
    (void)state;
    scree_case *c = read_ok(full, NULL);
    static const char *const names[] = {"wall-1.right", "wall-1.front",
                                        "wall-1.back", "wall-1.bottom"};
    static const double planes[][6] = {{3, 1, 1, -1, 0, 0},
                                       {1, -2, 1, 0, 1, 0},
                                       {1, 4, 1, 0, -1, 0},
                                       {1, 1, -3, 0, 0, 1}};
    assert_int_equal(c->n_wall, 1 + 4 + 7);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(c->walls[1 + i].name, names[i]);
        assert_numbers(c->walls[1 + i].def.point, 3, planes[i]);
        assert_numbers(c->walls[1 + i].def.normal, 3, planes[i] + 3);
    }
    scree_case_free(c);
}

/* Distance of a point from a wall, positive on the free side. */
static double distance(const scree_plane_def *plane, const double x[3]) {
    double d = 0;
    for (int i = 0; i < 3; i++)
        d += (x[i] - plane->point[i]) * plane->normal[i];
    return d;
}

static void case_read__prism__sides_touch_the_inner_circle(void **state) {
    (void)state;
    scree_case *c = read_ok(full, NULL);
    const scree_case_wall *drum = c->walls + 5;
    const double center[3] = {1, 1, 1};
    double sum[3] = {0};
    for (int k = 0; k < 5; k++) {
        const double *n = drum[k].def.normal;
        assert_true(fabs(distance(&drum[k].def, center) - 0.5) < 1e-15);
        assert_true(fabs(n[1]) < 1e-15);
        assert_true(fabs(hypot(n[0], n[2]) - 1) < 1e-15);
        for (int i = 0; i < 3; i++) sum[i] += n[i];
    }
    for (int i = 0; i < 3; i++) assert_true(fabs(sum[i]) < 1e-15);
    assert_string_equal(drum[0].name, "drum.side-0");
    assert_string_equal(drum[4].name, "drum.side-4");
    assert_string_equal(drum[5].name, "drum.end-0");
    assert_string_equal(drum[6].name, "drum.end-1");
    assert_values(drum[5].def.normal, 0, 1, 0);
    assert_values(drum[6].def.normal, 0, -1, 0);
    assert_true(fabs(distance(&drum[5].def, center) - 0.1) < 1e-15);
    assert_true(fabs(distance(&drum[6].def, center) - 0.1) < 1e-15);
    scree_case_free(c);
}

/* Neighbouring sides of a prism round a skew axis meet at equal angles. */
static void case_read__skew_prism__is_regular(void **state) {
    (void)state;
    scree_case *c = read_ok(BASE "walls:\n  - prism: {center: [0, 0, 0], axis: "
                                 "[1, 2, 3], radius: 1, length: 1, sides: 6}\n",
                            NULL);
    for (int k = 0; k < 6; k++) {
        const double *n = c->walls[k].def.normal;
        const double *m = c->walls[(k + 1) % 6].def.normal;
        assert_true(fabs(n[0] * m[0] + n[1] * m[1] + n[2] * m[2] - 0.5) <
                    1e-15);
        assert_true(fabs(n[0] + 2 * n[1] + 3 * n[2]) < 1e-15);
    }
    scree_case_free(c);
}

static void case_read__compound__shares_motion_and_material(void **state) {
    (void)state;
    scree_case *c = read_ok(BASE "walls:\n"
                                 "  - box: {min: [0, 0, 0], max: [1, 1, 1]}\n"
                                 "    material: steel\n"
                                 "    motion: {velocity: [1, 2, 3]}\n"
                                 "    until: 7\n",
                            NULL);
    assert_int_equal(c->n_wall, 6);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(c->walls[i].def.material, 1);
        assert_values(c->walls[i].def.motion.velocity, 1, 2, 3);
        assert_values(&c->walls[i].def.until, 7);
    }
    scree_case_free(c);
}

static void case_read__bodies__all_kinds(void **state) {
    (void)state;
    scree_case *c = read_ok(full, NULL);
    assert_int_equal(c->n_body, 5);
    const scree_sphere_def *sphere = &c->bodies[0].as.sphere;
    assert_int_equal(c->bodies[0].kind, SCREE_CASE_SPHERE);
    assert_values(sphere->position, 0, 0, 1);
    assert_values(sphere->orientation, 0, 1, 0, 0);
    assert_values(&sphere->radius, 0.1);
    assert_values(sphere->velocity, 1, 2, 3);
    assert_values(sphere->angular_velocity, 4, 5, 6);
    assert_int_equal(sphere->material, 1);
    const scree_lattice *lattice = &c->bodies[1].as.lattice;
    assert_int_equal(c->bodies[1].kind, SCREE_CASE_LATTICE);
    assert_values(lattice->origin, 1, 2, 3);
    assert_values(lattice->spacing, 1, 1, 1);
    assert_int_equal(lattice->counts[0], 4);
    assert_int_equal(lattice->counts[2], 2);
    assert_values(&lattice->jitter, 0.01);
    const scree_fill *fill = &c->bodies[2].as.fill;
    assert_int_equal(c->bodies[2].kind, SCREE_CASE_FILL);
    assert_int_equal(fill->region.kind, SCREE_REGION_BOX);
    assert_values(fill->region.max, 1, 2, 3);
    assert_int_equal(fill->count, 100);
    const scree_fill *dense = &c->bodies[3].as.fill;
    assert_int_equal(dense->region.kind, SCREE_REGION_CYLINDER);
    assert_values(dense->region.base, 1, 2, 3);
    assert_values(&dense->region.radius, 1);
    assert_values(&dense->region.height, 2);
    assert_int_equal(dense->count, 0);
    assert_values(&dense->solid_fraction, 0.3);
    const scree_pour *pour = &c->bodies[4].as.pour;
    assert_int_equal(c->bodies[4].kind, SCREE_CASE_POUR);
    assert_values(&pour->rate, 500);
    assert_int_equal(pour->count, 2000);
    assert_values(&pour->start, 0.5);
    assert_values(&pour->stop, 4);
    scree_case_free(c);
}

static void case_read__radius__all_laws(void **state) {
    (void)state;
    scree_case *c = read_ok(full, NULL);
    const scree_radius_law *uniform = &c->bodies[1].as.lattice.grain.radius;
    assert_int_equal(uniform->kind, SCREE_RADIUS_UNIFORM);
    assert_values(&uniform->min, 0.1);
    assert_values(&uniform->max, 0.2);
    const scree_radius_law *normal = &c->bodies[2].as.fill.grain.radius;
    assert_int_equal(normal->kind, SCREE_RADIUS_NORMAL);
    assert_values(&normal->mean, 0.1);
    assert_values(&normal->deviation, 0.01);
    assert_values(&normal->min, 0.05);
    assert_values(&normal->max, 0.2);
    const scree_radius_law *list = &c->bodies[3].as.fill.grain.radius;
    assert_int_equal(list->kind, SCREE_RADIUS_LIST);
    assert_int_equal(list->n, 3);
    assert_values(list->values, 0.1, 0.2, 0.3);
    assert_values(list->weights, 3, 2, 1);
    const scree_radius_law *constant = &c->bodies[4].as.pour.grain.radius;
    assert_int_equal(constant->kind, SCREE_RADIUS_CONSTANT);
    assert_values(&constant->value, 0.1);
    scree_case_free(c);
}

static void case_read__pour_without_bounds__ends_with_the_run(void **state) {
    (void)state;
    scree_case *c =
        read_ok(TIME MATERIALS "bodies:\n  - pour: {box: {min: [0, 0, 0], max: "
                               "[1, 1, 1]}, rate: 1}\n    radius: 0.1\n",
                NULL);
    assert_true(c->bodies[0].as.pour.count == INT64_MAX);
    assert_values(&c->bodies[0].as.pour.start, 0);
    assert_values(&c->bodies[0].as.pour.stop, 2);
    scree_case_free(c);
}

/* In doubles 2 * 0.01 + 2 * 0.003 is above 0.026. */
static void case_read__tight_lattice__rounding_is_forgiven(void **state) {
    (void)state;
    scree_case *c = read_ok(
        TIME MATERIALS "bodies:\n"
                       "  - lattice: {origin: [0, 0, 0], counts: [2, 1, 2],"
                       " spacing: [0.026, 0.01, 0.026], jitter: 0.003}\n"
                       "    radius: 0.01\n",
        NULL);
    assert_values(c->bodies[0].as.lattice.spacing, 0.026, 0.01, 0.026);
    scree_case_free(c);
}

static void case_read__switches__six_words(void **state) {
    (void)state;
    static const char *const words[] = {"off",  "on", "false",
                                        "true", "no", "yes"};
    for (int i = 0; i < 6; i++) {
        char set[40];
        snprintf(set, sizeof set, "solver.warm_start=%s", words[i]);
        const char *sets[] = {set, NULL};
        scree_case *c = read_ok(BASE, sets);
        assert_int_equal(c->world.solver.warm_start, i % 2);
        scree_case_free(c);
    }
}

static void case_read__alias__is_a_copy(void **state) {
    (void)state;
    static const char text[] =
        TIME MATERIALS "bodies:\n"
                       "  - sphere: &where {position: [0, 0, 1]}\n"
                       "    radius: 0.1\n"
                       "  - sphere: *where\n"
                       "    radius: 0.2\n";
    const char *sets[] = {"bodies[1].sphere.position=[5, 0, 0]", NULL};
    scree_case *c = read_ok(text, sets);
    assert_values(c->bodies[0].as.sphere.position, 0, 0, 1);
    assert_values(c->bodies[1].as.sphere.position, 5, 0, 0);
    scree_case_free(c);
}

/* ---- overrides ----------------------------------------------------------- */

static void case_set__scalars_and_lists__replace_values(void **state) {
    (void)state;
    const char *sets[] = {"stepper=moreau",       "gravity=[0, 0, -1]",
                          "bodies[0].radius=0.5", "time.end=7",
                          "solver.method=jacobi", NULL};
    scree_case *c = read_ok(BASE, sets);
    assert_values(c->world.gravity, 0, 0, -1);
    assert_values(&c->bodies[0].as.sphere.radius, 0.5);
    assert_values(&c->end, 7);
    assert_string_equal(c->world.solver.method, "jacobi");
    assert_string_equal(c->overrides, "stepper=moreau\ngravity=[0, 0, -1]\n"
                                      "bodies[0].radius=0.5\ntime.end=7\n"
                                      "solver.method=jacobi");
    scree_case_free(c);
}

static void case_set__item_of_a_vector__leaves_the_others(void **state) {
    (void)state;
    const char *sets[] = {"bodies[0].sphere.position[2]=9", NULL};
    scree_case *c = read_ok(BASE, sets);
    assert_values(c->bodies[0].as.sphere.position, 0, 0, 9);
    scree_case_free(c);
}

static void case_set__twice__the_last_one_counts(void **state) {
    (void)state;
    const char *sets[] = {"seed=2", "seed=3", NULL};
    scree_case *c = read_ok(BASE, sets);
    assert_int_equal(c->seed, 3);
    scree_case_free(c);
}

static void case_set__inline_list__makes_a_section(void **state) {
    (void)state;
    const char *sets[] = {"outputs=[{frames: {every: 0.5}}, {contacts: {}}]",
                          "outputs[1].contacts.every=0.25",
                          "contact.gap_control=off", NULL};
    scree_case *c = read_ok(BASE, sets);
    assert_int_equal(c->n_output, 2);
    assert_values(&c->outputs[0].schedule.every, 0.5);
    assert_values(&c->outputs[1].schedule.every, 0.25);
    assert_false(c->world.gap_control);
    scree_case_free(c);
}

static void case_outputs__options__are_read(void **state) {
    (void)state;
    scree_case *c = read_ok(
        BASE "outputs:\n"
             "  - frames: {every: 0.1, from: 1, until: 2, compression: 4,\n"
             "             fields: [velocity, radius]}\n"
             "  - surfaces: {times: [0, 0.5], spheres: on}\n"
             "  - contacts: {lines: on}\n",
        NULL);
    const scree_case_output *frames = &c->outputs[0], *faces = &c->outputs[1];
    assert_values(&frames->schedule.from, 1);
    assert_values(&frames->schedule.until, 2);
    assert_int_equal(frames->compression, 4);
    assert_int_equal(frames->fields, 3); /* the first and the second */
    assert_int_equal(faces->schedule.n_time, 2);
    assert_values(faces->schedule.times, 0, 0.5);
    assert_true(isinf(faces->schedule.until) && faces->spheres);
    assert_true(c->outputs[2].lines && c->outputs[2].fields == 0);
    scree_case_free(c);
}

/* A key of a list is the entry that has it, a new one if none has. */
static void case_set__key_of_a_list__is_the_entry(void **state) {
    (void)state;
    const char *sets[] = {"outputs.scalars.every=0.5", "outputs.frames={}",
                          "outputs.frames.every=0.25", NULL};
    scree_case *c = read_ok(BASE, sets);
    assert_int_equal(c->n_output, 2);
    assert_string_equal(c->outputs[0].sink, "scalars");
    assert_values(&c->outputs[0].schedule.every, 0.5);
    assert_string_equal(c->outputs[1].sink, "frames");
    assert_values(&c->outputs[1].schedule.every, 0.25);
    scree_case_free(c);
}

static void case_set__plus__adds_an_item(void **state) {
    (void)state;
    const char *sets[] = {"outputs+={contacts: {every: 0.5}}",
                          "outputs.catalyst.scripts+=/dev/null",
                          "outputs.catalyst.scripts+='/dev/zero'", NULL};
    scree_case *c = read_ok(BASE, sets);
    assert_int_equal(c->n_output, 2);
    assert_string_equal(c->outputs[0].sink, "contacts");
    const scree_case_catalyst *catalyst = &c->outputs[1].catalyst;
    assert_int_equal(catalyst->n_script, 2);
    assert_string_equal(catalyst->scripts[0], "/dev/null");
    assert_string_equal(catalyst->scripts[1], "/dev/zero");
    assert_int_equal(catalyst->on_error, SCREE_ON_ERROR_STOP);
    assert_null(catalyst->live);
    assert_values(&c->outputs[1].schedule.every, c->end / 50);
    scree_case_free(c);
}

/* An override may mend a file that is wrong without it. */
static void case_set__missing_key__completes_the_file(void **state) {
    (void)state;
    const char *sets[] = {"time.end=1", "time.step=0.5", NULL};
    scree_case *c = read_ok(MATERIALS BODIES, sets);
    assert_values(&c->end, 1);
    assert_values(&c->world.dt, 0.5);
    scree_case_free(c);
}

/* ---- nearest names ------------------------------------------------------- */

static void edit_distance__known_words__least_edits(void **state) {
    (void)state;
    assert_int_equal(scree_edit_distance("step", "step"), 0);
    assert_int_equal(scree_edit_distance("", "abc"), 3);
    assert_int_equal(scree_edit_distance("stpe", "step"), 1);
    assert_int_equal(scree_edit_distance("iteratons", "iterations"), 1);
    assert_int_equal(scree_edit_distance("kitten", "sitting"), 3);
    assert_int_equal(scree_edit_distance("ca", "abc"), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_read__least_file__has_defaults),
        cmocka_unit_test(case_read__full_file__world_values),
        cmocka_unit_test(case_read__pairs__mix_what_is_missing),
        cmocka_unit_test(case_read__bare_pair__is_the_mixing_rule),
        cmocka_unit_test(case_read__anisotropy__given_or_mixed),
        cmocka_unit_test(case_read__plane__all_keys),
        cmocka_unit_test(case_read__box__closed_faces_look_inwards),
        cmocka_unit_test(case_read__prism__sides_touch_the_inner_circle),
        cmocka_unit_test(case_read__skew_prism__is_regular),
        cmocka_unit_test(case_read__compound__shares_motion_and_material),
        cmocka_unit_test(case_read__bodies__all_kinds),
        cmocka_unit_test(case_read__radius__all_laws),
        cmocka_unit_test(case_read__pour_without_bounds__ends_with_the_run),
        cmocka_unit_test(case_read__tight_lattice__rounding_is_forgiven),
        cmocka_unit_test(case_read__switches__six_words),
        cmocka_unit_test(case_read__alias__is_a_copy),
        cmocka_unit_test(case_set__scalars_and_lists__replace_values),
        cmocka_unit_test(case_set__item_of_a_vector__leaves_the_others),
        cmocka_unit_test(case_set__twice__the_last_one_counts),
        cmocka_unit_test(case_set__inline_list__makes_a_section),
        cmocka_unit_test(case_outputs__options__are_read),
        cmocka_unit_test(case_set__key_of_a_list__is_the_entry),
        cmocka_unit_test(case_set__plus__adds_an_item),
        cmocka_unit_test(case_set__missing_key__completes_the_file),
        cmocka_unit_test(edit_distance__known_words__least_edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
