/* model_run.c: runs of models: what model.csv and model.hdf5 hold. */
#include "tests/io/files/fixture.h"

#include <hdf5.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "io/output/model/model_output.h"
#include "io/run/run.h"

/* From 1 m, radius 0.1 m: first impact after sqrt(2 0.9 / 9.81) s. */
static const char ball[] = "name: ball\n"
                           "time: {end: 0.6, step: 1e-3}\n"
                           "model: bouncing-ball\n"
                           "parameters: {omega: 5}\n"
                           "outputs: [{scalars: {}}, {frames: {}}]\n";
static const double first_impact = 0.42835306;

/* ---- running ------------------------------------------------------------- */

static scree_case *read_case(const fixture *f, const char *text,
                             const char *set) {
    const char *path = fixture_path(f, "case.yaml");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    scree_case *c;
    scree_error error = {0};
    if (scree_case_read(path, set ? 1 : 0, &set, &c, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    unlink(path);
    return c;
}

static scree_status run_text(const fixture *f, const char *text,
                             const char *set, FILE *log) {
    scree_case *c = read_case(f, text, set);
    scree_error error = {0};
    const scree_run_options options = {
        .out = f->folder, .log = log, .force = true};
    const scree_status status = scree_run(c, &options, &error);
    if (status != SCREE_OK) print_message("%s\n", error.text);
    scree_case_free(c);
    return status;
}

static void run_ok(const fixture *f, const char *text, const char *set) {
    assert_int_equal(run_text(f, text, set, NULL), SCREE_OK);
}

/* ---- reading model.csv back ---------------------------------------------- */

enum { MOST_COLUMNS = 100 };

typedef struct table {
    char *text;
    int n_column, n;
    char *names[MOST_COLUMNS];
    double *values; /* (n x n_column) */
} table;

static char *read_whole(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = NULL;
    size_t size = 0;
    assert_true(getdelim(&text, &size, '\0', file) > 0);
    fclose(file);
    return text;
}

static char *next_line(char **text) {
    char *line = strsep(text, "\n");
    while (line && *line == '#') line = strsep(text, "\n");
    return line && *line ? line : NULL;
}

static void read_values(table *t, char *line) {
    t->values = realloc(t->values, sizeof(double) * (size_t)t->n_column *
                                       (size_t)(t->n + 1));
    double *row = t->values + t->n * t->n_column;
    int k = 0;
    for (char *field; (field = strsep(&line, ",")); k++) {
        assert_true(k < t->n_column);
        row[k] = strtod(field, NULL);
    }
    assert_int_equal(k, t->n_column);
    t->n++;
}

static table read_table(const fixture *f) {
    table t = {.text = read_whole(fixture_path(f, "model.csv"))};
    char *rest = t.text, *line = next_line(&rest);
    assert_non_null(line);
    for (char *name; (name = strsep(&line, ","));) t.names[t.n_column++] = name;
    while ((line = next_line(&rest))) read_values(&t, line);
    return t;
}

static void free_table(table *t) {
    free(t->text);
    free(t->values);
}

static double value(const table *t, int row, const char *name) {
    for (int k = 0; k < t->n_column; k++)
        if (strcmp(t->names[k], name) == 0)
            return t->values[row * t->n_column + k];
    fail_msg("no column %s", name);
    return 0;
}

/* ---- model.csv ----------------------------------------------------------- */

static void model_csv__ball__columns_in_order(void **state) {
    static const char *const names[] = {"step",
                                        "t",
                                        "dt",
                                        "order",
                                        "x",
                                        "y",
                                        "phi",
                                        "u_x",
                                        "u_y",
                                        "u_phi",
                                        "g_plane",
                                        "P_plane_N",
                                        "P_plane_F1",
                                        "P1_plane_N",
                                        "P1_plane_F1",
                                        "mode_plane_N",
                                        "mode_plane_F1",
                                        "energy",
                                        "iterations_1",
                                        "iterations_2",
                                        "residual"};
    run_ok(*state, ball, NULL);
    table t = read_table(*state);
    assert_int_equal(t.n_column, sizeof names / sizeof *names);
    for (int k = 0; k < t.n_column; k++)
        assert_string_equal(t.names[k], names[k]);
    assert_int_equal(t.n, 601);
    for (int i = 0; i < t.n; i++) {
        assert_true(value(&t, i, "step") == i);
        assert_true(fabs(value(&t, i, "t") - 1e-3 * i) < 1e-9);
    }
    assert_true(value(&t, 600, "t") == 0.6);
    free_table(&t);
}

static int first_contact(const table *t) {
    int i = 0;
    while (i < t->n && value(t, i, "P_plane_N") <= 0) i++;
    assert_true(i < t->n);
    return i;
}

/* By every stepper, to two steps. */
static void model_csv__ball__first_impact_in_time(void **state) {
    const char *name;
    for (int k = 0; (name = scree_stepper_name(k, NULL)); k++) {
        char set[100];
        snprintf(set, sizeof set, "stepper=%s", name);
        run_ok(*state, ball, set);
        table t = read_table(*state);
        const int i = first_contact(&t);
        if (fabs(value(&t, i, "t") - first_impact) > 2e-3)
            fail_msg("%s: impact at t = %g", name, value(&t, i, "t"));
        assert_true(fabs(value(&t, i, "g_plane")) < 0.01);
        assert_true(value(&t, 0, "g_plane") == 0.9);
        free_table(&t);
    }
}

static void model_csv__joints_and_contacts__rows_are_named(void **state) {
    run_ok(*state,
           "time: {end: 1e-4, step: 1e-5}\nmodel: slider-crank\n"
           "outputs: [{scalars: {}}]\n",
           "stepper=rattle");
    table t = read_table(*state);
    value(&t, 0, "g_ground-x");
    value(&t, 0, "P_ground-x");
    value(&t, 0, "P_upper-left_N");
    value(&t, 0, "P1_upper-left_F1");
    value(&t, 0, "mode_lower-right_F1");
    free_table(&t);
}

/* No gap, no energy. */
static void model_csv__friction_alone__no_gap_column(void **state) {
    run_ok(*state,
           "time: {end: 0.1, step: 0.01}\nmodel: belt\n"
           "outputs: [{scalars: {}}, {frames: {}}]\n",
           NULL);
    table t = read_table(*state);
    value(&t, 0, "P_belt_F1");
    for (int k = 0; k < t.n_column; k++) {
        assert_true(strncmp(t.names[k], "g_", 2) != 0);
        assert_true(strcmp(t.names[k], "energy") != 0);
    }
    free_table(&t);
}

static void model_csv__schedule__no_drift(void **state) {
    run_ok(*state,
           "time: {end: 10.005, step: 1e-3}\nmodel: bouncing-ball\n"
           "outputs: [{scalars: {every: 0.01}}]\n",
           NULL);
    table t = read_table(*state);
    assert_int_equal(t.n, 1002);
    for (int i = 0; i < 1001; i++) assert_true(value(&t, i, "step") == 10 * i);
    assert_true(value(&t, 1001, "step") == 10005);
    free_table(&t);
}

/* Steps of any size, always forward, exactly to the end; with a schedule one
 * row at most between two multiples. */
static void model_csv__adaptive__time_grows(void **state) {
    static const char belt[] = "time: {end: 7, step: 0.1}\nmodel: belt\n"
                               "stepper: moreau-adaptive\n"
                               "stepping: {order: 2, dt_min: 1e-4}\n"
                               "outputs: [{scalars: {}}]\n";
    run_ok(*state, belt, NULL);
    table t = read_table(*state);
    double least = 1, most = 0;
    for (int i = 1; i < t.n; i++) {
        const double dt = value(&t, i, "dt");
        assert_true(value(&t, i, "t") > value(&t, i - 1, "t"));
        least = fmin(least, dt);
        most = fmax(most, dt);
    }
    assert_true(least < 0.01 && most > 0.05 && most < 0.1001);
    assert_true(fabs(value(&t, t.n - 1, "t") - 7) < 1e-9);
    free_table(&t);
    run_ok(*state, belt, "outputs[0].scalars.every=0.5");
    t = read_table(*state);
    assert_int_equal(t.n, 15);
    for (int i = 0; i < t.n; i++)
        assert_true(fabs(value(&t, i, "t") - 0.5 * i) < 0.11);
    free_table(&t);
}

/* ---- model.hdf5 ---------------------------------------------------------- */

static hid_t open_file(const fixture *f) {
    const hid_t file =
        H5Fopen(fixture_path(f, "model.hdf5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

/* A dataset of n rows; columns = 0: of one dimension. The caller frees. */
static double *read_rows(hid_t file, const char *name, int n, int columns) {
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) fail_msg("there is no %s", name);
    const hid_t space = H5Dget_space(set);
    hsize_t size[2] = {0, 0};
    assert_int_equal(H5Sget_simple_extent_ndims(space), columns ? 2 : 1);
    H5Sget_simple_extent_dims(space, size, NULL);
    assert_int_equal(size[0], n);
    assert_int_equal(size[1], columns);
    double *rows =
        calloc((size_t)n * (size_t)(columns ? columns : 1), sizeof *rows);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                        rows) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    return rows;
}

/* The dataset's columns are those of model.csv, bit for bit. */
static void expect_columns(hid_t file, const char *name, const table *t,
                           int columns, const char *const *names) {
    double *rows = read_rows(file, name, t->n, columns);
    const int m = columns ? columns : 1;
    for (int i = 0; i < t->n; i++)
        for (int k = 0; k < m; k++)
            if (rows[i * m + k] != value(t, i, names[k]))
                fail_msg("%s[%d, %d] is not %s", name, i, k, names[k]);
    free(rows);
}

static void expect_names(hid_t file, const char *object, int n,
                         const char *const *names) {
    const hid_t attribute =
        H5Aopen_by_name(file, object, "columns", H5P_DEFAULT, H5P_DEFAULT);
    assert_true(attribute >= 0);
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    char *texts[MOST_COLUMNS];
    assert_int_equal(H5Sget_simple_extent_npoints(space), n);
    assert_int_equal(H5Sget_simple_extent_ndims(space), 1);
    assert_true(H5Aread(attribute, type, texts) >= 0);
    for (int i = 0; i < n; i++) assert_string_equal(texts[i], names[i]);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
}

#define NAMES(...) ((const char *const[]){__VA_ARGS__})

static void model_hdf5__ball__same_as_the_table(void **state) {
    run_ok(*state, ball, "stepper=rattle");
    table t = read_table(*state);
    const hid_t file = open_file(*state);
    expect_columns(file, "time", &t, 0, NAMES("t"));
    expect_columns(file, "dt", &t, 0, NAMES("dt"));
    expect_columns(file, "order", &t, 0, NAMES("order"));
    expect_columns(file, "energy", &t, 0, NAMES("energy"));
    expect_columns(file, "residual", &t, 0, NAMES("residual"));
    expect_columns(file, "q", &t, 3, NAMES("x", "y", "phi"));
    expect_columns(file, "u", &t, 3, NAMES("u_x", "u_y", "u_phi"));
    expect_columns(file, "g", &t, 1, NAMES("g_plane"));
    expect_columns(file, "P", &t, 2, NAMES("P_plane_N", "P_plane_F1"));
    expect_columns(file, "P_first", &t, 2, NAMES("P1_plane_N", "P1_plane_F1"));
    expect_columns(file, "mode", &t, 2, NAMES("mode_plane_N", "mode_plane_F1"));
    expect_columns(file, "iterations", &t, 2,
                   NAMES("iterations_1", "iterations_2"));
    expect_names(file, "q", 3, NAMES("x", "y", "phi"));
    expect_names(file, "g", 1, NAMES("plane"));
    expect_names(file, "P", 2, NAMES("plane_N", "plane_F1"));
    H5Fclose(file);
    free_table(&t);
}

static void expect_text(hid_t file, const char *name, const char *expected) {
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(set >= 0);
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    char *text = NULL;
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) >= 0);
    assert_string_equal(text, expected);
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, &text);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
}

