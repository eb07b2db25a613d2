/* checkpoint.c: a run that goes on from a checkpoint has the bits of the run that
 * was never interrupted: the state and every byte of its outputs.
 *
 * A case runs to its end with checkpoints on the way. Then it is cut back to some
 * of them, one after the other (so later ones are restarts of restarts), and
 * goes on from there over the outputs that are still in the folder. */
#include "tests/io/files/fixture.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/system/stepper.h"
#include "io/hdf5/checkpoint.h"
#include "io/hdf5/checkpoint_file.h"
#include "io/run/run_resume.h"
#include "solvers/problem/method.h"

/* ---- cases --------------------------------------------------------------- */

#define CHECKPOINTS "threads: 1\ncheckpoint: {every: 0.0173, keep: 1000}\n"
#define WORLD_OUTPUTS                                                          \
    "outputs: [frames: {every: 0.011}, contacts: {every: 0.02}, scalars: {}, " \
    "surfaces: {every: 0.015}]\n"

/* Spheres that are poured while walls swing, turn, come and go. */
static const char spheres[] =
    "time: {end: 0.12, step: 2e-3}\n"
    "solver: {iterations: 60, tolerance: 1e-8, unconverged_share: 1}\n"
    "materials:\n"
    "  - {name: rock, density: 2600, friction: 0.4, restitution: 0.3}\n"
    "  - {name: steel, density: 7800, friction: 0.1, restitution: 0.6}\n"
    "walls:\n"
    "  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: "
    "rock, motion: {oscillation: {amplitude: [0, 0, 0.01], frequency: 15}}}\n"
    "  - {name: paddle, plane: {point: [0.6, 0, 0], normal: [-1, 0, 0]}, "
    "material: steel, motion: {rotation: {axis: [0, 1, 0], rate: 2}}}\n"
    "  - {name: gate, plane: {point: [-0.1, 0, 0], normal: [1, 0, 0]}, "
    "material: "
    "rock, until: 0.07}\n"
    "bodies:\n"
    "  - {lattice: {origin: [0.06, 0.06, 0.06], counts: [3, 3, 4], spacing: "
    "0.105, jitter: 0.002}, radius: {uniform: {min: 0.04, max: 0.05}}, "
    "material: "
    "rock, velocity: [0, 0, -1]}\n"
    "  - {pour: {box: {min: [0.1, 0.1, 0.7], max: [0.4, 0.4, 0.8]}, rate: "
    "300}, "
    "radius: {uniform: {min: 0.02, max: 0.05}}, material: steel, velocity: [0, "
    "0, "
    "-3]}\n" WORLD_OUTPUTS CHECKPOINTS;

static const char rolling[] =
    "time: {end: 0.1, step: 2e-3}\n"
    "solver: {iterations: 40, tolerance: 1e-6, unconverged_share: 1}\n"
    "materials: [{name: rock, density: 2600, friction: 0.5, restitution: 0.2, "
    "rolling: 0.002, drilling: 0.004}]\n"
    "walls: [{plane: {point: [0, 0, 0], normal: [0.1, 0, 1]}, material: "
    "rock}]\n"
    "bodies: [{lattice: {origin: [0.06, 0.06, 0.06], counts: [3, 3, 3], "
    "spacing: "
    "0.11, jitter: 0.003}, radius: 0.05, material: rock, velocity: [0, 0, -1], "
    "angular_velocity: [3, 1, 9]}]\n" WORLD_OUTPUTS CHECKPOINTS;

