/* catalyst_conduit.c: what the backend of the Catalyst 2 library hands to it,
 * seen by a library that keeps the nodes. */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalyst_stub/stub.h"
#include "io/catalyst/catalyst_plugin.h"
#include "tests/support.h"

extern const scree_catalyst_plugin scree_catalyst_entry;

/* ---- a channel with cells of all kinds ----------------------------------- */

static const double points[5][3] = {
    {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 2, 2}};
static const double radius[5] = {1, 2, 3, 4, 5};
static const double velocity[5][3] = {{1, 2, 3}, {4, 5, 6}};
static const double orientation[5][4] = {{1, 0, 0, 0}};
static const int64_t id[5] = {10, 11, 12, 13, 14};
static const int32_t material[5] = {0, 1, 0, 1, 0};
static const int64_t cell_id[4] = {7, 8, 9, 10};

static const int64_t vertex_offsets[] = {0, 1, 2}, vertex_points[] = {4, 0},
                     line_offsets[] = {0, 2}, line_points[] = {0, 4},
                     polygon_offsets[] = {0, 4},
                     polygon_points[] = {0, 1, 2, 3};

static const scree_catalyst_field point_fields[] = {
    {"radius", SCREE_CATALYST_DOUBLE, 1, radius},
    {"velocity", SCREE_CATALYST_DOUBLE, 3, velocity},
    {"orientation", SCREE_CATALYST_DOUBLE, 4, orientation},
    {"id", SCREE_CATALYST_INT64, 1, id},
    {"material", SCREE_CATALYST_INT32, 1, material}};
static const scree_catalyst_field cell_fields[] = {
    {"cell_id", SCREE_CATALYST_INT64, 1, cell_id}};

static const scree_catalyst_channel channels[] = {
    {.name = "mixed",
     .n_point = 5,
     .points = &points[0][0],
     .vertices = {2, vertex_offsets, vertex_points},
     .lines = {1, line_offsets, line_points},
     .polygons = {1, polygon_offsets, polygon_points},
     .n_point_field = 5,
     .point_fields = point_fields,
     .n_cell_field = 1,
     .cell_fields = cell_fields},
    {.name = "empty"}};
static const scree_catalyst_state state = {
    .step = 42, .time = 0.5, .n_channel = 2, .channels = channels};

/* ---- what the backend says ----------------------------------------------- */

static char complaint[500];

static void complain(void *to, int script, const char *text) {
    assert_ptr_equal(to, complaint);
    assert_int_equal(script, -1);
    snprintf(complaint, sizeof complaint, "%s", text);
}

static bool any_failed(void *to, int script, bool here, const char *text) {
    if (here) complain(to, script, text);
    return here;
}

static const char *const scripts[] = {"/a/first.py", "/b/second.py"};
static const char *const arguments[] = {"name=test", "live=here:1"};
static const scree_catalyst_setup setup = {.n_script = 2,
                                           .scripts = scripts,
                                           .n_argument = 2,
                                           .arguments = arguments,
                                           .complain = complain,
                                           .any_failed = any_failed,
                                           .to = complaint};

/* ---- looking at nodes ---------------------------------------------------- */

static const conduit_node *at(const conduit_node *root, const char *path) {
    const conduit_node *found = stub_find(root, path);
    if (!found) fail_msg("%s is missing", path);
    return found;
}

static void check_text(const conduit_node *root, const char *path,
                       const char *text) {
    assert_int_equal(at(root, path)->kind, STUB_TEXT);
    assert_string_equal(at(root, path)->text, text);
}

static void check_memory(const conduit_node *root, const char *path,
                         stub_kind kind, const void *data, int64_t n,
                         int64_t offset, int64_t stride) {
    const conduit_node *node = at(root, path);
    assert_int_equal(node->kind, kind);
    assert_ptr_equal(node->data, data);
    assert_int_equal(node->n, n);
    assert_int_equal(node->offset, offset);
    assert_int_equal(node->stride, stride);
    assert_int_equal(node->bytes, kind == STUB_INT32 ? 4 : 8);
}

