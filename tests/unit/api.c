/* api.c: what programs of others call: every argument that cannot be is refused by its
 * name, states that are set are those that go on, and files hold what was in memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/scree_case.h"
#include "io/scree_results.h"
#include "tests/support.h"

#include "engine/scree_fc3d.h"
#include "engine/scree_generate.h"

/* Refused, by a sentence that has the word. */
static void assert_refused(scree_status status, const scree_error *error,
                           const char *word) {
    assert_int_not_equal(status, SCREE_OK);
    if (!strstr(error->text, word))
        fail_msg("'%s' does not name %s", error->text, word);
}

static void version__header_and_library__agree(void **state) {
    (void)state;
    assert_string_equal(scree_version(), SCREE_VERSION);
    assert_int_equal(scree_version_number(), SCREE_VERSION_NUMBER);
    int major, minor, patch;
    assert_int_equal(sscanf(SCREE_VERSION, "%d.%d.%d", &major, &minor, &patch),
                     3);
    assert_int_equal(10000 * major + 100 * minor + patch, SCREE_VERSION_NUMBER);
}

/* ---- generators ----------------------------------------------------------- */

static scree_world *new_world(void) {
    const scree_world_def def = scree_world_def_default();
    return make_world(&def, (scree_contact_law){.friction = 0.5});
}

#define GRAIN                                                                  \
    {                                                                          \
        .radius = {.value = 0.1 }                                              \
    }
static const scree_lattice lattice = {
    .counts = {2, 2, 2}, .spacing = {0.3, 0.3, 0.3}, .grain = GRAIN};
static const scree_fill fill = {
    .region = {.max = {2, 2, 2}}, .count = 5, .grain = GRAIN};
static const scree_pour pour = {.region = {.max = {2, 2, 2}},
                                .rate = 10,
                                .count = 5,
                                .stop = 1,
                                .grain = GRAIN};

#define REFUSES(call, kind, member, value, word)                               \
    do {                                                                       \
        scree_error error = {0};                                               \
        struct scree_##kind wrong = kind;                                      \
        wrong.member = value;                                                  \
        assert_refused(call, &error, word);                                    \
        assert_int_equal(scree_world_body_count(world), 0);                    \
    } while (0)

static void generators__bad_numbers__named(void **state) {
    (void)state;
    scree_world *world = new_world();
    const scree_random rng = scree_random_begin(1, 0);
#define LATTICE(member, value, word)                                           \
    REFUSES(scree_lattice_make(&wrong, rng, world, &error), lattice, member,   \
            value, word)
    LATTICE(jitter, -1, "jitter");
    LATTICE(jitter, NAN, "jitter");
    LATTICE(origin[1], INFINITY, "origin");
    LATTICE(spacing[2], NAN, "spacing[2]");
    LATTICE(counts[0], 0, "counts");
    LATTICE(grain.radius.value, 0, "radius.value");
    LATTICE(grain.radius.kind, 77, "radius.kind");
    LATTICE(grain.radius.kind, SCREE_RADIUS_LIST, "radius.values");
    LATTICE(grain.radius.kind, SCREE_RADIUS_UNIFORM, "radius.min");
    LATTICE(grain.velocity[0], NAN, "velocity");
    LATTICE(grain.angular_velocity[0], NAN, "angular_velocity");
    LATTICE(grain.shapes.n, 1, "shapes");
    LATTICE(grain.shapes.n, -1, "shapes.n");
    LATTICE(grain.material, 9, "material");
#define FILL(member, value, word)                                              \
    REFUSES(scree_fill_make(&wrong, rng, world, &error), fill, member, value,  \
            word)
    FILL(count, -1, "count");
    FILL(region.max[0], -1, "region");
    FILL(grain.radius.value, NAN, "radius.value");
    scree_pour_state at = scree_pour_begin(rng);
#define POUR(member, value, word)                                              \
    REFUSES(scree_pour_advance(&wrong, &at, world, &error), pour, member,      \
            value, word)
    POUR(rate, 0, "rate");
    POUR(count, -1, "count");
    POUR(start, NAN, "start");
    POUR(stop, NAN, "stop");
    POUR(grain.radius.value, -1, "radius.value");
    scree_error error = {0};
    assert_refused(scree_lattice_make(NULL, rng, world, &error), &error,
                   "lattice");
    assert_refused(scree_fill_make(NULL, rng, world, &error), &error, "fill");
    assert_refused(
        scree_single_make(&(scree_single){.grain = GRAIN}, rng, world, &error),
        &error, "shapes.n");
    assert_refused(
        scree_pyramid_make(&(scree_pyramid){.base = 0}, rng, world, &error),
        &error, "base");
    assert_ok(scree_lattice_make(&lattice, rng, world, &error));
    assert_int_equal(scree_world_body_count(world), 8);
    scree_world_destroy(world);
}