static const char shapes[] =
    "time: {end: 0.12, step: 2e-3}\n"
    "solver: {iterations: 40, tolerance: 1e-6, unconverged_share: 1}\n"
    "materials: [{name: rock, density: 2600, friction: 0.5, restitution: "
    "0.2}]\n"
    "shapes:\n"
    "  - {name: brick, box: {size: [0.1, 0.08, 0.06]}}\n"
    "  - {name: stone, rock: {diameter: 0.05, points: 14}}\n"
    "  - {name: pill, capsule: {radius: 0.03, length: 0.05}}\n"
    "  - {name: nut, clump: {balls: [[0, 0, 0, 0.03], [0.04, 0, 0, 0.02]]}}\n"
    "walls:\n"
    "  - {plane: {point: [0, -0.2, 0], normal: [0, 1, 0]}, material: rock}\n"
    "  - {plane: {point: [0, 0.2, 0], normal: [0, -1, 0]}, material: rock}\n"
    "  - {mesh: {file: " SCREE_SOURCE_DIR
    "/cases/data/drum.obj}, material: rock, "
    "motion: {rotation: {axis: [0, 1, 0], rate: 1}}}\n"
    "bodies:\n"
    "  - {lattice: {origin: [-0.15, 0, -0.3], counts: [3, 1, 2], spacing: "
    "0.15}, shape: brick, material: rock, velocity: [0.3, 0, -3]}\n"
    "  - {pour: {box: {min: [-0.15, -0.1, 0.1], max: [0.15, 0.1, 0.3]}, rate: "
    "200}, shape: stone, material: rock, velocity: [0, 0, -3]}\n"
    "  - {lattice: {origin: [-0.15, 0.12, -0.1], counts: [3, 1, 2], spacing: "
    "0.12}, shape: nut, material: rock, velocity: [0, 0, -4]}\n"
    "  - {body: {position: [0, 0, 0]}, shape: pill, material: rock, "
    "angular_velocity: [5, 3, 1]}\n" WORLD_OUTPUTS CHECKPOINTS;

/* Cylinders that fall on their rims and rock. */
static const char rims[] =
    "time: {end: 0.3, step: 5e-3}\n"
    "solver: {iterations: 200, tolerance: 1e-6, unconverged_share: 1}\n"
    "materials: [{name: rock, density: 2600, friction: 0.4, restitution: 0}]\n"
    "shapes:\n"
    "  - {name: drum, cylinder: {radius: 0.08, length: 0.1}}\n"
    "walls:\n"
    "  - {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: rock}\n"
    "bodies:\n"
    "  - {lattice: {origin: [0, 0, 0.1], counts: [2, 2, 2], spacing: 0.19}, "
    "shape: drum, material: rock, velocity: [0.1, 0, -1], angular_velocity: "
    "[1, 2, 0]}\n" WORLD_OUTPUTS CHECKPOINTS;

/* Balls that slide on planks: friction has a direction, fixed to the wall of one
 * plank and to the bodies of the other material. */
static const char planks[] =
    "time: {end: 0.12, step: 2e-3}\n"
    "solver: {iterations: 60, tolerance: 1e-8, unconverged_share: 1}\n"
    "materials:\n"
    "  - {name: wood, density: 700, friction: 0.5, restitution: 0.1, "
    "anisotropy: {ratio: 0.3, direction: [1, 1, 0]}}\n"
    "  - {name: rock, density: 2600, friction: 0.4, rolling: 0.001, "
    "anisotropy: "
    "{ratio: 2, direction: [0, 1, 0.2]}}\n"
    "shapes: [{name: brick, box: {size: [0.1, 0.08, 0.06]}}]\n"
    "walls: [{plane: {point: [0, 0, 0], normal: [0.2, 0, 1]}, material: "
    "wood}]\n"
    "bodies:\n"
    "  - {lattice: {origin: [0.06, 0.06, 0.1], counts: [3, 3, 2], spacing: "
    "0.11, jitter: 0.003}, radius: 0.05, material: rock, velocity: [1, 2, -1], "
    "angular_velocity: [3, 1, 9]}\n"
    "  - {lattice: {origin: [0.06, 0.06, 0.4], counts: [2, 2, 1], spacing: "
    "0.15}, "
    "shape: brick, material: wood, velocity: [1, 2, -3]}\n" WORLD_OUTPUTS
        CHECKPOINTS;

static const char plane_world[] =
    "planar: on\n"
    "time: {end: 0.2, step: 2e-3}\n"
    "solver: {iterations: 60, tolerance: 1e-6, unconverged_share: 1}\n"
    "materials: [{name: rock, density: 2600, friction: 0.5, restitution: "
    "0.2}]\n"
    "shapes: [{name: tri, polygon: {sides: 3, radius: 0.06}}]\n"
    "walls:\n"
    "  - {plane: {point: [0, 0], normal: [0.2, 1]}, material: rock}\n"
    "  - {segments: {points: [[-0.2, 0.4], [-0.1, 0.05], [0.5, 0.04]], "
    "thickness: 0.01}, material: rock, motion: {oscillation: {amplitude: "
    "[0.01, "
    "0], frequency: 9}}}\n"
    "bodies:\n"
    "  - {lattice: {origin: [0, 0.14], counts: [5, 4], spacing: 0.11, jitter: "
    "0.003}, radius: 0.05, material: rock}\n"
    "  - {lattice: {origin: [0, 0.6], counts: [5, 2], spacing: 0.12}, shape: "
    "tri, "
    "material: rock, velocity: [0, -2]}\n" WORLD_OUTPUTS CHECKPOINTS;