static void model_hdf5__origin__case_and_build(void **state) {
    run_ok(*state, ball, "parameters.mu=0.4");
    const hid_t file = open_file(*state);
    static const char *const attributes[] = {"version", "commit",  "name",
                                             "model",   "stepper", "state_hash",
                                             "seed",    "time",    "step"};
    for (int i = 0; i < 9; i++)
        assert_true(
            H5Aexists_by_name(file, "scree", attributes[i], H5P_DEFAULT) > 0);
    expect_text(file, "scree/case", ball);
    expect_text(file, "scree/overrides", "parameters.mu=0.4");
    H5Fclose(file);
}

/* A model without gaps and energy has no such arrays. */
static void model_hdf5__friction_alone__no_gaps(void **state) {
    run_ok(*state,
           "time: {end: 0.1, step: 0.01}\nmodel: belt\n"
           "outputs: [{frames: {every: 0.05}}]\n",
           NULL);
    const hid_t file = open_file(*state);
    assert_true(H5Lexists(file, "g", H5P_DEFAULT) == 0);
    assert_true(H5Lexists(file, "energy", H5P_DEFAULT) == 0);
    free(read_rows(file, "q", 3, 1));
    H5Fclose(file);
}

/* ---- the run ------------------------------------------------------------- */

static void next_dt__last_step__meets_the_end(void **state) {
    (void)state;
    assert_true(scree_run_next_dt(0, 1, 0.3) == 0.3);
    assert_true(fabs(scree_run_next_dt(0.9, 1, 0.3) - 0.1) < 1e-15);
    assert_true(scree_run_next_dt(0.7 - 1e-12, 1, 0.3) == 1 - (0.7 - 1e-12));
    assert_true(scree_run_next_dt(1 - 1e-12, 1, 0.3) == 0);
    assert_true(scree_run_next_dt(1 + 1e-12, 1, 0.3) == 0);
}