/* ---- worlds ---------------------------------------------------------------- */

static void world__bad_definition__says_why(void **state) {
    (void)state;
    scree_error error = {0};
    scree_world_def def = scree_world_def_default();
    assert_ok(scree_world_def_check(&def, &error));
    assert_refused(scree_world_def_check(NULL, &error), &error,
                   "scree_world_def_default");
    def.stepper = "euler";
    assert_refused(scree_world_def_check(&def, &error), &error, "euler");
    def = scree_world_def_default();
    def.solver.relaxation = 3;
    assert_refused(scree_world_def_check(&def, &error), &error, "relaxation");
}

static void world__null_definitions__refused(void **state) {
    (void)state;
    scree_world *world = new_world();
    assert_int_equal(scree_world_add_sphere(world, NULL, NULL),
                     SCREE_BAD_ARGUMENT);
    assert_int_equal(scree_world_add_body(world, NULL, NULL),
                     SCREE_BAD_ARGUMENT);
    assert_int_equal(scree_world_add_plane(world, NULL, NULL),
                     SCREE_BAD_ARGUMENT);
    assert_int_equal(scree_world_add_mesh(world, NULL, NULL),
                     SCREE_BAD_ARGUMENT);
    assert_int_equal(scree_world_add_terrain(world, NULL, NULL),
                     SCREE_BAD_ARGUMENT);
    assert_int_equal(scree_world_add_shape(world, NULL, NULL),
                     SCREE_BAD_ARGUMENT);
    assert_int_equal(scree_world_add_material(world, NULL, NULL),
                     SCREE_BAD_ARGUMENT);
    scree_world_destroy(world);
}

/* What is set is what the next step begins with, and the energy stays in the books. */
static void write_state__falls_from_there(void **state) {
    (void)state;
    scree_world *world = new_world();
    add_floor(world);
    add_sphere(world, 0.1, vec(0, 0, 0.1), vec(0, 0, 0), vec(0, 0, 0));
    run(world, 20);
    double x[3] = {1, 2, 5}, v[3] = {0, 0, 2}, radius = 1;
    assert_ok(scree_world_write_state(
        world, &(scree_state_view){.position = x, .velocity = v}));
    run(world, 100);
    const body b = read_body(world, 0);
    assert_near(b.x.z, 5 + 2 * 0.1 - 0.5 * 9.81 * 0.01, 1e-12);
    assert_near(energy_defect(world), 0, 1e-9);
    assert_int_equal(
        scree_world_write_state(world, &(scree_state_view){.radius = &radius}),
        SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(scree_world_error(world), "radius"));
    v[1] = NAN;
    assert_int_equal(
        scree_world_write_state(world, &(scree_state_view){.velocity = v}),
        SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(scree_world_error(world), "body 0: velocity"));
    assert_near(read_body(world, 0).x.z, b.x.z, 0);
    scree_world_destroy(world);
}

/* ---- models ---------------------------------------------------------------- */

