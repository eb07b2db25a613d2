/* case_model.c: cases that describe a model instead of a world: what the reader
 * makes of them, what it refuses, and that they print and read back. */
#include "io/schema/case_schema.h"
#include "tests/unit/case/case_rows.h"

#define TIME "time: {end: 1, step: 0.01}\n"
#define BALL TIME "model: bouncing-ball\n"
#define WORLD                                                                  \
    TIME "materials: [{name: glass, density: 2500}]\n"                         \
         "bodies: [{sphere: {position: [0, 0, 1]}, radius: 0.1}]\n"

/* ---- what is refused ----------------------------------------------------- */

#define FOREIGN "cannot be with 'model', which brings its own bodies and laws"
#define KEYS                                                                   \
    "\n  allowed here: name, units, seed, time, model, parameters, stepper, "  \
    "threads, stepping, solver, outputs"
#define PARAMETERS                                                             \
    "\n  allowed here: mass, radius, gravity, mu, e_n, omega, height"

static const bad_case rows[] = {
    {"model__unknown", TIME "model: woodpeker\n",
     .first = ":2: model: unknown model 'woodpeker'",
     .hints = {"\n  allowed: ", "bouncing-ball",
               "\n  did you mean 'woodpecker'?"}},
    {"model__nothing", TIME "model:\n",
     .first = ":2: model: expected the name of a model, found nothing",
     .hints = {"\n  allowed: "}},
    {"model__list", TIME "model: [belt, top]\n",
     .first = ":2: model: expected the name of a model, found a list of 2"},
    {"model__misspelt_key", TIME "modle: belt\n",
     .first = ":2: modle: unknown key", .hints = {"\n  did you mean 'model'?"}},
    {"model__without_time", "model: belt\n", .first = ":1: missing key 'time'"},

    {"model__with_bodies",
     BALL "bodies: [{sphere: {position: [0, 0, 1]}, radius: 0.1}]\n",
     .first = ":3: bodies: " FOREIGN, .hints = {KEYS},
     .absent = "did you mean"},
    {"model__with_materials", BALL "materials: []\n",
     .first = ":3: materials: " FOREIGN},
    {"model__with_pairs", BALL "pairs: []\n", .first = ":3: pairs: " FOREIGN},
    {"model__with_walls", BALL "walls: []\n", .first = ":3: walls: " FOREIGN},
    {"model__with_gravity", BALL "gravity: [0, 0, 1]\n",
     .first = ":3: gravity: " FOREIGN},
    {"model__with_contact", BALL "contact: {gap_control: on}\n",
     .first = ":3: contact: " FOREIGN},
    {"model__set_on_world", WORLD, .set = "model=belt", .first = "*",
     .hints = {":2: materials: " FOREIGN}},
    {"model__unknown_root_key", BALL "stepr: rattle\n",
     .first = ":3: stepr: unknown key",
     .hints = {KEYS, "\n  did you mean 'stepper'?"}},

    {"parameters__unknown", BALL "parameters:\n  mi: 0.5\n",
     .first = ":4: parameters.mi: unknown key",
     .hints = {PARAMETERS, "\n  did you mean 'mu'?"}},
    {"parameters__text", BALL "parameters: {mu: high}\n",
     .first = ":3: parameters.mu: expected a number, found the text 'high'",
     .hints = {"\n  allowed: number"}},
    {"parameters__unit_in_hint", BALL "parameters: {height: '1'}\n",
     .first = ":3: parameters.height: expected a number, found the text '1'",
     .hints = {"\n  allowed: number >= 0 and <= 1000000000 [m]"}},
    {"parameters__not_finite", BALL "parameters: {mu: 1e999}\n",
     .first = ":3: parameters.mu: 1e999 is out of range"},
    {"parameters__list", BALL "parameters: [1, 2]\n",
     .first = ":3: parameters: expected a mapping, found a list of 2",
     .hints = {PARAMETERS}},
    {"parameters__twice", BALL "parameters: {mu: 1, mu: 2}\n",
     .first = ":3: parameters.mu: the key is given twice"},
    {"parameters__of_world", WORLD "parameters: {mu: 1}\n",
     .first = ":4: parameters: has a meaning only with the key 'model'"},
    {"parameters__set_unknown", BALL, .set = "parameters.mi=1",
     .first = "--set parameters.mi=1: unknown key",
     .hints = {PARAMETERS, "\n  did you mean 'mu'?"}},

    {"stepper__unknown", BALL "stepper: ratle\n",
     .first = ":3: stepper: unknown stepper 'ratle'",
     .hints = {"\n  allowed: ", "\n  did you mean 'rattle'?"}},

    {"stepping__unknown_key", BALL "stepping: {stage: 3}\n",
     .first = ":3: stepping.stage: unknown key",
     .hints =
         {"\n  allowed here: friction, hits, impact, stages, order, substeps, "
          "dt_min, atol, rtol, rho_inf",
          "\n  did you mean 'stages'?"}},
    {"stepping__friction", BALL "stepping: {friction: midslp}\n",
     .first = ":3: stepping.friction: unknown friction 'midslp'",
     .hints = {"\n  allowed: total, midslip", "\n  did you mean 'midslip'?"}},
    {"stepping__hits", BALL "stepping: {hits: balnced}\n",
     .first = ":3: stepping.hits: unknown hits 'balnced'",
     .hints = {"\n  allowed: published, balanced",
               "\n  did you mean 'balanced'?"}},
    {"stepping__rho_inf", BALL "stepping: {rho_inf: 1.5}\n",
     .first = ":3: stepping.rho_inf: 1.5 is out of range",
     .hints = {"\n  allowed: number >= 0 and <= 1"}},
    {"stepping__substeps", BALL "stepping: {substeps: all}\n",
     .first = ":3: stepping.substeps: unknown substeps 'all'",
     .hints = {"\n  allowed: odd, fading"}},
    {"stepping__impact_of_another_stepper",
     BALL "stepper: lobatto\nstepping: {impact: poisson}\n",
     .first = ":3: stepper: 'lobatto' does not know Poisson's impact law",
     .hints = {"\n  take moreau, or impact: newton"}},
    {"stepping__stages", BALL "stepping: {stages: 6}\n",
     .first = ":3: stepping.stages: 6 is out of range",
     .hints = {"\n  allowed: integer >= 2 and <= 5"}},
    {"stepping__order", BALL "stepping: {order: 0}\n",
     .first = ":3: stepping.order: 0 is out of range",
     .hints = {"\n  allowed: integer >= 1 and <= 8"}},
    {"stepping__atol", BALL "stepping: {atol: -1}\n",
     .first = ":3: stepping.atol: -1 is out of range",
     .hints = {"\n  allowed: number >= 0"}},
    {"stepping__dt_min_above_step", BALL "stepping: {dt_min: 0.02}\n",
     .first = ":3: stepping.dt_min: 0.02 is out of range",
     .hints = {"\n  allowed: number >= 0 and <= time.step = 0.01 [s]"}},
    {"stepping__of_world", WORLD "stepping: {impact: poisson}\n",
     .first = ":4: stepping.impact: has a meaning only for models",
     .hints = {"\n  allowed here: friction"}},

    {"solver__of_world", BALL "solver: {method: pgs}\n",
     .first = ":3: solver.method: pgs does not run on models, which newton, "
              "prox and lemke do"},
    {"solver__of_nothing", BALL "solver: {method: newtom}\n",
     .first = ":3: solver.method: unknown method 'newtom'",
     .hints = {"\n  allowed: newton, prox, lemke"}},
    {"solver__of_model", WORLD "solver: {method: prox}\n",
     .first = ":4: solver.method: prox does not run on worlds, which pgs, "
              "jacobi, apgd, newton, lemke, auto and dense do"},
    {"solver__warm_start", BALL "solver: {warm_start: on}\n",
     .first = ":3: solver.warm_start: of no use to the solvers of models",
     .hints = {"\n  allowed here: method, iterations, tolerance"}},

    {"outputs__contacts", BALL "outputs: [{contacts: {}}]\n",
     .first = ":3: outputs[0].contacts: not an output of models",
     .hints = {"\n  allowed here: frames, scalars"}},
    {"outputs__twice", BALL "outputs: [{scalars: {}}, {scalars: {}}]\n",
     .first = ":3: outputs[1].scalars: outputs[0] has this sink already"},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* ---- what is read -------------------------------------------------------- */

static double parameter(const scree_case *c, const char *name) {
    for (int i = 0; i < c->model->n_parameter; i++)
        if (strcmp(c->model->parameters[i].name, name) == 0)
            return c->parameters[i];
    fail_msg("no parameter %s", name);
    return 0;
}

static void model_read__least_file__has_defaults(void **state) {
    (void)state;
    scree_case *c = read_ok(BALL, NULL);
    const scree_dense_options *stepping = &c->stepping;
    assert_string_equal(c->model->name, "bouncing-ball");
    for (int i = 0; i < c->model->n_parameter; i++)
        assert_values(&c->parameters[i], c->model->parameters[i].value);
    assert_values(&c->end, 1);
    assert_values(&c->world.dt, 0.01);
    assert_values(&stepping->dt, 0.01);
    assert_string_equal(c->world.stepper, "moreau");
    assert_string_equal(stepping->solver, "newton");
    assert_int_equal(stepping->iterations, 100);
    assert_values(&stepping->tolerance, 1e-10);
    assert_int_equal(stepping->friction, SCREE_FRICTION_MIDSLIP);
    assert_int_equal(stepping->hits, SCREE_HITS_BALANCED);
    assert_int_equal(c->n_body, 0);
    assert_int_equal(c->n_output, 0);
    scree_case_free(c);
}

/* A flow mapping, a key order of its own, every key. */
static const char full[] =
    "outputs:\n"
    "  - scalars: {every: 0.001}\n"
    "  - frames: {}\n"
    "stepping: {friction: total, hits: published, stages: 3, order: 2, dt_min: "
    "1e-6,\n"
    "  atol: 1e-7, rtol: 1e-8}\n"
    "parameters: {mu: 0.1, height: 2, omega: 1e1}\n"
    "solver: {method: lemke, iterations: 50, tolerance: 1e-9}\n"
    "stepper: lobatto\n"
    "threads: 2\n"
    "units: SI\n"
    "seed: 3\n" BALL "name: everything\n";

static void model_read__full_file__values(void **state) {
    (void)state;
    scree_case *c = read_ok(full, NULL);
    const scree_dense_options *stepping = &c->stepping;
    const double p[] = {parameter(c, "mu"), parameter(c, "height"),
                        parameter(c, "omega"), parameter(c, "gravity")};
    assert_values(p, 0.1, 2, 10, 9.81);
    assert_string_equal(c->world.stepper, "lobatto");
    assert_int_equal(stepping->friction, SCREE_FRICTION_TOTAL);
    assert_int_equal(stepping->hits, SCREE_HITS_PUBLISHED);
    assert_int_equal(stepping->stages, 3);
    assert_int_equal(stepping->order, 2);
    const double limits[] = {stepping->dt_min, stepping->atol, stepping->rtol,
                             stepping->tolerance};
    assert_values(limits, 1e-6, 1e-7, 1e-8, 1e-9);
    assert_string_equal(stepping->solver, "lemke");
    assert_int_equal(stepping->iterations, 50);
    assert_int_equal(c->n_output, 2);
    assert_string_equal(c->outputs[0].sink, "scalars");
    assert_values(&c->outputs[0].schedule.every, 0.001);
    assert_string_equal(c->outputs[1].sink, "frames");
    scree_case_free(c);
}

static void model_read__overrides__on_top(void **state) {
    (void)state;
    const char *sets[] = {"parameters.mu=0.2", "stepper=lobatto",
                          "stepping.stages=4", "solver.method=prox", NULL};
    scree_case *c = read_ok(BALL, sets);
    const double mu = parameter(c, "mu");
    assert_values(&mu, 0.2);
    assert_string_equal(c->world.stepper, "lobatto");
    assert_int_equal(c->stepping.stages, 4);
    assert_string_equal(c->stepping.solver, "prox");
    scree_case_free(c);
}

static void model_read__other_model__its_own_parameters(void **state) {
    (void)state;
    const char *sets[] = {"model=belt", "parameters={v_dr: 7}", NULL};
    scree_case *c = read_ok(full, sets);
    const double speed = parameter(c, "v_dr");
    assert_values(&speed, 7);
    scree_case_free(c);
}

static void model_read__every_model_and_stepper__is_accepted(void **state) {
    (void)state;
    const char *name;
    for (int i = 0; scree_model_get(i); i++)
        for (int k = 0; (name = scree_stepper_name(k, NULL)); k++) {
            char model[100], stepper[100];
            snprintf(model, sizeof model, "model=%s", scree_model_get(i)->name);
            snprintf(stepper, sizeof stepper, "stepper=%s", name);
            const char *sets[] = {model, stepper, NULL};
            scree_case_free(read_ok(BALL, sets));
        }
}

static void world_read__stepping__friction_is_kept(void **state) {
    (void)state;
    scree_case *c = read_ok(WORLD "stepping: {friction: total}\n", NULL);
    assert_null(c->model);
    assert_int_equal(c->stepping.friction, SCREE_FRICTION_TOTAL);
    scree_case_free(c);
}

/* ---- printing ------------------------------------------------------------ */

/* Prints a case; what is printed must read and print the same again. */
static char *print_twice(const char *text, const char *const *sets) {
    scree_case *c = read_ok(text, sets);
    char *once = print_text(c);
    scree_case *again = read_ok(once, NULL);
    char *twice = print_text(again);
    assert_string_equal(once, twice);
    if (c->model)
        assert_memory_equal(c->parameters, again->parameters,
                            (size_t)c->model->n_parameter * sizeof(double));
    scree_case_free(c);
    scree_case_free(again);
    free(twice);
    return once;
}

static void model_print__full_case__reads_back(void **state) {
    (void)state;
    char *text = print_twice(full, NULL);
    assert_non_null(strstr(text, "model: bouncing-ball\n"));
    assert_non_null(strstr(text, "\n  mu: 0.1\n"));
    assert_non_null(strstr(text, "\n  gravity: 9.81\n"));
    assert_non_null(
        strstr(text, "stepping: {friction: total, hits: published, "));
    assert_null(strstr(text, "bodies"));
    assert_null(strstr(text, "warm_start"));
    free(text);
}

static void model_print__every_model__reads_back(void **state) {
    (void)state;
    for (int i = 0; scree_model_get(i); i++) {
        char model[100];
        snprintf(model, sizeof model, "model=%s", scree_model_get(i)->name);
        const char *sets[] = {model, NULL};
        free(print_twice(BALL, sets));
    }
}

static void world_print__no_model__reads_back(void **state) {
    (void)state;
    char *text = print_twice(WORLD, NULL);
    assert_null(strstr(text, "model"));
    assert_null(strstr(text, "parameters"));
    assert_non_null(
        strstr(text, "stepping: {friction: midslip, hits: balanced, stages: 2, "
                     "order: 2, substeps: odd, dt_min: 0, atol: 0, rtol: 0, "
                     "rho_inf: 0.9}\n"));
    free(text);
}

/* Reads a case of the model with one parameter given. */
static scree_status read_parameter(const scree_model_ops *model,
                                   const scree_parameter *p, double value,
                                   scree_error *error) {
    char text[200];
    scree_case *c;
    snprintf(text, sizeof text, TIME "model: %s\nparameters:\n  %s: %.17g\n",
             model->name, p->name, value);
    const scree_status status = read_text(text, NULL, &c, error);
    scree_case_free(c);
    return status;
}

static void refuse_parameter(const scree_model_ops *model,
                             const scree_parameter *p, double value) {
    scree_error error;
    char where[100], range[80], allowed[120];
    scree_range_words(p->range, range);
    snprintf(where, sizeof where, ".yaml:4: parameters.%s: ", p->name);
    snprintf(allowed, sizeof allowed, " is out of range\n  allowed: number%s",
             range);
    assert_int_equal(read_parameter(model, p, value, &error), SCREE_BAD_INPUT);
    assert_non_null(strstr(error.text, where));
    assert_non_null(strstr(error.text, allowed));
}

static void model_read__every_bound_of_every_model__is_kept(void **state) {
    (void)state;
    const scree_model_ops *model;
    for (int i = 0; (model = scree_model_get(i)); i++)
        for (int k = 0; k < model->n_parameter; k++) {
            const scree_parameter *p = &model->parameters[k];
            assert_non_null(p->range);
            assert_true(scree_range_contains(p->range, p->value));
            const double lo = p->range->lo, hi = p->range->hi;
            assert_true(isfinite(lo) && isfinite(hi) && lo < hi);
            assert_int_equal(read_parameter(model, p, lo, NULL), SCREE_OK);
            assert_int_equal(read_parameter(model, p, hi, NULL), SCREE_OK);
            refuse_parameter(model, p, nextafter(lo, -INFINITY));
            refuse_parameter(model, p, nextafter(hi, INFINITY));
            refuse_parameter(model, p, -1e308);
        }
}

int main(void) {
    static struct CMUnitTest tests[ROWS + 10] = {
        cmocka_unit_test(model_read__least_file__has_defaults),
        cmocka_unit_test(model_read__full_file__values),
        cmocka_unit_test(model_read__overrides__on_top),
        cmocka_unit_test(model_read__other_model__its_own_parameters),
        cmocka_unit_test(model_read__every_model_and_stepper__is_accepted),
        cmocka_unit_test(world_read__stepping__friction_is_kept),
        cmocka_unit_test(model_print__full_case__reads_back),
        cmocka_unit_test(model_print__every_model__reads_back),
        cmocka_unit_test(world_print__no_model__reads_back),
        cmocka_unit_test(model_read__every_bound_of_every_model__is_kept),
    };
    for (int i = 0; i < ROWS; i++) tests[10 + i] = test_of_row(&rows[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