static void run__model__table_of_100_columns(void **state) {
    char *text;
    size_t size;
    FILE *log = open_memstream(&text, &size);
    assert_int_equal(run_text(*state, ball, "stepper=rattle", log), SCREE_OK);
    fclose(log);
    static const char *const parts[] = {"100.0 %  t 0.6 / 0.6 s",
                                        "  steps                600",
                                        "  iterations, stage 1",
                                        "  iterations, stage 2",
                                        "  unconverged",
                                        "  singular Jacobians",
                                        "  worst residual",
                                        "  least gap",
                                        "  energy [J]",
                                        " steps per second",
                                        "  result: ",
                                        "\nstate hash: "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(text, parts[i])) fail_msg("no '%s' in\n%s", parts[i], text);
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));)
        assert_true(strlen(line) <= 100);
    free(text);
}

static uint64_t hash_after(const scree_case *c, int steps) {
    scree_dense *s;
    assert_int_equal(scree_dense_create(c->model, c->parameters, &s), SCREE_OK);
    for (int i = 0; i < steps; i++)
        assert_int_equal(
            scree_dense_step(s, c->world.stepper, &c->stepping, NULL),
            SCREE_OK);
    const uint64_t hash = scree_model_hash(s);
    scree_dense_destroy(s);
    return hash;
}