static void one_law(const double *p, scree_law *laws) {
    laws[0] = (scree_law){.name = "stop",
                          .kind = SCREE_LAW_CONTACT,
                          .row = (int)p[0],
                          .n_f = (int)p[1]};
}
static void start_at_one(const double *p, double *q, double *u) {
    (void)p, q[0] = 1, u[0] = 0;
}
static void unit_mass(const double *p, double t, const double *q, double *M) {
    (void)p, (void)t, (void)q, M[0] = 1;
}
static void fall_force(const double *p, double t, const double *q,
                       const double *u, double *h) {
    (void)p, (void)t, (void)q, (void)u, h[0] = -10;
}
static void height(const double *p, double t, const double *q, double *g) {
    (void)p, (void)t, g[0] = q[0];
}
static void fall_rows(const double *p, double t, const double *q, double *Wt,
                      double *chi) {
    (void)p, (void)t, (void)q, Wt[0] = 1, chi[0] = 0;
}
static const scree_parameter two_parameters[] = {
    {"row", 0, "1", "of the law", NULL}, {"n_f", 0, "1", "its friction", NULL}};
static const scree_model_ops falling = {.name = "falling",
                                        .n_q = 1,
                                        .n_u = 1,
                                        .n_law = 1,
                                        .n_row = 1,
                                        .n_parameter = 2,
                                        .parameters = two_parameters,
                                        .laws = one_law,
                                        .start = start_at_one,
                                        .mass = unit_mass,
                                        .force = fall_force,
                                        .gaps = height,
                                        .rows = fall_rows};

#define NO_MODEL(member, value, word)                                          \
    do {                                                                       \
        scree_error why = {0};                                                 \
        scree_model_ops wrong = falling;                                       \
        wrong.member = value;                                                  \
        scree_dense *system;                                                   \
        assert_refused(scree_model_check(&wrong, NULL, &why), &why, word);     \
        assert_int_equal(scree_dense_create(&wrong, NULL, &system),            \
                         SCREE_BAD_ARGUMENT);                                  \
        assert_null(system);                                                   \
    } while (0)

static void model__bad_table__named(void **state) {
    (void)state;
    scree_error error = {0};
    NO_MODEL(n_q, 0, "n_q");
    NO_MODEL(n_u, 2, "kinematics");
    NO_MODEL(n_law, -1, "n_law");
    NO_MODEL(n_row, 2, "row 1");
    NO_MODEL(parameters, NULL, "parameters");
    NO_MODEL(force, NULL, "force");
    NO_MODEL(rows, NULL, "rows");
    NO_MODEL(gaps, NULL, "gaps");
    NO_MODEL(name, NULL, "name");
    assert_refused(scree_model_check(&falling, (double[]){1, 0}, &error),
                   &error, "rows 1 to 1");
    assert_refused(scree_model_check(&falling, (double[]){0, 9}, &error),
                   &error, "n_f");
    assert_refused(scree_model_check(NULL, NULL, &error), &error, "ops");
    assert_ok(scree_model_check(&falling, NULL, &error));
}

static void model__state_set__goes_on_from_there(void **state) {
    (void)state;
    scree_error error = {0};
    scree_dense *system;
    scree_dense_options options = scree_dense_options_default();
    options.dt = 0.01;
    assert_ok(scree_dense_create(&falling, NULL, &system));
    for (int k = 0; k < 7; k++)
        assert_ok(scree_dense_step(system, "moreau", &options, &error));
    assert_ok(scree_dense_write_state(system, 2, (double[]){3}, (double[]){4},
                                      &error));
    for (int k = 0; k < 10; k++)
        assert_ok(scree_dense_step(system, "moreau", &options, &error));
    const scree_dense_view now = scree_dense_view_of(system);
    assert_near(now.t, 2.1, 1e-12);
    assert_near(now.q[0], 3 + 4 * 0.1 - 5 * 0.01, 1e-12);
    assert_near(now.u[0], 4 - 1, 1e-12);
    assert_refused(scree_dense_write_state(system, 0, (double[]){NAN},
                                           (double[]){0}, &error),
                   &error, "q[0]");
    scree_dense_destroy(system);
}