static void check_integers(const conduit_node *root, const char *path,
                           const int64_t *expected, int64_t n) {
    const conduit_node *node = at(root, path);
    assert_int_equal(node->kind, STUB_INT64);
    assert_int_equal(node->n, n);
    assert_memory_equal((const char *)node->data + node->offset, expected,
                        (size_t)n * sizeof *expected);
}

#define MESH "catalyst/channels/mixed/data/"

static void check_points(const conduit_node *root) {
    check_text(root, "catalyst/channels/mixed/type", "mesh");
    check_text(root, MESH "coordsets/coords/type", "explicit");
    check_memory(root, MESH "coordsets/coords/values/x", STUB_FLOAT64, points,
                 5, 0, 24);
    check_memory(root, MESH "coordsets/coords/values/y", STUB_FLOAT64, points,
                 5, 8, 24);
    check_memory(root, MESH "coordsets/coords/values/z", STUB_FLOAT64, points,
                 5, 16, 24);
}

static void check_cells(const conduit_node *root) {
    const int64_t shapes[] = {1, 1, 3, 7}, sizes[] = {1, 1, 2, 4},
                  offsets[] = {0, 1, 2, 4},
                  connectivity[] = {4, 0, 0, 4, 0, 1, 2, 3};
    const char mesh[] = MESH "topologies/mesh";
    const conduit_node *topology = at(root, mesh);
    check_text(topology, "type", "unstructured");
    check_text(topology, "coordset", "coords");
    check_text(topology, "elements/shape", "mixed");
    assert_int_equal(at(topology, "elements/shape_map/point")->whole, 1);
    assert_int_equal(at(topology, "elements/shape_map/line")->whole, 3);
    assert_int_equal(at(topology, "elements/shape_map/polygonal")->whole, 7);
    check_integers(topology, "elements/shapes", shapes, 4);
    check_integers(topology, "elements/sizes", sizes, 4);
    check_integers(topology, "elements/offsets", offsets, 4);
    check_integers(topology, "elements/connectivity", connectivity, 8);
}

/* Vectors have their components by name, in the order of memory. */
static void check_fields(const conduit_node *root) {
    const conduit_node *fields = at(root, MESH "fields");
    assert_int_equal(fields->n_child, 6);
    for (int i = 0; i < fields->n_child; i++) {
        const conduit_node *field = fields->children[i];
        const bool of_cells = strcmp(field->name, "cell_id") == 0;
        check_text(field, "association", of_cells ? "element" : "vertex");
        check_text(field, "topology", "mesh");
        check_text(field, "volume_dependent", "false");
    }
    check_memory(fields, "radius/values", STUB_FLOAT64, radius, 5, 0, 8);
    check_memory(fields, "id/values", STUB_INT64, id, 5, 0, 8);
    check_memory(fields, "material/values", STUB_INT32, material, 5, 0, 4);
    check_memory(fields, "cell_id/values", STUB_INT64, cell_id, 4, 0, 8);
    for (int i = 0; i < 3; i++) {
        char path[40];
        snprintf(path, sizeof path, "velocity/values/%c", "xyz"[i]);
        check_memory(fields, path, STUB_FLOAT64, velocity, 5, 8 * i, 24);
    }
    for (int i = 0; i < 4; i++) {
        char path[40];
        snprintf(path, sizeof path, "orientation/values/%c", "wxyz"[i]);
        check_memory(fields, path, STUB_FLOAT64, orientation, 5, 8 * i, 32);
    }
}

static void check_empty(const conduit_node *root) {
    const conduit_node *mesh = at(root, "catalyst/channels/empty/data");
    assert_int_equal(at(mesh, "coordsets/coords/values/x")->n, 0);
    assert_int_equal(at(mesh, "topologies/mesh/elements/connectivity")->n, 0);
    assert_int_equal(at(mesh, "topologies/mesh/elements/shapes")->n, 0);
}