/* Equal runs, equal hashes; a step or a parameter makes another. */
static void model_hash__state__decides(void **state) {
    scree_case *c = read_case(*state, ball, NULL);
    const uint64_t hash = hash_after(c, 20);
    assert_true(hash == hash_after(c, 20));
    assert_true(hash != hash_after(c, 21));
    c->parameters[2] *= 1 + 1e-15; /* gravity */
    assert_true(hash != hash_after(c, 20));
    scree_case_free(c);
}

static void run__full_disk__io_error(void **state) {
    const fixture *f = *state;
    struct rlimit all, few = {.rlim_cur = 1500}; /* the case fits */
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &all), 0);
    few.rlim_max = all.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
    const scree_status status = run_text(f, ball, NULL, NULL);
    setrlimit(RLIMIT_FSIZE, &all);
    assert_int_equal(status, SCREE_IO_ERROR);
}

/* Nothing is written through it. */
static void run__link_in_place_of_the_table__io_error(void **state) {
    const fixture *f = *state;
    assert_int_equal(symlink("/dev/null", fixture_path(f, "model.csv")), 0);
    assert_int_equal(run_text(f, ball, NULL, NULL), SCREE_IO_ERROR);
}

int main(void) {
#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        TEST(model_csv__ball__columns_in_order),
        TEST(model_csv__ball__first_impact_in_time),
        TEST(model_csv__joints_and_contacts__rows_are_named),
        TEST(model_csv__friction_alone__no_gap_column),
        TEST(model_csv__schedule__no_drift),
        TEST(model_csv__adaptive__time_grows),
        TEST(model_hdf5__ball__same_as_the_table),
        TEST(model_hdf5__origin__case_and_build),
        TEST(model_hdf5__friction_alone__no_gaps),
        TEST(next_dt__last_step__meets_the_end),
        TEST(run__model__table_of_100_columns),
        TEST(model_hash__state__decides),
        TEST(run__full_disk__io_error),
        TEST(run__link_in_place_of_the_table__io_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