/* ---- cases ----------------------------------------------------------------- */

static const char heap[] =
    "name: heap\n"
    "time: {end: 0.1, step: 1e-3}\n"
    "materials: [{name: stone, density: 2500, friction: 0.5}]\n"
    "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1]},"
    " material: stone}]\n"
    "bodies: [{pour: {box: {min: [0, 0, 0], max: [1, 1, 1]}, rate: 500},"
    " radius: 0.05, material: stone}]\n"
    "outputs: [{frames: {every: 0.05}}]\n";

typedef struct folder {
    char path[40], file[80];
} folder;

static folder make_folder(void) {
    folder f = {.path = "/tmp/scree-api-XXXXXX"};
    assert_non_null(mkdtemp(f.path));
    snprintf(f.file, sizeof f.file, "%s/state.h5", f.path);
    return f;
}

static void remove_folder(const folder *f) {
    char command[80];
    snprintf(command, sizeof command, "rm -r %s", f->path);
    assert_int_equal(system(command), 0);
}

static scree_case *read_heap(void) {
    scree_case *c;
    scree_error error = {0};
    assert_ok(scree_case_read_text(heap, "heap", 0, NULL, &c, &error));
    return c;
}

static uint64_t finish_simulation(scree_simulation *s) {
    scree_error error = {0};
    while (!scree_simulation_is_over(s))
        assert_ok(scree_simulation_step(s, &error));
    const uint64_t hash = scree_world_hash(scree_simulation_world(s));
    scree_simulation_close(s);
    return hash;
}

static bool note_hash(void *hash, const scree_run_state *at) {
    *(uint64_t *)hash = scree_world_hash(at->world);
    return true;
}

/* The run of the program, the steps of a simulation, and those from its checkpoint. */
static void simulation__saved_and_opened__bits_of_the_run(void **state) {
    (void)state;
    const folder f = make_folder();
    scree_error error = {0};
    scree_case *c = read_heap();
    scree_simulation *s;
    uint64_t by_run = 0;
    scree_run_def def = scree_run_def_default();
    def.out = f.path, def.each = note_hash, def.context = &by_run;
    assert_ok(scree_case_run(c, &def, &error));

    assert_ok(scree_simulation_open(c, NULL, NULL, &s, &error));
    for (int k = 0; k < 40; k++) assert_ok(scree_simulation_step(s, &error));
    assert_ok(scree_simulation_save(s, f.file, &error));
    assert_int_equal(scree_simulation_state(s).step, 40);
    assert_true(finish_simulation(s) == by_run);
    assert_ok(scree_simulation_open(c, NULL, f.file, &s, &error));
    assert_int_equal(scree_simulation_state(s).step, 40);
    assert_true(finish_simulation(s) == by_run);
    scree_case_free(c);
    remove_folder(&f);
}

static bool stop_at_step(void *context, const scree_run_state *at) {
    return at->step < *(int *)context;
}

static void run__stopped__resumes(void **state) {
    (void)state;
    const folder f = make_folder();
    scree_error error = {0};
    scree_case *c = read_heap();
    int last = 30;
    uint64_t resumed = 0, whole = 0;
    scree_run_def def = scree_run_def_default();
    def.out = f.path, def.each = stop_at_step, def.context = &last;
    assert_ok(scree_case_run(c, &def, &error));
    def = scree_run_def_default();
    def.each = note_hash, def.context = &resumed;
    assert_ok(scree_folder_resume(f.path, 0, NULL, &def, &error));
    def.out = f.path, def.force = true, def.context = &whole;
    assert_ok(scree_case_run(c, &def, &error));
    assert_true(resumed == whole && whole != 0);
    scree_case_free(c);
    remove_folder(&f);
}