static const char model[] =
    "time: {end: 0.7, step: 5e-3}\n"
    "outputs: [scalars: {}, frames: {every: 0.011}]\n" CHECKPOINTS;

/* ---- what a run has left ------------------------------------------------- */

enum { MOST_FILES = 300 };

typedef struct content {
    char name[64];
    char *bytes;
    size_t size;
} content;

typedef struct result {
    int n;
    content files[MOST_FILES];
    char hash[20];
} result;

static bool is_output(const char *name) {
    static const char *const others[] = {"restarts.log", "run.log",
                                         "timing.json"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(name, others[i]) == 0) return false;
    return *name != '.' && strncmp(name, "checkpoint-", 11) != 0;
}

static void read_content(const fixture *f, const char *name, content *c) {
    FILE *file = fopen(fixture_path(f, name), "rb");
    assert_non_null(file);
    snprintf(c->name, sizeof c->name, "%s", name);
    FILE *to = open_memstream(&c->bytes, &c->size);
    for (int byte; (byte = fgetc(file)) != EOF;) fputc(byte, to);
    fclose(file);
    fclose(to);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const content *)a)->name, ((const content *)b)->name);
}

static void read_files(const fixture *f, result *r) {
    DIR *folder = opendir(f->folder);
    assert_non_null(folder);
    r->n = 0;
    for (const struct dirent *e; (e = readdir(folder));)
        if (is_output(e->d_name)) {
            assert_true(r->n < MOST_FILES);
            read_content(f, e->d_name, &r->files[r->n++]);
        }
    closedir(folder);
    qsort(r->files, (size_t)r->n, sizeof *r->files, by_name);
}

static void free_files(result *r) {
    for (int i = 0; i < r->n; i++) free(r->files[i].bytes);
}

static void expect_same(const char *what, int64_t step, const result *a,
                        const result *b) {
    if (strcmp(a->hash, b->hash) != 0)
        fail_msg("%s, step %" PRId64 ": state %s, not %s", what, step, b->hash,
                 a->hash);
    if (a->n != b->n)
        fail_msg("%s, step %" PRId64 ": %d files, not %d", what, step, b->n,
                 a->n);
    for (int i = 0; i < a->n; i++) {
        const content *x = &a->files[i], *y = &b->files[i];
        if (strcmp(x->name, y->name) != 0 || x->size != y->size ||
            memcmp(x->bytes, y->bytes, x->size) != 0)
            fail_msg("%s, step %" PRId64 ": %s (%zu bytes) differs from %s "
                     "(%zu bytes)",
                     what, step, y->name, y->size, x->name, x->size);
    }
}

/* ---- running ------------------------------------------------------------- */

static void keep_hash(const char *log, result *r) {
    const char *line = strstr(log, "state hash: ");
    assert_non_null(line);
    snprintf(r->hash, sizeof r->hash, "%.16s", line + 12);
}

static scree_case *read_case(const char *text, int n, const char *const *sets) {
    scree_case *c;
    scree_error error = {0};
    if (scree_case_read_text(text, "case.yaml", n, sets, &c, &error) !=
        SCREE_OK)
        fail_msg("%s", error.text);
    return c;
}

static void run_whole(const fixture *f, const char *text, int n,
                      const char *const *sets, result *r) {
    char *log;
    size_t size;
    FILE *to = open_memstream(&log, &size);
    scree_error error = {0};
    scree_case *c = read_case(text, n, sets);
    const scree_run_options options = {
        .out = f->folder, .log = to, .quiet = true, .force = true};
    if (scree_run(c, &options, &error) != SCREE_OK) fail_msg("%s", error.text);
    fclose(to);
    keep_hash(log, r);
    free(log);
    read_files(f, r);
    scree_case_free(c);
}