static void check_execute(const conduit_node *root) {
    assert_int_equal(at(root, "catalyst/state/timestep")->whole, 42);
    assert_true(at(root, "catalyst/state/time")->real == 0.5);
    assert_int_equal(at(root, "catalyst/channels")->n_child, 2);
    check_points(root);
    check_cells(root);
    check_fields(root);
    check_empty(root);
}

/* Its own communicator, over the ranks of the program. */
static void check_initialize(const conduit_node *root) {
    int same;
    const MPI_Comm comm =
        MPI_Comm_f2c((MPI_Fint)at(root, "catalyst/mpi_comm")->whole);
    MPI_Comm_compare(comm, MPI_COMM_WORLD, &same);
    assert_int_equal(same, MPI_CONGRUENT);
    assert_int_equal(at(root, "catalyst/scripts")->n_child, 2);
    for (int i = 0; i < 2; i++) {
        const conduit_node *script = at(root, "catalyst/scripts")->children[i];
        check_text(script, "filename", scripts[i]);
        assert_int_equal(at(script, "args")->n_child, 2);
        for (int k = 0; k < 2; k++)
            assert_string_equal(at(script, "args")->children[k]->text,
                                arguments[k]);
    }
}

/* ---- the tests ----------------------------------------------------------- */

static char calls[200];

static void watch(const char *call, const conduit_node *params) {
    strcat(strcat(calls, call), " ");
    if (strcmp(call, "initialize") == 0) check_initialize(params);
    if (strcmp(call, "execute") == 0) check_execute(params);
}

static int prepare(void **unused) {
    (void)unused;
    stub_watch = watch;
    stub_status = catalyst_status_ok;
    stub_implementation = "paraview";
    *complaint = *calls = '\0';
    unsetenv("CATALYST_IMPLEMENTATION_NAME");
    return 0;
}

static void conduit__whole_run__nodes_and_order(void **unused) {
    (void)unused;
    assert_int_equal(scree_catalyst_entry.version, SCREE_CATALYST_VERSION);
    assert_int_equal(scree_catalyst_entry.display, SCREE_DISPLAY_WANTED);
    assert_true(scree_catalyst_entry.open(&setup));
    scree_catalyst_entry.execute(&state);
    scree_catalyst_entry.execute(&state);
    scree_catalyst_entry.close();
    assert_string_equal(calls, "initialize execute execute finalize ");
    assert_string_equal(complaint, "");
    assert_int_equal(stub_nodes, 0);
}

static void conduit__execute_fails__said(void **unused) {
    (void)unused;
    assert_true(scree_catalyst_entry.open(&setup));
    stub_status = catalyst_status_error_no_implementation;
    scree_catalyst_entry.execute(&state);
    assert_non_null(strstr(complaint, "catalyst_execute failed"));
    scree_catalyst_entry.close();
    assert_int_equal(stub_nodes, 0);
}

/* The library falls back on an implementation of that name unless told. */
static void conduit__no_implementation__said_unless_asked_for(void **unused) {
    (void)unused;
    stub_implementation = "stub";
    assert_false(scree_catalyst_entry.open(&setup));
    assert_non_null(strstr(complaint, "CATALYST_IMPLEMENTATION_NAME=paraview"));
    setenv("CATALYST_IMPLEMENTATION_NAME", "stub", 1);
    *complaint = '\0';
    assert_true(scree_catalyst_entry.open(&setup));
    assert_string_equal(complaint, "");
    stub_status = catalyst_status_error_no_implementation;
    assert_false(scree_catalyst_entry.open(&setup));
    assert_int_equal(stub_nodes, 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(conduit__whole_run__nodes_and_order, prepare),
        cmocka_unit_test_setup(conduit__execute_fails__said, prepare),
        cmocka_unit_test_setup(
            conduit__no_implementation__said_unless_asked_for, prepare)};
    MPI_Init(&argc, &argv);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