static void case__bad_arguments__named(void **state) {
    (void)state;
    const folder f = make_folder();
    scree_error error = {0};
    scree_case *c = read_heap(), *other;
    scree_simulation *s;
    scree_run_def def = {.out = "x"};
    assert_refused(scree_case_run(c, &def, &error), &error,
                   "scree_run_def_default");
    assert_refused(scree_case_run(NULL, &def, &error), &error, "c is NULL");
    def = scree_run_def_default(), def.max_walltime = -1;
    assert_refused(scree_case_run(c, &def, &error), &error, "max_walltime");
    def = scree_run_def_default(), def.out = f.path;
    assert_refused(scree_folder_resume(f.path, 0, NULL, &def, &error), &error,
                   "def.out");
    assert_refused(scree_simulation_open(c, NULL, f.file, &s, &error), &error,
                   f.file);
    assert_null(s);
    assert_refused(scree_simulation_open(NULL, NULL, NULL, &s, &error), &error,
                   "c or out");
    /* The state of other bodies has no meaning in this case. */
    const char *sets[] = {"seed=7"};
    assert_ok(scree_case_read_text(heap, "heap", 1, sets, &other, &error));
    assert_ok(scree_simulation_open(c, NULL, NULL, &s, &error));
    assert_ok(scree_simulation_save(s, f.file, &error));
    scree_simulation_close(s);
    assert_refused(scree_simulation_open(other, NULL, f.file, &s, &error),
                   &error, "seed");
    scree_case_free(other);
    scree_case_free(c);
    remove_folder(&f);
}

/* Who does not want the sentence gets the status. */
static void errors__nobody_listens__status_alone(void **state) {
    (void)state;
    static const char *const wrong[] = {"time.end=-1", "gravitty=1", "seed=x"};
    scree_case *c;
    scree_results *results;
    for (int k = 0; k < 3; k++) {
        assert_int_equal(
            scree_case_read_text(heap, "heap", 1, &wrong[k], &c, NULL),
            SCREE_BAD_INPUT);
        assert_null(c);
    }
    assert_int_not_equal(scree_case_read("/no/such", 0, NULL, &c, NULL),
                         SCREE_OK);
    assert_int_not_equal(scree_results_open("/no/such", &results, NULL),
                         SCREE_OK);
    assert_int_not_equal(scree_world_def_check(NULL, NULL), SCREE_OK);
    assert_int_not_equal(scree_model_check(NULL, NULL, NULL), SCREE_OK);
    scree_results_close(NULL);
    scree_simulation_close(NULL);
    scree_case_free(NULL);
    scree_dense_destroy(NULL);
    scree_world_destroy(NULL);
}

/* ---- files ------------------------------------------------------------------ */

static void world_file__loaded__same_bits(void **state) {
    (void)state;
    const folder f = make_folder();
    scree_error error = {0};
    scree_world *world = new_world(), *other = new_world();
    add_floor(world), add_floor(other);
    add_cloud(world, 30, 0.5, 0.05, 0.06, 1);
    run(world, 100);
    assert_ok(scree_world_save(world, f.file, &error));
    assert_ok(scree_world_load(other, f.file, &error));
    run(world, 50), run(other, 50);
    assert_true(scree_world_hash(world) == scree_world_hash(other));
    assert_refused(scree_world_load(other, f.file, &error), &error, "world");
    scree_world_destroy(world);
    scree_world_destroy(other);
    remove_folder(&f);
}