static void resume_from(const fixture *f, int64_t step, int n,
                        const char *const *sets, result *r) {
    char *log;
    size_t size;
    FILE *to = open_memstream(&log, &size);
    scree_error error = {0};
    scree_checkpoint_remove_after(f->folder, step);
    const scree_run_options options = {.log = to, .quiet = true};
    if (scree_resume(f->folder, n, sets, &options, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    fclose(to);
    keep_hash(log, r);
    free(log);
    read_files(f, r);
}

/* Steps of the checkpoints, the newest first. */
static int64_t *list(const fixture *f, int *n) {
    int64_t *steps;
    assert_int_equal(scree_checkpoint_list(f->folder, &steps, n, NULL),
                     SCREE_OK);
    assert_true(*n > 3);
    return steps;
}

static int64_t last_step(const fixture *f) {
    int n;
    int64_t *steps = list(f, &n);
    const int64_t last = steps[0];
    free(steps);
    return last;
}

static void empty_folder(const fixture *f) {
    DIR *folder = opendir(f->folder);
    for (const struct dirent *e; (e = readdir(folder));)
        unlinkat(dirfd(folder), e->d_name, 0);
    closedir(folder);
}

/* A run that hardly touches anything would show little of what is saved. */
static void expect_contacts(const char *what, const result *r) {
    int k = 0, touched = 0, step, bodies, contacts;
    double time;
    while (k < r->n && strcmp(r->files[k].name, "scalars.csv") != 0) k++;
    assert_true(k < r->n);
    assert_non_null(strstr(r->files[k].bytes, "step,time,bodies,contacts,"));
    for (const char *row = r->files[k].bytes; row; row = strchr(row, '\n')) {
        row += *row == '\n';
        if (sscanf(row, "%d,%lf,%d,%d,", &step, &time, &bodies, &contacts) == 4)
            touched += contacts >= 1;
    }
    if (touched < 5) fail_msg("%s: hardly a contact", what);
}

/* The whole run, then from between, from the start and from the end, and next to
 * them. The address sanitizer sees all there is in the first of them. */
#ifdef __SANITIZE_ADDRESS__
enum { INTERRUPTIONS = 1 };
#else
enum { INTERRUPTIONS = 5 };
#endif

static void interrupt(const fixture *f, const char *what, const char *text,
                      int n, const char *const *sets) {
    static result whole, again;
    empty_folder(f);
    run_whole(f, text, n, sets, &whole);
    if (text != model) expect_contacts(what, &whole);
    int n_step;
    int64_t *steps = list(f, &n_step);
    const int at[] = {n_step / 2, n_step - 1, 0, 1, n_step - 2};
    for (int i = 0; i < INTERRUPTIONS; i++) {
        resume_from(f, steps[at[i]], 0, NULL, &again);
        expect_same(what, steps[at[i]], &whole, &again);
        free_files(&again);
    }
    free(steps);
    free_files(&whole);
}

/* ---- worlds -------------------------------------------------------------- */

static void resume__every_stepper_of_worlds__same_bits(void **state) {
    const scree_stepper_ops *stepper;
    for (int i = 0; (stepper = scree_stepper_get(i)); i++) {
        if (!scree_stepper_runs_worlds(stepper)) continue;
        char set[60];
        const char *sets[] = {set,
                              "stepping.dt_min=5e-5",
                              "bodies[0].lattice.counts=[2, 1, 1]",
                              "bodies[1].pour.rate=40",
                              "materials[0].restitution=0",
                              "walls[0].motion.oscillation.frequency=1"};
        const bool small = stepper->world_step && !stepper->adaptive;
        snprintf(set, sizeof set, "stepper=%s", stepper->name);
        interrupt(*state, set, spheres, small ? 6 : 2, sets);
    }
}

static void resume__every_solver__same_bits(void **state) {
    const char *name;
    for (int i = 0; (name = scree_solver_name(i, NULL)); i++) {
        char set[60];
        const char *sets[] = {set, "time.end=0.06", "materials[0].friction=0",
                              "materials[1].friction=0"};
        snprintf(set, sizeof set, "solver.method=%s", name);
        const bool smooth = strcmp(name, "lemke") == 0; /* knows no friction */
        interrupt(*state, set, spheres, smooth ? 4 : 2, sets);
    }
}

static void resume__rolling_friction__same_bits(void **state) {
    const char *const rattle[] = {"stepper=rattle"};
    interrupt(*state, "rolling", rolling, 0, NULL);
    interrupt(*state, "rolling by rattle", rolling, 1, rattle);
}

static void resume__shapes_and_meshes__same_bits(void **state) {
    const char *const rattle[] = {"stepper=rattle"};
    interrupt(*state, "shapes", shapes, 0, NULL);
    interrupt(*state, "shapes by rattle", shapes, 1, rattle);
    interrupt(*state, "rims by rattle", rims, 1, rattle);
}

static void resume__plane_world__same_bits(void **state) {
    const char *const rattle[] = {"stepper=rattle"};
    static const char *const poisson[] = {"materials[0].impact=poisson"};
    interrupt(*state, "plane", plane_world, 0, NULL);
    interrupt(*state, "plane with Poisson's law", plane_world, 1, poisson);
    interrupt(*state, "plane by rattle", plane_world, 1, rattle);
}

static void resume__friction_with_directions__same_bits(void **state) {
    const char *const rattle[] = {"stepper=rattle"};
    interrupt(*state, "planks", planks, 0, NULL);
    interrupt(*state, "planks by rattle", planks, 1, rattle);
}

/* The options of outputs: what is drawn, packed and when. The checkpoints fall
 * before, between and behind the times. */
static void resume__options_of_outputs__same_bits(void **state) {
    const char *const sets[] = {
        "outputs=[{frames: {every: 0.011, compression: 6, fields: [radius, "
        "speed]}}, {contacts: {every: 0.012, from: 0.03, until: 0.09, lines: "
        "on, compression: 1}}, {scalars: {every: 0.005, from: 0.02}}, "
        "{surfaces: {times: [0.015, 0.05, 0.1], spheres: on}}]"};
    interrupt(*state, "options, spheres", spheres, 1, sets);
    interrupt(*state, "options, shapes", shapes, 1, sets);
    interrupt(*state, "options, plane", plane_world, 1, sets);
}

/* Threads are no part of the state; they are named in later frames. */
static void resume__other_threads__same_state(void **state) {
    static result whole, again;
    fixture *f = *state;
    run_whole(f, spheres, 0, NULL, &whole);
    const char *const sets[] = {"threads=3"};
    resume_from(f, 26, 1, sets, &again);
    assert_string_equal(again.hash, whole.hash);
    assert_int_equal(again.n, whole.n);
    free_files(&whole);
    free_files(&again);
}

/* ---- models -------------------------------------------------------------- */

static void resume__every_stepper_of_models__same_bits(void **state) {
    static const char *const models[] = {
        "model=bouncing-ball", "model=woodpecker", "model=impact-oscillator"};
    const scree_stepper_ops *stepper;
    for (int i = 0; (stepper = scree_stepper_get(i)); i++)
        for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
            char set[60];
            const char *sets[] = {models[k], set};
            snprintf(set, sizeof set, "stepper=%s", stepper->name);
            interrupt(*state, set, model, 2, sets);
        }
}

static void resume__adaptive_with_history__same_bits(void **state) {
    const char *const sets[] = {"model=bouncing-ball",
                                "stepper=moreau-adaptive", "stepping.order=3",
                                "stepping.dt_min=1e-6", "time.step=0.05"};
    interrupt(*state, "moreau-adaptive", model, 5, sets);
    const char *const lobatto[] = {"model=woodpecker", "stepper=lobatto",
                                   "stepping.stages=4"};
    interrupt(*state, "lobatto", model, 3, lobatto);
}

/* ---- what may change ----------------------------------------------------- */

/* A finished run goes on as if its end had been later from the start. */
static void resume__later_end__as_a_longer_run(void **state) {
    static result longer, extended;
    fixture *f = *state;
    const char *const at_once[] = {"time.end=0.0901"},
                      *const later[] = {"time.end=0.0901"},
                      *const half[] = {"time.end=0.0501"};
    run_whole(f, spheres, 1, at_once, &longer);
    empty_folder(f);
    run_whole(f, spheres, 1, half, &extended);
    free_files(&extended);
    resume_from(f, INT64_MAX, 1, later, &extended);
    assert_string_equal(extended.hash, longer.hash);
    assert_int_equal(extended.n, longer.n);
    for (int i = 0; i < longer.n; i++)
        assert_string_equal(extended.files[i].name, longer.files[i].name);
    free_files(&longer);
    free_files(&extended);
}

/* The time goes on without a jump when the step changes; frames come at the same
 * times. */
static void resume__other_step__time_goes_on(void **state) {
    static result r;
    fixture *f = *state;
    run_whole(f, spheres, 0, NULL, &r);
    free_files(&r);
    const char *const sets[] = {"time.step=1e-3", "solver.iterations=100",
                                "stepper=rattle", "gravity=[0, 0, -5]"};
    resume_from(f, 35, 4, sets, &r);
    free_files(&r);
    assert_int_equal(last_step(f), 35 + 50); /* 0.05 s left */
    content csv;
    read_content(f, "scalars.csv", &csv);
    const char *row = csv.bytes + csv.size - 1;
    while (row[-1] != '\n') row--;
    assert_int_equal(strtol(row, NULL, 10), 85);
    assert_true(strtod(strchr(row, ',') + 1, NULL) == 35 * 2e-3 + 50 * 1e-3);
    free(csv.bytes);
    const char *log = fixture_text(f, "restarts.log");
    assert_non_null(strstr(log, "--set time.step=1e-3 --set solver.iter"));
}

static void refuse(const fixture *f, const char *set, const char *word) {
    scree_error error = {0};
    const scree_run_options options = {0};
    assert_int_equal(scree_resume(f->folder, 1, &set, &options, &error),
                     SCREE_BAD_INPUT);
    if (!strstr(error.text, word) || !strstr(error.text, "new run"))
        fail_msg("%s: '%s' does not say %s", set, error.text, word);
}

static void resume__another_world__refused_with_remedy(void **state) {
    static result before, after;
    fixture *f = *state;
    run_whole(f, spheres, 0, NULL, &before);
    refuse(f, "bodies[0].radius=0.03", "bodies");
    refuse(f, "walls=[]", "walls");
    refuse(f, "materials[0].density=1", "materials");
    refuse(f, "seed=7", "seed");
    refuse(f, "shapes=[{name: b, box: {size: 1}}]", "shapes");
    read_files(f, &after);
    memcpy(after.hash, before.hash, sizeof after.hash);
    expect_same("refused", 0, &before, &after);
    free_files(&before);
    free_files(&after);
}

/* In another folder the outputs begin with the state of the checkpoint, and that
 * of the first run stay. */
static void restart__another_folder__a_branch(void **state) {
    static result whole, after;
    fixture *f = *state, branch = {0};
    char out[100];
    run_whole(f, spheres, 0, NULL, &whole);
    snprintf(branch.folder, sizeof branch.folder, "%.40s/branch", f->folder);
    snprintf(out, sizeof out, "%s", branch.folder);
    scree_case *c = read_case(spheres, 0, NULL);
    char *from = scree_checkpoint_path(f->folder, 35);
    const scree_run_options options = {.out = out};
    scree_error error = {0};
    if (scree_restart(c, from, &options, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    const char *series = fixture_text(&branch, "bodies.hdf.series");
    assert_non_null(strstr(series, "bodies_000000.hdf\",\"time\":0.07"));
    scree_checkpoint *end;
    char *last = scree_checkpoint_path(branch.folder, 60);
    assert_int_equal(scree_checkpoint_open(last, &end, NULL), SCREE_OK);
    assert_true(end->time == 0.12);
    scree_checkpoint_close(end);
    free(last);
    free(from);
    scree_case_free(c);
    for (int i = 0; i < whole.n; i++) {
        read_content(f, whole.files[i].name, &after.files[0]);
        assert_int_equal(after.files[0].size, whole.files[i].size);
        free(after.files[0].bytes);
    }
    free_files(&whole);
}

#define WITH_FIXTURE(test)                                                     \
    cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(resume__every_stepper_of_worlds__same_bits),
        WITH_FIXTURE(resume__every_solver__same_bits),
        WITH_FIXTURE(resume__rolling_friction__same_bits),
        WITH_FIXTURE(resume__shapes_and_meshes__same_bits),
        WITH_FIXTURE(resume__plane_world__same_bits),
        WITH_FIXTURE(resume__friction_with_directions__same_bits),
        WITH_FIXTURE(resume__options_of_outputs__same_bits),
        WITH_FIXTURE(resume__other_threads__same_state),
        WITH_FIXTURE(resume__every_stepper_of_models__same_bits),
        WITH_FIXTURE(resume__adaptive_with_history__same_bits),
        WITH_FIXTURE(resume__later_end__as_a_longer_run),
        WITH_FIXTURE(resume__other_step__time_goes_on),
        WITH_FIXTURE(resume__another_world__refused_with_remedy),
        WITH_FIXTURE(restart__another_folder__a_branch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