static void frame_file__read__what_was_written(void **state) {
    (void)state;
    const folder f = make_folder();
    scree_error error = {0};
    scree_world *world = new_world();
    scree_results *results;
    double x[3], speed;
    int64_t rows;
    int columns;
    add_sphere(world, 0.1, vec(1, 2, 3), vec(3, 0, 4), vec(0, 0, 0));
    assert_ok(scree_world_write_frame(world, f.file, &error));
    assert_ok(scree_results_open(f.file, &results, &error));
    assert_int_equal(scree_results_count(results, NULL), 1);
    assert_int_equal(scree_results_count(results, "stones"), -1);
    assert_near(scree_results_time(results, NULL, 0), 0, 0);
    assert_true(isnan(scree_results_time(results, NULL, 1)));
    assert_ok(scree_results_size(results, NULL, 0, "position", &rows, &columns,
                                 &error));
    assert_true(rows == 1 && columns == 3);
    assert_ok(scree_results_read(results, NULL, 0, "position", x, &error));
    assert_true(x[0] == 1 && x[1] == 2 && x[2] == 3);
    assert_ok(scree_results_read(results, NULL, 0, "speed", &speed, &error));
    assert_true(speed == 5);
    char *names;
    assert_ok(scree_results_fields(results, NULL, 0, &names, &error));
    assert_non_null(strstr(names, "position\n"));
    assert_non_null(strstr(names, "radius\n"));
    free(names);
    assert_refused(scree_results_read(results, NULL, 1, "speed", x, &error),
                   &error, "frame");
    assert_refused(scree_results_read(results, NULL, 0, "colour", x, &error),
                   &error, "field");
    assert_null(scree_results_series(results, 1));
    scree_results_close(results);
    scree_world_destroy(world);
    remove_folder(&f);
}

/* ---- problems ---------------------------------------------------------------- */

static scree_status take_problem(void *context, const scree_world *world,
                                 scree_error *error) {
    scree_fc3d *p = context;
    scree_fc3d_free(p);
    return scree_world_read_problem(world, p, error);
}

/* Of a step; solved once more, and through a file. */
static void problem__written_and_read__same_solution(void **state) {
    (void)state;
    const folder f = make_folder();
    scree_error error = {0};
    scree_world_def def = scree_world_def_default();
    def.solver.dump = SCREE_DUMP_ALL;
    def.solver.tolerance = 1e-10;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    scree_fc3d p = {0}, read;
    scree_report report;
    add_floor(world);
    add_cloud(world, 20, 0.3, 0.05, 0.06, 1);
    scree_world_set_saver(world, take_problem, &p);
    run(world, 200);
    assert_true(p.nc >= 20);
    assert_true(scree_fc3d_residual(&p) < 1e-6);
    assert_ok(scree_fc3d_write(&p, f.file, "of a test", &error));
    assert_ok(scree_fc3d_read(&read, f.file, &error));
    assert_int_equal(read.nc, p.nc);
    assert_memory_equal(read.q, p.q, 3 * (size_t)p.nc * sizeof *p.q);
    memset(read.r, 0, 3 * (size_t)read.nc * sizeof *read.r);
    assert_true(scree_fc3d_residual(&read) > 0.1);
    scree_solver_options options = scree_blocks_options();
    options.method = "auto", options.tolerance = 1e-10;
    assert_ok(scree_fc3d_solve(&read, &options, &report, &error));
    assert_true(report.converged && scree_fc3d_residual(&read) <= 1e-10);
    options.method = "guess";
    assert_refused(scree_fc3d_solve(&read, &options, &report, &error), &error,
                   "options.method");
    scree_fc3d_free(&read);
    scree_fc3d_free(&p);
    scree_world_destroy(world);
    remove_folder(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version__header_and_library__agree),
        cmocka_unit_test(generators__bad_numbers__named),
        cmocka_unit_test(world__bad_definition__says_why),
        cmocka_unit_test(world__null_definitions__refused),
        cmocka_unit_test(write_state__falls_from_there),
        cmocka_unit_test(model__bad_table__named),
        cmocka_unit_test(model__state_set__goes_on_from_there),
        cmocka_unit_test(simulation__saved_and_opened__bits_of_the_run),
        cmocka_unit_test(run__stopped__resumes),
        cmocka_unit_test(case__bad_arguments__named),
        cmocka_unit_test(errors__nobody_listens__status_alone),
        cmocka_unit_test(world_file__loaded__same_bits),
        cmocka_unit_test(frame_file__read__what_was_written),
        cmocka_unit_test(problem__written_and_read__same_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
